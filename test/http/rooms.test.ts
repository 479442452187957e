import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { modernClient } from "../support/clients.ts";
import { buttonIn, outgoingIn } from "../support/decision-page.ts";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { freePort } from "../support/free-port.ts";
import { type HttpBrowser, httpBrowser } from "../support/http-browser.ts";
import { sendProfile } from "../support/profile.ts";
import { agentAt } from "../support/relay.ts";
import { soon } from "../support/soon.ts";

/** Each person's own room at an endpoint, after signing in (seed 002 §1: session, room, user). */

const DEMANDS = { ada: "Product design and growth marketing for ADA's pilot", bob: "A nurse for BOB's night shifts" };

let endpoint: Endpoint;
let origin = "";
beforeAll(async () => {
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  endpoint = await startEndpoint({ args: ["--port", `${port}`, "--public-url", origin] });
});
afterAll(() => endpoint.close());

const browser = () => httpBrowser(endpoint.port, origin);

/** Somebody with a token that the backend has accepted. */
async function token(): Promise<string> {
  const bearer = await endpoint.token();
  const session = await modernClient({
    url: `${endpoint.url}?mode=developer`,
    headers: { Authorization: `Bearer ${bearer}` },
  });
  await session.call("towow_list_scenes", {});
  await session.close();
  return bearer;
}

async function roomPath(own: HttpBrowser): Promise<string> {
  const entrance = await own.ask(`${origin}/room`);
  expect(entrance.status).toBe(303);
  expect(entrance.headers.location).toMatch(/^\/room\/[a-z0-9]{8}$/);
  return `${origin}${entrance.headers.location}`;
}

/** A browser in its person's room, and what its buttons do without a script. */
async function inRoom(bearer: string, own: HttpBrowser = browser()) {
  const room = await roomPath(own);
  expect((await own.ask(room, { token: bearer })).status).toBe(303);
  const look = async () => (await own.ask(room)).text;
  const press = async (tool: string, more: Record<string, string> = {}) => {
    const text = await look();
    const answer = await own.ask(`${room}/act`, { do: buttonIn(text, tool) ?? tool, ...more });
    expect(answer.status, answer.text.slice(0, 300)).toBe(303);
    return look();
  };
  const until = async (what: RegExp) => {
    await soon(look).toMatch(what);
    return look();
  };
  return { own, room, look, press, until };
}

async function toSheet(person: Awaited<ReturnType<typeof inRoom>>, intent: string) {
  await person.until(/"stage":"scene".*"state":"todo"|next\?sceneId=/);
  await person.press(`next?sceneId=${endpoint.mock.scenes()[0]?.scene_id}`);
  await person.press("next", { "f.display_name": "Lin", "f.skills": "design\nresearch\nfigma" });
  await person.press("next", { "f.intent": intent });
  return person.until(/value="broadcast\?/);
}

it("nobody is in a room before they have signed in, and everybody is in their own", async () => {
  const [ada, bob] = [await token(), await token()];
  const stranger = browser();
  const room = await roomPath(stranger);
  const first = await stranger.ask(room);
  expect(first.text).toContain('type="password"');
  expect((await stranger.ask(room, { token: "wrong" })).status).toBe(403);
  for (const path of ["/events", "/act", "/plan.md", "/report.html", "/agent", "/room.js"])
    expect((await stranger.ask(`${room}${path}`)).status, path).toBe(403);
  // The way in from there is this endpoint's own.
  const outside = await stranger.ask(`${room}/plan.md`);
  expect(outside.text).toContain(`href="${new URL(room).pathname}">Sign in</a>`);
  expect(outside.text).not.toContain("towow-mcp open");

  const [hers, his] = [await inRoom(ada), await inRoom(bob)];
  const script = /src="(\/[^"]+\.js)"/.exec(await hers.look())?.[1] ?? "";
  const { status, headers } = await hers.own.ask(new URL(script, room).href);
  expect([status, headers["cache-control"]]).toEqual([200, "private, max-age=31536000, immutable"]);
  const sheets = { ada: await toSheet(hers, DEMANDS.ada), bob: await toSheet(his, DEMANDS.bob) };
  expect(sheets.ada).toContain("ADA's");
  expect(sheets.ada).not.toContain("BOB's");
  expect(sheets.bob).not.toContain("ADA's");
  // One's yes is about one's own demand: the other's button does nothing here.
  const stolen = await hers.own.ask(`${hers.room}/act`, { do: String(buttonIn(sheets.bob, "broadcast")) });
  expect(stolen.status).toBe(303);
  expect(endpoint.mock.negotiations().filter(({ confirmCount }) => confirmCount > 0)).toEqual([]);
  const outgoing = outgoingIn(sheets.ada);
  await hers.press("broadcast");
  const plan = await hers.until(/"stage":"done"/);
  expect(plan).not.toContain("BOB's");
  const confirmed = endpoint.mock.negotiations().filter(({ confirmCount }) => confirmCount > 0);
  expect(confirmed.map(({ confirmedText }) => confirmedText)).toEqual([outgoing]);
  await his.press("withdraw");
  await his.until(/"stage":"done"/);
});

it("in the room a person is who their client said that they are", async () => {
  const bearer = await endpoint.token();
  const headers = { Authorization: `Bearer ${bearer}`, "X-Towow-User-Id": "grace" };
  const session = await modernClient({ url: `${endpoint.url}?mode=developer`, headers });
  const profile_data = { skills: ["design", "research", "figma"], bio: "Designs calm hospital software." };
  const profile = { scene_id: endpoint.mock.scenes()[0]?.scene_id, display_name: "Grace", profile_data };
  await sendProfile(session.call, "towow_register_agent", profile);
  await session.close();
  const person = await inRoom(bearer);
  await person.until(/next\?sceneId=/);
  await person.press(`next?sceneId=${profile.scene_id}`);
  await person.press("next", { "f.intent": DEMANDS.ada });
  await person.until(/value="broadcast\?/);
  const submitted = endpoint.mock.journal.filter(({ path }) => path.endsWith("/negotiations/submit"));
  expect(submitted.at(-1)?.body).toMatchObject({ user_id: "grace" });
  await person.press("withdraw");
});

it("signs in once: on the list of browsers or on the page of a question, for the room too, without its token again", async () => {
  const ada = await token();
  const own = browser();
  const room = await roomPath(own);
  expect((await own.ask(`${origin}/browsers`, { token: ada })).status).toBe(303);
  expect((await own.ask(room)).text).toContain('"stage":"scene"');
  // A room that has gone since is opened again by signing in, and the browser stays one.
  const front = await own.ask(`${origin}/`, undefined, { Accept: "text/html" });
  expect(front.text).toContain('href="/browsers"');
  expect(front.text).not.toContain("Get a token");
});

it("a token that somebody has just got opens their room", async () => {
  const own = browser();
  const { text } = await own.ask(`${origin}/token`, {});
  expect(text).toContain("You are signed in here with it.");
  expect((await own.ask(await roomPath(own))).text).toContain('"stage":"scene"');
  // Whoever has signed in stays who they are.
  const [before] = own.cookies.values();
  const second = await own.ask(`${origin}/token`, {});
  expect(second.text).toContain("You stay signed in as before. To use this token here, sign out first.");
  expect([...own.cookies.values()][0]).toBe(before);
});

it("on this machine alone, whoever is in the room stays who they are when somebody gets a token", async () => {
  const local = await startEndpoint({});
  onTestFinished(() => local.close());
  const here = `http://127.0.0.1:${local.port}`;
  const own = httpBrowser(local.port, here);
  const room = `${here}${(await own.ask(`${here}/room`)).headers.location}`;
  expect((await own.ask(room, { token: await local.token() })).status).toBe(303);
  const idOf = (text: string) => /"room":"([^"]+)"/.exec(text)?.[1];
  const before = idOf((await own.ask(room)).text);
  expect(before).toBeDefined();
  const { text, headers } = await own.ask(`${here}/token`, {});
  expect([headers["set-cookie"], text.includes("You stay signed in as before.")]).toEqual([undefined, true]);
  expect(idOf((await own.ask(room)).text)).toBe(before);
});

it("speaks the language that was chosen on the first page, and the small pages that of the room", async () => {
  const ada = await token();
  const own = browser();
  const en = { "Accept-Language": "en", Accept: "text/html" };
  const room = await roomPath(own);
  expect((await own.ask(`${origin}/?lang=zh`, undefined, en)).text).toContain("打开协商室");
  expect((await own.ask(room, undefined, en)).text).toContain("登录后打开你的协商室。");
  await own.ask(room, { token: ada }, en);
  expect((await own.ask(room, undefined, en)).text).toContain('<html lang="zh-CN">');
  expect((await own.ask(`${origin}/nothing`, undefined, en)).text).toContain("这个地址没有内容");
  await own.ask(`${room}/act`, { do: "setLanguage?lang=en" }, en);
  expect((await own.ask(room, undefined, en)).text).toContain('<html lang="en">');
  expect((await own.ask(`${origin}/`, undefined, en)).text).toContain("Open your room");
});

it("what a browser has chosen stays, whatever language another one of the same person has changed the room to", async () => {
  const ada = await token();
  const [own, other] = [browser(), browser()];
  const en = { "Accept-Language": "en", Accept: "text/html" };
  const room = await roomPath(own);
  for (const one of [own, other]) expect((await one.ask(room, { token: ada }, en)).status).toBe(303);
  await own.ask(`${origin}/?lang=en`, undefined, en);
  await other.ask(`${room}/act`, { do: "setLanguage?lang=zh" }, en);
  await own.ask(`${room}/act`, { do: "nothing" }, en);
  expect((await own.ask(`${origin}/`, undefined, en)).text).toContain("Open your room");
  expect((await other.ask(`${origin}/`, undefined, en)).text).toContain("打开协商室");
});

it("a page of another site chooses no language, and one that is chosen over https goes back over https alone", async () => {
  const own = browser();
  const foreign = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image" };
  const refused = await own.ask(`${origin}/browsers?lang=zh`, undefined, foreign);
  expect([refused.status, refused.headers["set-cookie"]]).toEqual([403, undefined]);
  const secure = "https://mcp.example";
  const published = await startEndpoint({ args: ["--public-url", secure] });
  onTestFinished(() => published.close());
  const there = httpBrowser(published.port, secure);
  const kept = async (path: string) => {
    const { headers } = await there.ask(`${secure}${path}?lang=zh`, undefined, { Accept: "text/html" });
    return String(headers["set-cookie"]);
  };
  for (const path of ["/", "/nothing", "/browsers"])
    expect(await kept(path), path).toMatch(/^towow_lang=zh;.*; Secure/);
  const list = `${secure}/browsers`;
  const room = `${secure}${(await there.ask(`${secure}/room`)).headers.location}`;
  expect((await there.ask(list, { token: await published.token() })).status).toBe(303);
  await there.ask(room);
  const changed = await there.ask(`${room}/act`, { do: "setLanguage?lang=en" });
  expect(String(changed.headers["set-cookie"])).toMatch(/towow_lang=en;[^,]*; Secure/);
});

it("what answers a form has no link to the other language: that page would be another one", async () => {
  const own = browser();
  const room = await roomPath(own);
  const link = /href="\?lang=/;
  expect((await own.ask(room)).text).toMatch(link);
  for (const [address, form] of [
    [room, { token: "unknown" }],
    [`${room}/act`, { do: "next" }],
    [`${origin}/browsers`, { token: "unknown" }],
    [`${origin}/token`, {}],
  ] as const) {
    const { text } = await own.ask(address, form);
    expect([text.includes("<title>"), link.test(text)], address).toEqual([true, false]);
  }
});

it("what is not in a room is said in the language that the visitor has chosen", async () => {
  const { own, room } = await inRoom(await token());
  await own.ask(`${origin}/?lang=zh`, undefined, { Accept: "text/html" });
  expect((await own.ask(`${room}/plan.md`)).text).toContain('<html lang="zh-CN">');
});

it("who signs in with a browser signs out those who did so before, and keeps one cookie", async () => {
  const [ada, bob] = [await token(), await token()];
  const shared = browser();
  await toSheet(await inRoom(ada, shared), DEMANDS.ada);
  const hers = new Map(shared.cookies);
  const his = await inRoom(bob, shared);
  const first = await his.look();
  expect(first).not.toContain("ADA's");
  expect(first).toContain('"stage":"scene"');
  await inRoom(bob, shared);
  expect([...shared.cookies.values()].filter((value) => value !== "")).toHaveLength(1);
  const { text } = await shared.ask(`${origin}/browsers`);
  expect(text.match(/<strong>Firefox on Linux<\/strong>/g)).toHaveLength(1);
  // Her cookie from before is worth nothing, also where it was kept.
  const kept = browser();
  for (const [name, value] of hers) kept.cookies.set(name, value);
  expect((await kept.ask(his.room)).text).toContain('type="password"');
  const again = await inRoom(ada, shared);
  expect(await again.until(/ADA's/)).toContain('value="withdraw');
  await again.press("withdraw");
  await again.until(/"stage":"done"/);
});

it("a page of another site, without an Origin, or by another name does nothing in a room", async () => {
  const { own, room, look } = await inRoom(await token());
  const before = await look();
  const act = { do: "setLanguage?lang=zh" };
  for (const headers of [
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { "Sec-Fetch-Site": "cross-site" },
    { Host: "evil.example" },
  ])
    expect((await own.ask(`${room}/act`, act, headers as Record<string, string>)).status).toBe(403);
  expect(before).toContain('lang="en"');
  expect(await look()).toContain('lang="en"');
});

it("an agent finds its person's room by its address alone, and leaves with the person's click", async () => {
  const bearer = await token();
  const [hers, his] = [await inRoom(bearer), await inRoom(await token())];
  const addressFor = async ({ own, room }: typeof hers) => {
    const { text } = await own.ask(`${room}/agent`);
    return /ws:\/\/[^<\s]+/.exec(text)?.[0] ?? "";
  };
  const [ada, bob] = [await addressFor(hers), await addressFor(his)];
  expect(ada).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/agent\/ws\/[a-z0-9]{8}\?token=[\w-]{32}$/);
  expect(ada).not.toBe(bob);
  for (const wrong of [
    ada.replace(/token=.*/, "token=guess"),
    ada.replace(/\?.*/, ""),
    `${origin.replace("http", "ws")}/agent/ws`,
  ])
    await expect(agentAt(wrong)).rejects.toThrow("401");
  await expect(agentAt(ada, { headers: { Origin: "https://evil.example" } })).rejects.toThrow("403");
  await hers.look();
  const agent = await agentAt(ada);
  expect((await agent.ask("relay.join", { role: "agent", sessionId: "default" })).type).toBe("relay.joined");
  const { payload } = await agent.ask("session.start", {});
  await hers.press("setLanguage?lang=zh");
  await agent.sees(({ type, payload: { uiSpec } }) => type === "state.updated" && uiSpec.lang === "zh");
  await his.press("setLanguage?lang=zh");
  const bobs = await agentAt(bob);
  // What her agent has read may speak from every model that works for her.
  const model = await modernClient({ url: endpoint.url, headers: { Authorization: `Bearer ${bearer}` } });
  const paused = await model.call("towow_demand", {
    intent: DEMANDS.ada,
    scene_id: `${endpoint.mock.scenes()[0]?.scene_id}`,
  });
  expect(paused.result.data.resume_with.params).toEqual({ negotiation_id: paused.result.data.negotiation_id });
  await model.close();
  const refused = await bobs.ask("relay.join", { role: "agent", sessionId: payload.sessionId });
  expect(refused.payload.code).toBe("SESSION_NOT_ACTIVE"); // a session is of one room
  await hers.press("removeAgent");
  await soon(agent.closed).toMatchObject({ code: 1008 });
});

it("a browser that is revoked is out of the room, its stream included", async () => {
  const bearer = await token();
  const { own, room } = await inRoom(bearer);
  const other = await inRoom(bearer);
  let ended = false;
  const stream = request(`${room}/events`, {
    headers: { Cookie: [...own.cookies].map((it) => it.join("=")).join("; ") },
  });
  const began = Promise.withResolvers<void>();
  stream.on("response", (response) => {
    expect(response.headers).toMatchObject({ "content-type": "text/event-stream", "x-accel-buffering": "no" });
    response
      .on("data", () => began.resolve())
      .on("end", () => {
        ended = true;
      });
  });
  stream.end();
  onTestFinished(() => void stream.destroy());
  await began.promise;
  const browsers = await other.own.ask(`${origin}/browsers`);
  expect(browsers.text).toContain('href="/room"');
  await other.own.ask(`${origin}/browsers`, { forget: "firefox-linux" });
  expect((await own.ask(room)).text).toContain('type="password"');
  await other.press("setLanguage?lang=zh"); // something to tell
  await soon(() => ended).toBe(true);
});

it("no token, no cookie and no agent's address stands in a log line", async () => {
  const bearer = await token();
  const { own, room } = await inRoom(bearer);
  const address = /token=([\w-]+)/.exec((await own.ask(`${room}/agent`)).text)?.[1] ?? "";
  const secrets = [bearer, address, ...own.cookies.values()];
  for (const secret of secrets) expect(endpoint.log()).not.toContain(secret);
  expect(secrets.every((secret) => secret.length > 8)).toBe(true);
});

it("on this machine alone: the home's key signs in, and an agent written to the letter of the seed asks at the door", async () => {
  const local = await startEndpoint({});
  onTestFinished(() => local.close());
  const here = `http://127.0.0.1:${local.port}`;
  const own = httpBrowser(local.port, here);
  const room = `${here}${(await own.ask(`${here}/room`)).headers.location}`;
  const socket = `${here.replace("http", "ws")}/agent/ws`;
  await expect(agentAt(socket)).rejects.toThrow("401"); // there is no room yet
  const key = local.homeKey();
  expect((await own.ask(room, { token: key })).status).toBe(303);
  expect((await own.ask(room)).text).toContain('"stage":"scene"');
  const agent = await agentAt(socket);
  const joining = agent.ask("relay.join", { role: "agent", sessionId: "default" });
  const letIn = async () => buttonIn((await own.ask(room)).text, "letIn");
  await soon(letIn).toBeDefined();
  expect(agent.frames).toEqual([]);
  await own.ask(`${room}/act`, { do: String(await letIn()) });
  expect((await joining).type).toBe("relay.joined");
  local.signal("SIGTERM");
  await soon(agent.closed).toEqual({ code: 1001, reason: "the room is closed" });
  expect(await local.exited).toBe(0);
});

const ELSEWHERE = process.platform === "linux" ? ["127.0.0.2"] : []; // other systems answer at 127.0.0.1 only
it.each(["::1", "[::1]", ...ELSEWHERE])(
  "listening at %s: its address, its room and its agent's address work",
  async (host) => {
    const local = await startEndpoint({ args: ["--host", host] });
    onTestFinished(() => local.close());
    const here = new URL(local.url).origin;
    expect(here).toBe(`http://${host === "127.0.0.2" ? host : "[::1]"}:${local.port}`);
    const headers = { Authorization: `Bearer ${local.homeKey()}` };
    const session = await modernClient({ url: local.url, headers });
    expect((await session.call("towow_status", {})).result.error?.code).toBe("tool.negotiation.not_found.none_yet");
    await session.close();
    const entrance = await fetch(`${here}/room`, { redirect: "manual" });
    const room = new URL(String(entrance.headers.get("location")), here);
    const signedIn = await fetch(room, {
      method: "POST",
      redirect: "manual",
      headers: { Origin: here },
      body: new URLSearchParams({ token: local.homeKey() }),
    });
    expect(signedIn.status).toBe(303);
    const cookie = signedIn.headers
      .getSetCookie()
      .map((line) => String(line.split(";")[0]))
      .join("; ");
    expect(await (await fetch(room, { headers: { cookie } })).text()).toContain('"stage":"scene"');
    const page = await (await fetch(`${room}/agent`, { headers: { cookie } })).text();
    const address = /ws:\/\/[^<\s]+/.exec(page)?.[0] ?? "";
    expect(address).toContain(`${here.replace("http", "ws")}/agent/ws/`);
    const agent = await agentAt(address);
    expect((await agent.ask("relay.join", { role: "agent", sessionId: "default" })).type).toBe("relay.joined");
  },
);

/** What the endpoint answers to bytes on a connection of their own. */
async function answerTo(lines: readonly string[]): Promise<string> {
  const socket = connect(endpoint.port, "127.0.0.1");
  socket.end(`${[...lines, "Connection: Upgrade", ""].join("\r\n")}\r\n`);
  return text(socket);
}

it.each(["//", "//[", "/%", "http://", "/agent/ws/x?token=%"])(
  "an upgrade of %s from somebody without a token is refused, and the endpoint goes on",
  async (path) => {
    const said = await answerTo([`GET ${path} HTTP/1.1`, "Host: evil.example", "Upgrade: websocket"]);
    expect(said).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  },
);

it("an upgrade to another protocol is offered in vain: the request is answered as it is", async () => {
  const host = new URL(origin).host;
  const said = await answerTo(["GET /healthz HTTP/1.1", `Host: ${host}`, "Upgrade: h2c"]);
  expect(said).toMatch(/^HTTP\/1\.1 200 /);
});

it("a text that waits for its person stands on the first page, with what becomes of it, and leads to its decision from anywhere in the room", async () => {
  const bearer = await token();
  const { own, room, press, look } = await inRoom(bearer);
  const en = { "Accept-Language": "en", Accept: "text/html" };
  const front = async (from: HttpBrowser) => (await from.ask(`${origin}/`, undefined, en)).text;
  expect(await front(own)).not.toContain("Decide now");
  await press("openHistory"); // they have gone on from the scenes
  const model = await modernClient({ url: endpoint.url, headers: { Authorization: `Bearer ${bearer}` } });
  onTestFinished(() => model.close());
  const scene_id = `${endpoint.mock.scenes()[0]?.scene_id}`;
  const { result } = await model.call("towow_demand", { intent: "Somebody for IDA's pilot", scene_id });
  const { negotiation_id } = result.data;
  expect(await front(own)).toMatch(
    /href="\/room\?decide">Decide now<\/a><p class="waits">A text waits for you: withdrawn at <time datetime="[^"]+" data-clock>\d\d:\d\d UTC<\/time> if you do nothing\./,
  );
  expect(await front(browser()), "to anybody else").not.toContain("Decide now");
  expect(await look()).not.toContain("Somebody for IDA");
  const led = await own.ask(`${origin}/room?decide`);
  expect(led.headers.location).toBe(`${new URL(room).pathname}?decide`);
  const there = await own.ask(`${origin}${led.headers.location}`);
  expect([there.status, `${origin}${there.headers.location}`]).toEqual([303, room]);
  await soon(async () => buttonIn(await look(), "broadcast")).toBeDefined();
  await model.call("towow_demand", { negotiation_id, decision: "reject" });
  expect(await front(own)).not.toContain("Decide now");
});
