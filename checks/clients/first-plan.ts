// A new user's path, timed and filmed: from the packed tarball and an empty home to the first plan in the real,
// interactive Claude Code, in both languages. --save writes the screens to docs/captures/first-plan-<lang>.txt and the
// times into docs/clients.md. What the model would say is a script.
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { between } from "../../docs/generate/markdown.ts";
import { counted, type Found, options } from "../harness.ts";
import { newcomer } from "./first-plan/newcomer.ts";
import { walk } from "./first-plan/path.ts";
import { type Lang, modelSteps } from "./first-plan/words.ts";
import { claude } from "./journeys/clients/claude.ts";
import { createSandbox, installed, packed } from "./sandbox.ts";
import { type ScriptedModel, scriptedModel } from "./scripted-model.ts";

const MOST_SECONDS = 60;

export default async function firstPlan(args: string[]): Promise<Found> {
  const { claude: program, lang, save } = options(args, { claude: "", lang: "en,zh", save: false });
  const langs = lang.split(",") as Lang[];
  const sandbox = await createSandbox();
  let slowest = 0;

  /** In the installed client; the sandbox that it starts ends with it. */
  async function first(lang: Lang, client: string, tarball: string): Promise<string[]> {
    const folder = join(sandbox.base, lang);
    const model: ScriptedModel = await scriptedModel(modelSteps(lang, () => model.last()));
    const screens: string[] = [];
    const { pane, opened, env } = newcomer(folder, client, lang, model);
    try {
      const { commands, seconds } = await walk({ pane, opened, env }, lang, tarball, screens);
      const failed = model.results().find(({ isError }) => isError);
      if (failed !== undefined) throw new Error(failed.text);
      slowest = Math.max(slowest, seconds.plan);
      const text = tidy(`${screens.join("\n\n")}\n`, folder);
      if (save) await writeFile(new URL(`../../docs/captures/first-plan-${lang}.txt`, import.meta.url), text);
      else process.stdout.write(text);
      const times = [seconds.setUp, seconds.plan - seconds.setUp, seconds.plan].map((each) => each.toFixed(1));
      return [lang, `${commands.length}`, ...times];
    } catch (error) {
      process.stdout.write(`${lang}, on the way:\n${screens.join("\n\n")}\n`);
      throw error;
    } finally {
      pane.close();
      model.close();
      await sandbox.run("npx", ["-y", "-p", tarball, "towow-mcp", "sandbox", "--stop"], { env });
    }
  }

  /** Without what is another in each run, also where a row breaks within it. */
  const tidy = (text: string, folder: string): string =>
    text
      .replaceAll(new RegExp([...join(folder, "home")].join("\\n?"), "g"), "~")
      .replaceAll(join(folder, "project"), "~/project")
      .replaceAll(sandbox.base, "~/Downloads")
      .replaceAll(process.execPath, "/usr/bin/node")
      .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080");

  try {
    if (program === "") {
      const { status, err } = await installed(sandbox, claude.npm);
      if (status !== 0) throw new Error(err);
    }
    const started = resolve(program || join(sandbox.base, "npm/bin/claude"));
    const { out: version } = await sandbox.run(started, ["--version"]);
    const tarball = await packed(sandbox);
    const rows: string[][] = [];
    for (const lang of langs) rows.push(await first(lang, started, tarball));
    const head = ["language", "commands", "`npx … setup`, in seconds", "`claude`, to the plan", "together"];
    const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
    process.stdout.write(`Claude Code ${version.trim()}\n\n${table}\n`);
    if (save) {
      const page = new URL("../../docs/clients.md", import.meta.url);
      await writeFile(page, between(await readFile(page, "utf8"), "first-plan", `\n${table}\n`));
    }
  } finally {
    await sandbox.close();
  }
  return {
    ok: slowest <= MOST_SECONDS,
    line: `to the plan in ${counted(langs.length, "language")}, in ${slowest.toFixed(1)} s at most, of ${MOST_SECONDS}`,
  };
}
