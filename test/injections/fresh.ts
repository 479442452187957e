import { readFileSync } from "node:fs";
import { GOALS, type Goal } from "./orders.ts";

export interface Fresh {
  kind: string;
  goal: Goal;
  lang: "en" | "zh" | "mixed";
  text: string;
}

/**
 * Orders written by somebody who had not read the rules of the sanitiser, and for which no rule was made: `# kind` before
 * each ten, then `goal | language | text`, with escapes as in JSON for what cannot be seen.
 */
export const FRESH: readonly Fresh[] = readFileSync(new URL("fresh.txt", import.meta.url), "utf8")
  .split(/^# /m)
  .slice(1)
  .flatMap((block) => {
    const [kind = "", ...lines] = block.split("\n");
    return lines.filter((line) => line !== "").map((line) => read(kind, line));
  });

function read(kind: string, line: string): Fresh {
  const [, goal, lang, text] = /^(\w+) \| (en|zh|mixed) \| (.*)$/.exec(line) ?? [];
  if (!GOALS.includes(goal as Goal)) throw new Error(`no injection: ${line}`);
  return { kind, goal: goal as Goal, lang: lang as Fresh["lang"], text: JSON.parse(`"${text}"`) };
}
