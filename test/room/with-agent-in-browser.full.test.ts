import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { confirms } from "../support/backend.ts";
import { typeInto } from "../support/keys.ts";
import { openedRoom, windowOn } from "../support/open-room.ts";
import { inChromium } from "../support/room-browser.ts";

const AGENT = fileURLToPath(new URL("../../examples/agent.mjs", import.meta.url));
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const NEED = {
  en: ["Product design and growth marketing for a three-month pilot. Call me at 13800138000.", "Remote is fine."],
  zh: ["寻找产品设计和增长营销的伙伴，一起做三个月的试点。电话 13800138000。", "可以远程。"],
} as const;

inChromium("a person and the example agent, from an empty home to the plan", (browser) => {
  it.each([
    ["en", { viewport: { width: 1280, height: 800 } }],
    ["zh", PHONE],
    ["en", { javaScriptEnabled: false }],
  ] as const)("%s, %o", async (lang, options) => {
    const opened = await openedRoom({ stepMs: 120 }, { TOWOW_LANG: lang }, ["--agent"]);
    const { mock, home, address, origin } = opened;
    const { page, asked, complaints } = await windowOn(browser(), address, options);
    const hasScript = !("javaScriptEnabled" in options);
    const [need, edit] = NEED[lang];
    let told = "";
    /** Without a script the person loads the page again to see what the agent did. */
    const sees = (selector: string) =>
      expect
        .poll(async () => {
          if (!hasScript) await page.reload();
          return (await page.locator(selector).count()) > 0 ? "seen" : `not ${selector}; the agent: ${told}`;
        })
        .toBe("seen");
    await sees(".items li");
    await expect.poll(opened.said).toMatch(/ws:\/\/\S+token=\S+/);
    const socket = /ws:\/\/\S+/.exec(opened.said())?.[0] ?? "";
    // Without its token it has to be let in.
    const agent = spawn(process.execPath, [AGENT, socket.replace(/\?.*/, ""), need, "--edit", edit]);
    onTestFinished(() => void agent.kill("SIGKILL"));
    for (const stream of [agent.stdout, agent.stderr])
      stream.on("data", (chunk) => {
        told += chunk;
      });
    const ended = new Promise((resolve) => agent.once("close", resolve));
    // On a phone the end of what is asked about is below.
    const toEnd = () => page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    await sees("button[value^=letIn]");
    await page.locator("button[value^=letIn]").click();
    await sees("#f-display_name"); // the agent chose a scene
    await typeInto(page.locator("#f-display_name"), "Lin");
    await typeInto(page.locator("#f-skills"), "time series\nPython\nrecommenders");
    await toEnd();
    await page.locator(".act .go:enabled").click();
    await sees("#f-intent");
    await expect
      .poll(async () => {
        if (!hasScript) await page.reload();
        return (await page.locator("#f-intent").inputValue()) || told;
      })
      .toBe(need);
    expect(await page.locator(".by-agent").count()).toBe(1);
    await page.locator(".act .go:enabled").click();
    await sees("button[value=useProposal]");
    expect(confirms(mock)).toHaveLength(0);
    // A page that is loaded again has the agent in its room, and what it proposed.
    await page.reload();
    await sees("button[value=useProposal]");
    await page.locator("button[value=useProposal]").click();
    await sees(".sheet ins.ag");
    expect((await page.locator(".sheet ins.ag").allTextContents()).join("")).toContain(edit.slice(0, 3));
    const broadcast = page.locator("button[value^=broadcast]:enabled");
    await toEnd();
    await (lang === "zh" ? broadcast.tap() : broadcast.click());
    await page.locator(".plan").waitFor();
    expect(mock.negotiations()[0]?.confirmedText?.endsWith(edit)).toBe(true);
    expect(await ended).toBe(0);
    expect([...new Set(asked.map((url) => url.origin))]).toEqual([origin]);
    expect(complaints).toEqual([]);

    expect(existsSync(join(home, "tainted.json"))).toBe(true); // what the agent has read, a model has read
    const folder = join(home, "logs/study");
    const [name = ""] = readdirSync(folder);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    const text = readFileSync(join(folder, name), "utf8");
    const events = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ eventIndex }) => eventIndex)).toEqual(events.map((_, index) => index));
    expect(new Set(events.map(({ direction }) => direction))).toEqual(new Set(["in", "out", "internal"]));
    for (const secret of ["13800138000", /token=(\S+)/.exec(socket)?.[1] ?? "-", address.split("/").at(-1) ?? "-"])
      expect(text).not.toContain(secret);
  });
});
