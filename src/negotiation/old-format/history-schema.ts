import * as z from "zod";
import { DECIDERS, DECISION_KINDS } from "../facts.ts";
import { ENDINGS } from "../records.ts";
import type { NegotiationRecord, OldDecision } from "./history.ts";

/** The files of the history as they may stand on disk. Fields that this version does not know are kept. */

const text = z.string().min(1);
/** Milliseconds since the epoch, of a date that exists. */
const time = z.number().min(0).max(8.64e15);
const owner = z.looseObject({ instance: text, pid: z.number().int().positive(), started: text.exactOptional() });

const question = z.looseObject({ id: text, shown_hash: text, formulated_hash: text, created_at: time });

export const recordSchema: z.ZodType<NegotiationRecord> = z.looseObject({
  negotiation_id: text,
  origin: z.url(),
  user_id: text,
  scene_id: text.exactOptional(),
  submitted_at: time,
  deadline_at: time.exactOptional(),
  owner: owner.exactOptional(),
  confirmation: question.exactOptional(),
  earlier_questions: z.array(question).exactOptional(),
  ended: z.looseObject({ at: time, as: z.enum(ENDINGS) }).exactOptional(),
});

export const decisionSchema: z.ZodType<OldDecision> = z.looseObject({
  kind: z.enum(DECISION_KINDS),
  by: z.enum(DECIDERS),
  at: time,
  owner,
  confirmation_id: text.exactOptional(),
  text_hash: text.exactOptional(),
});
