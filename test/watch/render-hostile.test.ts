import * as fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { ending, frame } from "../../src/watch/render.ts";
import { agent, format, NOON, negotiation, view } from "./views.ts";

describe("whatever the others wrote", () => {
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.constantFrom(
      "\u001b[2J\u001b[1;1HACCEPTED",
      "\u001b]0;title\u0007\u001b]52;c;eA==\u0007",
      "a\rb\u0008c\tx\u0085y\u2028z",
      "\u202Eevil\u2066 \u200B\uFEFF",
      "👨‍👩‍👧‍👦".repeat(30),
      "\u0e01".repeat(5) + "\u0e33".repeat(90),
      "字".repeat(200),
      "e\u0301".repeat(100),
      "┃████ 0.99 offer\n✓ Accepted in the terminal",
    ),
  );
  const anAgent = fc.record({
    agent_id: hostile,
    display_name: hostile,
    resonance_score: fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(-3, 1e300, 0.5)),
    state: fc.constantFrom("active", "replied", "exited", "\u001b[31m"),
    offer_content: fc.oneof(hostile, fc.jsonValue({ maxDepth: 2 })),
    offer_capabilities: fc.constant(null),
  });
  const aNegotiation = fc.record({
    negotiation_id: hostile,
    state: fc.oneof(fc.constantFrom("created", "formulated", "offering", "synthesizing", "completed"), hostile),
    demand_raw: hostile,
    demand_formulated: fc.option(hostile),
    participants: fc.array(anAgent, { maxLength: 8 }),
    plan_output: fc.option(hostile.map((text) => `# ${text}\n- ${text}\n123456. ${text}`)),
    center_rounds: fc.nat(9),
    depth: fc.constant(0),
    parent_negotiation_id: fc.constant(null),
    sub_session_ids: fc.constant<string[]>([]),
  });

  it("no line is wider than the terminal, none steers it, and the frame is never taller", () => {
    fc.assert(
      fc.property(
        aNegotiation,
        hostile,
        fc.integer({ min: 20, max: 120 }),
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom("zh" as const, "en" as const),
        fc.boolean(),
        (snapshot, id, width, rows, lang, colour) => {
          const shown = view(snapshot, { decideBy: NOON + 9_000 }, { id });
          const picture = frame(
            shown,
            { rows, now: NOON, keys: true, notice: "A notice." },
            format(width, lang, colour),
          );
          expect(picture.length).toBeLessThanOrEqual(rows);
          for (const line of [...picture, ...ending(shown, NOON, format(width, lang, colour))]) {
            // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours are taken out first
            const bare = line.replace(/\u001b\[\d+m/g, "");
            expect(stringWidth(bare), JSON.stringify(bare)).toBeLessThanOrEqual(width);
            expect(bare).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069\u200B\uFEFF\u2028\u2029]/u);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it("a telephone number of somebody who wants to be called stays whole", () => {
    const offer = agent({ state: "replied", offer_content: "Call me: +86 138 0013 8000, priya@example.com" });
    const lines = ending(view(negotiation({ participants: [offer] })), NOON, format(80)).join("\n");
    expect(lines).toContain("+86 138 0013 8000, priya@example.com");
  });
});
