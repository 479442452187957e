import * as z from "zod";
import { isNegotiationId, isPathId, MAX_ID_LENGTH } from "../backend/route.ts";
import { type SanitizeOptions, sanitizeOptions } from "../safety/sanitize/options.ts";
import type { ToolContext } from "./define.ts";

/**
 * This file declares the inputs and outputs that several tools share. If the message of a rule is an error code,
 * `validate.ts` throws the error with that code.
 */

const MALFORMED_ID = "tool.input.invalid.id_malformed";

/** The part of the rule for ids that a client can check. The program checks the rest. */
const ID = /^[^\s/\\?#%]+$/;

const idThat = (isId: (id: string) => boolean) => (description: string) =>
  z.string().max(MAX_ID_LENGTH, MALFORMED_ID).regex(ID, MALFORMED_ID).refine(isId, MALFORMED_ID).describe(description);

/** Declares an id that becomes part of a URL's path, so that it may hold no separator, no `..` and nothing invisible. */
export const idField = idThat(isPathId);

/** Declares the id of a negotiation. The id is printed in commands, so only some characters are allowed. */
export const negotiationIdField = idThat(isNegotiationId);

export const intentField = () =>
  z
    .string()
    .max(20_000, "tool.input.invalid.intent_too_long")
    .refine((text) => text.trim() !== "", "tool.input.invalid.intent_empty")
    .describe("The need, in the person's own words");

export const confirmedTextField = (description: string) =>
  z.string().max(20_000, "tool.input.invalid.text_too_long").describe(description).optional();

const text = (max: number) => z.string().max(max, "tool.input.invalid.text_too_long");
const NOT_A_LIST = "tool.input.invalid.skills_not_a_list";
const skill = () => z.string(NOT_A_LIST).trim().min(1, NOT_A_LIST).max(200, "tool.input.invalid.text_too_long");
const list = () => z.array(text(500).trim()).max(200);

export const profileField = () =>
  z
    .strictObject({
      skills: z.array(skill(), NOT_A_LIST).max(200).describe("3–15 short texts; feeds the matching").optional(),
      bio: text(5_000).trim().describe("2–4 sentences; feeds the matching").optional(),
      /** The contract does not have this field, but today's engine also matches by it. */
      description: text(5_000).trim().optional(),
      experience: text(50_000).trim().optional(),
      interests: list().optional(),
      capabilities: list().describe("What the person can provide").optional(),
      constraints: text(5_000).trim().optional(),
    })
    .describe("Approved by the person");

export const displayNameField = () =>
  z
    .string()
    .trim()
    .min(1)
    .max(100, "tool.input.invalid.text_too_long")
    .describe("The name others see; ask the person for it");

export const profileHashField = () => z.string().max(64).describe("From the result, after a yes").optional();

const participantField = () =>
  z.object({
    agent_id: z.string(),
    display_name: z.string(),
    resonance_score: z.number(),
    state: z.string(),
    offer_content: z.unknown(),
    offer_capabilities: z.array(z.string()).nullable(),
  });

export const freshField = () => z.boolean().describe("Ask the backend, known or not").optional();

/** Declares all fields of the contract's NegotiationResponse. */
export const negotiationFields = () => ({
  negotiation_id: z.string(),
  state: z.string(),
  demand_raw: z.string(),
  demand_formulated: z.string().nullable(),
  participants: z.array(participantField()),
  plan_output: z.string().nullable(),
  center_rounds: z.number(),
  depth: z.number(),
  parent_negotiation_id: z.string().nullable(),
  sub_session_ids: z.array(z.string()),
});

/** Returns the options for cleaning what others wrote before a model reads it (agent layer §4). */
export const sanitizing = ({ settings }: Pick<ToolContext, "settings">): SanitizeOptions => sanitizeOptions(settings);
