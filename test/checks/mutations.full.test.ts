import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "@babel/parser";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Mutant, mutantsOf, mutated, probed, sample } from "../../checks/mutations/mutants.ts";
import { type Reach, related } from "../../checks/mutations/reach.ts";
import { summary } from "../../checks/mutations/results.ts";
import { Tests } from "../../checks/mutations/vitest.ts";

const SOURCE = `import { a } from "b";
const LIMIT: 5 | 6 = 5;
export async function go(n: number, { "key": isOn = true } = {}): Promise<number> {
  if (n < LIMIT && !isOn) return n + 1;
  await a(n);
  return (n as number) === 0 ? 1 : (a.b ?? n);
}
`;
const all = mutantsOf("src/a/go.ts", SOURCE);

describe("mutants", () => {
  it("each is one change of one place, and still a program", () => {
    for (const mutant of all) {
      const source = mutated(SOURCE, mutant);
      expect(source).not.toBe(SOURCE);
      expect(() => parse(source, { sourceType: "module", plugins: ["typescript"] }), mutant.id).not.toThrow();
      expect(SOURCE.split("\n")[mutant.line - 1]).toContain(mutant.before.split("\n")[0]);
    }
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it("are of every kind, and neither of types nor of imports, nor of what runs as the file is loaded", () => {
    const kinds = new Set(all.map(({ operator }) => operator));
    for (const kind of ["< → <=", "&& → ||", "! dropped", "+ → -", "=== → !==", "?? → ||", "true ↔ false", "number"])
      expect(kinds, kind).toContain(kind);
    for (const kind of ["condition negated", "return dropped", "statement dropped", "await dropped"])
      expect(kinds, kind).toContain(kind);
    expect(all.filter(({ line }) => line === 2)).toEqual([]);
    expect(all.filter(({ line, before }) => line === 4 && before === "1")).toHaveLength(2);
    expect(all.filter(({ before }) => before.includes('"b"'))).toEqual([]);
  });

  const sourceOf = () => SOURCE;
  it("the seed alone decides which are taken, and in which order; what is no program is none of them", () => {
    expect(sample(all, 5, 1, sourceOf)).toEqual(sample(all, 5, 1, sourceOf));
    expect(sample(all, 5, 1, sourceOf)).not.toEqual(sample(all, 5, 2, sourceOf));
    expect(sample(all, 1_000, 1, sourceOf)).toHaveLength(all.length);
    const mixed = "export const go = (a?: number) => a ?? 0 ?? 1;";
    const both = mutantsOf("src/a/mixed.ts", mixed).filter(({ operator }) => operator === "?? → ||");
    expect(both).toHaveLength(2);
    expect(sample(both, 2, 1, () => mixed)).toEqual([]);
  });

  it("each is the same one when lines are put above it", () => {
    expect(mutantsOf("src/a/go.ts", `// more\n${SOURCE}`).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  });

  it("with a probe at each of them the program is what it was, and notes what it ran", () => {
    const source = "const go = (n) => {\n  if (n > 1 && !n) return 7;\n  return [n + 1][0];\n};\nreturn go(n);";
    const some = mutantsOf("go.ts", `const f = (n) => {${source}};`);
    const text = probed(`const f = (n) => {${source}};`, some, ({ id }) => `seen.add(${JSON.stringify(id)})`);
    const seen = new Set<string>();
    const run = new Function("seen", `${text} return f(3);`);
    expect(run(seen)).toBe(4);
    expect([...seen].some((id) => id.includes("return [n + 1]"))).toBe(true);
    expect([...seen].some((id) => id.includes("return 7; → ;"))).toBe(false);
  });

  it("one of another source is refused", () => {
    expect(() => mutated(`// a line more\n${SOURCE}`, all[0]!)).toThrow("is of another source");
  });
});

it("related tests: those that run the place, the quickest first, within the time, but always one", () => {
  const [mutant, other] = all as [Mutant, Mutant];
  const reaches: Reach[] = [
    { test: "slow", ms: 900, here: [mutant.id, other.id], started: [] },
    { test: "quick", ms: 100, here: [mutant.id], started: [] },
    { test: "program", ms: 1, here: [], started: [mutant.id, all[2]!.id] },
  ];
  expect(related(reaches, mutant, 5_000)).toEqual({ tests: ["quick", "slow"], built: false });
  expect(related(reaches, mutant, 500).tests).toEqual(["quick"]);
  expect(related(reaches, other, 500).tests).toEqual(["slow"]);
  expect(related(reaches, all[2]!, 500)).toEqual({ tests: ["program"], built: true });
  expect(related(reaches, all[3]!, 500).tests).toEqual([]);
});

it("the table counts by folder", () => {
  const results = all.slice(0, 3).map(({ id }, i) => ({
    id,
    outcome: (["killed", "survived", "timeout"] as const)[i]!,
    tests: 1,
    built: false,
    ms: 1,
  }));
  const row = { mutants: all.length, tried: 3, killed: 1, timeouts: 1, survived: 1, unreached: 0 };
  expect(summary(all, results)).toEqual([
    { folder: "src/a", ...row },
    { folder: "all", ...row },
  ]);
});

it("a run is judged by its own tests, by what stands in the file now, and not by a run before it", async () => {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), "mutations-test-")));
  const tests = new Tests(tree);
  onTestFinished(() => {
    tests.end();
    rmSync(tree, { recursive: true });
  });
  for (const part of ["checks/mutations", "test/support/property-seed.ts"])
    cpSync(part, join(tree, part), { recursive: true });
  symlinkSync(join(process.cwd(), "node_modules"), join(tree, "node_modules"));
  mkdirSync(join(tree, "src"));
  const source = (value: number) => writeFileSync(join(tree, "src/value.ts"), `export const value = ${value};`);
  const test = (name: string, expected: number) =>
    writeFileSync(
      join(tree, `test/${name}.test.ts`),
      `import { expect, it } from "vitest";\nimport { value } from "../src/value.ts";\nit("${name}", () => expect(value).toBe(${expected}));`,
    );
  source(1);
  test("one", 1);
  test("two", 2);
  const [one, two] = ["test/one.test.ts", "test/two.test.ts"];
  expect(await tests.run([two], 60_000)).toMatchObject({ outcome: "failed", failed: "two" });
  expect(await tests.run([one], 60_000)).toMatchObject({ outcome: "passed", notOk: [] });
  source(2);
  tests.hasChanged("src/value.ts");
  expect(await tests.run([one, two], 60_000, true)).toMatchObject({ outcome: "failed", failed: "one", notOk: [one] });
  expect(await tests.run([two], 60_000)).toMatchObject({ outcome: "passed" });
});
