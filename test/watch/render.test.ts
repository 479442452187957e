import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { expect, it } from "vitest";
import { ending, frame } from "../../src/watch/render.ts";
import { sheetLines, sheetOf } from "../../src/watch/sheet.ts";
import { offers, options, pause } from "./render-support.ts";
import { accepted, agent, format, NOON, negotiation, view } from "./views.ts";

/** What holds of every frame; what stands on each is printed in `screens/`. */

it("colour says nothing that the plain lines do not", () => {
  const shown = view(negotiation({ participants: offers }), { decision: accepted });
  const coloured = frame(shown, options, format(80, "en", true));
  expect(coloured.join("")).toContain("\u001b[");
  expect(coloured.map(stripVTControlCharacters)).toEqual(frame(shown, options, format(80)));
});

it("no room: fewer lines of each offer, then fewer agents; status and keys stay", () => {
  const many = Array.from({ length: 30 }, (_, i) => agent({ agent_id: `a${i}`, display_name: `Agent ${i}` }));
  const lines = frame(view(negotiation({ participants: many })), { ...options, rows: 14 }, format(80));
  expect(lines).toHaveLength(14);
  expect(lines.at(-3)).toMatch(/and \d+ more/);
  expect(lines.at(-1)).toContain("q leave");
  const long = pause({ demand_formulated: "word ".repeat(600) });
  const cut = frame(long, options, format(40));
  expect(cut).toHaveLength(24);
  expect(cut.join("\n")).toContain("c shows all of it");
  expect(cut.join("\n")).toContain("4:32 left");
});

it("prose is no wider than can be read, at any width: sentences, the text, the plan", () => {
  const words = "a pilot of six weeks in two clinics, in plain words; ".repeat(12);
  const over = negotiation({ state: "completed", demand_raw: words, demand_formulated: words, plan_output: words });
  const waiting = pause({ demand_raw: words, demand_formulated: `${words}Remote is fine.` });
  for (const width of [120, 200]) {
    const lines = [
      ...ending(view(over, { decision: accepted }), NOON, format(width)).slice(2),
      ...frame(waiting, options, format(width)).slice(2),
      ...sheetLines(sheetOf(words, `${words}Remote is fine.`), format(width), true),
    ];
    for (const line of lines) expect(stringWidth(line), line).toBeLessThanOrEqual(88);
  }
});
