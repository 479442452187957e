import type { Browser, Request } from "playwright-core";
import { expect } from "vitest";
import { typeInto } from "../../support/keys.ts";
import { realPause } from "../../support/real-pause.ts";
import { windowOf } from "../../support/windows.ts";
import { alongside as besideClock } from "../alongside.ts";
import type { Home } from "./argument.ts";
import type { Mark, Screen } from "./window.ts";

/** So long somebody waits until they click again. */
const IN_VAIN = { timeout: 5_000 };
/** Whether the page has all of the room's news: painted anew it would read the same, but for what counts the time. */
const IS_CURRENT = `(async () => {
  const wordsOf = (shown) => {
    const main = shown.querySelector("main").cloneNode(true);
    for (const one of main.querySelectorAll("time,.ring,textarea,[data-map]")) one.remove();
    return main.textContent;
  };
  const anew = await fetch(location.href).then((answer) => answer.text());
  return wordsOf(new DOMParser().parseFromString(anew, "text/html")) === wordsOf(document);
})()`;

const selectorOf = (mark: Mark): string => {
  if (mark === "an error") return ".note.error";
  return mark === "the main button" ? ".act .go" : `button[value^="${mark}"]`;
};

/** A window of a real browser, in which keys and clicks are what a person does. */
export async function browserScreen(browser: Browser, { world }: Home): Promise<Screen> {
  const { page } = await windowOf(browser, { viewport: { width: 1280, height: 900 } });

  const alongside = <T>(work: Promise<T>) => besideClock(world.clock, work, realPause);
  const at = (selector: string) => page.locator(selector).first();
  const read: Screen["read"] = async () => ({ text: await alongside(at("main").innerText()) });
  const clickOnce = async (selector: string, patience?: { timeout: number }) => {
    const button = at(`${selector}:enabled`);
    await alongside(button.waitFor({ state: "attached" }));
    // A button that asks first stands in its question.
    const question = page.locator(`details:not([open]):has(${selector}) summary`);
    if ((await question.count()) > 0) await alongside(question.click());
    await alongside(button.waitFor());
    const posts: Request[] = [];
    const note = (request: Request) => void (request.method() === "POST" && posts.push(request));
    page.on("request", note);
    try {
      await alongside(button.click());
      // The patience begins with the click that was made: on a busy machine the click alone takes as long.
      const [request = await alongside(page.waitForRequest((one) => one.method() === "POST", patience))] = posts;
      await alongside(request.response());
    } finally {
      page.off("request", note);
    }
  };
  return {
    read,
    /** A text that comes just then holds its button for a moment: who clicked in vain clicks again. */
    async click(mark) {
      try {
        await clickOnce(selectorOf(mark), IN_VAIN);
      } catch {
        await clickOnce(selectorOf(mark));
      }
    },
    type: (field, text) => alongside(typeInto(at(`#${field}`), text)),
    async go(address) {
      await alongside(page.goto(address));
    },
    async waitFor(marks, isThere = true) {
      const any = at(marks.map(selectorOf).join(", "));
      await alongside(any.waitFor({ state: isThere ? "visible" : "detached" }));
    },
    isThere: async (mark) => (await at(selectorOf(mark)).count()) > 0,
    async readCurrent() {
      await alongside(expect.poll(() => page.evaluate(IS_CURRENT)).toBe(true));
      return read();
    },
    async close() {
      await page.goto("about:blank");
    },
  };
}
