import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { RoomState } from "../../src/room/room-state.ts";
import { uiSpec } from "../../src/room/ui-spec.ts";
import { inChromium, openPainted, painted } from "../support/room-browser.ts";
import { DRAWING, NOW } from "../support/room-parts.ts";
import { roomStates } from "../support/room-states.ts";

const SCRIPT = readFileSync(new URL("../../dist/room.js", import.meta.url), "utf8");
/** What is new is held for a moment, in ms. */
const HELD_MS = 900;

const ASK = `(() => {
  const submitter = document.querySelector("[value^=setLanguage]");
  submitter.form.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter }));
})()`;

type Difference = [of: string, what: string, before: string, after: string];

/** Where the page that is open differs from a painted one: in elements, words, attributes, and what a control holds and takes. */
const differences = (page: Page, html: string): Promise<Difference[]> =>
  page.evaluate(`((painted) => {
    const HELD = ["maxLength", "minLength", "rows", "cols", "value", "type", "disabled", "readOnly", "required", "placeholder",
      "tabIndex", "name", "autocomplete", "formNoValidate"];
    const found = [];
    const wordsOf = (one) => [...one.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE).map(({ data }) => data).join("");
    const compare = (old, live) => {
      const of = old.id || (old.localName + " " + (old.getAttribute("value") || old.className));
      const differ = (what, before, after) => before === after || found.push([of, what, String(before), String(after)]);
      differ("element", old.localName, live.localName);
      if (!old.matches("time,.ring *,textarea")) differ("words", wordsOf(old), wordsOf(live));
      for (const name of new Set([...old.getAttributeNames(), ...live.getAttributeNames()]))
        differ(name, old.getAttribute(name), live.getAttribute(name));
      if (old.matches("input,textarea,button")) for (const name of HELD) differ("." + name, old[name], live[name]);
      differ("children", old.children.length, live.children.length);
      if (old.matches("[data-map],.ring svg")) return; // drawn for the pixels that there are, and the time that is left
      for (let index = 0; index < Math.min(old.children.length, live.children.length); index++)
        compare(old.children[index], live.children[index]);
    };
    compare(new DOMParser().parseFromString(painted, "text/html").body, document.body);
    return found;
  })(${JSON.stringify(html)})`);

/**
 * The browser's own limit goes, since the page says it in words; what belongs to an empty field waits for its first letter;
 * a heading had the focus; of an input, what it holds counts.
 */
const isMeant = ([of, what, before, after]: Difference): boolean =>
  (of === "h1 " && what === "tabindex") ||
  (what === "value" && (of.startsWith("f-") || (before === "" && after === "null"))) ||
  (what === "maxlength" && after === "null") ||
  (what === ".maxLength" && after === "-1") ||
  (/^button (?:next|say)\b/.test(of) && /^\.?disabled$/.test(what) && /null|false/.test(before));

inChromium("the page as it becomes live", { timeout: 120_000 }, (browser) => {
  it.each(["en", "zh"] as const)("nothing of what was painted changes but what is meant to: %s", async (lang) => {
    const states = Object.entries(roomStates(lang));
    const { context, page } = await openPainted(browser());
    let state = states[0]?.[1] as RoomState;
    let revision = 1;
    await page.clock.install();
    await page.route("**/events?*", () => {}); // nobody answers, and nobody refuses
    await page.route("**/room.js", (route) => route.fulfill({ contentType: "text/javascript", body: SCRIPT }));
    await page.route("**/", (route) => route.fulfill({ contentType: "text/html", body: painted(state) }));
    await page.route("**/act", (route) =>
      route.fulfill({ json: { uiSpec: uiSpec(state, DRAWING), room: "r", revision: ++revision, now: NOW } }),
    );
    const changed: Record<string, Difference[]> = {};
    const limits = { painted: 0, gone: 0 };
    const look = async (name: string) => {
      await page.clock.runFor(HELD_MS);
      const found = await differences(page, painted(state));
      limits.painted += (painted(state).match(/<textarea/g) ?? []).length;
      limits.gone += found.filter(([, what]) => what === ".maxLength").length;
      const others = found.filter((one) => !isMeant(one));
      if (others.length > 0) changed[name] = others;
    };
    for (const [name, loaded] of states) {
      state = loaded;
      await page.goto("http://room.test/");
      await look(name);
    }
    for (const [name, next] of states) {
      state = next;
      const answered = page.waitForResponse("**/act");
      await page.evaluate(ASK); // while something is on its way no button can be pressed
      await answered;
      await look(`then ${name}`);
    }
    await context.close();
    expect(changed).toEqual({});
    expect(limits.gone).toBe(limits.painted);
  });
});
