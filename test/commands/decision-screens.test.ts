import { readFileSync, writeFileSync } from "node:fs";
import { describe, it } from "vitest";
import { expectScreens, LANGS, type Lang } from "../support/screens.ts";
import { doing, startedHere } from "../support/started-here.ts";
import { CODE, CTRL_C, machineWithBackend, type Typed } from "./screens-support.ts";

/** A person decides in a terminal: each way that their keys lead, and what went out at its end. */

const NEED = { en: "A designer for a hospital pilot", zh: "找一位懂医院的设计师" };
const MADE = {
  en: "A designer for a hospital pilot, from May. Call 13800138000.",
  zh: "找一位懂医院的设计师，五月起。电话 13800138000。",
};
const OWN = {
  en: ["A nurse who knows queues,", "on site. Call 13900139000."],
  zh: ["一位熟悉排队的护士，", "需到场。电话 13900139000。"],
};

interface How {
  env?: Record<string, string>;
  columns?: number;
  /** What the person's editor makes of the text; undefined where it fails. */
  editor?: (text: string, lang: Lang) => string | undefined;
}

async function waiting(lang: Lang) {
  const it = await machineWithBackend(lang, { auth: false, stepMs: 0 });
  it.known({ last_scene_id: it.mock.sceneId });
  it.mock.engine.formulateWith(() => MADE[lang]);
  const id = await it.demand({ intent: NEED[lang] });
  return { ...it, id };
}

/** What stands on the screen, and what the backend has in the end. */
const decide =
  (typed: (lang: Lang) => readonly Typed[], { env = {}, columns = 100, editor }: How = {}) =>
  async (lang: Lang): Promise<string> => {
    const it = await waiting(lang);
    if (editor !== undefined)
      startedHere((_program, args) =>
        doing(() => {
          const file = String(args.at(-1));
          const text = editor(readFileSync(file, "utf8"), lang);
          if (text !== undefined) writeFileSync(file, text);
          return text === undefined ? 1 : 0;
        }),
      );
    const given = { env: { ...env, ...(editor !== undefined && { EDITOR: "my-editor" }) }, columns, stands: true };
    const screen = (await it.typed(`confirm ${it.id}`, typed(lang), given))
      .replaceAll(/(?<=(?:Type|输入) )\d{4}/g, "1234")
      .replaceAll(/(?<=1234.*[:：] ?)\d{4}$/gm, "1234");
    const { cancelled, confirmedText, confirmCount } = it.mock.engine.get(it.id);
    const sent = confirmCount === 0 ? "nothing" : JSON.stringify(confirmedText);
    return `${screen}── went out: ${sent}${cancelled ? "; withdrawn" : ""}\n`;
  };

const again = (text: string, lang: Lang): string => `${text.trimEnd()} ${lang === "en" ? "Soon." : "尽快。"}\n`;

const DECISIONS: Record<string, (lang: Lang) => Promise<string>> = {
  "accepted, by the code": decide(() => ["a", CODE]),
  "accepted by its word, after a wrong code and none": decide((lang) => [
    lang === "en" ? "accept" : "接受",
    "no code",
    "a",
    "",
    "a",
    CODE,
  ]),
  "withdrawn, after what decides nothing": decide((lang) => [
    "",
    "yes",
    "n",
    "constructor",
    lang === "en" ? "reject" : "拒绝",
  ]),
  "left open by Ctrl-C": decide(() => [CTRL_C]),
  "left open at the code": decide(() => ["a", CTRL_C]),
  "own lines, sent after a wrong code": decide((lang) => ["e", `${OWN[lang].join("\r")}\r.`, "0000000", CODE]),
  "own lines that are empty, then the same text": decide((lang) => ["e", ".", "e", `${MADE[lang]}\r.`, CTRL_C]),
  "own lines, left in the middle": decide((lang) => ["e", `${OWN[lang][0]}\r${CTRL_C}`]),
  "in an editor, and in it again: one's own words are still there": decide(() => ["e", "e", CODE], { editor: again }),
  "an editor that leaves the text as it was": decide(() => ["e", CTRL_C], { editor: (text) => text }),
  "an editor that empties it": decide(() => ["e", CTRL_C], { editor: () => "" }),
  "only reading is allowed": decide(() => ["a", "r"], { env: { TOWOW_PROFILE: "read_only" } }),
  "an editor that fails": decide(() => ["e", CTRL_C], { editor: () => undefined }),
  "in a narrow window": decide(() => ["e", "e", CODE], { columns: 44, editor: again }),
};

const FIRST_PROMPT = /^.*\[a\]/m;

describe.each(LANGS)("a decision in a terminal: %s", (lang) => {
  it("each way, and what goes out", async () => {
    const screens: Record<string, string> = {};
    for (const [name, play] of Object.entries(DECISIONS)) screens[name] = await play(lang);
    const [[first, whole] = ["", ""], ...others] = Object.entries(screens);
    const question = whole.slice(0, whole.search(FIRST_PROMPT));
    const rest = others.map(([name, screen]) => [name, screen.replace(question, "(the same question)\n")]);
    await expectScreens("decision", lang, { [first]: whole, ...Object.fromEntries(rest) });
  });
});
