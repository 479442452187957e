import { expect, it } from "vitest";
import { modernRequest, rpc, send, startEndpoint } from "../support/endpoint.ts";
import { temporaryHome } from "../support/home.ts";
import { rawServer } from "../support/raw-server.ts";

const LISTS = ["tools/list", "resources/list", "resources/templates/list", "prompts/list"];
const STRANGE = [
  { toolset: "readonly" },
  { limit: 3 },
  { profile: "read_only" },
  { exclude_tools: ["towow_join"] },
  { cursor: "abc" },
  { allow_tools: [] },
];

it("a filter that a list does not have is an error, and what it does not know is passed over, over stdio in the 2025 era", async () => {
  const server = rawServer({ TOWOW_HOME: await temporaryHome() });
  await server.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  });
  for (const method of LISTS) {
    for (const params of [{}, { _meta: { progressToken: 1 } }, { cursor: null }, { colour: "red", Limit: 3 }])
      expect(await server.request(method, params), JSON.stringify(params)).not.toHaveProperty("error");
    for (const params of STRANGE) {
      const name = Object.keys(params)[0] ?? "";
      const { error } = (await server.request(method, params)) as { error?: { code: number; message: string } };
      expect(error, `${method} ${name}`).toMatchObject({ code: -32602, message: expect.stringContaining(name) });
    }
  }
});

it("and over HTTP in both eras", async () => {
  const endpoint = await startEndpoint();
  try {
    const headers = { Authorization: `Bearer ${await endpoint.token()}` };
    for (const method of LISTS)
      for (const params of STRANGE) {
        const old = await send(endpoint.port, { headers, body: rpc(method, params) });
        const request = modernRequest(method, params);
        const modern = await send(endpoint.port, {
          headers: { ...headers, ...request.headers },
          body: request.body as string,
        });
        for (const { json } of [old, modern])
          expect(json.error?.code, `${method} ${JSON.stringify(params)}`).toBe(-32602);
      }
  } finally {
    await endpoint.close();
  }
});
