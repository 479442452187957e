import { isLegacyRequest } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { expect, it } from "vitest";
import { saysModern } from "../../src/mcp/http/app.ts";

const META = "io.modelcontextprotocol";
const meta = fc.oneof(
  fc.constantFrom(undefined, null, 1, {}),
  fc.record(
    {
      [`${META}/protocolVersion`]: fc.constantFrom("2026-07-28", "2025-11-25", 7),
      [`${META}/clientInfo`]: fc.constantFrom({ name: "c", version: "1" }, null),
      [`${META}/clientCapabilities`]: fc.constantFrom({}, []),
    },
    { requiredKeys: [] },
  ),
);
const request = {
  jsonrpc: fc.constant("2.0"),
  id: fc.constantFrom<unknown>(1, "a", null, {}),
  method: fc.constantFrom<unknown>("initialize", "tools/call", "notifications/initialized", "", 5, null),
  params: fc.oneof(fc.constantFrom<unknown>([], 1, null), fc.record({ _meta: meta })),
};
const response = {
  result: fc.constantFrom<unknown>({}, null),
  error: fc.constantFrom<unknown>({ code: 1, message: "" }, null),
};
const message = fc.oneof(
  fc.record(request, { requiredKeys: ["jsonrpc", "method"] }),
  fc.record({ ...request, ...response }, { requiredKeys: ["jsonrpc"] }),
);
const version = fc.constantFrom("2026-07-28", "2026-07-28", "2025-11-25", "2099-01-01", undefined);

it("what says that it is of the 2026 era, the library takes for nothing else", async () => {
  let said = 0;
  await fc.assert(
    fc.asyncProperty(message, version, fc.constantFrom("tools/call", "x", undefined), async (body, named, method) => {
      const headers = {
        ...(named !== undefined && { "MCP-Protocol-Version": named }),
        ...(method !== undefined && { "Mcp-Method": method }),
      };
      const posted = new Request("http://localhost/mcp", { method: "POST", headers, body: "{}" });
      if (!saysModern(posted, body)) return;
      said += 1;
      expect(await isLegacyRequest(posted, body)).toBe(false);
    }),
    { numRuns: 2_000 },
  );
  expect(said).toBeGreaterThan(100);
});
