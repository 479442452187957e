import { parse } from "@babel/parser";
import { describe, expect, it } from "vitest";
import { mutantsOf, mutated, sample } from "../../checks/mutations/mutants.ts";
import { type Covered, related } from "../../checks/mutations/related.ts";
import { summary } from "../../checks/mutations/results.ts";

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

  it("are of every kind, and neither of types nor of imports", () => {
    const kinds = new Set(all.map(({ operator }) => operator));
    for (const kind of ["< → <=", "&& → ||", "! dropped", "+ → -", "=== → !==", "?? → ||", "true ↔ false", "number"])
      expect(kinds, kind).toContain(kind);
    for (const kind of ["condition negated", "return dropped", "statement dropped", "await dropped"])
      expect(kinds, kind).toContain(kind);
    expect(all.filter(({ line, before }) => line === 2 && before === "5")).toHaveLength(3);
    expect(all.filter(({ before }) => before.includes('"b"'))).toEqual([]);
  });

  it("the seed alone decides which are taken, and in which order", () => {
    expect(sample(all, 5, 1)).toEqual(sample(all, 5, 1));
    expect(sample(all, 5, 1)).not.toEqual(sample(all, 5, 2));
    expect(sample(all, 1_000, 1)).toHaveLength(all.length);
  });

  it("one of another source is refused", () => {
    expect(() => mutated(`// a line more\n${SOURCE}`, all[0]!)).toThrow("is of another source");
  });
});

it("related tests: those that run the line, the quickest first, within the time, but always one", () => {
  const covered: Covered[] = [
    { test: "slow", ms: 900, lines: { file: [1, 2] } },
    { test: "quick", ms: 100, lines: { file: [2] } },
    { test: "other", ms: 1, lines: { another: [2] } },
  ];
  expect(related(covered, "file", 2, 5_000)).toEqual(["quick", "slow"]);
  expect(related(covered, "file", 2, 500)).toEqual(["quick"]);
  expect(related(covered, "file", 1, 500)).toEqual(["slow"]);
  expect(related(covered, "file", 3, 500)).toEqual([]);
});

it("the table counts by room", () => {
  const results = all.slice(0, 3).map(({ id }, i) => ({
    id,
    outcome: (["killed", "survived", "timeout"] as const)[i]!,
    tests: 1,
    ms: 1,
  }));
  const row = { mutants: all.length, tried: 3, killed: 1, timeouts: 1, survived: 1 };
  expect(summary(all, results)).toEqual([
    { room: "src/a", ...row },
    { room: "all", ...row },
  ]);
});
