// Every command as a person sees it, in tmux at 120, 80 and 40 columns, in both languages: one file each, to be looked at.
// Run: npm run check:screens [-- --out <folder>] [--lang en|zh] [--columns 80] [--only <words of a title>]. It fails where
// something that is waited for never shows, or a stack trace does. Needs tmux.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openTerminal } from "../docs/record-tmux.ts";
import { createMockBackend } from "../mock-backend/main.ts";
import { newMember } from "./captures/member.ts";
import type { Lang } from "./captures/words.ts";
import { ROOT } from "./clients/sandbox.ts";
import { INTENTS, SCREENS, type Shown } from "./screens/list.ts";

const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(tmpdir(), "towow-screens") },
    lang: { type: "string" },
    columns: { type: "string" },
    only: { type: "string" },
  },
});
const ROWS = 40;
const STEP_MS = 300;
const PATIENCE_MS = 30_000;
const LOCALES = { en: "en_US.UTF-8", zh: "zh_CN.UTF-8" };
const ENDED = "=== ended ";

/** All the screens of one size and language, in the order of a person's first days. */
async function take(lang: Lang, columns: number): Promise<string> {
  const base = mkdtempSync(join(tmpdir(), "towow-screens-"));
  const home = join(base, "home");
  mkdirSync(join(home, ".claude"), { recursive: true });
  const mock = createMockBackend({ stepMs: STEP_MS, seed: 7 });
  const { url } = await mock.listen();
  const program = join(base, "towow-mcp");
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, "dist/cli.js")}' "$@"\n`, {
    mode: 0o755,
  });
  const env = {
    HOME: home,
    LANG: LOCALES[lang],
    TERM: "xterm-256color",
    PATH: `${base}:/usr/bin:/bin`,
    TZ: "UTC",
    EDITOR: "true",
    BACKEND: url,
    MEMBER_SCENE: "",
    ...INTENTS[lang],
  };
  const join_ = async () => {
    env.MEMBER_SCENE = (await newMember({ backendUrl: url, env, mock }, lang)).scene_id;
  };
  const shots: string[] = [];
  try {
    for (const screen of SCREENS) {
      if (screen === "joined") await join_();
      else if (!values.only || screen.title.includes(values.only) || screen.isNeeded)
        shots.push(`=== ${screen.title}\n${await show(screen, { lang, columns, env })}`);
    }
  } finally {
    await mock.close();
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  }
  return `${shots.map((shot) => shot.trimEnd()).join("\n\n")}\n`
    .replaceAll(base, "~")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080");
}

interface Around {
  lang: Lang;
  columns: number;
  env: Record<string, string>;
}

async function show({ title, command, acts = [] }: Shown, { lang, columns, env }: Around): Promise<string> {
  const line = `trap : INT; ${command}; echo '${ENDED}'$?`;
  const unset = Object.keys(process.env).flatMap((name) =>
    /^(TOWOW_|LC_|NO_COLOR|CI$)/.test(name) ? ["-u", name] : [],
  );
  const words = ["env", ...unset, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  const terminal = openTerminal([...words, "sh", "-c", line.replaceAll("'", "'\\''")], { columns, rows: ROWS }, env);
  const kept: string[] = [];
  try {
    for (const act of acts) {
      if ("see" in act) await terminal.sees(act.see[lang], PATIENCE_MS);
      else if ("keep" in act) kept.push(`--- ${act.keep}\n${terminal.all().trimEnd()}`);
      else terminal.type(...act.type({ code: code(terminal.screen()) }));
      if (!("see" in act)) await new Promise((done) => setTimeout(done, STEP_MS));
    }
    await terminal.sees(new RegExp(ENDED), PATIENCE_MS);
    kept.push(terminal.all().trimEnd());
  } catch (error) {
    process.exitCode = 1;
    kept.push(`FAILED ${title}: ${error instanceof Error ? error.message : error}`);
  } finally {
    terminal.end();
  }
  return kept.join("\n");
}

/** The code that is to be typed over. */
const code = (screen: string): string => /(?:Type|输入) (\d{4})/.exec(screen)?.[1] ?? "";

mkdirSync(values.out, { recursive: true });
const sizes = values.columns?.split(",").map(Number) ?? [120, 80, 40];
const langs = (values.lang?.split(",") ?? ["en", "zh"]) as Lang[];

async function write(columns: number, lang: Lang): Promise<void> {
  const text = await take(lang, columns);
  if (/^ {4}at .*:\d+:\d+\)?$/m.test(text)) process.exitCode = 1;
  writeFileSync(join(values.out, `${columns}-${lang}.txt`), text);
  process.stdout.write(`${columns} ${lang}: ${text.match(/^=== ended /gm)?.length} screens\n`);
}

// Most of the time they wait, for programs to start and for screens to stand still.
await Promise.all(sizes.flatMap((columns) => langs.map((lang) => write(columns, lang))));
