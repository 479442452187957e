// Draws `watch` and `demo` in tmux at 80 and 40 columns, in Chinese and English, and writes what was on the screen to
// docs/captures and, as pictures that play, to docs/images: `npm run docs:record` (wants tmux and a fresh build).
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createMockBackend } from "../mock-backend/main.ts";
import { type Frame, toSvg } from "./record-svg.ts";
import { openTerminal, type Terminal } from "./record-tmux.ts";

type Lang = "zh" | "en";

const ROOT = new URL("../", import.meta.url);
const out = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** Of the mock's sample data: one whose agents write the language. */
const SCENES = { en: "Indie product studio", zh: "AI 创业合伙人" } as const;
const STEP_MS = 1_500;
const LOOK_MS = 250;
/** No picture of a recording stands longer: nobody waits for a countdown. */
const MAX_MS_LENGTH = 2_500;
const LAST_MS = 6_000;

const environment = (home: string, lang: Lang) => ({
  HOME: home,
  TOWOW_HOME: join(home, ".towow"),
  TOWOW_LANG: lang,
  LANG: "C.UTF-8",
  TERM: "xterm-256color",
  TZ: "UTC",
});

/** Every picture that the terminal shows until it is stopped, each once. */
function film(terminal: Terminal) {
  const frames: Frame[] = [];
  let filming = true;
  const done = (async () => {
    for (; filming; await sleep(LOOK_MS)) {
      const screen = tidy(terminal.screen(true));
      const last = frames.at(-1);
      if (screen.trim() === "") continue;
      if (last?.screen === screen) last.ms = Math.min(MAX_MS_LENGTH, last.ms + LOOK_MS);
      else frames.push({ screen, ms: LOOK_MS });
    }
  })();
  return async () => {
    filming = false;
    await done;
    const last = frames.at(-1);
    if (last !== undefined) last.ms = LAST_MS;
    return frames;
  };
}

/** The mock's port is another one in each run. */
const tidy = (screen: string) => screen.replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080");

function save(name: string, parts: readonly (readonly [title: string, screen: string])[]): void {
  writeFileSync(
    out(`captures/${name}.txt`),
    `${parts.map(([title, screen]) => `=== ${title}\n${tidy(screen).trimEnd()}`).join("\n\n")}\n`,
  );
}

async function withHome<T>(work: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "towow-record-"));
  try {
    return await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The package as it is when somebody has installed it: the demo names the program by its name then, not by a path. */
const INSTALLED = mkdtempSync(join(tmpdir(), "towow-record-"));
const PACKAGE = join(INSTALLED, "node_modules", "towow-mcp");
const PROGRAM = join(PACKAGE, "dist", "cli.js");
for (const part of ["dist", "prompts", "package.json"])
  cpSync(new URL(part, ROOT), join(PACKAGE, part), { recursive: true });
symlinkSync(fileURLToPath(new URL("node_modules", ROOT)), join(PACKAGE, "node_modules"));
process.once("exit", () => rmSync(INSTALLED, { recursive: true, force: true }));

/** The network writes up a demand by its submitter's profile. */
async function joinScene(client: Client, scene: string, lang: Lang): Promise<void> {
  const profile = JSON.parse(readFileSync(new URL(`prompts/demo/profile.${lang}.json`, ROOT), "utf8"));
  const joining = (more: object) => client.callTool({ name: "towow_join", arguments: { scene, ...profile, ...more } });
  const { structuredContent } = await joining({});
  const { profile_hash } = (structuredContent as { data: { profile_hash: string } }).data;
  await joining({ profile_hash });
}

/** A negotiation that somebody's AI opened, watched in a terminal and decided there. */
const watch = (lang: Lang, columns: number) =>
  withHome(async (home) => {
    const mock = createMockBackend({ stepMs: STEP_MS, seed: 7 });
    const { url } = await mock.listen();
    const env = { ...environment(home, lang), TOWOW_BACKEND_URL: url };
    const client = new Client({ name: "record", version: "1" });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [PROGRAM], env, stderr: "ignore" }),
    );
    const intent = readFileSync(new URL(`prompts/demo/demand.${lang}.txt`, ROOT), "utf8").trim();
    const scene_id = mock.scenes().find(({ name }) => name === SCENES[lang])?.scene_id ?? "";
    await joinScene(client, scene_id, lang);
    const demanding = client.callTool({ name: "towow_demand", arguments: { intent, scene_id } });
    while (mock.negotiations().length === 0) await sleep(50);
    await sleep(300); // until the program has written down that it is its own
    const size = { columns, rows: columns < 60 ? 30 : 24 };
    const terminal = openTerminal([process.execPath, PROGRAM, "watch"], size, env);
    const stop = film(terminal);
    try {
      const parts: [string, string][] = [];
      parts.push(["before the text is there", await terminal.sees(/neg_/)]);
      parts.push([
        "the pause",
        await terminal.sees(/q (leave|离开)[\s\S]*/).then(() => terminal.sees(/c (decide|决定)/)),
      ]);
      await demanding;
      await sleep(2_000);
      terminal.type("c");
      await terminal.sees(/\[a\]/);
      terminal.type("a", "Enter");
      const code = /(?:Type|输入) (\d{4})/.exec(await terminal.sees(/(?:Type|输入) \d{4}/))?.[1] ?? "";
      terminal.type(code);
      await sleep(300);
      parts.push(["the question", terminal.screen()]);
      await sleep(500);
      terminal.type("Enter");
      parts.push(["offers come", await terminal.sees(/0\.\d\d (offer|有|✓)/)]);
      await terminal.sees(/Still open|待确认/);
      await sleep(500);
      parts.push(["the end", terminal.all()]);
      save(`watch-${columns}-${lang}`, parts);
      return { frames: await stop(), size };
    } finally {
      await stop();
      terminal.end();
      await client.close();
      await mock.close();
    }
  });

const demo = (lang: Lang, columns: number) =>
  withHome(async (home) => {
    const size = { columns, rows: 30 };
    const terminal = openTerminal([process.execPath, PROGRAM, "demo", "--lang", lang], size, environment(home, lang));
    const stop = film(terminal);
    try {
      await terminal.sees(/\[a\]/);
      await sleep(2_000);
      terminal.type("a", "Enter");
      await terminal.sees(/(Done in|用时) \d/);
      save(`demo-${columns}-${lang}`, [["all of it", terminal.all()]]);
      return { frames: await stop(), size };
    } finally {
      await stop();
      terminal.end();
    }
  });

/** A countdown or a line that has just begun is not worth a picture of its own: the file stays small. */
function shorter(frames: readonly Frame[], most = 40): Frame[] {
  const kept = frames.map((frame) => ({ ...frame }));
  while (kept.length > most) {
    const at = kept.slice(0, -1).reduce((least, frame, i) => (frame.ms < (kept[least]?.ms ?? 0) ? i : least), 0);
    const [gone] = kept.splice(at, 1);
    const next = kept[at];
    if (gone !== undefined && next !== undefined) next.ms += gone.ms;
  }
  return kept;
}

for (const folder of ["captures", "images"]) mkdirSync(out(folder), { recursive: true });
const wanted = process.argv.slice(2);
for (const lang of ["en", "zh"] as const)
  for (const columns of [80, 40])
    for (const [name, record] of [["watch", watch] as const, ["demo", demo] as const]) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      const { frames, size } = await record(lang, columns);
      if (columns === 80)
        writeFileSync(out(`images/${name}-${lang}.svg`), toSvg(shorter(frames), size, `towow-mcp ${name}`));
      process.stdout.write(`${name} ${columns} ${lang}: ${frames.length} pictures\n`);
    }
