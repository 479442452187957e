import { describe, expect, it } from "vitest";
import { textsOf } from "../../src/text/index.ts";
import { confirms } from "../support/backend.ts";
import { decisionAbout, factsAbout } from "../support/facts.ts";
import { fetched, LONG, openPage, send, visit } from "./page-support.ts";

const CHROME = { "user-agent": "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36" };
const ACCEPT = { decision: "accept" };
const codeIn = (body: string) => /id="code">(\d{3}-\d{3})</.exec(body)?.[1] ?? "";
const idIn = (body: string) => /name="confirmation_id" value="([^"]+)"/.exec(body)?.[1] ?? "";

/** A browser that is let in by the code that its page shows. */
async function letIn({ pages, forResult }: Awaited<ReturnType<typeof openPage>>) {
  const first = await send(forResult, undefined, CHROME);
  const browser = { ...CHROME, cookie: String(first.cookie) };
  const name = await pages.browsers.letIn(codeIn(first.body));
  return { name, browser };
}

describe("an address that stood in a result", () => {
  it("fetched, as a model would: it shows the way, not the text, and decides nothing", async () => {
    const { world, forResult, negotiationId } = await openPage();
    const page = await send(forResult);
    expect(page.status).toBe(403);
    expect(page.body).toContain(`<pre>towow-mcp confirm ${negotiationId}</pre>`);
    expect(page.body).not.toMatch(/hospital software|confirmation_id/);
    const { asked } = await factsAbout(world, negotiationId);
    for (const headers of [{}, { cookie: String(page.cookie) }, { cookie: "towow_approval=guess" }])
      for (const decision of ["accept", "edit", "candidate", "preview", "reject"]) {
        const form = { decision, text: "Mine", confirmation_id: String(asked[0]?.question_id) };
        expect((await send(forResult, form, headers)).status).toBe(403);
      }
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmCount: 0, cancelled: false });
  });

  it("does not take the page away from the person's own browser", async () => {
    const { world, url, forResult } = await openPage();
    for (let n = 0; n < 3; n++) await send(forResult);
    await (await visit(url))(ACCEPT);
    expect(confirms(world.mock)).toHaveLength(1);
  });

  it("in a browser that its person lets in, it is the page", async () => {
    const opened = await openPage();
    const { name, browser } = await letIn(opened);
    expect(name).toBe("chrome-linux");
    const { world, forResult, negotiationId } = opened;
    const page = await send(forResult, undefined, browser);
    expect(page.status).toBe(200);
    const done = await send(forResult, { ...ACCEPT, confirmation_id: idIn(page.body) }, browser);
    expect(done.status).toBe(200);
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmCount: 1, confirmedText: LONG });
    expect((await decisionAbout(world, negotiationId))?.display).toMatchObject({ surface: "page", browser: "known" });
  });

  it("a wrong code, one that comes too late, and the code of nobody let nobody in; the same page shows the same code", async () => {
    const { world, pages, forResult } = await openPage();
    const first = await send(forResult, undefined, CHROME);
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
    for (let n = 0; n < 5; n++) expect(codeIn((await send(forResult)).body)).not.toBe("");
    const sixth = await send(forResult);
    expect(codeIn(sixth.body)).toBe("");
    expect(sixth.body).toContain("towow-mcp confirm");
    expect(await pages.browsers.visits()).toHaveLength(5);
  });

  it("a revoked browser is nobody's from the next request on, with the page open in it", async () => {
    const opened = await openPage();
    const { name, browser } = await letIn(opened);
    const { world, pages, forResult, url } = opened;
    const page = await send(forResult, undefined, browser);
    expect(await pages.browsers.forget(String(name))).toEqual([name]);
    const late = await send(forResult, { ...ACCEPT, confirmation_id: idIn(page.body) }, browser);
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
    await send(url, { ...ACCEPT, confirmation_id: idIn(shown.body) }, browser);
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

  it("where windows can be opened it never becomes the page, however often somebody loads it", async () => {
    const windows: string[] = [];
    const { world, url, forResult } = await openPage(LONG, "en", {
      openWindow: async (page) => windows.push(page) > 0,
    });
    for (let n = 0; n < 12; n++)
      for (const address of [url, forResult]) {
        const page = await send(address);
        expect(page.body).not.toMatch(/hospital software|confirmation_id/);
        expect((await send(address, ACCEPT, { cookie: String(page.cookie) })).status).toBe(403);
      }
    expect(windows).toHaveLength(5);
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it.each(["auto", "strict"])("%s: the window that this program opens is the person's", async (confirmation_policy) => {
    const windows: string[] = [];
    const { world, url, negotiationId } = await openPage(LONG, "en", {
      openWindow: async (page) => windows.push(page) > 0,
      config: { confirmation_policy },
    });
    await send(url);
    await (await visit(String(windows[0])))(ACCEPT);
    expect(confirms(world.mock)).toHaveLength(1);
    expect((await decisionAbout(world, negotiationId))?.display?.browser).toBe("own_window");
  });
});

describe("the page behind a tunnel, and beside other servers of the same host", () => {
  it("takes the tunnel's own port, and forms of that origin alone", async () => {
    const { world, url } = await openPage();
    const tunnel = { host: "127.0.0.1:9123" };
    const page = await send(url, undefined, tunnel);
    const form = { ...ACCEPT, confirmation_id: idIn(page.body) };
    const browser = { ...tunnel, cookie: String(page.cookie) };
    for (const origin of [new URL(url).origin, "http://127.0.0.1:4000", "http://localhost:9123", "null"])
      expect((await send(url, form, { ...browser, origin })).status).toBe(403);
    expect(confirms(world.mock)).toHaveLength(0);
    expect((await send(url, form, { ...browser, origin: "http://127.0.0.1:9123" })).status).toBe(200);
    expect(confirms(world.mock)).toHaveLength(1);
  });

  it.each(["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "[::1]:80", "127.0.0.2"])(
    "another name is refused: %s",
    async (host) => {
      const { url } = await openPage();
      expect((await send(url, undefined, { host })).status).toBe(403);
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
      /^towow_approval=[\w-]{42}; Path=\/approve\/[\w-]+; HttpOnly; SameSite=Strict$/,
    );
  });
});

describe("what was shown is what can be sent, and it says whose it is", () => {
  it("an edit that the page has not shown whole, with its difference, is shown and not sent", async () => {
    const { world, url } = await openPage("A designer for hospitals.");
    const fill = await visit(url);
    const first = await fill({ decision: "edit", text: "A designer for clinics." });
    expect(first.status).toBe(409);
    expect(first.body).toContain("<del>hospitals</del>");
    expect(confirms(world.mock)).toHaveLength(0);
    expect((await fill({ decision: "edit", text: "A designer for clinics!" })).status).toBe(409);
    expect((await fill({ decision: "edit", text: "A designer for clinics." })).status).toBe(200);
    expect(world.mock.negotiations()[0]?.confirmedText).toBe("A designer for clinics.");
  });

  it("an AI's text goes out as it was shown, line breaks of every kind included", async () => {
    const candidate = "A designer\r\nfor\rclinics\n";
    const { world, url, negotiationId } = await openPage("A designer.", "en", { candidate });
    await (await visit(url))({ decision: "candidate", text: "not this" });
    expect(world.mock.negotiations()[0]?.confirmedText).toBe(candidate);
    expect((await decisionAbout(world, negotiationId))?.display?.author).toBe("ai");
  });

  it.each([
    ["the network's", "A designer for hospitals.", [ACCEPT], "network"],
    ["the demand as the AI sent it, which the network left alone", "A designer", [ACCEPT], "ai"],
    ["one's own", "A nurse.", ["preview", "edit"].map((decision) => ({ decision, text: "Mine" })), "person"],
    [
      "the network's, through the editor",
      "A nurse.",
      ["preview", "edit"].map((decision) => ({ decision, text: "A nurse." })),
      "network",
    ],
  ] as const)("%s: the page names its author, and the decision keeps it", async (_, text, forms, author) => {
    for (const lang of ["en", "zh"] as const) {
      const { world, url, negotiationId } = await openPage(text, lang);
      const fill = await visit(url);
      let shown = (await send(url, undefined, {})).body;
      for (const form of forms) {
        const reply = await fill(form);
        if (form.decision === "preview") shown = reply.body;
      }
      if (forms.length > 1) expect(shown).toContain(`data-author="${author}">${textsOf(lang).author[author]}</p>`);
      expect((await decisionAbout(world, negotiationId))?.display).toMatchObject({ surface: "page", author });
    }
  });
});
