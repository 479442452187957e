import type { Browser } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { openLocalRoom } from "../../../src/app/local-room.ts";
import type { Runtime } from "../../../src/app/runtime.ts";
import { silentLog } from "../../../src/log.ts";
import type { Said } from "../../faults/said.ts";
import { temporaryHome } from "../../support/home.ts";
import { typeInto } from "../../support/keys.ts";
import { pagesOf } from "../../support/pages.ts";
import { windowOf } from "../../support/windows.ts";
import { alongside as besideClock } from "../alongside.ts";
import { type Door, type Met, NAME, OWN_TEXT, PROFILE } from "../door.ts";
import { besides, createHome, type Given, type Home, joining } from "./argument.ts";

const ROOT = new URL("../../../", import.meta.url);
/** What a program does in ten milliseconds of its clock, in real ones. */
const realPause = () => new Promise<void>((resolve) => setTimeout(resolve, 3));
/** As long as a person waits for a page, on a busy machine. */
const PATIENCE = { timeout: 15_000 };
const QUESTION = "button[value^=withdraw]";
const BROADCAST = "button[value^=broadcast]";
const EDIT = "button[value=edit]";
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

/** One browser window before the rooms and pages of a home. */
async function windowBefore(browser: Browser, home: Home, id: () => string) {
  const { page } = await windowOf(browser, { viewport: { width: 1280, height: 900 } });
  let isOpen = false;

  const alongside = <T>(work: Promise<T>) => besideClock(home.world.clock, work, realPause);
  const at = (selector: string) => page.locator(selector).first();
  const read = async (): Promise<Said> => ({ text: await alongside(at("main").innerText(PATIENCE)) });
  const readCurrent = async () => {
    await alongside(expect.poll(() => page.evaluate(IS_CURRENT), PATIENCE).toBe(true));
    return read();
  };
  const clickOnce = async (selector: string, patience: { timeout: number }) => {
    const button = at(`${selector}:enabled`);
    await alongside(button.waitFor(PATIENCE));
    const answered = page.waitForResponse((response) => response.request().method() === "POST", patience);
    await alongside(Promise.all([answered, button.click(PATIENCE)]));
  };
  /** A text that comes just then holds its button for a moment: who clicked in vain clicks again. */
  const click = async (selector: string) => {
    try {
      await clickOnce(selector, { timeout: 5_000 });
    } catch {
      await clickOnce(selector, PATIENCE);
    }
  };
  const type = (selector: string, text: string) => alongside(typeInto(at(selector), text));
  const go = async (address: string) => {
    isOpen = true;
    await alongside(page.goto(address));
  };
  /** Whether there is anything to decide; the page shows it as the backend has it, as soon as it has heard. */
  const isAsked = async () => {
    const { state, confirmedBy } = home.world.mock
      .negotiations()
      .find(({ negotiation_id }) => negotiation_id === id())!;
    const isAsking = state === "formulated" && confirmedBy === undefined;
    await alongside(at(QUESTION).waitFor({ state: isAsking ? "visible" : "detached", ...PATIENCE }));
    return isAsking;
  };
  return {
    ...{ go, click, type, read, readCurrent, at, isAsked },
    async decides(decision: "accept" | "change" | "reject"): Promise<Said> {
      if (!(await isAsked())) return read();
      if (decision === "change") {
        await click(EDIT);
        await type("#f-text", OWN_TEXT);
        await click(EDIT);
      }
      await click(decision === "reject" ? QUESTION : BROADCAST);
      return readCurrent();
    },
    async cancels(): Promise<Said> {
      await click("button[value^=cancel]");
      return read();
    },
    /** Waits for the text, and says what is read there. */
    async meets(id: string | undefined): Promise<Met> {
      await alongside(at(`${BROADCAST}, .note.error`).waitFor(PATIENCE));
      const isThere = (await at(QUESTION).count()) > 0;
      return { id: isThere ? id : undefined, said: await read() };
    },
    isOpen: () => isOpen,
    async close() {
      isOpen = false;
      await page.goto("about:blank");
    },
  };
}

/** The page that a program opens for its question, with a script as browsers have one. */
export const page =
  (browser: () => Browser) =>
  async (given: Given): Promise<Door> => {
    const home = await createHome(given);
    let id = "";
    const window = await windowBefore(browser(), home, () => id);
    let pages = pagesOf(home.world, home.p);
    onTestFinished(() => pages.close());
    const common = besides(home, () => id);
    const ask = async (negotiationId: string) => {
      id = negotiationId;
      const { forClient } = await pages.open({ negotiationId, lang: "en" });
      await window.go(forClient);
      return window.meets(id);
    };
    return {
      ...common,
      async join() {
        // Behind text of others an AI's word sends no profile: the page asks.
        await home.world.tainted.keep(home.world.clock.now() + 3_600_000, 3_600_000);
        const call = home.p.start("towow_join", joining(home.world.sceneId));
        await home.world.clock.until(() => home.p.sends.length > 0);
        await home.world.clock.run(call);
        const { forClient } = await pages.openPermission(home.p.sends[0]!);
        await window.go(forClient);
        await window.click("button[value=accept]");
        return window.read();
      },
      async demand(intent) {
        const { result } = await home.p.call("towow_demand", { intent });
        if (result.data?.negotiation_id === undefined) return { said: { text: result.error?.message ?? "" } };
        return ask(result.data.negotiation_id);
      },
      ask,
      decide: window.decides,
      leave: window.close,
      // Who has no page before them any more asks their client.
      look: () => (window.isOpen() ? window.readCurrent() : common.look()),
      cancel: window.cancels,
      async restart() {
        await window.close();
        pages.close();
        await common.restart();
        pages = pagesOf(home.world, home.p);
      },
    };
  };

/** `towow-mcp open`: from the scenes to the plan, by clicks and keys. */
export const room =
  (browser: () => Browser) =>
  async (given: Given): Promise<Door> => {
    const home = await createHome(given);
    let id = "";
    const window = await windowBefore(browser(), home, () => id);
    const folder = await temporaryHome();
    let close = async () => {};
    onTestFinished(() => close());
    const common = besides(home, () => id);
    const open = async (negotiationId?: string) => {
      await close();
      const { deps } = home.p;
      const account = () => deps.accounts.at(undefined);
      const runtime = { deps, log: silentLog, live: deps.live, config: { home: folder }, account };
      const opened = await openLocalRoom(runtime as unknown as Runtime, { root: ROOT, port: 0, negotiationId });
      close = opened.close;
      await window.go(opened.address());
    };
    const newest = () => home.world.mock.negotiations().at(-1)?.negotiation_id;
    return {
      ...common,
      async join() {
        await open();
        await window.click(`button[value="select?itemId=${home.world.mock.scenes()[1]?.scene_id}"]`);
        await window.click(".act .go");
        await window.type("#f-display_name", NAME);
        await window.type("#f-bio", PROFILE.bio);
        await window.type("#f-skills", PROFILE.skills.join("\n"));
        await window.click(".act .go");
        return window.read();
      },
      async demand(intent) {
        const before = newest();
        await open();
        await window.click(".act .go"); // the scene of last time is chosen
        await window.type("#f-intent", intent);
        await window.click(".act .go");
        const met = await window.meets(undefined);
        id = newest() ?? id;
        return { ...met, id: newest() === before ? undefined : id };
      },
      async ask(negotiationId) {
        id = negotiationId;
        await open(id);
        return window.meets(id);
      },
      decide: window.decides,
      leave: window.close,
      async look() {
        if (!window.isOpen()) await open(id);
        return window.readCurrent();
      },
      cancel: window.cancels,
      async restart() {
        await window.close();
        await close();
        close = async () => {};
        await common.restart();
      },
    };
  };
