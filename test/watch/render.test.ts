import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { NO_EVIDENCE } from "../../src/feed/evidence.ts";
import { ending, frame } from "../../src/watch/render.ts";
import { sheetLines, sheetOf } from "../../src/watch/sheet.ts";
import { timesAfter } from "../../src/watch/times.ts";
import { offers, options, pause } from "./render-support.ts";
import { accepted, agent, format, NOON, negotiation, view } from "./views.ts";

describe("frames", () => {
  it("the pause, 80 columns", () => {
    expect(frame(pause(), options, format(80)).join("\n")).toBe(
      `towow-mcp watch · neg_1 · 127.0.0.1:8080 · 2:00
Demand: A designer for a hospital pilot

✓ Submit   ✓ Write up   ● Decide   ○ Resonance   ○ Offers   ○ Plan

The demand is written up and waits for your decision.

This text would be broadcast, word for word:
73% of its words are the network's, in lines marked +. It leaves out some
submitted words.
+ A product designer who knows hospital queues, remote, within two months.

4:32 left to decide. Without a decision, it is withdrawn at 12:04:31.

c decide · o browser · ? help · q leave (the negotiation goes on)`,
    );
  });

  it("the pause, 40 columns, Chinese", () => {
    const shown = pause({
      demand_raw: "找一位懂医院排队的产品设计师一起做试点项目",
      demand_formulated: "寻找一位熟悉门诊排队流程的产品设计师，可远程，两个月内启动。",
    });
    expect(frame(shown, options, format(40, "zh")).join("\n")).toBe(
      `neg_1 · 127.0.0.1:8080 · 2:00
需求：找一位懂医院排队的产品设计师一起…

✓ ✓ ● ○ ○ ○  3/6 决定

需求已丰富化，等待你确认。

以下文本将一字不差地广播：
其中 59% 由网络补充，所在行以 + 标出。
提交的部分内容被略去了。
+ 寻找一位熟悉门诊排队流程的产品设计师，
+ 可远程，两个月内启动。

还有 4:32 可以决定。如不决定，将于
12:04:31 自动撤回。

c 决定 · o 浏览器 · ? 帮助 · q 离开`,
    );
  });

  it("offers, 80 columns: names with bars, what has come, who left", () => {
    const shown = view(negotiation({ participants: offers }), { decision: accepted, outcome: "confirmed" });
    expect(frame(shown, options, format(80)).join("\n")).toBe(
      `towow-mcp watch · neg_1 · 127.0.0.1:8080 · 2:00
Demand: A designer for a hospital pilot

✓ Submit   ✓ Write up   ✓ Decide   ✓ Resonance   ● Offers   ○ Plan

1 of 3 agents made an offer, 1 left; waiting for the rest.
Accepted in the terminal, 11:59:00.

  Priya Raman ████████░░ 0.83 offer
    I build clickable prototypes before anybody commits. Ten days this month.
  陈若溪      █████░░░░░ 0.50 waiting
  Tom         ███░░░░░░░ 0.31 left

↑↓ offers · o browser · ? help · q leave (the negotiation goes on)`,
    );
  });

  it("offers, 40 columns", () => {
    const shown = view(negotiation({ participants: offers }), { decision: accepted, outcome: "confirmed" });
    expect(frame(shown, options, format(40)).slice(7).join("\n")).toBe(
      `Accepted in the terminal, 11:59:00.

  Priya Raman █████░ 0.83 ✓
    I build clickable prototypes before
    anybody commits. Ten days this
    month.
  陈若溪      ███░░░ 0.50 …
  Tom         ██░░░░ 0.31 ✗

↑↓ offers · o browser · ? help · q leave`,
    );
  });

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

  it("without a keyboard it names the command that decides", () => {
    const lines = frame(pause(), { ...options, keys: false }, format(80)).join("\n");
    expect(lines).toContain("Decide in a terminal: towow-mcp confirm neg_1");
    expect(lines).not.toContain("c decide");
  });

  it.for([
    ["withdrawn", "it is withdrawn at"],
    ["broadcast", "the backend broadcasts it"],
    ["unguarded", "The program that asked is gone"],
  ] as const)("undecided means %s", ([undecided, sentence]) => {
    const shown = view(negotiation({ state: "formulated" }), { decideBy: NOON + 1_000, undecided });
    expect(frame(shown, options, format(200)).join("\n")).toContain(sentence);
  });

  it("an outage is told with its beginning, and the last picture stays", () => {
    const outage = { since: NOON - 5_000, answers: false };
    const lines = frame(view(negotiation({ participants: offers }), {}, { outage }), options, format(80)).join("\n");
    expect(lines).toContain("The backend has not been reachable since 11:59:55; trying again.");
    expect(lines).toContain("Priya Raman");
  });
});

/** What a feed says of a negotiation that compared nobody. */
const HEARD = {
  formulation: { degraded: false, reason: "", rawHash: "", formulatedHash: "" },
  centerCalls: [{ tool_name: "output_plan", round_number: 1 }],
};

it.each([
  ["nobody resonated", { compared: true as const }, /nobody resonated/, /ask for one thing instead/],
  ["nobody could be compared", HEARD, /nobody could be compared/, /Rewording does not help/],
  ["nobody else is there", { ...HEARD, othersInScene: 0 }, /nobody else is in the scene/, /ask in another scene/],
] as const)("%s: its own sentence and its own advice", (_, evidence, sentence, advice) => {
  const alone = negotiation({ state: "completed", plan_output: "## Plan", center_rounds: 1 });
  const shown = view(alone, { decision: accepted }, { evidence: { ...NO_EVIDENCE, ...evidence } });
  const text = ending(shown, NOON, format(200)).join(" ");
  expect(text).toMatch(sentence);
  expect(text).toMatch(advice);
});

describe("the end has a sentence of its own", () => {
  const plan = "## Plan\n\n### Team\n- Priya: **design**";
  const over = (fields = {}) => negotiation({ state: "completed", ...fields });
  it.for([
    [
      "plan",
      over({ plan_output: plan, participants: offers, center_rounds: 1 }),
      { decision: accepted },
      /The plan is ready: 1 of 3 agents made an offer/,
    ],
    ["nobody, and why is not known", over({ plan_output: plan }), { decision: accepted }, /no agent took part/],
    ["plan missing", over({ participants: offers }), { decision: accepted }, /ended without a plan/],
    ["rejected", over(), { decision: { ...accepted, kind: "reject" as const } }, /The text was rejected/],
    ["cancelled", over(), { decision: { ...accepted, kind: "cancel" as const } }, /You cancelled this negotiation/],
    [
      "withdrawn",
      over(),
      { decision: { ...accepted, kind: "withdraw" as const, by: "guard" as const } },
      /Nobody decided in time/,
    ],
    ["never decided", over({ plan_output: plan, participants: offers }), {}, /went on without your decision/],
  ] as const)("%s", ([, snapshot, facts, sentence]) => {
    expect(
      ending(view(snapshot, facts as object), NOON, format(80))
        .join("\n")
        .replace(/\n/g, " "),
    ).toMatch(sentence);
  });

  it("with the whole of every offer, and the plan without its markup", () => {
    const lines = ending(
      view(over({ plan_output: plan, participants: offers }), { decision: accepted }),
      NOON,
      format(80),
    );
    const from = lines.indexOf("── The plan ".padEnd(80, "─"));
    expect(lines.slice(from - 1, from + 3)).toEqual(["", "── The plan ".padEnd(80, "─"), "Team", "  - Priya: design"]);
  });
});

describe("a wide terminal", () => {
  it("two columns: the agents beside the offer that was chosen, else the first that is there", () => {
    const shown = view(negotiation({ participants: offers }), { decision: accepted, outcome: "confirmed" });
    const lines = (selected?: number) => frame(shown, { ...options, selected }, format(100));
    expect(lines().some((line) => /^▸ Priya Raman █+░* 0\.83 ✓ +Priya Raman$/.test(line))).toBe(true);
    expect(lines().join("\n")).toContain("I build clickable prototypes before anybody commits.");
    expect(lines(2).some((line) => line.startsWith("▸ Tom"))).toBe(true);
    expect(lines(2).join("\n")).toContain("It left without an offer.");
    expect(lines(1).join("\n")).toContain("No offer yet.");
    const silent = offers.map((one) => ({ ...one, state: "active", offer_content: null }));
    const early = view(negotiation({ participants: silent }), { decision: accepted, outcome: "confirmed" });
    expect(frame(early, options, format(100)).find((line) => line.startsWith("▸"))).toMatch(/^▸ Priya Raman/);
    // With room for it a standing is a word.
    expect(frame(early, options, format(120)).find((line) => line.startsWith("▸"))).toMatch(/ 0\.83 waiting /);
  });

  it("prose is no wider than can be read, at any width: sentences, the text, the plan", () => {
    const words = "a pilot of six weeks in two clinics, in plain words; ".repeat(12);
    const over = negotiation({ state: "completed", demand_raw: words, demand_formulated: words, plan_output: words });
    const waiting = pause({ demand_raw: words, demand_formulated: `${words}Remote is fine.` });
    for (const width of [120, 200]) {
      const lines = [
        ...ending(view(over, { decision: accepted }), NOON, format(width)).slice(2),
        ...frame(waiting, options, format(width)).slice(2),
        ...sheetLines(sheetOf(words, `${words}Remote is fine.`), format(width)),
      ];
      for (const line of lines) expect(stringWidth(line), line).toBeLessThanOrEqual(88);
    }
  });

  it("at the end the plan stands beside the agents", () => {
    const over = negotiation({ state: "completed", participants: offers, plan_output: "## Plan\n\n- Priya: design" });
    const lines = ending(view(over, { decision: accepted }), NOON, format(120));
    expect(lines.find((line) => line.includes("Priya Raman"))).toContain("── The plan ─");
  });
});

it("? shows what the keys do, in the place of everything else", () => {
  const lines = frame(pause(), { ...options, help: true }, format(80)).join("\n");
  expect(lines).toMatch(/↑ ↓ {2}choose an agent/);
  expect(lines).toContain("4:32 left");
});

describe("an ending that is no success does not look like one, and each has a next step", () => {
  const over = (fields: object) => negotiation({ state: "completed", ...fields });
  const left = [agent({ state: "exited" })];
  const answered = [agent({ state: "replied", offer_content: "x" }), ...left];
  it.each([
    ["a plan", over({ plan_output: "x", participants: offers }), {}, /✓ Plan/, /towow-mcp report neg_1/],
    ["nobody resonated", over({ plan_output: "x" }), {}, /✗ Resonance.*○ Plan/, /in another\s+scene/],
    ["all left", over({ plan_output: "x", participants: left }), {}, /✗ Offers.*○ Plan/, /fewer\s+conditions/],
    ["no plan", over({ participants: answered }), {}, /✓ Offers.*✗ Plan/, /submit\s+it\s+again/],
    ["no plan, and one never answered", over({ participants: offers }), {}, /✗ Offers.*○ Plan/, /submit\s+it\s+again/],
    ["taken back", over({}), { kind: "reject" as const }, /✗/, /towow-mcp open/],
  ])("%s", (_, snapshot, decision, steps, next) => {
    const lines = ending(view(snapshot, { decision: { ...accepted, ...decision } }), NOON, format(80)).join("\n");
    expect(lines).toMatch(steps);
    expect(lines).toMatch(next);
  });
});

it("a text of one's own takes the place of the backend's old one, where this program has it", () => {
  const edited = { ...accepted, kind: "edit" as const, text_hash: "My own text." };
  const snapshot = negotiation({ state: "formulated" });
  const here = frame(view(snapshot, { decision: edited }, { ownText: "My own text." }), options, format(80)).join("\n");
  expect(here).toContain("My own text.");
  expect(here).not.toContain("hospital queues");
  const elsewhere = frame(view(snapshot, { decision: edited }), options, format(80)).join("\n");
  expect(elsewhere).toContain("A text of your own was confirmed.");
  expect(elsewhere).not.toContain("hospital queues");
});

it("how long each step took, as far as it is known", () => {
  const first = timesAfter(undefined, negotiation({ state: "encoding" }), NOON - 9_000);
  const times = timesAfter(first, negotiation({ state: "offering", participants: offers }), NOON - 5_000);
  const shown = view(negotiation({ participants: offers }), { decision: accepted, outcome: "confirmed" }, { times });
  expect(frame(shown, options, format(120)).join("\n")).toContain("✓ Resonance 0:55   ● Offers 0:05");
  expect(frame(shown, options, format(120)).join("\n")).toContain("after 1:55");
  expect(frame(shown, options, format(74))[3]).toBe(
    "✓ Submit   ✓ Write up   ✓ Decide   ✓ Resonance   ● Offers 0:05   ○ Plan",
  );
});
