import type { BackendClient } from "../backend/client.ts";
import type { Negotiation } from "../backend/contract.ts";
import { UnknownNegotiation } from "../backend/errors.ts";
import { TowowError } from "../errors.ts";
import { showInvisible } from "../safety/invisible.ts";
import { sanitizeLine } from "../safety/sanitize/foreign.ts";
import type { SanitizeOptions } from "../safety/sanitize/options.ts";
import { formulatedText } from "./backend-states.ts";
import type { Guard } from "./plan.ts";
import type { Listed } from "./records.ts";
import type { Says } from "./says.ts";
import type { Negotiations } from "./service.ts";

/** One negotiation as every list shows it, made from the facts and, if the backend answered, from what it showed. */
export interface Outline {
  id: string;
  sceneId: string | undefined;
  /** When the demand was submitted, in ms since the epoch. */
  submittedAt: number;
  said: Says;
  guard: Guard;
  kind: OutlineKind;
  /** What is asked for, on one line. The field is undefined if the backend has not shown the demand. */
  demand: string | undefined;
  /** Why the backend has shown nothing. An id that the backend does not know is no failure. */
  failure: TowowError | undefined;
}

/**
 * How lists group negotiations. `waiting`: the text of the person's own demand waits for the person's decision. `open`: the
 * negotiation goes on. `plan`: the negotiation is over with a plan, and agents took part, even if none of them made an
 * offer. `over`: the negotiation ended in any other way. `unknown`: the backend did not show the negotiation.
 */
export type OutlineKind = "waiting" | "open" | "plan" | "over" | "unknown";

export interface OutlineDeps {
  negotiations: Negotiations;
  backend: () => Promise<BackendClient>;
  /** How text that others wrote is sanitized, because a model may read the list. */
  options: SanitizeOptions;
}

/** The longest that one read may take, in milliseconds, so that a slow backend does not hold up a list. */
const READ_TIMEOUT_MS = 4_000;
const READS_AT_ONCE = 8;

/**
 * Reads the negotiations from the backend in their order, a few at a time. The reads neither adopt a negotiation nor
 * write anything down.
 */
export async function* outlinesOf(records: readonly Listed[], deps: OutlineDeps): AsyncGenerator<Outline[]> {
  for (let from = 0; from < records.length; from += READS_AT_ONCE) {
    const some = records.slice(from, from + READS_AT_ONCE);
    yield await Promise.all(some.map(async (record) => outlineOf(record, await latest(record, deps), deps)));
  }
}

/** What the backend showed, or the reason why it showed nothing. */
interface LatestRead {
  snapshot?: Negotiation | undefined;
  failure?: TowowError;
  isGone?: boolean;
}

export async function outlineOf(
  record: Listed,
  { snapshot, failure, isGone = false }: LatestRead,
  { negotiations, options }: Pick<OutlineDeps, "negotiations" | "options">,
): Promise<Outline> {
  const stage = await negotiations.stage(record.negotiation_id, snapshot);
  const guard = await negotiations.guard(record.negotiation_id, stage);
  const said = negotiations.says(stage, snapshot, { isGone, isGuarded: guard.isGuarded });
  return {
    id: record.negotiation_id,
    sceneId: record.scene_id,
    submittedAt: record.submitted_at,
    said,
    guard,
    kind: kindOf(said),
    demand: snapshot && demandLine({ ...said, negotiation: snapshot }, options),
    failure,
  };
}

async function latest({ negotiation_id: id }: Listed, { negotiations, backend }: OutlineDeps): Promise<LatestRead> {
  const finished = negotiations.finished(id);
  if (finished !== undefined) return { snapshot: finished };
  try {
    return { snapshot: await (await backend()).getNegotiation(id, { timeoutMs: READ_TIMEOUT_MS }) };
  } catch (error) {
    if (error instanceof UnknownNegotiation) return { isGone: true };
    if (!(error instanceof TowowError)) throw error;
    return { failure: error };
  }
}

export function kindOf({ negotiation, stage, ending }: Says): OutlineKind {
  if (ending === "plan" || ((ending === "all_left" || ending === "no_offers") && negotiation !== undefined))
    return "plan";
  if (ending !== undefined) return "over";
  if (stage.name === "asking" && stage.isOwn) return "waiting";
  return negotiation === undefined ? "unknown" : "open";
}

/**
 * Returns, on one line, the words by which a person knows a demand. These are the words that they submitted, or the
 * text of their own that went out instead.
 */
export function titleOf({ negotiation, broadcast, decision }: Titled): string {
  const isReplaced = broadcast === "person" && decision?.kind === "edit";
  return oneLine(isReplaced ? formulatedText(negotiation) : negotiation.demand_raw || formulatedText(negotiation));
}
type Titled = Pick<Says<Negotiation>, "negotiation" | "broadcast" | "decision">;

/** Returns the title of the demand. A text that others wrote is cut to the length of a name. */
const demandLine = (said: Says<Negotiation>, options: SanitizeOptions): string =>
  said.stage.isOwn ? titleOf(said) : sanitizeLine(titleOf(said), options).value;

const oneLine = (text: string): string => showInvisible(text.toWellFormed()).replace(/\s+/g, " ").trim();
