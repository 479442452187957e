import { deadlineIn } from "../ask/ask-person.ts";
import type { Negotiation } from "../backend/contract.ts";
import type { FeedEvidence } from "../feed/evidence.ts";
import { risksOf, summarise } from "../negotiation/describe.ts";
import type { Facts } from "../negotiation/facts.ts";
import { kindOf } from "../negotiation/outline.ts";
import type { Guard } from "../negotiation/plan.ts";
import { type Says, says } from "../negotiation/says.ts";
import type { Negotiations } from "../negotiation/service.ts";
import { reduce } from "../negotiation/stage.ts";
import type { Sanitized, SanitizeOptions } from "../safety/sanitize/options.ts";
import type { Texts } from "../text/index.ts";
import { joinSentences } from "../text/join.ts";
import { historyOf } from "../view/course.ts";
import { fateOf } from "../view/fate.ts";
import { type Dossier, sharedDossierOf } from "./dossier.ts";

/** Everything from which the report of one negotiation is built. */
export interface Sources {
  negotiation: Negotiation;
  /** The events that this user's programs have written down about the negotiation. */
  facts: Facts;
  /** What the backend's live events said, as far as the backend's answer agrees with them. */
  evidence: FeedEvidence;
  /** The id of the person's own agent. */
  ownId: string | undefined;
  /** The time of the backend's answer, in ms since the epoch. */
  observedAt: number;
  texts: Texts;
  /**
   * True if the backend answered that it does not know the negotiation. The report then shows only what is written
   * down.
   */
  isGone?: boolean;
  lowScore: number;
  /** Whether a running program guards the deadline, and what happens if nobody decides. */
  guard?: Guard;
  /** Formats a time, given in ms since the epoch, for the reader. */
  timeOf: (atMs: number) => string;
}

/** Reads what this person's programs know about one negotiation, and combines that with the values in `reader`. */
export async function sourcesOf(
  negotiation: Negotiation,
  negotiations: Pick<Negotiations, "facts" | "evidence" | "guard">,
  reader: Pick<Sources, "ownId" | "observedAt" | "texts" | "lowScore" | "isGone" | "timeOf">,
): Promise<Sources> {
  const id = negotiation.negotiation_id;
  const facts = await negotiations.facts(id);
  const guard = await negotiations.guard(id, reduce(facts, negotiation));
  const evidence = negotiations.evidence(negotiation);
  return { negotiation, facts, evidence, guard, ...reader };
}

/**
 * Builds a negotiation's dossier, the cleaned form from which comparison, graph, brief and report are made. Other
 * work can run while the texts are cleaned.
 */
export async function collect(sources: Sources, options: SanitizeOptions): Promise<Sanitized<Dossier>> {
  const { negotiation, facts, evidence, ownId, observedAt, texts, isGone = false, lowScore } = sources;
  const isGuarded = sources.guard?.isGuarded === true;
  const said = says({
    negotiation,
    stage: reduce(facts, isGone ? undefined : negotiation),
    evidence,
    isGone,
    isGuarded,
  });
  const input = {
    negotiation,
    summary: joinSentences([summarise(said, texts), silenceOf(said, sources)]),
    sceneId: facts.submitted?.scene_id,
    isWaiting: kindOf(said) === "waiting",
    ending: said.ending,
    reach: said.reach,
    writer: said.writers.text,
    moments: historyOf(facts, said, observedAt),
    warnings: said.warnings,
    risks: risksOf({ said, evidence, lowScore }, texts),
    tasks: evidence.plan?.tasks ?? [],
    ownId,
    observedAt,
  };
  return sharedDossierOf(input, options);
}

/** Returns the sentence about what happens if nobody decides. Undefined if no deadline is known or no decision is open. */
function silenceOf(said: Says, { guard, observedAt, texts, timeOf }: Sources): string | undefined {
  return deadlineIn(guard && fateOf(said, guard), { now: () => observedAt, timeOfDay: timeOf, texts });
}
