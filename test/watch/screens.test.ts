import { describe, it } from "vitest";
import type { Negotiation } from "../../src/backend/contract.ts";
import { type FeedEvidence, NO_EVIDENCE } from "../../src/feed/evidence.ts";
import { type Decided, type Facts, NO_FACTS, type Outcome } from "../../src/negotiation/facts.ts";
import { jsonDisplay } from "../../src/watch/json.ts";
import { changes } from "../../src/watch/live.ts";
import { ending, type FrameOptions, frame } from "../../src/watch/render.ts";
import { sheetLines, sheetOf } from "../../src/watch/sheet.ts";
import { timesAfter } from "../../src/watch/times.ts";
import type { Times, View, ViewInput } from "../../src/watch/view.ts";
import { sha256 } from "../support/facts.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { expectScreens, LANGS, type Lang, type Screens } from "../support/screens.ts";
import { accepted, agent, format, guardOf, negotiation, view } from "./views.ts";

/** Every screen of `towow-mcp watch`. All times, counts and names differ, so that one in another's place is seen. */

const at = (time: string): number => Date.parse(`2026-11-21T${time}Z`);
const SUBMITTED = at("11:40:03");
const FORMULATED = at("11:40:24"); // 0:21
const DECIDED = at("11:42:31"); // 2:07
const OFFERING = at("11:43:12"); // 0:41
const SYNTHESIZING = at("11:46:25"); // 3:13
const OVER = at("11:47:27"); // 1:02, and 7:24 in all
const DEADLINE = at("11:45:02");

const DEMAND = {
  en: {
    raw: "A designer for a hospital pilot",
    text: "A product designer who knows hospital queues, remote, within two months.",
  },
  zh: {
    raw: "找一位懂医院排队的产品设计师一起做试点项目",
    text: "寻找一位熟悉门诊排队流程的产品设计师，可远程，两个月内启动。",
  },
};
const OFFER = {
  en: "I build clickable prototypes before anybody commits. Ten days this month.",
  zh: "我会先做出可点击的原型，再请大家决定。这个月有十天。",
};
const OWN = { en: "A nurse who knows queues, on site.", zh: "一位熟悉排队的护士，需到场。" };
const PLAN = {
  en: "## Plan\n\n### Team\n- Priya: **design**\n\n### Steps\n1. Visit the clinic.",
  zh: "## 方案\n\n### 团队\n- Priya：**设计**\n\n### 步骤\n1. 先去门诊看一看。",
};

const people = (lang: Lang) => ({
  priya: agent({ state: "replied", offer_content: OFFER[lang] }),
  chen: agent({ agent_id: "agent_2", display_name: "陈若溪", resonance_score: 0.5 }),
  tom: agent({ agent_id: "agent_3", display_name: "Tom", resonance_score: 0.31, state: "exited" }),
  ada: agent({ agent_id: "agent_4", display_name: "Ada", resonance_score: 0.62, state: "replied", offer_content: "" }),
});

/** A person's decision, and what it came to. */
const decided = (
  kind: Decided["kind"],
  by: Decided["by"],
  text: string,
  outcome?: Outcome["kind"],
  more: Partial<Outcome> = {},
) => ({
  decided: [{ ...accepted, kind, by, at: DECIDED, text_hash: sha256(text) }],
  ...(outcome !== undefined && { outcomes: new Map([[1, { at: DECIDED + 900, kind: outcome, ...more }]]) }),
});
const yes = (lang: Lang) => decided("accept", "page", DEMAND[lang].text, "confirmed");

interface Given {
  snapshot?: Partial<Negotiation>;
  facts?: Partial<Facts>;
  undecided?: "withdrawn" | "broadcast" | "unguarded";
  decideBy?: number | "unknown";
  input?: Partial<ViewInput>;
}

function viewIn(lang: Lang, { snapshot, facts, undecided = "withdrawn", decideBy = DEADLINE, input }: Given): View {
  const demand = { demand_raw: DEMAND[lang].raw, demand_formulated: DEMAND[lang].text };
  const known: Facts = {
    ...NO_FACTS,
    submitted: {
      at: SUBMITTED,
      user_id: "user",
      deadline_at: DEADLINE,
      on_unconfirmed: "cancel",
      owner: { instance: "other", pid: 1 },
    },
    formulated: { at: FORMULATED } as NonNullable<Facts["formulated"]>,
    ...facts,
  };
  const local = {
    facts: known,
    guard: guardOf(undecided, decideBy === "unknown" ? undefined : decideBy),
    reviewed: new Set<never>(),
  };
  return view(snapshot && negotiation({ ...demand, ...snapshot }), {}, { local, ...input });
}

/** Seen from the yes on. */
function timesUntil(lang: Lang, ...seen: (readonly [state: string, now: number])[]): Times {
  const { priya, chen } = people(lang);
  const participants = (state: string) =>
    state === "encoding" ? [] : [chen, ...(state === "offering" ? [] : [priya])];
  const at = (state: string) => negotiation({ state, participants: participants(state) });
  return seen.reduce<Times>(
    (times, [state, now]) => timesAfter(times, at(state), now),
    timesAfter(undefined, at("encoding"), DECIDED + 1_000),
  );
}

const live = (
  lang: Lang,
): Record<string, [Given, { now?: string; width?: number; options?: Partial<FrameOptions> }?]> => {
  const { priya, chen, tom, ada } = people(lang);
  const YES = yes(lang);
  const TEXT = DEMAND[lang].text;
  const three = [priya, chen, tom];
  const text = { state: "formulated" };
  const offering: Given = {
    snapshot: { participants: three },
    facts: YES,
    input: { times: timesUntil(lang, ["offering", OFFERING], ["synthesizing", at("11:44:40")]) },
  };
  const own = decided("edit", "form", OWN[lang]);
  const silent = [{ ...priya, state: "active", offer_content: null }, chen];
  return {
    "looking for it": [{}],
    "it is sent": [{ snapshot: { state: "created", demand_formulated: null }, facts: { ...NO_FACTS } }],
    "it is being written up": [{ snapshot: { state: "formulating", demand_formulated: null } }, { now: "11:40:11" }],
    "it waits for a decision": [{ snapshot: text }, { now: "11:40:30" }],
    "it waits, in a narrow terminal": [{ snapshot: text }, { now: "11:40:30", width: 40 }],
    "it waits, without a keyboard": [{ snapshot: text }, { now: "11:40:30", options: { keys: false } }],
    "it waits, the last seconds": [{ snapshot: text }, { now: "11:44:53" }],
    "it waits, the time is over": [{ snapshot: text }, { now: "11:45:03" }],
    "undecided it is broadcast": [{ snapshot: text, undecided: "broadcast" }, { now: "11:41:00" }],
    "undecided and nobody watches": [{ snapshot: text, undecided: "unguarded" }, { now: "11:41:00" }],
    "it waits, submitted elsewhere": [
      { snapshot: text, decideBy: "unknown", facts: { submitted: undefined, formulated: undefined } as never },
      { now: "11:41:00" },
    ],
    "it waits, a text as it was submitted": [
      { snapshot: { ...text, demand_formulated: DEMAND[lang].raw } },
      { now: "11:41:00" },
    ],
    "it waits, a long text": [
      { snapshot: { ...text, demand_formulated: `${DEMAND[lang].text} `.repeat(40) } },
      { now: "11:41:00", width: 60 },
    ],
    "it waits, what was said at this terminal": [
      { snapshot: text },
      {
        now: "11:41:00",
        options: { notice: lang === "zh" ? "（上一次决定的结果）" : "(what the last decision led to)" },
      },
    ],
    "what the keys do": [{ snapshot: text }, { now: "11:41:00", options: { help: true } }],
    "a yes is on its way": [{ snapshot: text, facts: decided("accept", "terminal", TEXT) }, { now: "11:42:33" }],
    "an own text is on its way, typed here": [
      { snapshot: text, facts: own, input: { ownText: OWN[lang] } },
      { now: "11:42:33" },
    ],
    "an own text is on its way, typed elsewhere": [{ snapshot: text, facts: own }, { now: "11:42:33" }],
    "a no is on its way": [{ snapshot: text, facts: decided("reject", "page", TEXT) }, { now: "11:42:33" }],
    "it is confirmed and not moving yet": [{ snapshot: text, facts: YES }, { now: "11:42:36" }],
    "it looks for people": [{ snapshot: { state: "encoding" }, facts: YES }, { now: "11:42:52" }],
    "two resonate, nobody has answered": [{ snapshot: { participants: silent }, facts: YES }, { now: "11:43:30" }],
    "two resonate, nobody has answered, 120 columns": [
      { snapshot: { participants: silent }, facts: YES },
      { now: "11:43:30", width: 120 },
    ],
    offers: [offering, { now: "11:45:21" }],
    "offers, 120 columns": [offering, { now: "11:45:21", width: 120 }],
    "offers, 120 columns, the second chosen": [offering, { now: "11:45:21", width: 120, options: { selected: 1 } }],
    "offers, 120 columns, the third chosen": [offering, { now: "11:45:21", width: 120, options: { selected: 2 } }],
    "offers, 40 columns": [offering, { now: "11:45:21", width: 40 }],
    "offers, 14 rows": [
      {
        ...offering,
        snapshot: {
          participants: [
            ...three,
            ada,
            ...[5, 6, 7, 8].map((n) =>
              agent({ agent_id: `agent_${n}`, display_name: `Agent ${n}`, resonance_score: n / 100 }),
            ),
          ],
        },
      },
      { now: "11:45:21", options: { rows: 14 } },
    ],
    "offers, the day after": [offering, { now: "11:42:00", options: { now: at("11:42:00") + 86_400_000 } }],
    "the last offers are waited for": [
      { ...offering, snapshot: { state: "barrier_waiting", participants: three } },
      { now: "11:45:58" },
    ],
    "the plan is being made": [
      {
        ...offering,
        snapshot: { state: "synthesizing", participants: three },
        input: { times: timesUntil(lang, ["offering", OFFERING], ["synthesizing", SYNTHESIZING]) },
      },
      { now: "11:47:00", width: 120 },
    ],
    "the plan is being made, all left": [
      { snapshot: { state: "synthesizing", participants: [tom] }, facts: YES },
      { now: "11:47:00" },
    ],
    "the plan is being made, nobody resonated": [
      { snapshot: { state: "synthesizing" }, facts: YES },
      { now: "11:47:00" },
    ],
    "a state that this version does not know": [
      { snapshot: { state: "pondering", participants: three }, facts: YES },
      { now: "11:47:00" },
    ],
    "the backend is away": [
      { ...offering, input: { ...offering.input, outage: { since: at("11:45:09"), answers: false } } },
      { now: "11:45:21" },
    ],
    "the backend answers nonsense": [
      { ...offering, input: { ...offering.input, outage: { since: at("11:45:09"), answers: true } } },
      { now: "11:45:21" },
    ],
    "it went on without a decision": [{ snapshot: { participants: three } }, { now: "11:45:21" }],
  };
};

const over = (lang: Lang): Record<string, Given> => {
  const { priya, chen, tom, ada } = people(lang);
  const YES = yes(lang);
  const TEXT = DEMAND[lang].text;
  const done = { state: "completed", plan_output: PLAN[lang], center_rounds: 2 };
  const times = timesUntil(lang, ["offering", OFFERING], ["synthesizing", SYNTHESIZING], ["completed", OVER]);
  const heard = (evidence: Partial<FeedEvidence>) => ({ times, evidence: { ...NO_EVIDENCE, ...evidence } });
  const notCompared = {
    formulation: { degraded: false, reason: "", rawHash: "", formulatedHash: "" },
    centerCalls: [{ tool_name: "output_plan", round_number: 1 }],
  };
  const no = (kind: Decided["kind"], by: Decided["by"]) => ({
    snapshot: { state: "completed" },
    facts: decided(kind, by, TEXT, "cancelled", { participants: 0, in_time: true }),
  });
  const input = { times };
  return {
    "a plan": { snapshot: { ...done, participants: [priya, chen, tom, ada] }, facts: YES, input },
    "a plan, everybody answered": { snapshot: { ...done, participants: [priya] }, facts: YES, input },
    "a plan for an own text": {
      snapshot: { ...done, demand_formulated: OWN[lang], participants: [priya, tom] },
      facts: decided("edit", "form", OWN[lang], "confirmed"),
      input,
    },
    "a plan after another text went out": {
      snapshot: { ...done, demand_formulated: OWN[lang], participants: [priya] },
      facts: YES,
      input,
    },
    "a plan that nobody here decided on": { snapshot: { ...done, participants: [priya, tom] }, input },
    "a plan, by a yes through the AI": {
      snapshot: { ...done, participants: [priya] },
      facts: decided("accept", "argument", TEXT, "confirmed"),
      input,
    },
    "nobody resonated": { snapshot: done, facts: YES, input: heard({ compared: true }) },
    "nobody could be compared": { snapshot: done, facts: YES, input: heard(notCompared) },
    "nobody else is in the scene": { snapshot: done, facts: YES, input: heard({ ...notCompared, othersInScene: 0 }) },
    "nobody took part, and why is not known": { snapshot: done, facts: YES, input },
    "all left": { snapshot: { ...done, participants: [tom] }, facts: YES, input },
    "no offer came": { snapshot: { ...done, participants: [chen, tom] }, facts: YES, input },
    "the plan is empty": { snapshot: { ...done, plan_output: "", participants: [priya] }, facts: YES, input },
    "no plan": { snapshot: { ...done, plan_output: null, participants: [priya, tom] }, facts: YES, input },
    "no plan, and one never answered": {
      snapshot: { ...done, plan_output: null, participants: [priya, chen, tom] },
      facts: YES,
      input,
    },
    "no plan, and nobody here decided": { snapshot: { state: "completed", participants: [chen] }, input },
    "withdrawn by the person, on the page": no("reject", "page"),
    "cancelled in the terminal": no("cancel", "terminal"),
    "withdrawn, nobody decided in time": no("withdraw", "guard"),
    "withdrawn at the program's end": no("withdraw", "shutdown"),
    "cancelled after the broadcast": {
      snapshot: { state: "completed", participants: [priya, chen] },
      facts: {
        decided: [...YES.decided, { ...accepted, kind: "cancel", by: "page", at: at("11:44:01") }],
        outcomes: new Map([...YES.outcomes!, [2, { at: at("11:44:02"), kind: "cancelled", participants: 2 }]]),
      },
    },
    "a no that came too late": {
      snapshot: { ...done, participants: [priya] },
      facts: decided("reject", "form", TEXT),
      input,
    },
    "the backend does not know it any more": { snapshot: undefined as never, facts: YES, input: { isGone: true } },
  };
};

describe.each(LANGS)("every screen of watch: %s", (lang) => {
  it("while it goes on", async () => {
    const screens: Screens = Object.fromEntries(
      Object.entries(live(lang)).map(([name, [given, { now = "11:40:05", width = 80, options } = {}]]) => {
        const lines = frame(
          viewIn(lang, given),
          { rows: 24, keys: true, now: at(now), ...options },
          format(width, lang),
        );
        return [name, lines.join("\n")];
      }),
    );
    await expectScreens("live", lang, screens);
  });

  it("what stays on the screen at the end", async () => {
    const all = Object.entries(over(lang));
    const shown = (given: Given, width: number) =>
      ending(viewIn(lang, given), at("11:47:31"), format(width, lang)).join("\n");
    const screens = Object.fromEntries(all.map(([name, given]) => [name, shown(given, 80)]));
    const wide = { "a plan, 120 columns": shown(all[0]![1], 120), "a plan, 40 columns": shown(all[0]![1], 40) };
    await expectScreens("ending", lang, { ...screens, ...wide });
  });

  it("line by line, and as JSON", async () => {
    const { priya, chen, tom } = people(lang);
    const [YES, TEXT] = [yes(lang), DEMAND[lang].text];
    const outage = { since: at("11:45:09"), answers: false };
    const steps: [string, Given][] = [
      ["11:40:04", {}],
      ["11:40:05", { snapshot: { state: "formulating", demand_formulated: null } }],
      ["11:40:30", { snapshot: { state: "formulated" } }],
      ["11:42:33", { snapshot: { state: "formulated" }, facts: decided("accept", "terminal", TEXT) }],
      ["11:42:40", { snapshot: { state: "encoding" }, facts: YES }],
      [
        "11:43:12",
        { snapshot: { participants: [{ ...priya, state: "active", offer_content: null }, chen] }, facts: YES },
      ],
      ["11:44:40", { snapshot: { participants: [priya, chen, { ...tom, state: "active" }] }, facts: YES }],
      [
        "11:45:11",
        { snapshot: { participants: [priya, chen, { ...tom, state: "active" }] }, facts: YES, input: { outage } },
      ],
      ["11:45:50", { snapshot: { participants: [priya, chen, tom] }, facts: YES }],
      ["11:46:25", { snapshot: { state: "synthesizing", participants: [priya, chen, tom] }, facts: YES }],
      [
        "11:47:27",
        {
          snapshot: { state: "completed", participants: [priya, chen, tom], plan_output: PLAN[lang], center_rounds: 2 },
          facts: YES,
        },
      ],
    ];
    let before: View | undefined;
    const told = steps.map(([time, given]) => {
      const now = viewIn(lang, given);
      const lines = changes(before, now, { now: at(time), words: true }, format(80, lang));
      before = now;
      return lines;
    });
    const piped = changes(
      undefined,
      viewIn(lang, steps[2]![1]),
      { now: at("11:40:30"), words: false },
      format(80, lang),
    );
    const clock = new ManualClock(at("11:46:00"));
    const written: object[] = [];
    const json = jsonDisplay({ write: (value) => written.push(value), clock, texts: format(80, lang).all });
    for (const [, given] of [steps[2]!, steps[8]!, steps[10]!]) json.show(viewIn(lang, given));
    await expectScreens("lines", lang, {
      "each change as it comes": told.flat().join("\n"),
      "from the middle, without a keyboard": piped.join("\n"),
      "as JSON": written.map((value) => JSON.stringify(value, null, 2)).join("\n"),
    });
  });

  it("the sheet that is decided on", async () => {
    const sheets = {
      en: {
        "the network added, and a number stands in it": [
          "I need a product designer for two weeks, call +49 30 1234567",
          "I need a product designer for two weeks, about ten hours a week, call +49 30 1234567. Remote is fine.",
        ],
        "the network added nothing": ["Two weeks of design.", "Two weeks of design."],
        "the network left words out": ["No equity, and never remote.", "Equity, and remote."],
        "the person's own version": [
          "A designer for two weeks.",
          "A designer for two weeks, about ten hours a week.",
          "A designer for three weeks, about ten hours a week.",
        ],
      },
      zh: {
        "the network added, and a number stands in it": [
          "我需要一位产品设计师，两周，电话 13800138000",
          "我需要一位产品设计师，两周，每周约十小时，电话 13800138000。可远程。",
        ],
        "the network added nothing": ["两周的设计工作。", "两周的设计工作。"],
        "the network left words out": ["不给股权，也绝不远程。", "给股权，可以远程。"],
        "the person's own version": [
          "一位设计师，两周。",
          "一位设计师，两周，每周约十小时。",
          "一位设计师，三周，每周约十小时。",
        ],
      },
    }[lang] as unknown as Record<string, [string, string, string?]>;
    const long = "word ".repeat(5_000);
    const printed = Object.entries(sheets).map(([name, texts]) => [
      name,
      sheetLines(sheetOf(...texts), format(60, lang), true).join("\n"),
    ]);
    const tooLong = sheetLines(sheetOf("word", long), format(60, lang), true).slice(0, 6).join("\n");
    const [same = ["", ""]] = Object.values(sheets).filter(([submitted, text]) => submitted === text);
    await expectScreens("sheet", lang, {
      ...Object.fromEntries(printed),
      "the network added nothing, and nobody knows whether it goes out": sheetLines(
        sheetOf(...same),
        format(60, lang),
        false,
      ).join("\n"),
      "too long to compare, its beginning": tooLong,
    });
  });
});
