// Takes the place of src/mcp/server.ts in the suite's own build: the same buildServer, and around its handlers the tools,
// prompts and resources that the conformance suite asks for by name. Whatever is not one of them goes to the server's own.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { buildServer as build } from "../../src/mcp/server.ts";
import type { ServerDeps } from "../../src/mcp/server-deps.ts";
import { codecOf, type Fixture, type FixtureContext } from "./fixture.ts";
import { PROMPTS, RESOURCES, readResource, TEMPLATE } from "./prompts-and-resources.ts";
import { QUESTIONS } from "./questions.ts";
import { TASK_TOOLS, taskHandlers } from "./tasks.ts";
import { TOOLS } from "./tools.ts";

export type { ServerDeps } from "../../src/mcp/server-deps.ts";

// biome-ignore lint/suspicious/noExplicitAny: a handler of any method
type Handler = (request: any, ctx: ServerContext) => any;
interface Recorded {
  /** What stands between the method and the handler: how the parameters are read. */
  schemas: unknown[];
  handle: Handler;
}

/** Every tool that the suite calls by name. */
export const FIXTURES: Record<string, Fixture> = { ...TOOLS, ...QUESTIONS, ...TASK_TOOLS };

export function buildServer(deps: ServerDeps): Server {
  const { server, own } = recorded(() => build(deps));
  server.registerCapabilities({ logging: {}, completions: {} });
  const codec = codecOf(deps);

  const contextOf = (args: object | undefined, ctx: ServerContext): FixtureContext => ({
    args: { ...args },
    ctx,
    capabilities: capabilitiesOf(server, ctx),
    mint: (state) => codec.mint(state as Record<string, unknown>),
    state: () => ctx.mcpReq.requestState<Record<string, unknown>>(),
    callTool: (name, given) => own("tools/call").handle({ params: { name, arguments: given } }, ctx),
  });

  /** Registers a handler in the place of the server's own, which it is given. */
  const around = (method: string, handle: (request: never, ctx: ServerContext, next: Handler) => unknown) => {
    const { schemas, handle: next } = own(method);
    const register = server.setRequestHandler.bind(server) as (...all: unknown[]) => void;
    register(method, ...schemas, (request: never, ctx: ServerContext) => handle(request, ctx, next));
  };

  around("tools/list", async (request, ctx, next) => {
    const { tools, ...rest } = await next(request, ctx);
    const more = Object.entries(FIXTURES).map(([name, { description, inputSchema }]) => ({
      name,
      description,
      inputSchema: inputSchema ?? { type: "object", properties: {} },
    }));
    return { tools: [...tools, ...more], ...rest };
  });
  around("tools/call", (request: { params: { name: string; arguments?: object } }, ctx, next) => {
    const { name, arguments: args } = request.params;
    const fixture = Object.hasOwn(FIXTURES, name) ? FIXTURES[name] : undefined;
    return fixture === undefined ? next(request, ctx) : fixture.call(contextOf(args, ctx));
  });

  around("prompts/list", async (request, ctx, next) => {
    const { prompts, ...rest } = await next(request, ctx);
    const more = Object.entries(PROMPTS).map(([name, { description, arguments: names = [] }]) => ({
      name,
      description,
      arguments: names.map((one) => ({ name: one, required: true, description: one })),
    }));
    return { prompts: [...prompts, ...more], ...rest };
  });
  around("prompts/get", (params: { name: string; arguments?: object }, ctx, next) => {
    const prompt = Object.hasOwn(PROMPTS, params.name) ? PROMPTS[params.name] : undefined;
    return prompt === undefined ? next(params, ctx) : prompt.get(contextOf(params.arguments, ctx));
  });

  around("resources/list", async (request, ctx, next) => {
    const { resources, ...rest } = await next(request, ctx);
    return { resources: [...resources, ...RESOURCES], ...rest };
  });
  around("resources/templates/list", async (request, ctx, next) => {
    const { resourceTemplates, ...rest } = await next(request, ctx);
    return { resourceTemplates: [...resourceTemplates, TEMPLATE], ...rest };
  });
  around("resources/read", (params: { uri: string }, ctx, next) => readResource(params.uri) ?? next(params, ctx));
  for (const method of ["resources/subscribe", "resources/unsubscribe"])
    if (own.has(method))
      around(method, (params: { uri: string }, ctx, next) =>
        readResource(params.uri) === undefined ? next(params, ctx) : {},
      );

  const tasks = taskHandlers(
    Object.fromEntries(["tasks/get", "tasks/update", "tasks/cancel"].map((method) => [method, own(method).handle])),
  );
  for (const [method, handle] of Object.entries(tasks)) around(method, handle as Handler);
  server.setRequestHandler("completion/complete", () => ({ completion: { values: [], total: 0, hasMore: false } }));
  return server;
}

/** Builds a server, and keeps what it registers. */
function recorded(make: () => Server) {
  const kept = new Map<string, Recorded>();
  const { setRequestHandler } = Server.prototype;
  Server.prototype.setRequestHandler = function (this: Server, method: string, ...rest: unknown[]) {
    kept.set(method, { schemas: rest.slice(0, -1), handle: rest.at(-1) as Handler });
    return (setRequestHandler as (...all: unknown[]) => void).call(this, method, ...rest);
  } as typeof setRequestHandler;
  try {
    const server = make();
    const own = Object.assign(
      (method: string) => {
        const found = kept.get(method);
        if (found === undefined) throw new Error(`the server has no ${method}`);
        return found;
      },
      { has: (method: string) => kept.has(method) },
    );
    return { server, own };
  } finally {
    Server.prototype.setRequestHandler = setRequestHandler;
  }
}

function capabilitiesOf(server: Server, ctx: ServerContext): ClientCapabilities | undefined {
  const envelope = ctx.mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
}
