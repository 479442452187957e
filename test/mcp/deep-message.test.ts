import { expect, it } from "vitest";
import { readMessage } from "../../src/mcp/http/request-checks.ts";

const GUARD = { hosts: [], origins: [], largestBodyBytes: 2_000_000 };
const post = (body: string) =>
  readMessage(new Request("http://localhost/mcp", { method: "POST", body }), GUARD, () => {});
const nested = (levels: number) =>
  `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(levels)}1${"}".repeat(levels)}}`;

/** Found by the fuzzer: 1,900 levels in the client's capabilities overflowed the stack, and were a 500. */
it("a message that is nested too deeply is refused by name, and before it is parsed", async () => {
  for (const body of [nested(1_900), "[".repeat(1_900_000), `{"a":${"[".repeat(300_000)}`])
    await expect(post(body)).rejects.toMatchObject({ name: "HttpError", code: "too_deep" });
  expect(await post(nested(100))).toMatchObject({ id: 1 });
  const text = "[".repeat(100_000);
  expect(await post(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { text } }))).toHaveProperty(
    "params",
  );
});
