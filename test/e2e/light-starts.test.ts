import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const DIST = new URL("../../dist/", import.meta.url).pathname;

/** The files that are loaded with this one. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name] of readFileSync(join(DIST, file), "utf8").matchAll(/\b(?:from|import)"\.\/([^"]+)"/g))
    loadedWith(name!, seen);
  return seen;
}

/** The built file of a part that is loaded late. */
const partOf = (name: string) => readdirSync(DIST).find((file) => new RegExp(`^${name}-[A-Z0-9]{8}\\.js$`).test(file))!;

it.each(["home", "program", "help", "pipe"])(
  "%s, which every command loads, does not bring what calls the network",
  (part) => {
    const network = loadedWith(partOf("call"));
    const [largest] = [...network].sort(
      (a, b) => readFileSync(join(DIST, b)).length - readFileSync(join(DIST, a)).length,
    );
    expect([...loadedWith(partOf(part))]).not.toContain(largest);
  },
);
