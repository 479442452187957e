import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { listeningTransport } from "../../src/mcp/stdio.ts";
import type { Subscriptions } from "../../src/mcp/subscriptions.ts";

const ALLOWED = "towow://negotiations/neg_1";

/** A wire in the test's hand, and what is followed because of what comes over it. */
function wired() {
  const followed: string[] = [];
  let answer: (() => void) | undefined;
  const subscriptions = {
    async add(uri: string) {
      if (uri !== ALLOWED) return undefined;
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      followed.push(uri);
      return () => void followed.splice(followed.indexOf(uri), 1);
    },
  };
  const wire: Transport = { start: async () => {}, send: async () => {}, close: async () => {} };
  const others: number[] = [];
  const transport = listeningTransport(wire, subscriptions as unknown as Subscriptions, (count) => others.push(count));
  const passed: JSONRPCMessage[] = [];
  transport.onmessage = (message) => void passed.push(message);
  const turns = async () => {
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  const comes = (message: object) => wire.onmessage?.({ jsonrpc: "2.0", ...message } as JSONRPCMessage);
  return {
    followed,
    others,
    passed,
    wire,
    transport,
    comes,
    listen: (id: number, ...uris: string[]) =>
      comes({ id, method: "subscriptions/listen", params: { notifications: { resourceSubscriptions: uris } } }),
    cancel: (id: unknown) => comes({ method: "notifications/cancelled", params: { requestId: id } }),
    begins: async () => {
      await turns();
      answer?.();
      await turns();
    },
  };
}

it("what a client may not see is taken out of its request; what is left is followed until it cancels", async () => {
  const { listen, begins, cancel, passed, followed } = wired();
  listen(1, ALLOWED, "towow://negotiations/neg_none");
  await begins();
  expect(passed).toMatchObject([{ id: 1, params: { notifications: { resourceSubscriptions: [ALLOWED] } } }]);
  expect(followed).toEqual([ALLOWED]);
  for (const other of [2, "1", null, undefined]) cancel(other);
  expect(followed).toEqual([ALLOWED]);
  cancel(1);
  expect(followed).toEqual([]);
  cancel(1);
  expect(passed.length).toBe(7); // a cancel is the SDK's to hear as well
});

it("cancelled before it had begun: nothing is followed, and nothing is answered", async () => {
  const { listen, begins, cancel, passed, followed } = wired();
  listen(1, ALLOWED);
  cancel(1);
  await begins();
  expect(followed).toEqual([]);
  expect(passed).toMatchObject([{ method: "notifications/cancelled" }]);
});

it("refused, and gone with the connection", async () => {
  const refused = wired();
  refused.listen(1, ALLOWED);
  await refused.begins();
  await refused.transport.send({ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "no" } });
  expect(refused.followed).toEqual([]);

  const gone = wired();
  gone.listen(1, ALLOWED);
  await gone.begins();
  gone.wire.onclose?.();
  expect(gone.followed).toEqual([]);
});

it("everything else passes as it is, at once", () => {
  const { comes, passed } = wired();
  const messages = [
    { id: 1, method: "tools/list" },
    { method: "notifications/initialized" },
    { id: 2, result: {} },
    { method: "subscriptions/listen" },
  ];
  for (const message of messages) comes(message);
  expect(passed).toMatchObject(messages);
});

it("each message that goes out is told how many requests still wait: a cancelled one does not, nor one that listens", async () => {
  const { comes, listen, begins, cancel, transport, others } = wired();
  const answered = (id: number) => transport.send({ jsonrpc: "2.0", id, result: {} });
  for (const id of [1, 2, 3]) comes({ id, method: "tools/call", params: {} });
  listen(4, ALLOWED);
  await begins();
  await answered(2);
  await transport.send({ jsonrpc: "2.0", method: "notifications/message" });
  cancel(3);
  await answered(1);
  expect(others).toEqual([2, 2, 0]);
});
