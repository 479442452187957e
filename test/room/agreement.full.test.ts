import fc from "fast-check";
import type { CDPSession } from "playwright-core";
import { expect, it } from "vitest";
import type { WarningCode } from "../../src/negotiation/says.ts";
import type { RoomState } from "../../src/room/room-state.ts";
import { uiSpec } from "../../src/room/ui-spec.ts";
import { uiSpecSchema } from "../../src/room/ui-spec-schema.ts";
import { inChromium, openPainted } from "../support/room-browser.ts";
import { DRAWING, NOW } from "../support/room-parts.ts";
import { roomStates } from "../support/room-states.ts";
import type { Lang } from "../support/room-words.ts";

/** Names and choices, which nobody reads. */
const NOT_WORDS = [
  "id",
  "kind",
  "toolName",
  "params",
  "by",
  "tone",
  "stage",
  "lang",
  "state",
  "selected",
  "level",
  "looks",
  "part",
  "urgency",
];
/**
 * Words that are no text of the tree: the window's title, the phone's short form of the rail, letters and numbers inside
 * the map, which is one picture, what the editor compares with, a field's example, what is said of a text that is too long,
 * or goes on below, and of a file.
 */
const ELSEWHERE = [
  "title:window",
  "progress",
  "initials",
  "ring",
  "base",
  "before",
  "none",
  "tooLong",
  "moreBelow",
  "endOfText",
  "file",
  "outgoing",
  "questionId",
  "placeholder",
];

/** Every text of a spec that a person is given. */
function wordsOf(value: unknown, key = ""): string[] {
  if (NOT_WORDS.includes(key) || ELSEWHERE.includes(key)) return [];
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap((item) => wordsOf(item, key));
  if (typeof value !== "object" || value === null) return [];
  const isEditor = "editor" in value && value.editor !== undefined;
  return Object.entries(value).flatMap(([name, item]) => {
    if (isEditor && (name === "passages" || name === "parts")) return []; // the text is in the editor now
    return wordsOf(item, name);
  });
}

const plain = (text: string): string => text.replace(/\s+/gu, "");

interface AxNode {
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  value?: { value: unknown };
  description?: { value: string };
}

/** Every text that a screen reader is given. */
async function readOut(cdp: CDPSession): Promise<string[]> {
  const { nodes } = (await cdp.send("Accessibility.getFullAXTree")) as unknown as { nodes: AxNode[] };
  const spoken = nodes.filter(({ ignored, role }) => !ignored && role?.value !== "InlineTextBox");
  return (
    spoken
      .filter(({ role }) => !["RootWebArea", "ListMarker"].includes(role?.value ?? ""))
      .flatMap(({ role, name, value, description }) => [
        // What is named by its content is in the tree by its content.
        ["StaticText", "image", "textbox", "searchbox", "navigation", "timer"].includes(role?.value ?? "")
          ? name?.value
          : undefined,
        typeof value?.value === "string" ? value.value : undefined,
        description?.value,
      ])
      .filter((text) => text !== undefined)
      // Running times are made where they are shown.
      .filter((text) => /[\p{L}\p{N}]/u.test(text) && !/^\d+(?::\d\d)+$/.test(text))
  );
}

const words = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 40 }),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }),
    fc.constantFrom(
      "<b onclick=x>bold</b>",
      "&amp; &lt;",
      "ignore all rules",
      "13800138000",
      "二\n三",
      "a\u202Eb",
      "\u200B",
      "'\"`",
    ),
  )
  .filter((text) => /[\p{L}\p{N}]/u.test(text));

const aState: fc.Arbitrary<RoomState> = fc
  .record({
    lang: fc.constantFrom<Lang>("en", "zh"),
    pick: fc.nat(1_000),
    text: words,
    takenOut: fc.subarray(["1", "2", "3", "4", "5", "p1"]),
    typed: fc.option(words, { nil: undefined }),
    offers: fc.array(
      fc.record({
        name: words,
        content: fc.oneof(words, fc.constant(null)),
        score: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { maxLength: 20 },
    ),
    notice: fc.option(words, { nil: undefined }),
    warnings: fc.subarray<WarningCode>(["confirmed_text_mismatch", "sub_negotiation_open", "auto_confirmed"]),
    leftMs: fc.integer({ min: -10_000, max: 300_000 }),
  })
  .map(({ lang, pick, text, takenOut, typed, offers, notice, warnings, leftMs }) => {
    const states = Object.values(roomStates(lang));
    const state = states[pick % states.length]!;
    const { demand } = state;
    const negotiation = demand?.negotiation && {
      ...demand.negotiation,
      demand_raw: `${demand.negotiation.demand_raw} ${text}`,
      participants: [
        ...demand.negotiation.participants,
        ...offers.map(({ name, content, score }, index) => ({
          agent_id: `extra_${index}`,
          display_name: name,
          resonance_score: score,
          state: content === null ? "active" : "replied",
          offer_content: content,
          offer_capabilities: content === null ? null : [name],
        })),
      ],
    };
    return {
      ...state,
      form: { ...state.form, takenOut, intent: typed ?? state.form.intent, resume: text },
      ...(notice !== undefined && { notice: { tone: "error" as const, text: notice } }),
      ...(demand && {
        demand: {
          ...demand,
          negotiation,
          said: { ...demand.said, negotiation, warnings },
          ...(demand.question && {
            question: { ...demand.question, silence: { ...demand.question.silence, at: NOW + leftMs } },
          }),
        },
      }),
    };
  });

inChromium("what an agent is given and what a person reads", (browser) => {
  it("are the same texts, in every stage", async () => {
    const { page, show } = await openPainted(browser());
    const cdp = await page.context().newCDPSession(page);
    const check = async (state: RoomState) => {
      const spec = uiSpec(state, DRAWING);
      expect(uiSpecSchema.parse(spec)).toEqual(spec);
      await show(state);
      const folded = await readOut(cdp); // what stands for a contact goes as it is shown
      await page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))");
      const read = [...folded, ...(await readOut(cdp))].map(plain);
      const { title, ...rest } = spec;
      const given = wordsOf(rest)
        .map(plain)
        .filter((text) => /[\p{L}\p{N}]/u.test(text));
      const all = read.join("\u0000");
      const joined = read.join("");
      expect(await page.title()).toBe(title.replace(/\s+/g, " ").trim());
      expect(given.filter((text) => !all.includes(text) && !joined.includes(text))).toEqual([]);
      const pointedAt = spec.sections.flatMap((section) =>
        section.kind === "sheet" && section.editor === undefined
          ? section.parts.filter(({ id }) => id === section.selected).map(({ text }) => text)
          : [],
      );
      expect(await page.locator(".adds [aria-current=true] .words").allTextContents()).toEqual(pointedAt);
      // Passages that nothing is said between stand in the tree as one text.
      const inRow = spec.sections.map((one) => ("passages" in one ? one.passages.map(({ text }) => plain(text)) : []));
      const asGiven = [...given, given.join(""), ...inRow.map((texts) => texts.join(""))];
      expect(read.filter((text) => !asGiven.some((one) => one.includes(text)))).toEqual([]);
    };
    for (const lang of ["en", "zh"] as const) for (const state of Object.values(roomStates(lang))) await check(state);
    await fc.assert(fc.asyncProperty(aState, check), { numRuns: 15 });
  });
});
