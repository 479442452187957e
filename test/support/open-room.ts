import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import type { Browser, BrowserContextOptions, ConsoleMessage, Page, Request } from "playwright-core";
import { onTestFinished } from "vitest";
import type { MockOptions } from "../../mock-backend/main.ts";
import type { Clock } from "../../src/clock.ts";
import { type RunningMock, runningMock } from "./backend.ts";
import { CLI, inPseudoTerminal, needsProcess, TERMINAL } from "./cli.ts";
import { temporaryHome } from "./home.ts";
import { pasteInto, typeInto } from "./keys.ts";
import { NODE_ENV } from "./node-env.ts";
import { program as inProcess } from "./program.ts";
import { screenOf } from "./screen.ts";
import { untilHolds } from "./soon.ts";
import { ownWindow, type Window, windowOf } from "./windows.ts";

/** `towow-mcp open`, running, with a mock backend and an empty home. */
export async function openedRoom(
  options: MockOptions = {},
  env: Record<string, string> = {},
  args: string[] = [],
  how: { spawned?: true; clock?: Clock } = {},
) {
  const mock = await runningMock({ stepMs: 60, ...options });
  const home = await temporaryHome();
  const all = { HOME: home, TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url, ...env };
  // The address is for a person, so it is given at a terminal only.
  const line = ["open", "--no-open", ...args];
  const given = { LANG: "en_US.UTF-8", TOWOW_LANG: "en", ...all };
  const program =
    how.spawned || needsProcess(given)
      ? inPseudoTerminal(`exec ${[process.execPath, CLI, ...line].join(" ")}`, { ...NODE_ENV, ...given })
      : inProcess(line, { env: { PATH: NODE_ENV.PATH, ...given }, terminal: TERMINAL, clock: how.clock });
  const { sees, text: said } = screenOf(program);
  const address = await sees(/(http:\/\/127[^\s]+\/enter\/\S+)\s/);
  return { mock, home, env: all, program, address, origin: new URL(address).origin, said };
}

/** A window on a room, and everything that it asked for or complained about. */
export async function windowOn(browser: Browser, address: string, options: BrowserContextOptions = {}) {
  return lookedAt(await windowOf(browser, options), address);
}

/** The same in a window of its own, see {@link ownWindow}. */
export async function ownWindowOn(browser: Browser, address: string, options: BrowserContextOptions = {}) {
  return lookedAt(await ownWindow(browser, options), address);
}

async function lookedAt({ context, page }: Window, address: string) {
  const asked: URL[] = [];
  const complaints: string[] = [];
  const ask = (request: Request) => void asked.push(new URL(request.url()));
  const complain = (message: ConsoleMessage) => void (message.type() === "error" && complaints.push(message.text()));
  const fail = (error: Error) => void complaints.push(error.message);
  page.on("request", ask).on("console", complain).on("pageerror", fail);
  onTestFinished(() => void page.off("request", ask).off("console", complain).off("pageerror", fail));
  await page.goto(address);
  return { context, page, asked, complaints };
}

const DEMANDS = {
  en: "We are looking for product design and growth marketing for a three-month pilot. Call me at 13800138000.",
  zh: "寻找产品设计和增长营销的伙伴，一起做三个月的试点。电话 13800138000。",
} as const;

/** From the scenes to the sheet, by what a person clicks, types and pastes. */
export async function toSheet(
  page: Page,
  { sceneId, lang = "en" }: { sceneId: string; lang?: "en" | "zh" },
): Promise<string> {
  await page.locator(`button[value="next?sceneId=${sceneId}"]`).click();
  await typeInto(page.locator("#f-display_name"), lang === "zh" ? "林知远" : "Lin Zhiyuan");
  const skills = lang === "zh" ? "时间序列预测\nPython\n推荐系统" : "time series\nPython\nrecommenders";
  await pasteInto(page.locator("#f-skills"), skills);
  await page.locator(".act .go:enabled").click();
  await pasteInto(page.locator("#f-intent"), DEMANDS[lang]);
  await page.locator(".act .go:enabled").click();
  await page.locator(".sheet .adds, .sheet .text:not(.waiting *)").first().waitFor();
  await page.locator("button[value^=broadcast]").waitFor();
  return DEMANDS[lang];
}

/** Ends the negotiation as a person does: by its button, and the yes to the question. */
export const endNegotiation = (page: Page): Promise<void> =>
  untilHolds(async () => {
    // A page that loads again by itself, without a script, has closed the question.
    if ((await page.locator(".asks:not([open])").count()) > 0) await page.locator(".asks summary").click();
    await page.locator(".asks button[value^=cancel]").click({ timeout: 2_000 });
  });

export interface RawReply {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Plain HTTP, with the headers that a test wants. */
export function raw(
  url: string,
  { method = "GET", headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    request.on("error", reject);
    request.end(body);
  });
}

export type { RunningMock };
