import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { alongside } from "../journeys/alongside.ts";
import { type Endpoint, initialize, openSession, rpc, send, startEndpoint, toolCall } from "../support/endpoint.ts";
import { ManualClock } from "../support/manual-clock.ts";

const ARGS = "--metrics on --max-new-tokens 20 --max-users 4 --max-sessions 30".split(" ");
let endpoint: Endpoint;
let accepted: Record<string, string>;
let session: Record<string, string>;
let invented = 0;

const fresh = () => ({ Authorization: `Bearer invented-${++invented}` });
const list = toolCall("towow_list_scenes", { fresh: true });
const call = (headers: Record<string, string>, body = list) =>
  send(endpoint.port, { path: "/mcp?mode=developer", headers, body });
const refusal = (answer: { status: number; json: { error: { data: { code: string } } } }) => [
  answer.status,
  answer.json.error.data.code,
];
async function gauge(name: string): Promise<number> {
  const { text } = await send(endpoint.port, { method: "GET", path: "/metrics" });
  return Number(new RegExp(`^towow_${name} (\\d+)$`, "m").exec(text)?.[1]);
}
/** Many strangers, some at once. */
async function strangers<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let left = count;
  const one = async () => {
    while (left-- > 0) results.push(await work());
  };
  await Promise.all(Array.from({ length: 64 }, one));
  return results;
}

beforeAll(async () => {
  endpoint = await startEndpoint({ spawned: true, args: ARGS });
  accepted = { Authorization: `Bearer ${await endpoint.token()}` };
  expect((await call(accepted)).json.result.structuredContent.error).toBeNull();
  session = { ...accepted, "Mcp-Session-Id": await openSession(endpoint.port, accepted) };
});
afterAll(() => endpoint.close());

describe("tokens that the backend has not accepted", () => {
  it("take the places of each other, and none of an accepted user's", async () => {
    const before = await gauge("users");
    const begin = async () => (await send(endpoint.port, { headers: fresh(), body: initialize() })).status;
    await strangers(300, begin);
    expect((await gauge("users")) - before).toBeLessThanOrEqual(20);
    // At once they take places from each other's requests; one after the other each gets one.
    for (let i = 0; i < 25; i++) expect(await begin()).toBe(200);
    expect([(await gauge("users")) - before, await gauge("sessions")]).toEqual([20, 21]);
    expect((await send(endpoint.port, { headers: session, body: rpc("ping") })).status).toBe(200);
    expect((await call(accepted)).json.result.structuredContent.error).toBeNull();
  });

  it("one of them has few things open at once, and its place in a full house goes to an accepted user", async () => {
    await strangers(40, () => send(endpoint.port, { headers: fresh(), body: rpc("ping") })); // nobody's session is left
    const opened: number[] = [];
    for (const headers of [fresh(), fresh(), fresh(), fresh(), fresh()])
      for (let i = 0; i < 9; i++) opened.push((await send(endpoint.port, { headers, body: initialize() })).status);
    expect(opened.slice(0, 9)).toEqual([...Array(7).fill(200), 429, 429]);
    expect(await gauge("sessions")).toBe(30);
    const another = await send(endpoint.port, { headers: fresh(), body: initialize() });
    expect(refusal(another)).toEqual([503, "http.too_many_sessions"]);
    expect((await send(endpoint.port, { headers: accepted, body: initialize() })).status).toBe(200);
    expect((await send(endpoint.port, { headers: session, body: rpc("ping") })).status).toBe(200);
  });

  it("do not flood the backend: 200 requests in ten seconds, of all together; accepted users go on", async () => {
    const clock = new ManualClock();
    const { port, mock, token, close } = await startEndpoint({ args: ARGS, clock });
    onTestFinished(() => alongside(clock, close()));
    const callAs = async (bearer: string) => {
      const headers = { Authorization: `Bearer ${bearer}` };
      const { json } = await send(port, { path: "/mcp?mode=developer", headers, body: list });
      return json.error?.data.code ?? json.result.structuredContent.error?.code;
    };
    const [known, newcomer] = [await token(), await token()];
    expect(await callAs(known)).toBeUndefined();
    const answers: unknown[] = [];
    const flood = strangers(500, async () => void answers.push(await callAs(`invented-${++invented}`)));
    // No moment passes: 200 are sent, the known one's first among them, and of the others some wait.
    const sent = () => mock.journal.filter(({ status }) => status === 401);
    await expect.poll(() => sent().length).toBe(199);
    for (let i = 0; i < 20; i++) expect(await callAs(known)).toBeUndefined();
    await alongside(clock, flood);
    const count = (code: string) => answers.filter((one) => one === code).length;
    const [waited, turnedAway] = [count("tool.backend.unavailable.new_tokens"), count("http.too_many_new_tokens")];
    expect(waited).toBeGreaterThan(0);
    expect(waited + turnedAway).toBeGreaterThan(50);
    const from = sent()[0]!.at;
    expect(sent().filter(({ at }) => at - from < 10_000)).toHaveLength(199);
    // A newcomer whose token is a real one gets in as soon as there is room again.
    await clock.advance(10_000);
    expect(await callAs(newcomer)).toBeUndefined();
  });

  it("hold 32 MB of unread messages at most, of all together", async () => {
    const head = (token: string) =>
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 2000000\r\n\r\n`;
    const part = Buffer.alloc(1_900_000, " ");
    const sockets: Socket[] = [];
    const sendPart = () => {
      const socket = connect(endpoint.port, "127.0.0.1");
      sockets.push(socket);
      socket.on("error", () => {});
      socket.write(head(`invented-${++invented}`));
      socket.write(part);
    };
    const body = rpc("ping", { text: "x".repeat(1_900_000) });
    const whole = () => send(endpoint.port, { headers: fresh(), body });
    for (let i = 0; i < 17; i++) sendPart();
    try {
      // What was just sent whole may have taken the place of a part, and two parts that come at once may both be refused.
      const untilFull = async () => {
        const answer = await whole();
        if (answer.status !== 200) return refusal(answer);
        sendPart();
        return answer.status;
      };
      await expect.poll(untilFull).toEqual([503, "http.too_many_new_tokens"]);
      expect((await send(endpoint.port, { headers: accepted, body })).status).toBe(200);
      for (const socket of sockets) socket.destroy();
      await expect.poll(async () => (await whole()).status).toBe(200);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});
