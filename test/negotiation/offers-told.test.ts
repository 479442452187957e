import { expect, it } from "vitest";
import { type Negotiation, negotiationSchema } from "../../src/backend/contract.ts";
import { summarise } from "../../src/negotiation/describe.ts";
import { factsOf } from "../../src/negotiation/facts.ts";
import { says } from "../../src/negotiation/says.ts";
import { reduce } from "../../src/negotiation/stage.ts";
import { textsOf } from "../../src/text/index.ts";

/** Who is still waited for, who left and who made an offer is counted, in every state that tells of it. */

const read = (state: string, agents: readonly string[], more: object = {}) =>
  negotiationSchema.parse({
    negotiation_id: "neg_1",
    state,
    demand_raw: "A nurse",
    demand_formulated: "A nurse, at nights",
    participants: agents.map((agent, i) => ({ agent_id: `agent_${i}`, resonance_score: 0.8, state: agent })),
    ...more,
  });
const saidOf = (negotiation: Negotiation) => says({ negotiation, stage: reduce(factsOf(new Map()), negotiation) });
const PLAN = { plan_output: "A plan", center_rounds: 1 };

it.each<[string, string, string[], string, string]>([
  [
    "all but one left",
    "offering",
    ["replied", "exited", "exited"],
    "1 of 3 agents made an offer, 2 left.",
    "1/3 个 Agent 已提交 Offer，2 个退出。",
  ],
  [
    "one is still waited for",
    "offering",
    ["replied", "exited", "active"],
    "1 of 3 agents made an offer, 1 left; waiting for the rest.",
    "1/3 个 Agent 已提交 Offer，1 个退出，等待剩余。",
  ],
  [
    "the contract's own sentence",
    "offering",
    ["replied", "active"],
    "1 of 2 agents made an offer; waiting for the rest.",
    "1/2 个 Agent 已提交 Offer，等待剩余。",
  ],
  [
    "the Center does not wait",
    "synthesizing",
    ["replied", "active", "active"],
    "1 of 3 offers are in; the Center is synthesising the plan…",
    "已收到 1/3 个 Offer，Center 正在综合方案…",
  ],
  [
    "nobody has answered yet",
    "synthesizing",
    ["active", "active"],
    "0 of 2 offers are in; the Center is synthesising the plan…",
    "已收到 0/2 个 Offer，Center 正在综合方案…",
  ],
  [
    "everybody left",
    "synthesizing",
    ["exited", "exited"],
    "Nobody made an offer: all 2 agents left. The Center is synthesising a plan without them…",
    "没有收到任何 Offer：2 个 Agent 全部退出。Center 仍在综合方案…",
  ],
  [
    "all are in",
    "synthesizing",
    ["replied", "replied"],
    "All offers are in; the Center is synthesising the plan…",
    "所有 Offer 已收集，Center 正在综合方案…",
  ],
  [
    "a plan of all",
    "completed",
    ["replied", "replied"],
    "The plan is ready: 2 agents, 1 Center round.",
    "方案已生成：2 个 Agent 参与，Center 协调了 1 轮。",
  ],
  [
    "a plan without those who left",
    "completed",
    ["replied", "exited"],
    "The plan is ready: 1 of 2 agents made an offer, 1 Center round.",
    "方案已生成：2 个 Agent 中有 1 个提交了 Offer，Center 协调了 1 轮。",
  ],
  [
    "a word for their state that this version does not know",
    "completed",
    ["declined", "timeout"],
    "There is a plan, but it holds no offers: none of the 2 agents made one.",
    "有方案，但其中没有任何 Offer：2 个 Agent 都没有提交。",
  ],
])("%s", (_, state, agents, en, zh) => {
  const negotiation = read(state, agents, state === "completed" ? PLAN : {});
  const said = saidOf(negotiation);
  expect(summarise(said, textsOf("en"))).toBe(en);
  expect(summarise(said, textsOf("zh"))).toBe(zh);
});

it.each([
  ["0 for everybody: the backend could not compare", [0, 0], true],
  ["left out: it says nothing of that", [undefined, null], false],
  ["one left out", [0, undefined], false],
])("scores, %s", (_, scores, isDegraded) => {
  const participants = scores.map((resonance_score, i) => ({
    agent_id: `agent_${i}`,
    resonance_score,
    state: "active",
  }));
  const negotiation = read("offering", [], { participants });
  expect(saidOf(negotiation).warnings.includes("degraded_resonance")).toBe(isDegraded);
});
