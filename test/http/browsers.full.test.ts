import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { legacyClient, modernClient, type Session } from "../support/clients.ts";
import { buttonIn } from "../support/decision-page.ts";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { freePort } from "../support/free-port.ts";
import { httpBrowser } from "../support/http-browser.ts";

/** At an endpoint people decide in browsers in which they have signed in (contract §6). */

const INTENT = "I need somebody who plans hospital queues";
const ACCEPT = { decision: "accept" };

let endpoint: Endpoint;
let origin = "";
beforeAll(async () => {
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  endpoint = await startEndpoint({
    args: ["--port", `${port}`, "--public-url", origin],
    env: { TOWOW_WAIT_BUDGET_S: "1", TOWOW_CONFIRMATION_POLICY: "strict" },
  });
});
afterAll(() => endpoint.close());

const browser = () => httpBrowser(endpoint.port, origin);
const browsersPage = () => `${origin}/browsers`;
const ofBackend = (id: string) => endpoint.mock.negotiations().find((one) => one.negotiation_id === id);
const namesIn = (text: string) =>
  [...text.matchAll(/name="forget" value="([\w-]+)"/g)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "others");

/** Somebody with a token of their own, whose client has no surface: all that their model gets is a link in a result. */
async function person(connect: typeof legacyClient = modernClient) {
  const token = await endpoint.token();
  const session: Session = await connect({ url: endpoint.url, headers: { Authorization: `Bearer ${token}` } });
  const demand = async () => {
    const intent = `${INTENT}, ${Math.random()}`;
    let called = await session.call("towow_demand", { intent, scene_id: endpoint.mock.scenes()[0]?.scene_id });
    const id = called.result.data.negotiation_id as string;
    const linkIn = (text: string) => /https?:\/\/\S+\/approve\/[\w-]+\/[\w-]+\/[\w-]+/.exec(text)?.[0];
    // Its text may take longer than the call waits, on a machine that has other work.
    for (let calls = 1; linkIn(called.text) === undefined && calls < 10; calls++)
      called = await session.call("towow_demand", { negotiation_id: id });
    return { id, link: linkIn(called.text) ?? "", text: called.text };
  };
  return { token, session, demand };
}

describe.each([
  ["2025 era", legacyClient],
  ["2026-07-28", modernClient],
] as const)("strict, a client without a surface, %s", (_, connect) => {
  it("signing in once with one's token on the endpoint's own page: from then on that browser decides", async () => {
    const ada = await person(connect);
    const { id, link } = await ada.demand();
    const hers = browser();
    const first = await hers.ask(link);
    expect(first.status).toBe(403);
    expect(first.text).toContain('type="password"');
    expect(first.text).not.toContain(String(ofBackend(id)?.demand_formulated));
    const signed = await hers.ask(link, { token: ada.token });
    expect(signed.status).toBe(303);
    expect(signed.headers["set-cookie"]?.[0]).toMatch(
      /^towow_browser_[\w-]{21}=[\w-]{42}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect((await hers.decide(link, ACCEPT)).status).toBe(200);
    expect(ofBackend(id)).toMatchObject({ confirmCount: 1 });
    const next = await ada.demand();
    expect((await hers.decide(next.link, ACCEPT)).status).toBe(200);
    expect(ofBackend(next.id)).toMatchObject({ confirmCount: 1 });
  });
});

it("a profile waits for its person too: the result names the page, and the same call goes through after their yes", async () => {
  const ada = await person();
  const profile = { skills: ["design"], bio: "Designer of calm hospital software, in Hangzhou." };
  const join = () =>
    ada.session.call("towow_join", { scene: endpoint.sceneName, display_name: "Lin", profile_data: profile });
  const refused = await join();
  expect(refused.result.error?.code).toBe("tool.policy.blocked.decide_on_page");
  const link = /https?:\/\/\S+\/approve\/[\w-]+\/[\w-]+\/[\w-]+/.exec(refused.text)?.[0] ?? "";
  expect((await httpBrowser(endpoint.port, origin).ask(link, ACCEPT)).status).toBe(403);
  expect((await join()).result.error?.code).toBe("tool.policy.blocked.decide_on_page");
  const hers = browser();
  await hers.ask(link, { token: ada.token });
  const page = await hers.ask(link);
  expect(page.text).toContain("Designer of calm hospital software");
  expect((await hers.ask(link, ACCEPT)).status).toBe(200);
  expect((await join()).result.data).toMatchObject({ already_joined: false });
});

it("two people with two browsers: neither decides for the other, not with the other's link and not with their own token", async () => {
  const [ada, bob] = await Promise.all([person(), person()]);
  const [hers, his] = [browser(), browser()];
  const [a, b] = [await ada.demand(), await bob.demand()];
  await hers.ask(a.link, { token: ada.token });
  await his.ask(b.link, { token: bob.token });
  for (const [one, other, token] of [
    [hers, b, ada.token],
    [his, a, bob.token],
  ] as const) {
    expect((await one.decide(other.link, ACCEPT)).status).toBe(403);
    const signed = await one.ask(other.link, { token });
    expect(signed.status).toBe(403);
    expect(signed.text).toContain("belongs to somebody else");
    expect(ofBackend(other.id)).toMatchObject({ confirmCount: 0, cancelled: false });
  }
  expect((await hers.decide(a.link, ACCEPT)).status).toBe(200);
  expect((await his.decide(b.link, { decision: "reject" })).status).toBe(200);
  expect(ofBackend(a.id)).toMatchObject({ confirmCount: 1 });
  expect(ofBackend(b.id)).toMatchObject({ confirmCount: 0, cancelled: true });
});

it("both people in one browser: each page is its owner's, and who signs in on one signs the other out, as everywhere", async () => {
  const [ada, bob] = await Promise.all([person(), person()]);
  const [shared, phone] = [browser(), browser()];
  const [a, b] = [await ada.demand(), await bob.demand()];
  await phone.ask(a.link, { token: ada.token });
  await shared.ask(a.link, { token: ada.token });
  const [before] = [...shared.cookies];
  const signed = await shared.ask(b.link, { token: bob.token });
  expect(signed.headers["set-cookie"]?.filter((line) => line.includes("Max-Age=0"))).toEqual([
    expect.stringContaining(`${before?.[0]}=;`),
  ]);
  shared.cookies.set(...(before ?? ["", ""])); // one that was copied before counts no more either
  const hers = await shared.ask(a.link);
  expect([hers.status, hers.text.includes("Another person")]).toEqual([403, true]);
  expect((await shared.decide(a.link, ACCEPT)).status).toBe(403);
  expect(ofBackend(a.id)).toMatchObject({ confirmCount: 0, cancelled: false });
  expect((await shared.decide(b.link, ACCEPT)).status).toBe(200);
  expect(ofBackend(b.id)).toMatchObject({ confirmCount: 1 });
  expect(namesIn((await shared.ask(browsersPage())).text)).toEqual(["firefox-linux"]); // bob's
  // Another person's token on a page signs nobody out; in her other browser Ada has stayed.
  expect((await shared.ask(a.link, { token: bob.token })).status).toBe(403);
  expect((await phone.decide(a.link, ACCEPT)).status).toBe(200);
  expect(ofBackend(a.id)).toMatchObject({ confirmCount: 1 });
});

it("a revoked browser decides no more: with a page open, with its old cookie, on a new page", async () => {
  const ada = await person();
  const [laptop, phone] = [browser(), browser()];
  const { link, id } = await ada.demand();
  await laptop.ask(link, { token: ada.token });
  await phone.ask(browsersPage(), { token: ada.token });
  const open = await laptop.ask(link);
  const yes = { do: String(buttonIn(open.text, "broadcast")) };
  const listed = await phone.ask(browsersPage());
  expect(namesIn(listed.text).sort(byCodeUnits)).toEqual(["firefox-linux", "firefox-linux-2"]);
  expect(listed.text).toMatch(/<strong>Firefox on Linux \(2\)<\/strong> <span class="s">This browser · /);
  const gone = await phone.ask(browsersPage(), { forget: "firefox-linux" });
  expect(gone.text).toMatch(/<strong>Firefox on Linux<\/strong> <span class="s" role="status">Revoked just now/);
  for (const path of ["", "/act"]) expect((await laptop.ask(`${link}${path}`, yes)).status).toBe(403);
  expect((await laptop.decide((await ada.demand()).link, ACCEPT)).status).toBe(403);
  expect((await laptop.ask(browsersPage())).text).toContain('type="password"');
  expect(ofBackend(id)).toMatchObject({ confirmCount: 0 });
  expect((await phone.decide(link, ACCEPT)).status).toBe(200);
  expect(namesIn((await phone.ask(browsersPage())).text)).toEqual(["firefox-linux-2"]);
  // All others at once, and this one by signing out.
  await laptop.ask(browsersPage(), { token: ada.token });
  expect(namesIn((await phone.ask(browsersPage(), { forget: "others" })).text)).toEqual(["firefox-linux-2"]);
  expect((await laptop.ask(browsersPage())).text).toContain('type="password"');
  expect((await phone.ask(browsersPage(), { forget: "firefox-linux-2" })).status).toBe(303);
  expect((await phone.ask(browsersPage())).text).toContain('type="password"');
});

it("nobody signs in with a token that the backend has not accepted, with another person's page, or from another site", async () => {
  const ada = await person();
  const { link, id } = await ada.demand();
  const theirs = browser();
  for (const token of ["invented", "", `${ada.token}x`, "towow-home-x"])
    expect((await theirs.ask(browsersPage(), { token })).status).toBe(403);
  expect(theirs.cookies.size).toBe(0);
  for (const headers of [
    { Origin: "https://evil.example" },
    { "Sec-Fetch-Site": "same-site" },
    { Host: "evil.example" },
  ]) {
    for (const address of [link, browsersPage()])
      expect((await theirs.ask(address, { token: ada.token }, headers)).status).toBe(403);
    expect((await theirs.ask(browsersPage(), { forget: "all" }, headers)).status).toBe(403);
  }
  expect(theirs.cookies.size).toBe(0);
  expect(ofBackend(id)).toMatchObject({ confirmCount: 0, cancelled: false });
  expect((await theirs.ask(browsersPage(), { token: "x".repeat(50_000) })).status).toBe(413);
});

it("the token and the browsers' secrets stand in no log line", async () => {
  const ada = await person();
  await ada.demand();
  const hers = browser();
  await hers.ask(browsersPage(), { token: ada.token });
  const [secret = ""] = hers.cookies.values();
  expect(secret).toMatch(/^[\w-]{42}$/);
  for (const hidden of [ada.token, secret]) expect(endpoint.log()).not.toContain(hidden);
});

it("over https nobody is known by a cookie that another host of the domain could have set", async () => {
  const secure = "https://mcp.example";
  const own = await startEndpoint({ args: ["--public-url", secure] });
  onTestFinished(() => own.close());
  const headers = { Authorization: `Bearer ${await own.token()}` };
  const session = await modernClient({ url: `${own.url}?mode=developer`, headers });
  await session.call("towow_list_scenes");
  const hers = httpBrowser(own.port, secure);
  const signedIn = await hers.ask(`${secure}/browsers`, { token: headers.Authorization.slice("Bearer ".length) });
  expect(signedIn.headers["set-cookie"]?.[0]).toMatch(
    /^__Host-towow_browser_[\w-]{21}=[\w-]{42}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  const { headers: led } = await hers.ask(`${secure}/room`);
  const pages = [`${secure}/browsers`, `${secure}${led.location}`];
  for (const page of pages) expect((await hers.ask(page)).text).not.toContain('type="password"');
  const [name = "", value = ""] = [...hers.cookies][0] ?? [];
  const another = httpBrowser(own.port, secure);
  another.cookies.set(name.replace("__Host-", ""), value);
  for (const page of pages) expect((await another.ask(page)).text).toContain('type="password"');
});

// Last here: for a minute nobody can sign in with a short token.
it("strangers who try tokens keep nobody out whose token cannot be guessed, and hold up the short ones alone", async () => {
  const ada = await person();
  await ada.demand(); // the backend has accepted her token
  const guesser = browser();
  const entrance = await browser().ask(`${origin}/room`);
  const pages = [browsersPage(), `${origin}${entrance.headers.location}`, (await ada.demand()).link];
  const wrong = await guesser.ask(browsersPage(), { token: "guess" });
  expect(wrong.text).toContain("Unknown token");
  for (let n = 0; n < 60; n++) await guesser.ask(browsersPage(), { token: `guess-${n}` });
  for (const page of pages) {
    const { status, text } = await guesser.ask(page, { token: "guess" });
    expect(status).toBe(403);
    expect(text).toContain("Too many wrong tokens were tried here");
    expect(text).not.toContain("Unknown token");
    const stranger = await guesser.ask(page, { token: "a-long-token-that-nobody-was-given" });
    expect(stranger.text).toContain("Unknown token");
    const hers = browser();
    expect((await hers.ask(page, { token: ada.token })).status).toBe(303);
    expect(hers.cookies.size).toBe(1);
  }
  expect(guesser.cookies.size).toBe(0);
});
