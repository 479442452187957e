import { setTimeout as delay } from "node:timers/promises";
import type { Pane } from "../pane.ts";
import { PAGE_OPENED, PLAN_SHOWN, PROFILE_SHOWN, type Row, type Rule, TERMINAL_NEEDED, TEXT_SHOWN } from "./client.ts";
import { answerPage } from "./page.ts";
import type { Place } from "./place.ts";
import { confirmInTerminal } from "./terminal.ts";

/** Where the person was stopped, and what stood there. */
export interface Stop {
  row: Row;
  shows: string;
  keys: number;
  screen: string;
}

const SEEN_ROWS = 24;
const SETTLED_MS = 900;
const SETTLED_WITHIN_MS = 8_000;
const TYPED_MS = 600;
const PATIENCE_MS = 180_000;

const isSaid = (words: string) => new RegExp(words.split(".")[0] ?? words);
const IN_CHAT = "your AI shows it in the chat";
export const NAMED = "`towow-mcp confirm`, named in full";
export const ON_PAGE = "a page, opened by the server";

/** What the person says to an AI that asks them. */
export const CHAT: readonly Rule[] = [
  { see: isSaid(PROFILE_SHOWN), type: "Yes, as Lin.", keys: ["Enter"], row: "profile", shows: IN_CHAT },
  { see: isSaid(TEXT_SHOWN), type: "Yes, broadcast it.", keys: ["Enter"], row: "text", shows: IN_CHAT },
  {
    see: isSaid(TERMINAL_NEEDED),
    elsewhere: "terminal",
    type: "Done.",
    keys: ["Enter"],
    row: "text",
    shows: "no form shows it: `towow-mcp confirm`",
  },
  {
    see: isSaid(PAGE_OPENED),
    elsewhere: "page",
    type: "Done.",
    keys: ["Enter"],
    row: "second",
    shows: ON_PAGE,
  },
];

export const CHAT_LATER: Rule = {
  see: isSaid(TEXT_SHOWN),
  type: "Not now.",
  keys: ["Enter"],
  row: "text",
  shows: "“not now”, in the chat",
};

/** Looks, does what fits, and looks again, until there is a plan, or, for `upTo`, until that row has been answered. */
export async function answer(pane: Pane, rules: readonly Rule[], place: Place, upTo?: Row): Promise<Stop[]> {
  const left = rules.map((rule) => ({ rule, times: rule.times ?? 1 }));
  const stops: Stop[] = [];
  const isDone = isSaid(PLAN_SHOWN);
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    await pane.settled(SETTLED_MS, SETTLED_WITHIN_MS);
    const screen = pane.screen();
    const seen = screen.split("\n").slice(-SEEN_ROWS).join("\n");
    if (isDone.test(seen)) break;
    const next = left.find(({ rule, times }) => times > 0 && !rule.until?.(place) && rule.see.test(seen));
    if (next === undefined) {
      await delay(SETTLED_MS / 2);
      continue;
    }
    next.times -= 1;
    const { row, shows = "", keys = [] } = next.rule;
    await act(next.rule, pane, place);
    if (row !== undefined) stops.push({ row, shows, keys: keys.length, screen });
    if (row !== undefined && row === upTo) break;
  }
  await pane.settled(SETTLED_MS, SETTLED_WITHIN_MS);
  return stops;
}

async function act({ keys = [], type, afterMs = 0, elsewhere }: Rule, pane: Pane, place: Place): Promise<void> {
  await delay(afterMs);
  if (elsewhere === "terminal") await confirmInTerminal(place);
  if (type !== undefined) {
    pane.type(type);
    await delay(TYPED_MS);
  }
  await pane.press(...keys);
  if (elsewhere === "page") await answerPage(place.opened);
  await delay(TYPED_MS);
}
