import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

/** What a command that needs the program reaches by its plain imports. */
const PROGRAM = ["src/app/runtime.ts", "src/tools/index.ts"];
/** They need no program and get it all the same: a person starts them by hand, now and then. */
const NOW_AND_THEN = ["demo", "failure", "forget", "logs", "network", "sandbox", "setup", "token", "whoami"];

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => join("src", file));
const sources = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
const importsOf = (file: string, pattern: RegExp): string[] =>
  [...(sources.get(file) ?? "").matchAll(pattern)].map(([, path]) => join(dirname(file), path!));
const PLAIN = /^(?:import|export)\s+(?!type\b)(?:[^;"']*?\sfrom\s+)?"(\.[^"]+)"/gm;
const LATE = /\bimport\("(\.[^"]+)"\)(?!\.)/g;

function reachedFrom(file: string, reached = new Set<string>()): Set<string> {
  if (!reached.has(file)) {
    reached.add(file);
    for (const other of importsOf(file, PLAIN)) reachedFrom(other, reached);
  }
  return reached;
}

/** The list of that name in the build. */
function listed(name: string): RegExp {
  const [, source] = new RegExp(`^const ${name} =\\s*/(.+)/;$`, "m").exec(readFileSync("build.mjs", "utf8")) ?? [];
  expect(source, name).toBeDefined();
  return new RegExp(source!);
}

it("a command that needs little is one that the build loads without the program", () => {
  const lists = [listed("LIGHT"), listed("SETTINGS")];
  const isListed = (part: string) => lists.some((list) => list.test(part));
  const parts = [...new Set(files.flatMap((file) => importsOf(file, LATE)))];
  const commands = parts.filter((part) => /^src\/commands\/[\w/-]+\.ts$/.test(part));
  expect(commands.length).toBeGreaterThan(25);
  const light = commands.filter((part) => !PROGRAM.some((heavy) => reachedFrom(part).has(heavy)));
  const others = light.filter((part) => !isListed(part) && !/\/doctor\//.test(part));
  expect(others.map((part) => /([\w-]+)\.ts$/.exec(part)?.[1]).sort()).toEqual(NOW_AND_THEN);
  // And none stands there that needs the program after all.
  expect(commands.filter((part) => isListed(part) && !light.includes(part))).toEqual([]);
});
