import { describe, expect, it, onTestFinished, vi } from "vitest";
import { cancels, confirms } from "../support/backend.ts";
import { LONG, openPage, send, visit } from "./page-support.ts";

describe("the approval page", () => {
  it("shows the text whole and escaped, with deadline and host, and asks no script for help", async () => {
    const { url } = await openPage();
    const page = await send(url);
    expect(page.status).toBe(200);
    expect(page.body).toContain("&lt;b&gt;queues&lt;/b&gt;");
    expect(page.body.split("knows hospital software").length - 1).toBe(80); // shown once, and once in the editor
    expect(page.body).toContain("withdrawn at 00:04:");
    expect(page.body).not.toContain("<script");
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(page.headers["cache-control"]).toBe("no-store");
  });

  it("accept sends exactly that text", async () => {
    const { world, url } = await openPage();
    const fill = await visit(url);
    const done = await fill({ decision: "accept" });
    expect(done).toMatchObject({ status: 200 });
    expect(done.body).toContain("Accepted");
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedText: LONG, confirmCount: 1 });
    expect((await fill({ decision: "accept" })).status).toBe(410);
  });

  it("what is said once it is decided asks nothing any more", async () => {
    const { url } = await openPage();
    const done = await (await visit(url))({ decision: "accept" });
    expect(done.body).toContain("<h1>Towow: your decision</h1>");
    expect(done.body).not.toContain("may this be broadcast");
  });

  it("edit shows the difference first, then sends the edited text", async () => {
    const { world, url } = await openPage("A designer for hospitals.");
    const fill = await visit(url);
    const preview = await fill({ decision: "preview", text: "A designer for clinics.\r\nSoon." });
    expect(preview.body).toContain("<del>hospitals</del>");
    expect(preview.body).toMatch(/<ins>clinics/);
    expect(confirms(world.mock)).toHaveLength(0);
    await fill({ decision: "edit", text: "A designer for clinics.\r\nSoon." });
    expect(world.mock.negotiations()[0]?.confirmedText).toBe("A designer for clinics.\nSoon.");
  });

  describe("about a text that the person's AI wrote", () => {
    const CANDIDATE = `\n${"Wanted: somebody who knows clinic software & <i>patience</i>.\n".repeat(12)}`;
    const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

    it("shows it whole, says whose it is, and how it differs from the network's", async () => {
      const { url, world } = await openPage("A designer for hospitals.", "en", { candidate: CANDIDATE });
      const { body } = await send(url);
      expect(body).toContain(`<div class="text" id="candidate">${escaped(CANDIDATE)}</div>`);
      expect(body).toContain("Your AI wrote this text");
      expect(body).toMatch(/id="diff">.*<del>/s);
      expect(body).toMatch(/<ins>/);
      expect(body.match(/<textarea/g)).toHaveLength(1);
      expect(body).not.toContain('value="accept"'); // what is not shown whole cannot be accepted
      expect(confirms(world.mock)).toHaveLength(0);
    });

    it("sends exactly that text at a yes", async () => {
      const { url, world } = await openPage("A designer for hospitals.", "en", { candidate: CANDIDATE });
      const fill = await visit(url);
      await fill({ decision: "candidate" });
      expect(world.mock.negotiations()[0]).toMatchObject({ confirmedText: CANDIDATE, confirmCount: 1 });
    });

    it("the network's text is one step away, whole, and can be accepted there", async () => {
      const { url, world } = await openPage("A designer for hospitals.", "zh", { candidate: CANDIDATE });
      const fill = await visit(url);
      const { body } = await fill({ decision: "original" });
      expect(body).toContain('id="formulated">A designer for hospitals.</div>');
      await fill({ decision: "accept" });
      expect(world.mock.negotiations()[0]?.confirmedText).toBe("A designer for hospitals.");
    });

    it("can be rejected, and changed", async () => {
      const rejected = await openPage("A designer.", "en", { candidate: CANDIDATE });
      await (await visit(rejected.url))({ decision: "reject" });
      expect(rejected.world.mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmCount: 0 });
      const changed = await openPage("A designer.", "en", { candidate: CANDIDATE });
      const fill = await visit(changed.url);
      expect((await fill({ decision: "preview", text: "A nurse." })).body).toContain('id="edited">A nurse.</div>');
    });

    it("has a page of its own beside the one about the network's text", async () => {
      const { pages, url, negotiationId } = await openPage("A designer.", "en", { candidate: CANDIDATE });
      const same = { negotiationId, host: "127.0.0.1:9", lang: "en" } as const;
      const open = async (candidate?: string) => (await pages.open({ ...same, candidate })).forClient;
      expect(await open(CANDIDATE)).toBe(url);
      for (const candidate of [undefined, "Another"]) expect(await open(candidate)).not.toBe(url);
    });
  });

  it("texts that are too different to be compared are both shown whole, and it says so", async () => {
    const original = `${Array.from({ length: 900 }, (_, n) => `a${n}`).join(" ")} end-of-original`;
    const edited = `${Array.from({ length: 900 }, (_, n) => `b${n}`).join(" ")} end-of-edit`;
    const { url, world } = await openPage(original);
    const fill = await visit(url);
    const { body, status } = await fill({ decision: "preview", text: edited });
    expect(status).toBe(200);
    expect(body).not.toMatch(/<ins>|<del>/);
    expect(body).toContain("too long or too different to be compared");
    expect(body).toContain(`id="original">${original}</div>`);
    expect(body).toContain(`id="edited">${edited}</div>`);
    await fill({ decision: "edit", text: edited });
    expect(world.mock.negotiations()[0]?.confirmedText).toBe(edited);
  });

  it.each(["preview", "edit", "back"])(
    "an edit of 363 KB is refused before anything is done with it (%s)",
    async (decision) => {
      const { world, url } = await openPage();
      const fill = await visit(url);
      const again = await fill({ decision, text: "word ".repeat(72_600) });
      expect(again.status).toBe(422);
      expect(again.body).toContain("longer than 20,000 characters");
      expect(again.body.length).toBeLessThan(20_000);
      expect(confirms(world.mock)).toHaveLength(0);
      // As a browser counts and sends it: a line break is one character, and two bytes.
      const lines = "ab\r\n".repeat(6_600);
      expect((await fill({ decision: "preview", text: lines })).status).toBe(200);
    },
  );

  it("while a proxy answers for the backend the page says so on opening and on deciding, and asks again afterwards", async () => {
    const printed = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => printed.mockRestore());
    const { world, url } = await openPage();
    const proxy = () => world.mock.faults.add({ route: "get", kind: "html", status: 502, times: Infinity });
    proxy();
    const closed = await world.clock.run(send(url), { limitMs: 60_000 });
    world.mock.faults.clear();
    const page = await send(url, undefined, { cookie: String(closed.cookie) });
    expect(page.status).toBe(200);
    const confirmation_id = /name="confirmation_id" value="([^"]+)"/.exec(page.body)?.[1] ?? "";
    const fill = () => send(url, { confirmation_id, decision: "accept" }, { cookie: String(closed.cookie) });
    proxy();
    const failed = await world.clock.run(fill(), { limitMs: 60_000 });
    for (const { status, body, headers } of [closed, failed]) {
      expect({ status, type: headers["content-type"] }).toEqual({ status: 502, type: "text/html; charset=UTF-8" });
      expect(body).toContain("It did not work");
      expect(body).not.toMatch(/Bad Gateway|Internal Server Error|\.ts\b/);
    }
    expect(printed).not.toHaveBeenCalled();
    expect(confirms(world.mock)).toHaveLength(0);
    world.mock.faults.clear();
    expect((await fill()).status).toBe(200);
    expect(confirms(world.mock)).toHaveLength(1);
  });

  it("while the backend's answers cannot be read the page says so, and asks again afterwards", async () => {
    const { world, url, negotiationId } = await openPage();
    const fill = await visit(url);
    world.mock.engine.patch(negotiationId, { plan_output: "x".repeat(2_000_000) });
    const failed = await fill({ decision: "accept" });
    expect(failed.status).toBe(502);
    expect(failed.body).toContain("It did not work");
    expect(confirms(world.mock)).toHaveLength(0);
    world.mock.engine.patch(negotiationId, { plan_output: null });
    expect((await fill({ decision: "accept" })).status).toBe(200);
  });

  it("an empty edit is asked for again", async () => {
    const { world, url } = await openPage();
    const fill = await visit(url);
    const again = await fill({ decision: "edit", text: "  " });
    expect(again.status).toBe(422);
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("reject cancels at the backend", async () => {
    const { world, url } = await openPage(LONG, "zh");
    const fill = await visit(url);
    const done = await fill({ decision: "reject" });
    expect(done.body).toContain("你拒绝了");
    expect(world.mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmCount: 0 });
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
    expect(done.body).toContain("你拒绝了");
    expect(done.body).not.toContain("没有广播");
  });

  it("a text that changed meanwhile is shown again and not sent", async () => {
    const { world, url, negotiationId } = await openPage("First text.");
    const fill = await visit(url);
    world.mock.engine.setFormulatedText(negotiationId, "Second text.");
    const again = await fill({ decision: "accept" });
    expect(again.status).toBe(409);
    expect(again.body).toContain("Second text.");
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("a form that says nothing of what is asked is asked again", async () => {
    const { world, url } = await openPage();
    const again = await (await visit(url))({ decision: "perhaps" });
    expect(again.status).toBe(422);
    expect(again.body).toContain("knows hospital software");
    expect([...confirms(world.mock), ...cancels(world.mock)]).toEqual([]);
  });

  it("invisible characters are written out", async () => {
    const { url } = await openPage("A\u202Ebc");
    const page = await send(url);
    expect(page.body).toContain("A\\u{202E}bc");
  });

  it("after the deadline it is no longer open", async () => {
    const { world, url } = await openPage();
    const fill = await visit(url);
    await world.clock.advance(300_000);
    expect(cancels(world.mock)).toHaveLength(1);
    const late = await fill({ decision: "accept" });
    expect(late.status).toBe(410);
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("opened again after the decision, or for the first time after the deadline, it is closed", async () => {
    const decided = await openPage();
    const page = await send(decided.url);
    const fill = { confirmation_id: /name="confirmation_id" value="([^"]+)"/.exec(page.body)?.[1] ?? "" };
    const browser = { cookie: page.cookie ?? "" };
    expect((await send(decided.url, { ...fill, decision: "accept" }, browser)).status).toBe(200);
    for (const form of [undefined, { ...fill, decision: "reject" }])
      expect((await send(decided.url, form, browser)).status).toBe(410);
    expect([confirms(decided.world.mock).length, cancels(decided.world.mock).length]).toEqual([1, 0]);

    const late = await openPage();
    await late.world.clock.advance(300_000);
    const closed = await send(late.url);
    expect(closed.status).toBe(410);
    expect(closed.body).not.toContain("knows hospital software");
    expect(confirms(late.world.mock)).toHaveLength(0);
  });
});
