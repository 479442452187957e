import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { RoomState } from "../../src/room/room-state.ts";
import { painted } from "../support/painted.ts";
import { inChromium, openLive } from "../support/room-browser.ts";
import { roomStates } from "../support/room-states.ts";

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
 * a heading had the focus; a yes looks like one only once a script holds it; of an input, what it holds counts; a script
 * alone can copy, from within a fold that is closed.
 */
const isMeant = ([of, what, before, after]: Difference): boolean =>
  (of === "h1 " && what === "tabindex") ||
  (what === "class" && before === `${after} unready`) ||
  (of.startsWith("details ct ") && what === "children") ||
  (what === "value" && (of.startsWith("f-") || (before === "" && after === "null"))) ||
  (what === "maxlength" && after === "null") ||
  (what === ".maxLength" && after === "-1") ||
  (/^button (?:next|say)\b/.test(of) && /^\.?disabled$/.test(what) && /null|false/.test(before));

inChromium("the page as it becomes live", (browser) => {
  it.each(["en", "zh"] as const)("nothing of what was painted changes but what is meant to: %s", async (lang) => {
    const states = Object.entries(roomStates(lang));
    // The whole page is in the window: only a script knows what is below it, and adds a button that leads there.
    const { page, load, change } = await openLive(browser(), { viewport: { width: 1280, height: 1_600 } });
    const changed: Record<string, Difference[]> = {};
    const limits = { painted: 0, gone: 0 };
    const look = async (name: string, state: RoomState) => {
      const found = await differences(page, painted(state));
      limits.painted += (painted(state).match(/<textarea/g) ?? []).length;
      limits.gone += found.filter(([, what]) => what === ".maxLength").length;
      const others = found.filter((one) => !isMeant(one));
      if (others.length > 0) changed[name] = others;
    };
    await load(roomStates(lang).scene!);
    // In one language a state is loaded, in the other the page comes to it by a change.
    for (const [index, [name, state]] of states.entries()) {
      const isLoaded = (index % 2 === 0) === (lang === "en");
      await (isLoaded ? load(state) : change(state));
      await look(isLoaded ? name : `then ${name}`, state);
    }
    expect(changed).toEqual({});
    expect(limits.gone).toBe(limits.painted);
  });
});
