import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { paintWith } from "../../src/terminal/paint.ts";
import { type Column, table } from "../../src/terminal/table.ts";

const paint = paintWith(false);
const cells = (...row: string[]) => row.map((text) => ({ text }));
const columns: Column[] = [
  { title: "Name" },
  { title: "Agents", align: "right", alone: (n) => `${n} agents` },
  { title: "About", tooWide: "wrap" },
];
const rows = [
  cells("Indie product studio", "7", "Small teams that take a product from idea to first users"),
  cells("创业合伙人", "12", "为早期 AI 产品寻找技术、产品与增长合伙人"),
];

describe("a table", () => {
  it("stands in columns where it fits, whatever the script", () => {
    expect(table(columns, rows, { width: 100, paint })).toEqual([
      "Name                  Agents  About",
      "Indie product studio       7  Small teams that take a product from idea to first users",
      "创业合伙人                12  为早期 AI 产品寻找技术、产品与增长合伙人",
    ]);
  });

  it("wraps words in the column that may be wrapped", () => {
    expect(table(columns, rows.slice(0, 1), { width: 60, paint })).toEqual([
      "Name                  Agents  About",
      "Indie product studio       7  Small teams that take a",
      "                              product from idea to first",
      "                              users",
    ]);
  });

  it("becomes paragraphs where there is no room for columns", () => {
    expect(table(columns, rows.slice(0, 1), { width: 36, paint })).toEqual([
      "Indie product studio",
      "  7 agents · Small teams that take a",
      "  product from idea to first users",
    ]);
  });

  it("breaks no id: it goes below its row, and a row that would begin below itself becomes a paragraph", () => {
    const id = "b5522e53-a50a-4e8d-aae1-8aefd9ff8d08";
    const fields: Column[] = [{ title: "" }, { title: "", tooWide: "wrap" }];
    expect(
      table(fields, [cells("agent_id", id), cells("state", "formulated")], { width: 40, paint, titles: false }),
    ).toEqual(["agent_id", `  ${id}`, "state     formulated"]);
    const agents: Column[] = [{ title: "agent_id", tooWide: "below" }, { title: "name" }];
    expect(table(agents, [cells(id, "Lin"), cells("agent_ned_cole", "Ned Cole")], { width: 30, paint })).toEqual([
      id,
      "  Lin",
      "agent_ned_cole",
      "  Ned Cole",
    ]);
  });

  it("is wider than the terminal for one word alone that is, and loses no text", () => {
    const text = fc.stringMatching(/^[a-z 一-龥]{0,60}$/).map((one) => one.replace(/\s+/g, " ").trim());
    const kinds = fc.constantFrom<Column["tooWide"]>(undefined, "wrap", "below");
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, text, text)),
        kinds,
        fc.integer({ min: 20, max: 140 }),
        (all, kind, width) => {
          const lines = table(
            [{ title: "A", ...(kind && { tooWide: kind }) }, { title: "B" }, { title: "C", tooWide: "below" }],
            all.map((row) => cells(...row)),
            { width, paint },
          );
          const letters = (of: readonly string[]) =>
            [...of.join("").replace(/[\s·ABC]/g, "")].sort(byCodeUnits).join("");
          expect(letters(lines)).toBe(letters(all.flat()));
          for (const line of lines) if (stringWidth(line) > width) expect(line.trim(), line).toMatch(/^[a-z]+$/);
        },
      ),
    );
  });
});
