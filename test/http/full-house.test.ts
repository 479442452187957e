import { expect, it, onTestFinished } from "vitest";
import { alongside } from "../journeys/alongside.ts";
import { openSession, rpc, send, startEndpoint, toolCall } from "../support/endpoint.ts";
import { freePort } from "../support/free-port.ts";
import { httpBrowser } from "../support/http-browser.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { soon } from "../support/soon.ts";

it.each([
  ["en", "This endpoint is full at the moment."],
  ["zh", "服务暂时已满，请过几秒再试。"],
])("who signs in to their room in a full house is told so, %s, and leaves nothing behind", async (lang, words) => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const endpoint = await startEndpoint({ args: ["--port", `${port}`, "--public-url", origin, "--max-users", "1"] });
  try {
    const [ada, bob] = [await endpoint.token(), await endpoint.token()];
    const call = (token: string) => {
      const headers = { Authorization: `Bearer ${token}` };
      return send(port, { path: "/mcp?mode=developer", headers, body: toolCall("towow_list_scenes") });
    };
    await call(ada);
    const hers = httpBrowser(port, origin);
    const room = `${origin}${(await hers.ask(`${origin}/room`)).headers.location}`;
    expect((await hers.ask(room, { token: ada })).status).toBe(303); // and now she stays
    expect((await call(bob)).status).toBe(200);

    const his = httpBrowser(port, origin);
    const answer = await his.ask(room, { token: bob }, { "Accept-Language": lang });
    expect(answer.status).toBe(503);
    expect(answer.headers["retry-after"]).toBe("10");
    expect(answer.text).toContain(words);
    expect(answer.text).toContain('type="password"');
    expect(his.cookies.size).toBe(0);
    expect(endpoint.events("room_http_failed")).toEqual([]);
    expect((await his.ask(`${origin}/browsers`, { token: bob })).status).toBe(303);
    const list = (await his.ask(`${origin}/browsers`)).text;
    expect([...list.matchAll(/<strong>([^<]+)<\/strong>/g)].map(([, name]) => name)).toEqual(["Firefox on Linux"]);
  } finally {
    await endpoint.close();
  }
});

it("who gets a token in a full house is not in, and the page does not say that they are", async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const args = ["--port", `${port}`, "--public-url", origin, "--token-page", "on", "--max-users", "1"];
  const endpoint = await startEndpoint({ args });
  onTestFinished(() => endpoint.close());
  const hers = httpBrowser(port, origin);
  const room = `${origin}${(await hers.ask(`${origin}/room`)).headers.location}`;
  expect((await hers.ask(room, { token: await endpoint.token() })).status).toBe(303);
  const his = httpBrowser(port, origin);
  const { status, text } = await his.ask(`${origin}/token`, {}, { "Accept-Language": "en" });
  expect([status, text.includes("Sign in there with it."), his.cookies.size]).toEqual([200, true, 0]);
});

it("a client that opens too many sessions loses the one that was idle longest, and no other", async () => {
  const endpoint = await startEndpoint({ args: ["--rate", "1000"] });
  try {
    const headers = { Authorization: `Bearer ${await endpoint.token()}` };
    const { port } = endpoint;
    const path = "/mcp?mode=developer";
    await send(port, { path, headers, body: toolCall("towow_list_scenes") }); // of one that is accepted
    const statusOf = async (id: string) =>
      (await send(port, { headers: { ...headers, "Mcp-Session-Id": id }, body: rpc("ping") })).status;
    const ids: string[] = [];
    for (let i = 0; i < 64; i++) ids.push(await openSession(port, headers));
    const [used, idle, ...others] = ids;
    expect(await statusOf(used!)).toBe(200);
    const newest = await openSession(port, headers);
    const statuses = [];
    for (const id of [used!, idle!, ...others, newest]) statuses.push(await statusOf(id));
    expect(statuses).toEqual([200, 404, ...others.map(() => 200), 200]);
  } finally {
    await endpoint.close();
  }
});

it("a session is idle from the end of its last call, however long that took", async () => {
  const clock = new ManualClock();
  const endpoint = await startEndpoint({ clock, args: ["--session-idle", "1"] });
  onTestFinished(() => alongside(clock, endpoint.close()));
  const { port, mock } = endpoint;
  const bearer = { Authorization: `Bearer ${await endpoint.token()}` };
  const headers = { ...bearer, "Mcp-Session-Id": await openSession(port, bearer) };
  const ping = async () => (await send(port, { headers, body: rpc("ping") })).status;
  mock.faults.add({ route: "get", kind: "delay", delayMs: 3_000 });
  const call = send(port, { headers, body: toolCall("towow_status", { negotiation_id: "neg_nowhere" }) });
  await soon(() => mock.journal.some(({ path }) => path.includes("neg_nowhere"))).toBe(true);
  await clock.advance(3_000);
  expect((await call).status).toBe(200);
  expect(await ping()).toBe(200);
  await clock.advance(1_000);
  expect(await ping()).toBe(404);
});
