import { describe, expect, it, onTestFinished, vi } from "vitest";
import { cancels, confirms } from "../support/backend.ts";
import { buttonIn, outgoingIn } from "../support/decision-page.ts";
import { decisionAbout } from "../support/facts.ts";
import { LONG, openPage, send, visit } from "./page-support.ts";

describe("the page that asks about a text, without a script", () => {
  it("shows the text whole and escaped, with deadline and host", async () => {
    const { url } = await openPage();
    const page = await send(url);
    expect(page.status).toBe(200);
    expect(outgoingIn(page.body)).toBe(LONG);
    // Nobody went through the stages before it on this page, so no time is named.
    expect(page.body).toContain('"label":"Scene","state":"done","status":"done"}');
    expect(page.body).toContain("&lt;b>queues&lt;/b>");
    expect(page.body).not.toContain("<b>queues");
    expect(page.body).toMatch(/Withdrawn at \d\d:\d\d:\d\d, nothing sent/);
    expect(page.body).toContain("127.0.0.1:9");
    expect(page.headers["content-security-policy"]).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    expect(page.headers["cache-control"]).toBe("no-store");
    expect(page.body).not.toMatch(/<script(?![^>]*(?:type="application\/json"|src="\/approve\/))/);
  });

  it("accept sends exactly that text, and the same page goes on to the plan", async () => {
    const { world, url } = await openPage();
    const fill = await visit(url);
    const sent = await fill({ decision: "accept" });
    expect(sent.status).toBe(200);
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedText: LONG, confirmCount: 1 });
    await fill({ decision: "accept" });
    expect(confirms(world.mock)).toHaveLength(1);
    await world.clock.until(() => world.mock.negotiations()[0]?.state === "completed");
    await world.clock.advance(5_000);
    const plan = await send(url, undefined, { cookie: fill.cookie });
    expect(plan.body).toContain('"stage":"done"');
    expect(plan.body).toContain("<h1>No agent took part</h1>"); // with these few words
  });

  it("what it loads comes from below its own address, for the browser that has it open", async () => {
    const { url } = await openPage();
    const { page, cookie } = await visit(url);
    const loaded = [...page.body.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path = ""]) => path);
    expect(loaded).toHaveLength(2);
    for (const path of loaded) {
      expect(path).toMatch(new RegExp(`^${new URL(url).pathname}/room\\.[0-9a-f]{16}\\.(?:js|css)$`));
      expect((await send(new URL(path, url).href, undefined, { cookie })).status).toBe(200);
      expect((await send(new URL(path, url).href)).status).toBe(403);
    }
  });

  it("edit shows the difference first, then sends the edited text", async () => {
    const { world, url } = await openPage("A designer for hospitals.");
    const fill = await visit(url);
    const preview = await fill({ decision: "preview", text: "A designer for clinics.\r\nSoon." });
    expect(preview.body).toMatch(/<del>hospitals\.?<\/del>/);
    expect(preview.body).toMatch(/<ins class="you[^>]*>.*?clinics/);
    expect(confirms(world.mock)).toHaveLength(0);
    await fill({ decision: "accept" });
    expect(world.mock.negotiations()[0]?.confirmedText).toBe("A designer for clinics.\nSoon.");
  });

  describe("about a text that the person's AI wrote", () => {
    const CANDIDATE = `\n${"Wanted: somebody who knows clinic software & <i>patience</i>.\n".repeat(12)}`;

    it("shows it whole, says whose it is, and how it differs from the network's", async () => {
      const { url, world } = await openPage("A designer for hospitals.", "en", { candidate: CANDIDATE });
      const { body } = await send(url);
      expect(outgoingIn(body)).toBe(CANDIDATE);
      expect(body).toContain("Your AI's version");
      expect(body).toMatch(/<ins class="ag[^>]*><span class="vh">by the agent: <\/span>/);
      expect(body).toMatch(/<del>[^<]*hospitals\.?<\/del>/);
      expect(body).toContain("Broadcast this text");
      expect(confirms(world.mock)).toHaveLength(0);
    });

    it("sends exactly that text at a yes, as the AI's; what the person types is the person's", async () => {
      const theirs = await openPage("A designer for hospitals.", "en", { candidate: CANDIDATE });
      await (await visit(theirs.url))({ decision: "candidate" });
      expect(theirs.world.mock.negotiations()[0]).toMatchObject({ confirmedText: CANDIDATE, confirmCount: 1 });
      expect((await decisionAbout(theirs.world, theirs.negotiationId))?.display?.author).toBe("ai");

      const own = await openPage("A designer for hospitals.", "en", { candidate: "A designer for clinics." });
      const fill = await visit(own.url);
      const { body } = await fill({ decision: "preview", text: "A designer for clinics, soon." });
      const marks = [...body.matchAll(/<ins class="(\w+)[^>]*>(?:<span[^>]*>[^<]*<\/span>)?([^<]*)/g)];
      const changed = marks.filter(([, whose]) => whose !== "net").map(([, whose, words]) => [whose, words?.trim()]);
      expect(changed).toEqual([
        ["ag", expect.stringContaining("clinics")],
        ["you", expect.stringContaining("soon")],
      ]);
      expect(body).toContain("Your version");
      await fill({ decision: "accept" });
      expect((await decisionAbout(own.world, own.negotiationId))?.display?.author).toBe("person");
    });

    it("the network's text is one step away, whole, and can be accepted there", async () => {
      const { url, world } = await openPage("A designer for hospitals.", "zh", { candidate: CANDIDATE });
      const fill = await visit(url);
      const { body } = await fill({ decision: "original" });
      expect(outgoingIn(body)).toBe("A designer for hospitals.");
      await fill({ decision: "accept" });
      expect(world.mock.negotiations()[0]?.confirmedText).toBe("A designer for hospitals.");
    });

    it("has a page of its own beside the one about the network's text", async () => {
      const { pages, url, negotiationId } = await openPage("A designer.", "en", { candidate: CANDIDATE });
      const same = { negotiationId, lang: "en" } as const;
      const open = async (candidate?: string) => (await pages.open({ ...same, candidate })).forClient;
      expect(await open(CANDIDATE)).toBe(url);
      for (const candidate of [undefined, "Another"]) expect(await open(candidate)).not.toBe(url);
    });
  });

  it("texts that are too long to be compared are shown whole, and it says so", async () => {
    const original = `${Array.from({ length: 1_900 }, (_, n) => `a${n}`).join(" ")} end-of-original`;
    const edited = `${Array.from({ length: 900 }, (_, n) => `b${n}`).join(" ")} end-of-edit`;
    const { url, world } = await openPage(original);
    const fill = await visit(url);
    expect(outgoingIn(fill.page.body)).toBe(original);
    const { body } = await fill({ decision: "preview", text: edited });
    expect(body).toContain("Too long to compare word by word: read all of it");
    expect(body).not.toMatch(/\d+ passages? (is|are|was|were) /); // how many is not known
    expect(outgoingIn(body)).toBe(edited);
    await fill({ decision: "accept" });
    expect(world.mock.negotiations()[0]?.confirmedText).toBe(edited);
  });

  it("an edit of 363 KB is refused before anything is done with it", async () => {
    const { world, url } = await openPage();
    const fill = await visit(url);
    const again = await fill({ decision: "preview", text: "word ".repeat(72_600) });
    expect(outgoingIn(again.body)).toBe(LONG);
    expect(confirms(world.mock)).toHaveLength(0);
    // As a browser counts and sends it: a line break is one character, and two bytes.
    const lines = "ab\r\n".repeat(6_600);
    expect(outgoingIn((await fill({ decision: "preview", text: lines })).body)).toBe(lines.replaceAll("\r\n", "\n"));
  });

  it("while a proxy answers for the backend the page says so on opening and on deciding, and asks again afterwards", async () => {
    const printed = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => printed.mockRestore());
    const { world, url } = await openPage();
    const proxy = () => world.mock.faults.add({ route: "get", kind: "html", status: 502, times: Infinity });
    proxy();
    const closed = await world.clock.run(send(url), { limitMs: 60_000 });
    world.mock.faults.clear();
    const cookie = String(closed.cookie);
    const fill = await world.clock.run(visit(url, { cookie }), { limitMs: 60_000 });
    expect(outgoingIn(fill.page.body)).toBe(LONG);
    proxy();
    const failed = await world.clock.run(fill({ decision: "accept" }), { limitMs: 60_000 });
    for (const { body } of [closed, failed]) {
      expect(body).toMatch(/<p class="note error">/);
      expect(body).not.toMatch(/Bad Gateway|Internal Server Error|\.ts\b/);
    }
    expect(printed).not.toHaveBeenCalled();
    expect(confirms(world.mock)).toHaveLength(0);
    world.mock.faults.clear();
    await world.clock.run(fill({ decision: "accept" }), { limitMs: 60_000 });
    expect(confirms(world.mock)).toHaveLength(1);
  });

  it("while the backend's answers cannot be read the page says so, and asks again afterwards", async () => {
    const { world, url, negotiationId } = await openPage();
    const fill = await visit(url);
    world.mock.engine.patch(negotiationId, { plan_output: "x".repeat(2_000_000) });
    const failed = await fill({ decision: "accept" });
    expect(failed.body).toMatch(/<p class="note error">/);
    expect(confirms(world.mock)).toHaveLength(0);
    world.mock.engine.patch(negotiationId, { plan_output: null });
    await fill({ decision: "accept" });
    expect(confirms(world.mock)).toHaveLength(1);
  });

  it("an empty edit cannot be sent", async () => {
    const { world, url } = await openPage();
    const fill = await visit(url);
    const again = await fill({ decision: "edit", text: "  " });
    expect(buttonIn(again.body, "broadcast")).toBeUndefined();
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("reject while somebody else's word goes out: the page does not say that nothing was broadcast", async () => {
    const { world, url, negotiationId } = await openPage(LONG, "zh");
    const fill = await visit(url);
    await world.clock.advance(1_000);
    world.mock.faults.add({ route: "action", kind: "delay", delayMs: 500, delayWhen: "before" });
    const filling = fill({ decision: "reject" });
    await world.clock.until(() => world.mock.journal.some(({ path }) => path.endsWith("/action")));
    world.mock.engine.confirm(negotiationId, "Another text", "other");
    const done = await world.clock.run(filling);
    expect(world.mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmedBy: "other" });
    expect(done.body).not.toMatch(/没有广播|未广播|没有发送/);
  });

  it("a text that changed meanwhile is shown again and not sent", async () => {
    const { world, url, negotiationId } = await openPage("First text.");
    const fill = await visit(url);
    world.mock.engine.setFormulatedText(negotiationId, "Second text.");
    const again = await fill({ decision: "accept" });
    expect(again.body).toContain("The text changed while you read it.");
    expect(outgoingIn(again.body)).toBe("Second text.");
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("a form that says nothing of what is asked changes nothing", async () => {
    const { world, url } = await openPage();
    const { cookie } = await visit(url);
    const forms = [{}, { do: "perhaps" }, { do: "broadcast" }, { do: "broadcast?questionId=x&textHash=y" }];
    for (const form of [...forms, { decision: "accept", confirmation_id: "x" }])
      for (const path of ["", "/act"]) await send(`${url}${path}`, form as Record<string, string>, { cookie });
    expect([...confirms(world.mock), ...cancels(world.mock)]).toEqual([]);
  });

  it("an editor shows no invisible characters: a text with some is read on the sheet before it can go out", async () => {
    const text = "A\u202Ebc\u{E0041}";
    const { world, url } = await openPage(text);
    const { page, cookie } = await visit(url);
    const press = async (what: string | undefined) => {
      await send(`${url}/act`, { do: what ?? "" }, { cookie });
      return (await send(url, undefined, { cookie })).body;
    };
    const broadcast = buttonIn(page.body, "broadcast");
    const editing = await press("edit");
    expect(editing).toContain("which the editor cannot show. Press Done");
    expect(buttonIn(editing, "broadcast")).toBeUndefined();
    await press(broadcast); // as a page that was drawn before has it
    expect(confirms(world.mock)).toHaveLength(0);
    const sheet = await press("edit");
    expect(sheet).toContain("\\u{202E}");
    await press(buttonIn(sheet, "broadcast"));
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedText: text, confirmCount: 1 });
  });

  it("after the deadline there is nothing to decide, and it says what became of it", async () => {
    const { world, url } = await openPage();
    const fill = await visit(url);
    await world.clock.advance(300_000);
    expect(cancels(world.mock)).toHaveLength(1);
    await fill({ decision: "accept" });
    expect(confirms(world.mock)).toHaveLength(0);
    const late = await send(url, undefined, { cookie: fill.cookie });
    expect(late.body).toContain("<h1>Withdrawn</h1>");
    expect(buttonIn(late.body, "broadcast")).toBeUndefined();
  });

  it("opened for the first time after the deadline, it says the same and asks nothing", async () => {
    const late = await openPage();
    await late.world.clock.advance(300_000);
    const { body } = await send(late.url);
    expect(body).toContain("<h1>Withdrawn</h1>");
    expect(buttonIn(body, "broadcast")).toBeUndefined();
    expect(body).not.toContain("knows hospital software");
    expect(confirms(late.world.mock)).toHaveLength(0);
  });
});
