import type { Negotiation, Participant } from "../../src/backend/contract.ts";
import { type FeedEvidence, NO_EVIDENCE } from "../../src/feed/evidence.ts";
import { says, type WarningCode } from "../../src/negotiation/says.ts";
import type { Stage } from "../../src/negotiation/stage.ts";
import { EMPTY_FORM, type RoomDemand, type RoomForm, type RoomState } from "../../src/room/room-state.ts";
import { type Lang, WORDS } from "./room-words.ts";

/** What the rooms of `room-states.ts` are put together from. */

export const NOW = Date.parse("2026-11-21T20:58:00Z");
export const DRAWING = {
  now: NOW,
  timeOfDay: (at: number) => new Date(at).toISOString().slice(11, 19),
  dayAndTime: (at: number) => new Date(at).toISOString().slice(0, 16).replace("T", " "),
};

const PROFILE = (lang: Lang) => {
  const { me, skills, bio } = WORDS[lang];
  return { ...EMPTY_FORM.profile, display_name: me, skills, bio };
};

/** No two offer the same. */
const offerOf = (lang: Lang, i: number): string => WORDS[lang].offer.replace("{n}", String(7 + i));
const factsOf = (lang: Lang, i: number): Record<string, string> =>
  Object.fromEntries(
    Object.entries(WORDS[lang].facts).map(([term, value]) => [term, value.replace("{n}", String(30 + i))]),
  );

const SCORES = [0.81, 0.74, 0.62, 0.57, 0.48];

export function participants(lang: Lang, count = 5): Participant[] {
  const { people, tags } = WORDS[lang];
  return Array.from({ length: count }, (_, i) => {
    const isIn = i < 2 || (i > 4 && i % 3 === 2);
    const isOut = i === 4;
    return {
      agent_id: `agent_${i}`,
      display_name: people[i] ?? `${lang === "zh" ? "成员" : "Agent"} ${i + 1}`,
      resonance_score: SCORES[i] ?? Math.round((0.44 + ((i * 37) % 41) / 100) * 100) / 100,
      state: isIn ? "replied" : isOut ? "exited" : "active",
      offer_content: isIn ? { content: offerOf(lang, i), ...factsOf(lang, i) } : null,
      offer_capabilities: isIn ? [...(tags[i] ?? [])] : null,
    };
  });
}

export function negotiation(lang: Lang, changed: Partial<Negotiation> = {}): Negotiation {
  const { raw, formulated } = WORDS[lang];
  return {
    negotiation_id: "neg_5b8cf8d6ab84",
    state: "formulated",
    demand_raw: raw,
    demand_formulated: formulated,
    participants: [],
    plan_output: null,
    center_rounds: 0,
    depth: 0,
    parent_negotiation_id: null,
    sub_session_ids: [],
    ...changed,
  };
}

type Kind = "accept" | "edit" | "reject" | "cancel" | "withdraw";

/** What a reading of facts would give, without the facts. */
export function stageAs(name: Stage["name"], kind?: Kind, reach: Stage["reach"] = "not_broadcast"): Stage {
  const decision = kind && { kind, by: "page", at: NOW - 60_000, number: 1, owner: { instance: "a", pid: 1 } };
  const isYes = kind === "accept" || kind === "edit";
  const outcome = { kind: isYes ? "confirmed" : "cancelled", at: NOW, number: 1 };
  return {
    name,
    isOwn: true,
    round: 1,
    questions: [],
    lostTexts: [],
    agreed: "never",
    reach,
    deadlineAt: NOW + 264_000,
    ...(decision && { decision }),
    ...(isYes && { standingYes: { ...decision, isKnown: name !== "confirming" } }),
    ...((name === "not_found" || name === "over") && { outcome }),
  } as unknown as Stage;
}

export function room(lang: Lang, changed: Partial<RoomState>, form: Partial<RoomForm> = {}): RoomState {
  const { scenes } = WORDS[lang];
  const entered = { scene: NOW - 180_000, profile: NOW - 168_000, demand: NOW - 68_000, decision: NOW - 48_000 };
  return {
    lang,
    host: "127.0.0.1:8080",
    place: "scene",
    entered,
    scenes: {
      state: "listed",
      items: scenes.map(([name, description], i) => ({
        id: `scene_00000000000${i}`,
        name,
        description,
        agents: 3 + i * 2,
      })),
    },
    form: {
      ...EMPTY_FORM,
      sceneId: "scene_000000000000",
      profile: PROFILE(lang),
      ...form,
    },
    messages: [],
    ...changed,
  };
}

export function demand(
  lang: Lang,
  stage: Stage,
  seen: Partial<Negotiation> = {},
  {
    warnings = [],
    known = {},
    ...more
  }: Partial<RoomDemand> & { warnings?: readonly WarningCode[]; known?: Partial<FeedEvidence> } = {},
): RoomDemand {
  const made = {
    id: "neg_5b8cf8d6ab84",
    writtenBy: "person" as const,
    sceneName: WORDS[lang].scene,
    negotiation: negotiation(lang, seen),
    stage,
    ...more,
  };
  const evidence = { ...NO_EVIDENCE, ...known };
  const said = says({ negotiation: made.negotiation, stage: made.stage, evidence });
  return { said: { ...said, warnings }, ...made };
}

export const question = (leftMs = 252_000, isLeftToBackend = false) => ({
  question: {
    ...{ id: "q", totalMs: 300_000 },
    silence: {
      of: "silence" as const,
      as: isLeftToBackend ? ("broadcast" as const) : ("withdrawn" as const),
      at: NOW + leftMs,
    },
  },
});

export const asking = (
  lang: Lang,
  more: Partial<RoomDemand> = {},
  form: Partial<RoomForm> = {},
  state: Partial<RoomState> = {},
) =>
  room(
    lang,
    {
      demand: demand(
        lang,
        stageAs("asking"),
        {},
        {
          ...question(),
          profile: { ...PROFILE(lang), bio: WORDS[lang].formulated.slice(0, lang === "zh" ? 12 : 140) },
          ...more,
        },
      ),
      ...state,
    },
    form,
  );

export const moving = (
  lang: Lang,
  seen: Partial<Negotiation>,
  state: Partial<RoomState> = {},
  form: Partial<RoomForm> = {},
) => {
  const base = room(lang, {}, form);
  return {
    ...base,
    entered: { ...base.entered, negotiating: NOW - 22_000 },
    demand: demand(lang, stageAs("moving", "accept", "broadcast"), { center_rounds: 0, ...seen }),
    ...state,
  };
};

export const over = (lang: Lang, stage: Stage, seen: Partial<Negotiation>, more: Parameters<typeof demand>[3] = {}) => {
  const base = moving(lang, {});
  return {
    ...base,
    entered: { ...base.entered, done: NOW },
    demand: demand(lang, stage, { state: "completed", ...seen }, { profile: PROFILE(lang), ...more }),
  };
};

export const agent = (lang: Lang, proposal?: string) => ({
  id: "visit_1",
  name: WORDS[lang].agent,
  isWaiting: false,
  lastCall: { toolName: "select", reason: WORDS[lang].reason },
  ...(proposal !== undefined && { proposal: { text: proposal, reason: WORDS[lang].reason } }),
});

export const replied = (lang: Lang) =>
  participants(lang, 3).map((one, i) => ({
    ...one,
    state: "replied",
    offer_content: offerOf(lang, i),
    offer_capabilities: [...(WORDS[lang].tags[i] ?? [])],
  }));

/** Three who resonated and offered nothing. */
export const without = (lang: Lang, state: string): Participant[] =>
  participants(lang, 3).map((one) => ({ ...one, state, offer_content: null, offer_capabilities: null }));

export const tasksOf = (lang: Lang) =>
  WORDS[lang].tasks.map((title, i) => ({
    id: `task_${i}`,
    title,
    description: "",
    assignee_id: i < 3 ? `agent_${i}` : "unknown",
    prerequisites: [],
  }));
