import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server } from "@modelcontextprotocol/server";
import { UnknownNegotiation } from "../backend/errors.ts";
import type { Settings } from "../home/settings.ts";
import { failureOf, type Log } from "../log.ts";
import { toToolError } from "../result/tool-error.ts";
import { textsOf } from "../text/index.ts";
import { resourceTexts } from "../text/resources.ts";
import { LIST_PARAMS, onlyPage } from "./list-params.ts";
import type { ResourceDeps } from "./reading.ts";
import { locate, RESOURCES, type Resource } from "./resource-table.ts";

/** Lists and reads resources on a server that declares the capability. */
export function serveResources(server: Server, deps: ResourceDeps): void {
  const about = ({ name, words, mimeType }: Resource) => {
    const { title, description } = resourceTexts(deps.settings().lang)[words];
    return { name, title, description, mimeType };
  };

  server.setRequestHandler("resources/list", { params: LIST_PARAMS }, (params) => {
    onlyPage(params);
    return {
      resources: RESOURCES.filter((one) => !one.isTemplate).map((one) => ({ uri: one.uri, ...about(one) })),
    };
  });

  server.setRequestHandler("resources/templates/list", { params: LIST_PARAMS }, (params) => {
    onlyPage(params);
    return {
      resourceTemplates: RESOURCES.filter((one) => one.isTemplate).map((one) => ({
        uriTemplate: one.uri,
        ...about(one),
      })),
    };
  });

  server.setRequestHandler("resources/read", async ({ params: { uri } }, ctx) => {
    const found = locate(uri);
    if (found === undefined) throw new ResourceNotFoundError(uri);
    const { resource, ids, page } = found;
    const settings = deps.settings();
    const texts = resourceTexts(settings.lang);
    const { signal } = ctx.mcpReq;
    const requestId = deps.newId();
    deps.log.info("resource_read", { resource: resource.name, request_id: requestId });
    try {
      const { budget_max_backend_requests: backendRequests } = settings;
      if (resource.isTemplate && !resource.isLocal)
        await deps.session.ledger.check("resources/read", false, { backendRequests });
      const { holdsOthersText, ...contents } = await resource.read({
        uri,
        ids,
        page,
        settings,
        texts,
        signal,
        requestId,
        now: deps.now,
        deps,
        serverContext: ctx,
      });
      if (holdsOthersText) await deps.session.taint.mark();
      return { contents: [{ uri, mimeType: resource.mimeType, ...contents }] };
    } catch (error) {
      throw signal.aborted ? error : refusal(error, uri, settings, deps.log);
    }
  });
}

/** A failure of ours as the protocol tells it: no stack, no secret, the same words as a tool's. */
function refusal(error: unknown, uri: string, { lang }: Settings, log: Log): unknown {
  if (error instanceof ProtocolError) return error;
  if (error instanceof UnknownNegotiation) return new ResourceNotFoundError(uri);
  log.warn("resource_failed", { error: failureOf(error) });
  const { code, message, recovery_suggestion, can_retry } = toToolError(error, {
    texts: textsOf(lang),
    idempotent: true,
    callable: () => false,
  });
  return new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${message} ${recovery_suggestion}`, {
    code,
    can_retry,
  });
}
