import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { start } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";

const initialize = (protocolVersion: string) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "x", version: "1" } },
});
const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" });
const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };

type Answer = { id: unknown; result?: unknown; error?: { code: number; message: string } };

/** What the built program answers to these lines, until `count` lines of answers have come. */
async function answersTo(lines: unknown[], count: number): Promise<(Answer | Answer[])[]> {
  const child = start([], { env: { TOWOW_HOME: await temporaryHome() } });
  const answers: (Answer | Answer[])[] = [];
  for (const line of lines) child.stdin!.write(`${JSON.stringify(line)}\n`);
  for await (const line of createInterface({ input: child.stdout! })) {
    answers.push(JSON.parse(line));
    if (answers.length === count) break;
  }
  child.stdin!.end();
  return answers;
}

const idsOf = (answers: (Answer | Answer[])[]) => answers.flat().map(({ id }) => id);

it("every line with an id gets an answer, whatever stands in it", async () => {
  const lines = [
    initialize("2025-06-18"),
    INITIALIZED,
    { jsonrpc: "2.0", id: 2, method: "tools/list", params: null },
    { ...ping(3), params: null },
    { id: 4, method: "ping" },
    [ping(5)],
    { jsonrpc: "2.0", id: 6, method: "tools/list", params: { cursor: "" } },
    { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "towow_status", arguments: null } },
    ping("8"),
    ping(9.5),
    { ...ping(10), params: [] },
    { jsonrpc: "2.0", id: 11, method: "prompts/get", params: { name: "onboarding", arguments: null } },
    { jsonrpc: "2.0", id: 12, method: "prompts/get", params: { name: "join_scene", arguments: { scene: null } } },
    { jsonrpc: "2.0", id: 13, method: 5 },
    { jsonrpc: "2.0", id: 14, method: "resources/list", params: { cursor: {} } },
    { jsonrpc: "2.0", id: 15, method: "prompts/list", params: { cursor: [] } },
    { jsonrpc: "2.0", id: 16, method: "tools/call", params: { name: "towow_status", arguments: "" } },
    { jsonrpc: "2.0", id: 17, method: "tools/call", params: { name: "towow_status", arguments: [] } },
    { ...ping(18), params: [5] },
  ];
  const answers = (await answersTo(lines, 18)).flat();
  expect(new Set(idsOf(answers))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, "8", 9.5, 10, 11, 12, 13, 14, 15, 16, 17, 18]));
  const refused = answers.filter(({ error }) => error !== undefined);
  expect(new Set(idsOf(refused))).toEqual(new Set([4, 5, 9.5, 13, 18]));
  expect(refused.every(({ error }) => error!.code === -32600)).toBe(true);
});

it("a batch is answered as one, in the one revision that has them", async () => {
  const batch = [
    ping(5),
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } },
    { id: 6, method: "ping" },
    { jsonrpc: "2.0", id: 7, method: "tools/list" },
  ];
  const answers = await answersTo([initialize("2025-03-26"), INITIALIZED, batch, ping(8)], 3);
  const together = answers.find((one) => Array.isArray(one))!;
  expect(new Set(idsOf([together]))).toEqual(new Set([5, 6, 7]));
  expect(new Set(idsOf(answers))).toEqual(new Set([1, 5, 6, 7, 8]));
});
