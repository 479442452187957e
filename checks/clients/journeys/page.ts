import { setTimeout as delay } from "node:timers/promises";
import { chromium, type Page } from "playwright-core";
import { typeInto } from "../../../test/support/keys.ts";

const CHROMIUM = "/usr/bin/chromium";
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 200;
const SETTLED_MS = 800;
const SENT_WITHIN_MS = 15_000;

export interface AtPage {
  /** Sent instead, after a look at how it differs. */
  text?: string;
  /** Where a picture of each step goes: `<picture>-1.png`, … */
  picture?: string;
  /** With which the person signs in, where the page is an endpoint's. */
  token?: string | undefined;
}

/** What the person read, step by step. */
export interface ReadOnPage {
  asked: string;
  /** The text alone, where the page asks about one. */
  text: string;
  /** Behind a change, before it is sent. */
  compared?: string;
  decided: string;
}

/**
 * Says yes on the page that a client or the server has opened, in the person's browser. Where the address is handed on by
 * a program's arguments, what opens first only leads to the real page, by a file that nobody else can read.
 */
export async function answerPage(
  opened: () => readonly string[],
  { text, picture, token }: AtPage = {},
): Promise<ReadOnPage> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
    let pictures = 0;
    const read = async () => {
      await delay(SETTLED_MS);
      if (picture !== undefined) await page.screenshot({ path: `${picture}-${++pictures}.png`, fullPage: true });
      return shown(page);
    };
    const yes = await asking(page, opened, token);
    const asked = { asked: await read(), text: await sheetText(page) };
    const compared = text === undefined ? {} : { compared: await change(page, text, read) };
    await yes.first().click();
    await page.locator(".sheet").waitFor({ state: "detached", timeout: SENT_WITHIN_MS });
    return { ...asked, ...compared, decided: await read() };
  } finally {
    await browser.close();
  }
}

/** Goes where the browser was sent, the newest last, until a page asks; gives the button that says yes. */
async function asking(page: Page, opened: () => readonly string[], token: string | undefined) {
  const yes = page.locator("button[value=accept], button[value^=broadcast]");
  let visited = 0;
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    const address = opened()[visited];
    if (address !== undefined) {
      if (await arrived(page, address.startsWith("/") ? `file://${address}` : address)) visited += 1;
    } else if (await yes.first().isVisible()) return yes;
    else if (token !== undefined && (await page.locator("#token").isVisible())) await signIn(page, token);
    else await delay(LOOK_EVERY_MS);
  }
  throw new Error(`no page asked: ${opened().join(" ")}`);
}

async function signIn(page: Page, token: string): Promise<void> {
  await page.locator("#token").pressSequentially(token);
  await Promise.all([page.waitForLoadState(), page.keyboard.press("Enter")]);
}

/** Whether it went there; what the browser was sent to before may still be leading on, and takes it away. */
async function arrived(page: Page, address: string): Promise<boolean> {
  try {
    await page.goto(address);
    return true;
  } catch (error) {
    if (/interrupted by another navigation/.test(String(error))) return false;
    throw error;
  }
}

async function change(page: Page, text: string, read: () => Promise<string>): Promise<string> {
  const edit = page.locator(".sheet header button");
  const field = page.getByRole("textbox");
  if (!(await field.isVisible())) await edit.click(); // "Change it first" opens the page with its editor
  await typeInto(field, text);
  await edit.click();
  return read();
}

/** The text that the page asks about, without what only screen readers say; empty where it asks about another thing. */
const sheetText = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const copy = document.querySelector(".sheet .text")?.cloneNode(true);
    for (const extra of copy?.querySelectorAll(".vh, sup") ?? []) extra.remove();
    return copy?.textContent ?? "";
  })()`);

/** All that is on the page, with what a colour says of a change said in letters. */
const shown = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const around = { DEL: ["[-", "-]"], INS: ["{+", "+}"] };
    const marks = [...document.querySelectorAll("del, ins")].flatMap((one) => {
      const [before, after] = around[one.tagName].map((mark) => document.createTextNode(mark));
      one.before(before);
      one.after(after);
      return [before, after];
    });
    const hidden = [...document.querySelectorAll(".vh, sup, .map")];
    for (const one of hidden) one.style.display = "none";
    const text = (document.querySelector("main") ?? document.body).innerText;
    for (const one of hidden) one.style.display = "";
    for (const one of marks) one.remove();
    return text.replaceAll(/\\n{2,}/g, "\\n");
  })()`);
