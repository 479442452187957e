import * as z from "zod";
import { NO_INK } from "../ink.ts";
import { isPathId } from "./route.ts";

/**
 * This file describes the wire (contract sections 1 and 4). Inbound checks are lenient, because unknown fields are left out,
 * missing fields get a default, and only what a caller cannot do without (the ids and the state) is required. Outbound checks
 * are strict, because a field that the backend does not know, or a `null` that it would answer with 422, is a mistake of this
 * program.
 */

const anyJson = z.unknown().optional();

/** An id or a name as text, because some backends use numbers. */
const idText = z.union([z.string().min(1), z.number().transform(String)]);
/** An id that every later call names, so that it must fit into a path and an argument. */
const callableId = idText.refine(isPathId, "no id");
const text = z.union([z.string(), z.number().transform(String)]).nullish();

const readNumber = (value: unknown): number =>
  typeof value === "number" || (typeof value === "string" && value.trim() !== "") ? Number(value) : Number.NaN;

/** A number, which may come as text. Anything else counts as 0. */
const number = anyJson.transform((value): number => {
  const read = readNumber(value);
  return Number.isFinite(read) ? read : 0;
});

/** Any JSON as text that a person can read. Strings stay as they are, and the rest becomes JSON. */
const readableText = anyJson.transform((value, context): string | null => {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value);
  } catch {
    // No negotiation engine answers with JSON that is nested deeper than the stack.
    context.addIssue({ code: "custom", message: "nested too deeply" });
    return z.NEVER;
  }
});
const readableTexts = z.array(readableText).transform((items) => items.filter((item) => item !== null));

/**
 * The most characters of a demand, which is shown whole to the person who decides about it. A demand that a person types has at
 * most 20,000.
 */
const MAX_DEMAND_LENGTH = 50_000;
/**
 * Matches characters that nobody sees. A text that a person decides on shows them written out (`\u{202E}`), which takes more
 * characters.
 */
const UNSEEN = new RegExp(`[\\p{Cf}\\p{Cs}\\p{DI}\\p{Zl}\\p{Zp}${NO_INK}]`, "gu");
const WRITTEN_OUT = 8;
const isReadable = (text: string | null): boolean => (text?.length ?? 0) <= MAX_DEMAND_LENGTH;
const isShowable = (text: string | null): boolean =>
  text === null ||
  (isReadable(text) && text.length + (text.match(UNSEEN)?.length ?? 0) * WRITTEN_OUT <= MAX_DEMAND_LENGTH);

/**
 * Returns a state as one word. An unknown state is passed on, so that a newer backend does not break an older program.
 */
const oneWord = (value: string): string => {
  const word = value.trim().toLowerCase();
  return /^[a-z][a-z0-9_-]{0,23}$/.test(word) ? word : "unknown";
};
const state = z.string().transform(oneWord);

/** The most sub-sessions of an answer, which are counted before any of them is read. */
const MAX_SUB_SESSIONS = 1_000;

const listOf = <T extends z.ZodType>(item: T, most = Number.POSITIVE_INFINITY) =>
  z
    .array(z.unknown())
    .max(most)
    .pipe(z.array(item))
    .nullish()
    .transform((items) => items ?? []);

const capabilities = z.union([z.string().transform((one) => [one]), readableTexts, anyJson.transform(() => null)]);

export const participantSchema = z
  .object({
    agent_id: text,
    display_name: text,
    /** A score, which may lie outside 0–1. */
    resonance_score: anyJson.transform(readNumber),
    state: text,
    offer_content: anyJson,
    offer_capabilities: capabilities,
  })
  .transform((wire) => ({
    agent_id: wire.agent_id ?? "",
    display_name: wire.display_name ?? wire.agent_id ?? "",
    ...(Number.isFinite(wire.resonance_score)
      ? { resonance_score: wire.resonance_score }
      : { resonance_score: 0, hasNoScore: true as const }),
    state: wire.state ? oneWord(wire.state) : "",
    /** The offer as any JSON, or `null` until the agent has replied. */
    offer_content: wire.offer_content ?? null,
    offer_capabilities: wire.offer_capabilities,
  }));

export const negotiationSchema = z.object({
  negotiation_id: callableId,
  state,
  demand_raw: readableText.refine(isReadable, "too long").transform((value) => value ?? ""),
  demand_formulated: readableText.refine(isShowable, "too long"),
  participants: listOf(participantSchema),
  plan_output: readableText,
  center_rounds: number,
  depth: number,
  parent_negotiation_id: text.transform((value) => value ?? null),
  sub_session_ids: listOf(idText, MAX_SUB_SESSIONS),
});

const sceneFields = {
  scene_id: idText,
  name: text.transform((value) => value ?? ""),
  description: text.transform((value) => value ?? ""),
  status: state.nullish().transform((value) => value ?? ""),
  expected_responders: number,
  access_policy: text.transform((value) => value ?? ""),
};

export const sceneSchema = z.object({
  ...sceneFields,
  scene_id: callableId,
  organizer_id: text.transform((value) => value ?? ""),
  agent_ids: listOf(idText),
});

export const sceneSummarySchema = z.object({ ...sceneFields, agent_count: number });
/** A list of scenes. A missing list is a wrong shape and not an empty network. */
export const sceneListSchema = z.object({ scenes: z.array(sceneSummarySchema) }).transform((wire) => wire.scenes);

export const agentSummarySchema = z
  .object({ agent_id: idText, display_name: text, source: text })
  .transform((wire) => ({
    agent_id: wire.agent_id,
    display_name: wire.display_name ?? wire.agent_id,
    source: wire.source ?? "",
  }));
export const agentListSchema = z.object({
  scene_id: text.transform((value) => value ?? ""),
  agents: z.array(agentSummarySchema),
});

export const registrationSchema = z
  .object({ agent_id: idText, display_name: text, scene_id: text })
  .transform((wire) => ({
    agent_id: wire.agent_id,
    display_name: wire.display_name ?? "",
    scene_id: wire.scene_id ?? "",
  }));

export const tokenGrantSchema = z.object({
  user_id: callableId,
  /** The token, in characters that a header can carry. */
  api_token: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  /** The token's end in ISO 8601, or `null` if the backend names none. */
  expires_at: text.transform((value) => value ?? null),
});

export type Participant = z.output<typeof participantSchema>;
export type Negotiation = z.output<typeof negotiationSchema>;
export type Scene = z.output<typeof sceneSchema>;
export type SceneSummary = z.output<typeof sceneSummarySchema>;
export type AgentSummary = z.output<typeof agentSummarySchema>;
export type Registration = z.output<typeof registrationSchema>;
export type TokenGrant = z.output<typeof tokenGrantSchema>;

export const createSceneInput = z.strictObject({
  name: z.string(),
  description: z.string(),
  organizer_id: z.string(),
  expected_responders: z.int(),
  access_policy: z.string(),
});
export const registerAgentInput = z.strictObject({
  agent_id: z.string().min(1),
  display_name: z.string(),
  source_type: z.string(),
  profile_data: z.record(z.string(), z.unknown()),
});
export const submitDemandInput = z.strictObject({
  scene_id: z.string().min(1),
  user_id: z.string().min(1),
  intent: z.string(),
  k_star: z.int().exactOptional(),
  min_score: z.number().exactOptional(),
});
export const confirmInput = z.strictObject({ confirmed_text: z.string().exactOptional() });
export const actionInput = z.strictObject({
  action: z.string(),
  payload: z.record(z.string(), z.unknown()).exactOptional(),
});
export const tokenInput = z.strictObject({ user_id: z.string(), device_info: z.string().exactOptional() });

const INPUTS = [createSceneInput, registerAgentInput, submitDemandInput, confirmInput, actionInput, tokenInput];
/** The names of all fields that are ever sent. */
export const SENT_FIELDS: ReadonlySet<string> = new Set(INPUTS.flatMap(({ shape }) => Object.keys(shape)));

export type CreateSceneInput = z.input<typeof createSceneInput>;
export type RegisterAgentInput = z.input<typeof registerAgentInput>;
export type SubmitDemandInput = z.input<typeof submitDemandInput>;
export type ConfirmInput = z.input<typeof confirmInput>;
export type ActionInput = z.input<typeof actionInput>;
export type TokenInput = z.input<typeof tokenInput>;
