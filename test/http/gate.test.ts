import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { alongside, until } from "../journeys/alongside.ts";
import { type Answer, legacyClient, modernClient } from "../support/clients.ts";
import {
  type Endpoint,
  initialize,
  modernRequest,
  openSession,
  type RawRequest,
  rpc,
  send,
  startEndpoint,
  toolCall,
} from "../support/endpoint.ts";
import { freePort } from "../support/free-port.ts";
import { httpBrowser } from "../support/http-browser.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { soon } from "../support/soon.ts";
import { expectRefusal } from "./boundary/refusal.ts";

/** Longer than any test of this file moves its clock on. */
const HELD_MS = 60_000;
/** So many run at once, however busy the event loop is. */
const LEAST = 64;

let clock: ManualClock;
let endpoint: Endpoint;
let headers: Record<string, string>;
/** How busy the event loop is said to be. */
let use: number;
let origin: string;

beforeEach(async () => {
  clock = new ManualClock();
  use = 0;
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  const args = [
    "--port",
    `${port}`,
    "--public-url",
    origin,
    "--metrics",
    "on",
    "--mode",
    "developer",
    "--drain",
    "0",
    "--at-once",
    "200",
  ];
  endpoint = await startEndpoint({ clock, loopUse: { take: () => use }, args });
  headers = { Authorization: `Bearer ${await endpoint.token()}`, "X-Towow-User-Id": "ada" };
  await ask({ body: toolCall("towow_list_scenes") }); // of a token that the backend has accepted
});
afterEach(async () => {
  await clock.advance(HELD_MS);
  await alongside(clock, endpoint.close());
});

const ask = ({ headers: more, ...request }: RawRequest) =>
  send(endpoint.port, { ...request, headers: { ...headers, ...more } });

async function gauge(name: string): Promise<number> {
  const { text } = await send(endpoint.port, { method: "GET", path: "/metrics" });
  return Number(new RegExp(`^towow_${name} (\\S+)$`, "m").exec(text)?.[1]);
}

let held = 0;
/** Calls whose reads the backend holds until {@link release}. */
async function hold(count: number): Promise<void> {
  endpoint.mock.faults.add({ route: "get", kind: "delay", delayMs: HELD_MS, times: count });
  const before = endpoint.mock.journal.length;
  for (let i = 0; i < count; i++)
    void ask({ body: toolCall("towow_status", { negotiation_id: `neg_held_${++held}` }) }).catch(() => {});
  const reads = () => endpoint.mock.journal.slice(before).filter(({ path }) => path.includes("neg_held_")).length;
  await soon(reads).toBe(count);
}

const scene = () => endpoint.mock.scenes()[0]?.scene_id;
const intent = "A product designer who knows hospital queues";
const NEW_CALL = toolCall("towow_list_agents", { scene_id: "scene_any" }, 7);

/** A demand that waits for its person, and the id of its question. */
async function asking(): Promise<Record<"negotiation_id" | "confirmation_id", string>> {
  const call = async (name: string, args: object) =>
    (await alongside(clock, ask({ body: toolCall(name, args) }))).json.result.structuredContent;
  const { negotiation_id } = (await call("towow_submit_demand", { scene_id: scene(), intent })).data;
  return (await call("towow_demand", { negotiation_id })).data.resume_with.params;
}

const confirmed = () => endpoint.mock.negotiations().map(({ confirmCount }) => confirmCount);

describe("a full endpoint", () => {
  it("refuses a new call at once, with when to come again, and takes it when there is room", async () => {
    const { headers: era, body } = modernRequest("tools/call", { name: "towow_list_agents", arguments: {} });
    const requests: RawRequest[] = [
      { body: NEW_CALL },
      { headers: era as Record<string, string>, body: (body as string).replace('"id":1', '"id":7') },
      { body: rpc("resources/read", { uri: "towow://policy" }, 7) },
    ];
    await hold(LEAST);
    const before = endpoint.mock.journal.length;
    for (const request of requests) {
      const refused = await ask(request);
      expectRefusal(refused, 503, "full", 7);
      expect(refused.headers["retry-after"]).toBe("2");
      expect(refused.json.error.message).toMatch(/nothing was done.*没有执行/);
    }
    expect(endpoint.mock.journal.slice(before)).toEqual([]);
    expect(await gauge("calls_running")).toBe(LEAST);
    await clock.advance(HELD_MS);
    await soon(() => gauge("calls_running")).toBe(0);
    for (const request of requests) expect((await ask(request)).status).toBe(200);
  });

  it("refuses it in a session, which goes on", async () => {
    const session = { "Mcp-Session-Id": await openSession(endpoint.port, headers) };
    await hold(LEAST);
    expectRefusal(await ask({ headers: session, body: NEW_CALL }), 503, "full", 7);
    expect((await ask({ headers: session, body: rpc("tools/list") })).status).toBe(200);
    await clock.advance(HELD_MS);
    await soon(() => gauge("calls_running")).toBe(0);
    expect((await ask({ headers: session, body: NEW_CALL })).status).toBe(200);
  });

  it("takes what is no new call", async () => {
    const taken: Record<string, RawRequest> = {
      initialize: { body: initialize() },
      "the list of tools": { body: rpc("tools/list") },
      "the list of resources": { body: rpc("resources/list") },
      "a ping": { body: rpc("ping") },
      "a discovery": modernRequest("server/discover"),
      "a task": modernRequest("tasks/get", { taskId: "none" }),
      "a notification": { body: rpc("notifications/cancelled", { requestId: 3 }, -1) },
      "a cancel": { body: toolCall("towow_action", { negotiation_id: "neg_none", action: "cancel" }) },
      "what a page in the chat sends": { body: toolCall("towow_page", { path: "/act", form: { do: "withdraw" } }) },
      "a yes to a profile": { body: toolCall("towow_join", { profile_hash: "0" }) },
    };
    await hold(LEAST);
    for (const [name, request] of Object.entries(taken)) {
      const { status } = await ask(request);
      expect([name, status < 500]).toEqual([name, true]);
    }
  });

  it.each([
    ["accept", [1]],
    ["reject", [0]],
  ])("takes a decision that comes as an argument: %s", async (decision, counts) => {
    const question = await asking();
    await hold(LEAST);
    const decided = ask({ body: toolCall("towow_confirm", { ...question, decision }) });
    await soon(() => endpoint.mock.negotiations().some((n) => n.confirmCount > 0 || n.cancelled)).toBe(true);
    expect(confirmed()).toEqual(counts);
    expect((await alongside(clock, decided)).status).toBe(200);
  });

  it.each([
    ["2025", legacyClient],
    ["2026", modernClient],
  ])("takes the answer to a form of the %s era", async (_, client) => {
    const person = Promise.withResolvers<Answer>();
    const session = await client({ url: endpoint.url, headers }, () => person.promise);
    const { negotiation_id } = await asking();
    const asked = session.call("towow_demand", { negotiation_id });
    await until(clock, () => session.forms.length > 0);
    await hold(LEAST);
    expectRefusal(await ask({ body: NEW_CALL }), 503, "full");
    person.resolve({ action: "accept", content: { decision: "accept" } });
    await soon(confirmed).toEqual([1]);
    expect((await alongside(clock, asked)).result.error).toBeNull();
  });

  it("takes what a person does in their room", async () => {
    const browser = httpBrowser(endpoint.port, origin);
    const room = `${origin}${(await browser.ask(`${origin}/room`)).headers.location}`;
    const token = headers.Authorization!.slice("Bearer ".length);
    expect((await browser.ask(room, { token })).status).toBe(303);
    await hold(LEAST);
    expect((await browser.ask(room)).status).toBe(200);
    expect((await browser.ask(`${room}/act`, { do: "back", more: "x".repeat(100_000) })).status).toBe(303);
  });

  it("says who is not known before that it is full", async () => {
    await hold(LEAST);
    expectRefusal(await send(endpoint.port, { body: NEW_CALL }), 401, "sign_in_first", null);
  });

  it("reads no more than 64 kB of a message", async () => {
    await hold(LEAST);
    const answer = Promise.withResolvers<string>();
    const socket = connect(endpoint.port, "127.0.0.1").on("data", (data) => answer.resolve(String(data)));
    const lines = Object.entries({ Host: "localhost", "Content-Type": "application/json", ...headers });
    socket.write(`POST /mcp HTTP/1.1\r\n${lines.map((line) => `${line.join(": ")}\r\n`).join("")}`);
    socket.write("Content-Length: 1000000\r\n\r\n");
    socket.write(" ".repeat(65_537)); // and nothing more ever comes
    expect(await answer.promise).toMatch(/^HTTP\/1\.1 503 [\s\S]*"http\.full"/);
    socket.destroy();
  });
});

describe("how many calls may run", () => {
  it("grows while they all wait for the backend and the event loop is idle, and shrinks when it is busy", async () => {
    expect([await gauge("calls_allowed"), await gauge("loop_use")]).toEqual([LEAST, 0]);
    await hold(LEAST);
    expect((await ask({ body: NEW_CALL })).status).toBe(503);
    await clock.advance(100);
    expect((await ask({ body: NEW_CALL })).status).toBe(200);
    expect(await gauge("calls_allowed")).toBe(71);
    use = 0.96;
    await clock.advance(100);
    expect((await ask({ body: NEW_CALL })).status).toBe(503);
    expect([await gauge("calls_allowed"), await gauge("loop_use")]).toEqual([LEAST, 0.96]);
  });

  it.each([
    ["2025", legacyClient, 1],
    ["2026", modernClient, 0], // its call has ended with the question
  ])("is not touched by those that wait for their person, in the %s era", async (_, client, waiting) => {
    const session = await client({ url: endpoint.url, headers }, () => new Promise<Answer>(() => {}));
    const { negotiation_id } = await asking();
    void session.call("towow_demand", { negotiation_id }).catch(() => {});
    await until(clock, () => session.forms.length > 0);
    await soon(() => gauge("calls_waiting")).toBe(waiting);
    expect(await gauge("calls_running")).toBe(0);
  });

  it("is not touched by those that their client has cancelled, whose streams stay open unanswered", async () => {
    const session = { "Mcp-Session-Id": await openSession(endpoint.port, headers) };
    endpoint.mock.faults.add({ route: "get", kind: "delay", delayMs: HELD_MS, times: 1 });
    const call = ask({ headers: session, body: toolCall("towow_status", { negotiation_id: "neg_cancelled" }, 7) });
    await soon(() => endpoint.mock.journal.some(({ path }) => path.includes("neg_cancelled"))).toBe(true);
    expect(await gauge("calls_running")).toBe(1);
    await ask({ headers: session, body: rpc("notifications/cancelled", { requestId: 7 }, -1) });
    await soon(() => gauge("calls_running")).toBe(0);
    // Its end is counted once.
    expect((await ask({ method: "DELETE", headers: session })).status).toBe(200);
    await call;
    expect(await gauge("calls_running")).toBe(0);
  });

  it("is not touched by those that wait for the network", async () => {
    const { negotiation_id } = (await ask({ body: toolCall("towow_submit_demand", { scene_id: scene(), intent }) }))
      .json.result.structuredContent.data;
    const waits = ask({ body: toolCall("towow_demand", { negotiation_id }) });
    await soon(() => gauge("calls_waiting")).toBe(1);
    expect(await gauge("calls_running")).toBe(0);
    await alongside(clock, waits);
    expect([await gauge("calls_waiting"), await gauge("calls_running")]).toEqual([0, 0]);
  });
});

describe.each([
  ["--at-once", "1", "too_many_at_once"],
  ["--rate", "4", "rate_limited"],
] as const)("who has taken all that %s %s gives one user", (flag, value, code) => {
  /** A demand that waits for its person; nothing else of theirs is taken then. */
  async function taken() {
    const tight = await startEndpoint({ clock, args: [flag, value, "--mode", "developer"] });
    onTestFinished(() => alongside(clock, tight.close()));
    const own = { Authorization: `Bearer ${await tight.token()}`, "X-Towow-User-Id": "bob" };
    const call = (name: string, args: object) => send(tight.port, { headers: own, body: toolCall(name, args, 7) });
    const scene_id = tight.mock.scenes()[0]?.scene_id;
    const submitted = await alongside(clock, call("towow_submit_demand", { scene_id, intent }));
    const { negotiation_id } = submitted.json.result.structuredContent.data;
    const asked = await alongside(clock, call("towow_demand", { negotiation_id }));
    const question = asked.json.result.structuredContent.data.resume_with.params;
    const read = () => call("towow_status", { negotiation_id: "neg_held" });
    if (flag === "--at-once") {
      tight.mock.faults.add({ route: "get", kind: "delay", delayMs: HELD_MS, times: 1 });
      void read().catch(() => {});
      await soon(() => tight.mock.journal.some(({ path }) => path.includes("neg_held"))).toBe(true);
    } else for (let sent = 2; sent < Number(value); sent++) expect((await read()).status).toBe(200);
    return { tight, own, call, read, question };
  }

  it.each([
    ["accept", { confirmCount: 1, cancelled: false }],
    ["reject", { confirmCount: 0, cancelled: true }],
  ])("can still decide: %s", async (decision, outcome) => {
    const { tight, call, read, question } = await taken();
    expectRefusal(await read(), 429, code, 7);
    expect(tight.mock.negotiations()).toMatchObject([{ confirmCount: 0, cancelled: false }]);
    const decided = call("towow_confirm", { ...question, decision });
    await soon(() => tight.mock.negotiations()).toMatchObject([outcome]);
    expect((await alongside(clock, decided)).status).toBe(200);
  });

  it("has no more room for decisions than for the rest", async () => {
    const { call, own, tight, question } = await taken();
    const decide = () => call("towow_confirm", { ...question, negotiation_id: "neg_unknown", decision: "accept" });
    tight.mock.faults.add({ route: "get", kind: "delay", delayMs: HELD_MS, times: 1 });
    const statuses: number[] = [];
    if (flag === "--at-once") {
      void decide().catch(() => {});
      await soon(() => tight.mock.journal.some(({ path }) => path.includes("neg_unknown"))).toBe(true);
    } else
      for (let sent = 0; sent < Number(value); sent++)
        statuses.push((await send(tight.port, { headers: own, body: rpc("tasks/cancel", { taskId: "none" }) })).status);
    expect(statuses.filter((status) => status === 429)).toEqual([]);
    expectRefusal(await decide(), 429, code, 7);
  });
});

it("of one user who asks too often no more than 64 kB of a message is read, whatever it says", async () => {
  const tight = await startEndpoint({ clock, args: ["--rate", "1"] });
  onTestFinished(() => alongside(clock, tight.close()));
  const own = { Authorization: `Bearer ${await tight.token()}` };
  const decision = (more: number) => toolCall("towow_confirm", { decision: "reject", more: "x".repeat(more) });
  expect((await send(tight.port, { headers: own, body: rpc("ping") })).status).toBe(200);
  expect((await send(tight.port, { headers: own, body: decision(10) })).status).toBe(200);
  expectRefusal(await send(tight.port, { headers: own, body: decision(100_000) }), 429, "rate_limited", null);
});

it("who has as many calls open as one user may can still answer their questions", async () => {
  const tight = await startEndpoint({ clock, args: ["--at-once", "1", "--mode", "developer"] });
  const own = { Authorization: `Bearer ${await tight.token()}`, "X-Towow-User-Id": "bob" };
  const person = Promise.withResolvers<Answer>();
  const session = await legacyClient({ url: tight.url, headers: own }, () => person.promise);
  const submit = toolCall("towow_submit_demand", { scene_id: tight.mock.scenes()[0]?.scene_id, intent });
  const submitted = await alongside(clock, send(tight.port, { headers: own, body: submit }));
  const { negotiation_id } = submitted.json.result.structuredContent.data;
  const asked = session.call("towow_demand", { negotiation_id });
  await until(clock, () => session.forms.length > 0);
  person.resolve({ action: "accept", content: { decision: "accept" } });
  expect((await alongside(clock, asked)).result.error).toBeNull();
  expect(tight.mock.negotiations()).toMatchObject([{ confirmCount: 1 }]);
  await alongside(clock, tight.close());
});
