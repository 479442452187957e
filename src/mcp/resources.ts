import { ProtocolError, ResourceNotFoundError, type Server, type ServerContext } from "@modelcontextprotocol/server";
import { UnknownNegotiation } from "../backend/errors.ts";
import { SANDBOX } from "../home/origin.ts";
import { failureOf } from "../log.ts";
import { QUESTION_PAGE } from "../question/chat-wire.ts";
import { budgetOf } from "../session/ledger.ts";
import { resourceTexts } from "../text/resources.ts";
import { keepsResults } from "../tools/policy.ts";
import { questionContents } from "./chat-page.ts";
import { LIST_PARAMS, onlyPage, URI_PARAMS } from "./list-params.ts";
import { toProtocolError } from "./protocol-error.ts";
import { docEntries } from "./resources/docs.ts";
import { newestEntries } from "./resources/negotiation-list.ts";
import type { Contents, ResourceDeps } from "./resources/reading.ts";
import { locate, RESOURCES, type Resource } from "./resources/table.ts";
import type { ChatPages } from "./server-deps.ts";

/**
 * The resources that can be read by URI: for the protocol's own requests, and for the tools that stand in for them in
 * clients that do not support resources.
 */
export interface ResourceLibrary {
  list(): { resources: Entry<"uri">[]; templates: Entry<"uriTemplate">[] };
  /**
   * Reads one resource. @throws ResourceNotFoundError for an unknown address, ProtocolError for a bad argument, and
   * TowowError for what the backend or the budget refuses
   */
  read(
    uri: string,
    call: { serverContext: ServerContext; requestId: string },
  ): Promise<Contents & { mimeType: string }>;
}

type Entry<Address extends string> = Record<Address, string> & {
  name: string;
  title: string;
  description: string;
  mimeType: string;
};

export function createLibrary(deps: ResourceDeps): ResourceLibrary {
  const about = ({ name, words, mimeType }: Resource) => {
    const { title, description } = resourceTexts(deps.settings().lang)[words];
    return { name, title, description, mimeType };
  };
  // Results are kept only for toolsets whose tools take references, so without them there is nothing to read at a cache
  // address.
  const isListed = ({ name }: Resource) => name !== "cache" || keepsResults(deps.settings());
  return {
    list: () => ({
      resources: [
        ...RESOURCES.flatMap((one) => (one.plain === undefined ? [] : [{ uri: one.plain, ...about(one) }])),
        ...docEntries(deps.settings().lang),
      ],
      templates: RESOURCES.filter((one) => one.isTemplate && isListed(one)).map((one) => ({
        uriTemplate: one.uri,
        ...about(one),
      })),
    }),
    async read(uri, { serverContext, requestId }) {
      const found = locate(uri);
      if (found === undefined) throw new ResourceNotFoundError(uri, resourceTexts(deps.settings().lang).unknown);
      const { resource, ...located } = found;
      const settings = deps.settings();
      const { signal } = serverContext.mcpReq;
      // The last answer about a finished negotiation is kept, so reading that negotiation makes no request and needs no
      // budget.
      const { negotiation_id: id } = located.ids;
      const isKept = id !== undefined && deps.account().negotiations.finished(id) !== undefined;
      if (resource.isLocal !== true && !isKept) await deps.session.ledger.check(false, budgetOf(settings));
      const texts = resourceTexts(settings.lang);
      const contents = await resource.read({
        uri,
        ...located,
        settings,
        texts,
        signal,
        requestId,
        now: deps.clock.now,
        deps,
        serverContext,
      });
      deps.log.info("resource_read", { resource: resource.name, request_id: requestId });
      return { mimeType: resource.mimeType, ...contents };
    },
  };
}

/** Lists and reads resources on a server that declares the capability. */
export function serveResources(
  server: Server,
  library: ResourceLibrary,
  deps: ResourceDeps,
  chat: ChatPages | undefined,
): void {
  server.setRequestHandler("resources/list", { params: LIST_PARAMS }, async (params) => {
    onlyPage(params);
    // Clients offer only listed resources to attach, so the newest negotiations are listed.
    return { resources: [...library.list().resources, ...(await newestEntries(deps))] };
  });

  server.setRequestHandler("resources/templates/list", { params: LIST_PARAMS }, (params) => {
    onlyPage(params);
    return { resourceTemplates: library.list().templates };
  });

  server.setRequestHandler("resources/read", { params: URI_PARAMS }, async ({ uri }, ctx) => {
    try {
      // The page is for the client to draw, not for a model to read, so the library does not list it.
      if (chat !== undefined && uri === QUESTION_PAGE) return await questionContents(chat);
      const read = await library.read(uri, { serverContext: ctx, requestId: deps.newId() });
      const { holdsOthersText, ...contents } = read;
      if (holdsOthersText) await deps.session.taint.mark(deps.account().origin);
      const isText = contents.mimeType === "text/plain" && /^towow:\/\/(negotiations|scenes)\b/.test(uri);
      const isOfSandbox = isText && deps.account().origin === SANDBOX;
      const { sandbox } = deps.textsOf(deps.settings().lang);
      const text = isOfSandbox ? `${sandbox.what}\n${contents.text}` : contents.text;
      return { contents: [{ uri, ...contents, text }] };
    } catch (error) {
      throw ctx.mcpReq.signal.aborted ? error : refusal(error, uri, deps);
    }
  });
}

function refusal(error: unknown, uri: string, { settings, textsOf, log }: ResourceDeps): unknown {
  if (error instanceof ProtocolError) return error;
  if (error instanceof UnknownNegotiation) return new ResourceNotFoundError(uri);
  log.warn("resource_failed", { error: failureOf(error) });
  return toProtocolError(error, textsOf(settings().lang));
}
