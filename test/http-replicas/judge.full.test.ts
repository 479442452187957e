import { expect, it } from "vitest";
import { judge, type Span } from "../../checks/machines/replicas/judge.ts";
import type { Need, Person } from "../../checks/machines/replicas/person.ts";
import type { MockBackend, NegotiationView } from "../../mock-backend/main.ts";

/** Whether the judge of `machines.ts replicas` sees what it is there for, and nothing else. */

const ID = "neg_1";
const DEADLINE = 60_000;

const NEED: Need = {
  intent: "A designer",
  plan: "none",
  startAt: 0,
  answered: false,
  ids: new Map([[ID, [1_000]]]),
  told: new Set(),
  submitUnknown: false,
  gaveUp: false,
  calledAt: [],
  broke: [],
};

const NEGOTIATION = {
  negotiation_id: ID,
  demand_raw: "A designer",
  demand_formulated: "Wanted: A designer",
  state: "completed",
  participants: [],
  center_rounds: 0,
  cancelled: false,
  confirmCount: 0,
  confirmDeadline: DEADLINE,
  times: { completed: DEADLINE - 15_000 },
};

interface Case {
  need?: Partial<Need>;
  negotiation?: Partial<NegotiationView>;
  /** Of the same words, made before it. */
  earlier?: Partial<NegotiationView>;
  disturbances?: Span[];
}

/** What the judge finds about one need and its negotiation, in a run that begins at the epoch. */
function violations({ need, negotiation, earlier, disturbances = [] }: Case): string[] {
  const person = { userId: "ada", foreignMarks: new Set(), needs: [{ ...NEED, ...need }] };
  const made = [{ ...NEGOTIATION, ...negotiation }];
  if (earlier !== undefined) made.unshift({ ...NEGOTIATION, negotiation_id: "neg_0", ...earlier });
  const mock = { negotiations: () => made, journal: [] };
  const outcome = judge([person as unknown as Person], mock as unknown as MockBackend, { disturbances, startedAt: 0 });
  return outcome.violations.map((violation) => violation.split(":")[0] ?? "");
}

/** Behind every deadline. */
const LOOK = { id: ID, state: "completed", summary: "", from: 80_000, at: 80_000 };
const saying = (...warnings: string[]) => ({ final: { ...LOOK, warnings } });
const GONE_ON = { confirmedBy: "timeout", times: { encoding: DEADLINE, completed: DEADLINE + 5_000 } } as const;
const AWAY = [{ from: 30_000, to: 50_000 }];
const LATE = "said withdrawn_late, and it is not so";
const UNWATCHED = "broadcast without a decision, though its watcher is there";

it.each<[string, string[], Span[], number[]]>([
  ["answered before, and nothing was away", [UNWATCHED], [], [1_000]],
  ["answered between what was away and the deadline", [UNWATCHED], AWAY, [1_000, 55_000]],
  ["the same, and once more behind the deadline", [UNWATCHED], AWAY, [1_000, 55_000, 70_000]],
  ["answered before something was away", [], AWAY, [1_000]],
  ["answered before something was away, and behind the deadline", [], AWAY, [1_000, 70_000]],
  ["answered behind the deadline alone", [], [], [70_000]],
])("broadcast by the backend itself, %s", (_, expected, disturbances, answers) => {
  const need = { ids: new Map([[ID, answers]]), ...saying("auto_confirmed") };
  expect(violations({ need, negotiation: GONE_ON, disturbances })).toEqual(expected);
});

it.each<[string, string[], Partial<NegotiationView>, string[]]>([
  ["broadcast, and said so", [], {}, ["auto_confirmed"]],
  ["broadcast, and nothing said", ["broadcast in silence"], {}, []],
  ["broadcast, and called a late withdrawal", [LATE, "broadcast in silence"], {}, ["withdrawn_late"]],
  ["stopped before anybody was asked, and said so", [], { cancelled: true }, ["withdrawn_late"]],
  ["stopped before anybody was asked, and nothing said", ["broadcast in silence"], { cancelled: true }, []],
  ["stopped in the Center", ["broadcast in silence"], { cancelled: true, center_rounds: 1 }, ["withdrawn_late"]],
])("gone on at the deadline: %s", (_, expected, negotiation, warnings) => {
  const found = violations({
    need: saying(...warnings),
    negotiation: { ...GONE_ON, ...negotiation },
    disturbances: [{ from: 30_000, to: 50_000 }],
  });
  expect(found).toEqual(expected);
});

it.each<[string, string[], string[]]>([
  ["and nothing more", [], []],
  ["called late", ["said withdrawn late, and it was in time"], ["withdrawn_late"]],
  ["called broadcast", ["said auto_confirmed, and it is not so"], ["auto_confirmed"]],
  ["still called under way", ["still said to be under way, long after its deadline"], ["decision_pending"]],
])("withdrawn in time: %s", (_, expected, warnings) => {
  expect(violations({ need: saying(...warnings), negotiation: { cancelled: true } })).toEqual(expected);
});

it("told confirmed, and it was withdrawn", () => {
  const need: Partial<Need> = { plan: "edit", answered: true, told: new Set(["confirmed"]) };
  expect(violations({ need, negotiation: { cancelled: true } })).toEqual(["told confirmed, and it is not"]);
});

const TWICE = "created twice for one call";
const STOPPED = { cancelled: true, times: { created: 0, completed: 4_000 } };
it.each<[string, string[], Partial<NegotiationView>]>([
  ["stopped before, and nobody was asked", [], STOPPED],
  ["stopped after the second was made", [TWICE], { ...STOPPED, times: { created: 0, completed: 6_000 } }],
  ["confirmed before it was stopped", [TWICE], { ...STOPPED, confirmCount: 1 }],
  ["gone on by itself before it was stopped", [TWICE], { ...STOPPED, confirmedBy: "timeout" }],
  ["not stopped", [TWICE, "left open in formulated"], { state: "formulated", times: { created: 0 } }],
])("made twice, the first %s", (_, expected, earlier) => {
  const negotiation = { cancelled: true, times: { created: 5_000, completed: DEADLINE - 15_000 } };
  expect(violations({ negotiation, earlier, disturbances: [{ from: 0, to: DEADLINE }] })).toEqual(expected);
});
