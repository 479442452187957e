import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/sha256.ts";
import { textsReadBy } from "../../src/text/index.ts";
import { confirms } from "../support/backend.ts";
import { buttonIn, outgoingIn } from "../support/decision-page.ts";
import { decisionAbout, factsAbout } from "../support/facts.ts";
import { comeTo, fetched, LONG, NO_ORIGIN, openPage, send, visit } from "./page-support.ts";

const CHROME = { "user-agent": "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36" };
const ACCEPT = { decision: "accept" };
const codeIn = (body: string) => /id="code" data-code="(\d{3}-\d{3})"/.exec(body)?.[1] ?? "";
/** What the page's button sends. */
const yesOn = (body: string) => ({ do: buttonIn(body, "broadcast") ?? "none" });

/** A browser that is let in by the code that its page shows. */
async function letIn({ pages, forResult }: Awaited<ReturnType<typeof openPage>>) {
  const first = await comeTo(forResult, CHROME);
  const browser = { ...CHROME, cookie: String(first.cookie) };
  const name = await pages.browsers.letIn(codeIn(first.body));
  return { name, browser };
}

describe("an address that stood in a result", () => {
  it("fetched, as a model would: it shows the way, not the text, and decides nothing", async () => {
    const { world, forResult, negotiationId } = await openPage();
    const page = await comeTo(forResult);
    expect(page.status).toBe(403);
    expect(page.body).toContain(`>towow-mcp confirm ${negotiationId}</pre>`);
    expect(page.body).not.toMatch(/hospital software|confirmation_id/);
    const { asked } = await factsAbout(world, negotiationId);
    for (const headers of [{}, { cookie: String(page.cookie) }, { cookie: "towow_visit=guess" }])
      for (const tool of ["broadcast", "withdraw", "edit", "setField", "ask"]) {
        const params = new URLSearchParams({ questionId: String(asked[0]?.question_id), textHash: sha256(LONG) });
        const form = { do: `${tool}?${params}`, "f.text": "Mine" };
        for (const path of ["", "/act"]) expect((await send(`${forResult}${path}`, form, headers)).status).toBe(403);
      }
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmCount: 0, cancelled: false });
  });

  it("names the program as it was started, as results do, in the language that is chosen there too", async () => {
    const start = "TOWOW_HOME=/srv/home /opt/node /opt/towow/cli.js";
    const textsOf = textsReadBy({ who: "model", start: () => start });
    const { forResult, negotiationId } = await openPage(LONG, "en", { textsOf });
    for (const lang of ["en", "zh"])
      expect((await comeTo(`${forResult}?lang=${lang}`)).body).toContain(`>${start} confirm ${negotiationId}</pre>`);
  });

  it("does not take the page away from the person's own browser", async () => {
    const { world, url, forResult } = await openPage();
    for (let n = 0; n < 3; n++) await send(forResult);
    await (await visit(url))(ACCEPT);
    expect(confirms(world.mock)).toHaveLength(1);
  });

  it("a wrong code, one that comes too late, and the code of nobody let nobody in; the same page shows the same code", async () => {
    const { world, pages, forResult } = await openPage();
    const first = await comeTo(forResult, CHROME);
    const browser = { ...CHROME, cookie: String(first.cookie) };
    const again = await send(forResult, undefined, browser);
    expect(codeIn(again.body)).toBe(codeIn(first.body));
    const wrong = codeIn(first.body) === "000-000" ? "000-001" : "000-000";
    for (const code of [wrong, "", "constructor"]) expect(await pages.browsers.letIn(code)).toBeUndefined();
    await world.clock.advance(10 * 60_000);
    expect(await pages.browsers.letIn(codeIn(first.body))).toBeUndefined();
    expect((await send(forResult, undefined, browser)).body).not.toContain("hospital software");
  });

  it("at most five browsers wait at once: the sixth is shown the terminal alone", async () => {
    const { pages, forResult } = await openPage();
    for (let n = 0; n < 5; n++) expect(codeIn((await comeTo(forResult)).body)).not.toBe("");
    const sixth = await comeTo(forResult);
    expect(codeIn(sixth.body)).toBe("");
    expect(sixth.body).toContain("towow-mcp confirm");
    expect(await pages.browsers.waiting()).toHaveLength(5);
  });

  it("what keeps no cookies, as a preview of a link does, takes no place of the five, and is led nowhere twice", async () => {
    const { pages, forResult } = await openPage();
    for (let n = 0; n < 20; n++) expect(codeIn((await send(forResult)).body)).toBe("");
    const again = await send(`${forResult}?again`);
    expect([again.status, codeIn(again.body)]).toEqual([403, ""]);
    expect(again.body).not.toContain("http-equiv");
    expect(again.body).toContain("towow-mcp confirm");
    expect(await pages.browsers.waiting()).toHaveLength(0);
    expect(codeIn((await comeTo(forResult, CHROME)).body)).not.toBe("");
  });

  it("a revoked browser is nobody's from the next request on, with the page open in it", async () => {
    const opened = await openPage();
    const { name, browser } = await letIn(opened);
    const { world, pages, forResult, url } = opened;
    const page = await send(forResult, undefined, browser);
    expect(await pages.browsers.forget(String(name))).toEqual([name]);
    const late = await send(`${forResult}/act`, yesOn(page.body), browser);
    expect(late.status).toBe(403);
    expect((await send(forResult, undefined, browser)).status).toBe(403);
    expect(confirms(world.mock)).toHaveLength(0);
    expect((await send(url)).status).toBe(200);
  });

  it("one cookie of two, and another browser's secret, let nobody in", async () => {
    const opened = await openPage();
    const { browser } = await letIn(opened);
    const [name = "", secret = ""] = browser.cookie.split("=");
    const attempts = [
      `${name}=${secret.slice(1)}`,
      `${name}x=${secret}`,
      `${name}=`,
      `towow_browser_../../x=${secret}`,
    ];
    for (const cookie of attempts) expect((await send(opened.forResult, undefined, { cookie })).status).toBe(403);
  });
});

describe("an address that a client was given to open", () => {
  it("under strict shows the way, and the page in a browser that its person has let in", async () => {
    const opened = await openPage(LONG, "en", { config: { confirmation_policy: "strict" } });
    const { world, url, negotiationId } = opened;
    const page = await send(url);
    expect(page.status).toBe(403);
    expect(page.body).not.toContain("hospital software");
    const { browser } = await letIn(opened);
    const shown = await send(url, undefined, browser);
    await send(`${url}/act`, yesOn(shown.body), browser);
    expect(confirms(world.mock)).toHaveLength(1);
    expect((await decisionAbout(world, negotiationId))?.display?.browser).toBe("known");
  });

  it("a policy that becomes strict while the page is open counts at once", async () => {
    const { world, process, url } = await openPage();
    const fill = await visit(url);
    process.settings.confirmation_policy = "strict";
    expect((await fill(ACCEPT)).status).toBe(403);
    expect(confirms(world.mock)).toHaveLength(0);
  });
});

describe("the page behind a tunnel, and beside other servers of the same host", () => {
  it("takes the tunnel's own port, and forms of that origin alone", async () => {
    const { world, url } = await openPage();
    const tunnel = { host: "127.0.0.1:9123" };
    const page = await send(url, undefined, tunnel);
    const form = yesOn(page.body);
    const browser = { ...tunnel, cookie: String(page.cookie) };
    for (const origin of [new URL(url).origin, "http://127.0.0.1:4000", "http://localhost:9123", "null"])
      expect((await send(`${url}/act`, form, { ...browser, origin })).status).toBe(403);
    expect(confirms(world.mock)).toHaveLength(0);
    expect((await send(`${url}/act`, form, { ...browser, origin: "http://127.0.0.1:9123" })).status).toBe(303);
    expect(confirms(world.mock)).toHaveLength(1);
  });

  it.each(["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "[::1]:80", "127.0.0.2"])(
    "another name is refused: %s",
    async (host) => {
      const { url } = await openPage();
      expect((await send(url, undefined, { host })).status).toBe(403);
    },
  );

  it.each(["//evil.example/x", "///evil.example", "/%5Cevil.example/x", "/%09/evil.example", "/%0A/evil.example/"])(
    "nobody is led away by a path that a browser reads as another host: %s",
    async (path) => {
      const { url } = await openPage();
      for (const headers of [fetched("navigate", "document"), NO_ORIGIN]) {
        const reply = await send(`${new URL(url).origin}${path}`, undefined, headers);
        expect(reply.status).toBe(404);
        expect(reply.body).not.toContain("evil");
        expect(reply.headers).not.toHaveProperty("location");
      }
    },
  );

  it("whoever is led here by another site comes once more from here, so that strict cookies are sent", async () => {
    const { url } = await openPage();
    const lead = await send(url, undefined, fetched("navigate", "document"));
    expect(lead.body).toContain(`http-equiv="refresh" content="0; url=${new URL(url).pathname}"`);
    expect(lead.body).not.toContain("hospital software");
    expect(lead.cookie).toBeUndefined();
    const page = await send(url, undefined, { ...fetched("navigate", "document"), "sec-fetch-site": "same-origin" });
    expect(page.body).toContain("hospital software");
    expect(String(page.headers["set-cookie"])).toMatch(
      /^towow_visit=[\w-]{42}; Max-Age=86400; Path=\/approve\/[\w-]{21}; HttpOnly; SameSite=Strict$/,
    );
  });
});

describe("what was shown is what can be sent, and it says whose it is", () => {
  it("a text that the page has not shown whole is shown and not sent, also where it came with the yes", async () => {
    const { world, url } = await openPage("A designer for hospitals.");
    const { page, cookie } = await visit(url);
    const act = (form: Record<string, string>) => send(`${url}/act`, form, { cookie });
    const typed = "A designer for clinics.";
    await act({ do: "edit" });
    await act({ ...yesOn(page.body), "f.text": typed }); // the yes is of the text that stood there before
    const { questionId = "" } = Object.fromEntries(new URLSearchParams(yesOn(page.body).do.split("?")[1]));
    const unseen = "A designer for clinics!";
    await act({ do: `broadcast?${new URLSearchParams({ questionId, textHash: sha256(unseen) })}`, "f.text": unseen });
    expect(confirms(world.mock)).toHaveLength(0);
    const fill = await visit(url, { cookie });
    expect(outgoingIn(fill.page.body)).toBe(unseen);
    await fill({ decision: "accept" });
    expect(world.mock.negotiations()[0]?.confirmedText).toBe(unseen);
  });

  it("an AI's text goes out as it was shown, line breaks of every kind included", async () => {
    const candidate = "A designer\r\nfor\rclinics\n";
    const { world, url, negotiationId } = await openPage("A designer.", "en", { candidate });
    await (await visit(url))({ decision: "candidate", text: "not this" });
    expect(world.mock.negotiations()[0]?.confirmedText).toBe(candidate);
    expect((await decisionAbout(world, negotiationId))?.display?.author).toBe("ai");
  });

  it.each([
    ["the network's", "A designer for hospitals.", undefined, "network"],
    ["the demand as the AI sent it, which the network left alone", "A designer", undefined, "ai"],
    ["one's own", "A nurse.", "Mine", "person"],
    ["the network's, through the editor", "A nurse.", "A nurse.", "network"],
  ] as const)("%s: the decision keeps its author", async (_, text, typed, author) => {
    for (const lang of ["en", "zh"] as const) {
      const { world, url, negotiationId } = await openPage(text, lang);
      const fill = await visit(url);
      if (typed !== undefined) await fill({ decision: "preview", text: typed });
      await fill(ACCEPT);
      expect((await decisionAbout(world, negotiationId))?.display).toMatchObject({ surface: "page", author });
    }
  });
});
