import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { cli } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";

const NAMES = ["neg_1.json", "s-1.jsonl", "towow.log", "towow.log.1", "config.corrupt-2026.json", ".old.tmp"];
const all = (env: Record<string, string>) => cli(["forget", "--all", "--yes"], { env });

/** A home, and a folder outside of it with files of every name that forget erases. */
async function world() {
  const base = await temporaryHome();
  const [home, outside] = [join(base, "home"), join(base, "outside")];
  for (const folder of [home, outside]) mkdirSync(folder);
  for (const name of NAMES) writeFileSync(join(outside, name), "{}\n");
  const intact = () =>
    expect(readdirSync(outside).map((name) => [name, readFileSync(join(outside, name), "utf8")])).toEqual(
      [...NAMES].sort(byCodeUnits).map((name) => [name, "{}\n"]),
    );
  return { base, home, outside, env: { TOWOW_HOME: home }, intact };
}

it.each(["history", "users", "logs", "sandbox"])(
  "%s that is a link to a folder with content: the link goes, its content stays",
  async (name) => {
    const { home, outside, env, intact } = await world();
    symlinkSync(outside, join(home, name));
    const { status, stdout } = await all(env);
    expect(status).toBe(0);
    expect(stdout).toContain(`the link ${join(home, name)} itself; what it leads to stays: ${outside}`);
    expect(readdirSync(home)).toEqual([]);
    intact();
  },
);

it("the folder of redirects that is a link: not even old files behind it", async () => {
  const { home, outside, env, intact } = await world();
  symlinkSync(outside, join(home, "open"));
  await all(env);
  intact();
});

it("links in the folders: each goes itself, whether to a file or to a folder", async () => {
  const { home, outside, env, intact } = await world();
  for (const folder of ["history", "logs"]) mkdirSync(join(home, folder));
  symlinkSync(join(outside, "neg_1.json"), join(home, "history", "neg_1.json"));
  symlinkSync(outside, join(home, "history", "neg_2.json"));
  symlinkSync(join(outside, "towow.log"), join(home, "logs", "towow.log"));
  symlinkSync(outside, join(home, "logs", "towow.log.1"));
  symlinkSync(join(outside, "config.corrupt-2026.json"), join(home, "config.corrupt-2026.json"));
  expect((await all(env)).status).toBe(0);
  expect(readdirSync(home)).toEqual([]);
  intact();
});

it("what outside agents saw and said goes with the logs, and what is behind a link stays", async () => {
  const { home, outside, env, intact } = await world();
  const study = join(home, "logs", "study");
  mkdirSync(study, { recursive: true });
  for (const name of ["s-20261123-a_B-c.jsonl", "notes.txt"]) writeFileSync(join(study, name), "{}\n");
  const { status, stdout } = await cli(["forget", "--logs", "--yes"], { env });
  expect([status, stdout]).toEqual([0, expect.stringContaining("the logs")]);
  expect(readdirSync(study)).toEqual(["notes.txt"]);
  rmSync(study, { recursive: true });
  symlinkSync(outside, study);
  expect((await all(env)).status).toBe(0);
  expect(readdirSync(home)).toEqual([]);
  intact();
});

it("a home that is a link: nothing goes, and the sentence says how to name the folder itself", async () => {
  const { base, home, intact } = await world();
  for (const folder of ["history", "logs"]) mkdirSync(join(home, folder));
  writeFileSync(join(home, "history", "neg_1.json"), "{}");
  symlinkSync(home, join(base, "link"));
  const { status, stderr } = await all({ TOWOW_HOME: join(base, "link") });
  expect(status).toBe(1);
  expect(stderr).toContain(`TOWOW_HOME=${home}`);
  expect(readdirSync(join(home, "history"))).toEqual(["neg_1.json"]);
  expect((await all({ TOWOW_HOME: home })).status).toBe(0);
  expect(readdirSync(home)).toEqual([]);
  intact();
});
