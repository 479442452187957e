import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { nanoid } from "nanoid";
import { expect, onTestFinished } from "vitest";
import type { Negotiation } from "../../mock-backend/data.ts";
import type { MockOptions } from "../../mock-backend/main.ts";
import type { Clock } from "../../src/clock.ts";
import { createFactFiles } from "../../src/negotiation/stores/home-facts.ts";
import { runningMock } from "../support/backend.ts";
import { finished } from "../support/cli.ts";
import { emulated } from "../support/emulated.ts";
import { removeHome } from "../support/home.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { program } from "../support/program.ts";
import type { Lang, Screens } from "../support/screens.ts";
import { soon, untilHolds } from "../support/soon.ts";

const DAY_MS = 86_400_000;
/** Noon of the day on which the tests run: a home forgets by the machine's own clock. Printed as one day. */
export const NOON = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
export const timeAt = (time: string): number => NOON - DAY_MS / 2 + Date.parse(`1970-01-01T${time}Z`);

/** A clock that stands, unless somebody who waits for an answer sleeps for a moment. */
class PollersClock extends ManualClock {
  constructor() {
    super(NOON);
    const stands = this.sleep;
    this.sleep = async (ms, signal) => {
      if (ms > LONGEST_POLL_MS) return stands(ms, signal);
      signal?.throwIfAborted();
      await this.advance(ms);
    };
  }
}
/** The same where no time passes at all: who waits for an answer looks again at once. */
const standing = (clock: ManualClock): Clock => ({
  now: clock.now,
  monotonic: clock.monotonic,
  after: clock.after,
  async sleep(ms, signal) {
    if (ms > LONGEST_POLL_MS) return clock.sleep(ms, signal);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  },
});
/** Nobody who waits for an answer sleeps longer than that at once. */
const LONGEST_POLL_MS = 4_000;

export interface Machine<C extends ManualClock = ManualClock> {
  base: string;
  home: string;
  clock: C;
  env: Record<string, string>;
  /** Writes a file below the base. */
  write: (path: string, text: string | Buffer, mode?: number) => void;
  /** What a command writes, as a reader sees it. `input`: what stands on its stdin. */
  runs: (
    line: string | readonly string[],
    more?: { env?: Record<string, string>; input?: string; root?: URL },
  ) => Promise<string>;
  /**
   * The same in a terminal, whose person types whenever the program waits for it. With `choices`, questions are drawn in
   * place: each is printed as it stands while it waits. With `stands`, no time passes.
   */
  typed: (
    line: string | readonly string[],
    typed?: readonly Typed[],
    more?: { env?: Record<string, string>; columns?: number; root?: URL; choices?: boolean; stands?: boolean },
  ) => Promise<string>;
  /** Text without what differs from run to run. */
  shown: (text: string) => string;
  /** What always differs from run to run, and how it is printed. */
  masks: [RegExp | string, string][];
}

/** A line and Enter, or what begins or ends with a key as it is; where it depends on what stands on the screen, what gives it. */
export type Typed = string | ((screen: string) => string);
export const CTRL_C = "\x03";
/** The code that is to be typed over. */
export const CODE: Typed = (screen) => /(\d{4})\D*$/.exec(screen)?.[1] ?? "no code";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what keys are
const KEY = /^[\x00-\x20]|[\x00-\x20]$/;

/** A person's machine with an empty home, in which it is noon. */
export async function machine<C extends ManualClock = ManualClock>(
  lang: Lang,
  more: Record<string, string> = {},
  clock: C = new PollersClock() as ManualClock as C,
): Promise<Machine<C>> {
  // Where a line breaks depends on how long the names of folders are: this one is as long everywhere.
  const base = mkdtempSync("/tmp/t-");
  onTestFinished(() => removeHome(base));
  const home = join(base, ".towow");
  const env = {
    HOME: base,
    PATH: "/nowhere",
    LANG: "en_US.UTF-8",
    TOWOW_LANG: lang,
    TOWOW_HOME: home,
    NO_COLOR: "1",
    ...more,
  };
  const masks: Machine["masks"] = [
    [base, "~"],
    [process.execPath, "/usr/bin/node"],
    [`Node ${process.versions.node}`, "Node 24.0.0"],
    [new RegExp(new Date(NOON).toISOString().slice(0, 10), "g"), "2026-11-21"],
    [new RegExp(new Date(NOON + DAY_MS).toISOString().slice(0, 10), "g"), "2026-11-22"],
    [/towow-mcp \d+\.\d+\.\d+/g, "towow-mcp 1.2.3"],
  ];
  const shown = (text: string) =>
    masks
      .reduce<string>(
        (out, [what, by]) => out.replaceAll(what, by),
        stripVTControlCharacters(text).replaceAll("\r", ""),
      )
      .replace(/[ \t]+$/gm, "");
  const argsOf = (line: string | readonly string[]) =>
    typeof line === "string" ? line.split(" ").filter(Boolean) : line;
  return {
    base,
    home,
    clock,
    env,
    masks,
    shown,
    write(path, text, mode = 0o600) {
      mkdirSync(dirname(join(base, path)), { recursive: true, mode: 0o700 });
      writeFileSync(join(base, path), text, { mode });
    },
    async runs(line, { env: over = {}, input = "", root } = {}) {
      const child = program(argsOf(line), { env: { ...env, ...over }, clock, cwd: base, ...(root && { root }) });
      const ended = finished(child);
      child.stdin?.on("error", () => {}).end(input);
      const { status, stdout, stderr } = await ended;
      return shown(
        `${stdout}${stderr === "" ? "" : `${stdout === "" ? "" : "── stderr\n"}${stderr}`}${status === 0 ? "" : `── exit ${status}\n`}`,
      );
    },
    async typed(line, typed = [], { env: over = {}, columns = 100, root, choices = false, stands = false } = {}) {
      const child = program(argsOf(line), {
        env: { ...env, ...over },
        clock: stands ? standing(clock) : clock,
        terminal: { columns, rows: 24 },
        cwd: base,
        ...(root && { root }),
      });
      let written = "";
      child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
        written += chunk;
      });
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      const screens: string[] = [];
      for (const one of typed) {
        await waits(() => written, ended);
        screens.push(emulated(written));
        const keys = typeof one === "string" ? one : one(stripVTControlCharacters(written));
        child.stdin?.write(KEY.test(keys) ? keys : `${keys}\r`);
      }
      const status = await ended;
      const end = status === 0 ? "" : `── exit ${status}\n`;
      return shown(choices ? `${inSteps([...screens, emulated(written)])}\n${end}` : `${written}${end}`);
    },
  };
}

/** Each screen, from where it differs from the one before: a choice is drawn anew once it is made. */
const inSteps = (screens: readonly string[]): string =>
  screens
    .map((screen, i) => {
      const [before, lines] = [screens[i - 1]?.split("\n") ?? [], screen.split("\n")];
      const from = lines.findIndex((line, n) => line !== before[n]);
      return lines.slice(Math.max(0, from)).join("\n").trimEnd();
    })
    .join("\n·····\n");

/** Until the program has written a question, which ends with a mark or a corner, a colon where lines are asked for; or has ended. */
async function waits(screen: () => string, ended: Promise<unknown>): Promise<void> {
  const before = screen();
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const asks = () => {
    const since = stripVTControlCharacters(screen().slice(before.length));
    return /(?:[:：?？)\]] *|[:：]\r?\n)$/.test(since) || since.includes("└");
  };
  await soon(() => over || asks()).toBe(true);
}

export interface Demand {
  intent: string;
  /** Default: two minutes before noon. */
  at?: number;
  /** What the backend shows of it. Default: it waits. */
  shows?: Partial<Negotiation>;
  /** What else is written about it. */
  facts?: Record<string, object>;
  /** Its program runs. Default: it is gone. */
  isRunning?: boolean;
}

/** The same with a backend, which is on the machine's clock. */
export async function machineWithBackend<C extends ManualClock = ManualClock>(
  lang: Lang,
  options: MockOptions = {},
  more: Record<string, string> = {},
  clock?: C,
) {
  const it = await machine(lang, more, clock);
  const mock = await runningMock({ clock: it.clock, ...options });
  it.masks.push([new RegExp(new URL(mock.url).port, "g"), "8080"]);
  it.env.TOWOW_BACKEND_URL = mock.url;
  const facts = createFactFiles({ dir: join(it.home, "history"), newId: nanoid, now: Date.now });
  const owner = { instance: "gone", pid: 2_147_483_646 };
  let deadlines = 0;
  /** A demand of this person's, as a program that is gone wrote it down. Each is to be decided on at another time. */
  async function demand({
    intent,
    at = NOON - 120_000,
    shows = {},
    facts: written = {},
    isRunning = false,
  }: Demand): Promise<string> {
    const [scene] = mock.scenes();
    const { negotiation_id: id } = mock.engine.submit(scene!, "u-1", intent, null, null);
    await it.clock.advance(10_000);
    // The engine has steps of its own, which a busy machine may still be at.
    await untilHolds(async () => {
      await it.clock.advance(0);
      expect(mock.engine.get(id).state).toBe("formulated");
    });
    mock.engine.patch(id, shows);
    const deadline_at = at + 300_000 + 11_000 * deadlines++;
    const submitted = { at, user_id: "u-1", scene_id: scene!.scene_id, deadline_at, on_unconfirmed: "cancel", owner };
    const key = { origin: mock.url, id };
    const by = isRunning ? { instance: "running", pid: process.ppid } : owner;
    for (const [name, fact] of Object.entries({ submitted, ...written }))
      await facts.create(key, name, { ...fact, owner: by });
    return id;
  }
  /** It has called this backend before. */
  function known(more: object = {}): void {
    const identity = { user_id: "u-1", api_token: "token", expires_at: new Date(NOON + DAY_MS).toISOString() };
    it.write(
      ".towow/config.json",
      JSON.stringify({ backend_url: mock.url, identities: { [mock.url]: identity }, ...more }),
    );
  }
  return { ...it, mock, demand, known, facts, owner };
}

/** Something that answers on loopback. */
export async function answering(it: Machine, listener: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    response.sendDate = false;
    listener(request, response);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  it.masks.push([new RegExp(String(port), "g"), "8080"]);
  return `http://127.0.0.1:${port}`;
}

/** A line for each paragraph. */
export const unwrapped = (text: string): string =>
  text.replace(/(.)\n(?: {2}(?!→)(?=(.))|(?=(~)))/gu, (_, before: string, after = "~") => {
    const isOneWord = WIDE_MARK.test(before + after) || (HAN.test(before) && HAN.test(after));
    return `${before}${isOneWord ? "" : " "}`;
  });
const HAN = /\p{sc=Han}/u;
const WIDE_MARK = /[\u3000-\u303F\uFF00-\uFF65]/;

/** The first screens whole, and of each other what stands on none of them. What it comes to always stands there. */
export function besides(screens: Screens, whole: number): Screens {
  const all = Object.entries(screens);
  const known = new Set(all.slice(0, whole).flatMap(([, text]) => text.split("\n")));
  const rest = all.slice(whole).map(([name, text]) => {
    const lines = text.split("\n");
    return [name, lines.filter((line, i) => !known.has(line) || i >= lines.length - 2).join("\n")];
  });
  return Object.fromEntries([...all.slice(0, whole), ...rest]);
}
