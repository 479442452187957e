// The path itself: two typed commands, one thing said, and the person's own yes wherever one is asked for.
import { setTimeout as delay } from "node:timers/promises";
import wrapAnsi from "wrap-ansi";
import { answerPage } from "../journeys/page.ts";
import type { Pane } from "../pane.ts";
import type { Newcomer } from "./newcomer.ts";
import { type Lang, WORDS } from "./words.ts";

export interface Walked {
  /** What was typed at the shell's prompt. */
  commands: string[];
  /** From the first key. */
  seconds: { setUp: number; plan: number };
}

const COLUMNS = 100;
const PATIENCE_MS = 60_000;
const TAKEN_MS = 1_000;
const LOOK_EVERY_MS = 200;
const DRAWN_MS = 500;

/** `screens` takes what the person saw, also of a path that ends early. */
export async function walk(
  { pane, opened }: Newcomer,
  lang: Lang,
  tarball: string,
  screens: string[],
): Promise<Walked> {
  const commands = [`npx -y -p ${tarball} towow-mcp setup`, "claude --permission-mode default"] as const;
  await see(pane, /^\$/m);
  const begin = performance.now();
  const seconds = () => (performance.now() - begin) / 1_000;
  const keep = (title: string, screen = pane.screen()) =>
    void screens.push(`=== ${screens.length + 1}. ${title} (${seconds().toFixed(1)} s)\n${screen}`);

  await send(pane, commands[0]);
  await setup(pane, keep);
  const setUp = seconds();
  await pane.settled(DRAWN_MS);
  pane.type("clear");
  await pane.press("Enter");
  await send(pane, commands[1]);
  await see(pane, /❯/);
  await pane.settled();
  await send(pane, WORDS[lang].said);
  await answered(pane, opened, WORDS[lang].plan, keep);
  keep("the plan");
  return { commands: [...commands], seconds: { setUp, plan: seconds() } };
}

async function see(pane: Pane, pattern: RegExp): Promise<void> {
  if (!(await pane.until(pattern, PATIENCE_MS))) throw new Error(`never seen: ${pattern}\n${pane.screen()}`);
}

/** Types a line, and Enter once it stands there; a program that is busy may lose the key. */
async function send(pane: Pane, line: string): Promise<void> {
  const isTyped = () => pane.screen().split("\n").slice(-8).join("").replaceAll(/\s/g, "").includes(start);
  const start = line.slice(0, 20).replaceAll(/\s/g, "");
  pane.type(line);
  await pane.until(new RegExp(line.slice(0, 8).replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&")), TAKEN_MS);
  await pane.settled(DRAWN_MS);
  const before = pane.screen();
  for (let tries = 0; tries < 5 && isTyped() && pane.screen() === before; tries++) {
    await pane.press("Enter");
    await pane.settled(DRAWN_MS, TAKEN_MS);
  }
}

async function setup(pane: Pane, keep: (title: string) => void): Promise<void> {
  await see(pane, /Which clients|要接入哪些客户端/);
  keep("setup asks which clients");
  await pane.press("Enter");
  await see(pane, /Which network|使用哪个网络/);
  keep("setup asks which network");
  await pane.press("Enter");
  await see(pane, /Write th|写入以上/);
  keep("setup shows what it would write");
  await pane.press("Enter");
  await see(pane, /Now restart|现在重启/);
  await pane.settled(DRAWN_MS);
  keep("setup is done");
}

/** Reads and answers what comes up, until the model has said that there is a plan. */
async function answered(
  pane: Pane,
  opened: () => string[],
  plan: string,
  keep: (title: string, screen?: string) => void,
): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await delay(LOOK_EVERY_MS)) {
    const screen = pane.screen();
    if (screen.includes(plan)) return;
    const act = ACTS.find(({ see }) => see.test(screen));
    if (act === undefined) continue;
    await pane.settled(DRAWN_MS, TAKEN_MS);
    if (!act.see.test(pane.screen())) continue;
    keep(act.title);
    const already = opened().length;
    await pane.press(...act.keys);
    if (!act.opens) continue;
    const { asked, decided } = await answerPage(() => opened().slice(already));
    keep("the page, in the browser", wrapAnsi(asked, COLUMNS, { hard: true }));
    keep("the page after the click", wrapAnsi(decided, COLUMNS, { hard: true }));
  }
  throw new Error(`no plan:\n${pane.screen()}`);
}

/** In order of precedence. */
const ACTS: readonly { see: RegExp; title: string; keys: readonly string[]; opens?: true }[] = [
  { see: /❯ I'm done, continue/, title: "back in the client", keys: ["Enter"] },
  { see: /❯ Open in browser/, title: "the client asks about the page", keys: ["Enter"], opens: true },
  // A key at a time: one that came early would fall on what follows, and "Decline" stands there.
  { see: /requests your input[\s\S]*▸ not set/, title: "the question", keys: ["Right"] },
  { see: /requests your input[\s\S]*❯ Accept/, title: "the question, answered", keys: ["Enter"] },
  { see: /requests your input/, title: "the answers", keys: ["Enter"] },
  { see: /Do you want to proceed\?/, title: "the client asks whether the tool may run", keys: ["Enter"] },
];
