import { createMcpHandler } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { AskingServer } from "../../src/mcp/asking-server.ts";
import { IdleServers } from "../../src/mcp/http/modern.ts";
import { modernRequest } from "../support/endpoint.ts";
import { soon } from "../support/soon.ts";

/** A handler of the 2026 era whose one tool waits for its gate; `made`: how many servers it took. */
function endpoint(keyOf: (request: Request) => string | undefined = () => "") {
  const gates: PromiseWithResolvers<void>[] = [];
  const released: number[] = [];
  const idle = new IdleServers();
  let made = 0;
  const make = () => {
    const number = ++made;
    const server = new AskingServer({ name: "test", version: "1" }, { capabilities: { tools: {} } }, () => {});
    server.setRequestHandler("tools/call", async ({ params }) => {
      if (params.name === "waits") {
        const gate = Promise.withResolvers<void>();
        gates.push(gate);
        await gate.promise;
      }
      return { content: [{ type: "text", text: String(number) }] };
    });
    server.onclose = () => void released.push(number);
    return server;
  };
  const handler = createMcpHandler(({ requestInfo }) => idle.take(keyOf(requestInfo as Request), make), {
    legacy: "reject",
  });
  const ask = async (method: string, params: object, init: RequestInit = {}) => {
    const { headers, body } = modernRequest(method, params);
    const all = { ...(headers as Record<string, string>), ...(init.headers as Record<string, string>) };
    const accept = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
    const request = new Request("http://test/mcp", {
      method: "POST",
      ...init,
      headers: { ...accept, ...all },
      body: body as string,
    });
    return handler.fetch(request);
  };
  const call = async (name: string, init?: RequestInit): Promise<string> => {
    const { result } = (await (await ask("tools/call", { name, arguments: {} }, init)).json()) as {
      result: { content: { text: string }[] };
    };
    return result.content[0]?.text ?? "";
  };
  return { ask, call, gates, released, made: () => made };
}

it("a server serves one request after the other, and none that asks for something else", async () => {
  const { call, made } = endpoint(({ headers }) => headers.get("x-key") ?? undefined);
  const as = (key: string) => ({ headers: { "x-key": key } });
  expect([await call("ends", as("a")), await call("ends", as("a"))]).toEqual(["1", "1"]);
  expect([await call("ends", as("b")), await call("ends", as("a"))]).toEqual(["2", "1"]);
  expect([await call("ends"), await call("ends")]).toEqual(["3", "4"]); // these said that each has its own
  expect(made()).toBe(4);
});

it("two requests at once have a server each", async () => {
  const { call, gates } = endpoint();
  const first = call("waits");
  await soon(() => gates.length).toBe(1);
  expect(await call("ends")).toBe("2");
  gates[0]?.resolve();
  expect(await first).toBe("1");
});

it("a server whose handler goes on when its client has gone serves nobody else, and is let go", async () => {
  const { call, gates, released } = endpoint();
  const client = new AbortController();
  const gone = call("waits", { signal: client.signal }).catch(() => "gone");
  await soon(() => gates.length).toBe(1);
  client.abort();
  await gone;
  expect(await call("ends")).toBe("2");
  expect(released).toEqual([1]);
  gates[0]?.resolve();
  expect(await call("ends")).toBe("2");
});

it("a server that was only asked for what it can do, for a stream of news, serves the next request", async () => {
  const { ask, call, made } = endpoint();
  const stream = await ask("subscriptions/listen", { notifications: {} });
  await stream.body?.cancel();
  expect(await call("ends")).toBe("1");
  expect(made()).toBe(1);
});
