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

/** The sources from which one negotiation is read. */
export interface Sources {
  negotiation: Negotiation;
  /** What this user's programs wrote down. */
  facts: Facts;
  /** What the backend's feed said, as far as it agrees with the backend's answer. */
  evidence: FeedEvidence;
  /** The id of the person's own agent. */
  ownId: string | undefined;
  /** When the backend showed the negotiation, in ms since the epoch. */
  observedAt: number;
  texts: Texts;
  /** True if the backend says that it does not know the negotiation. Only what is written down is shown then. */
  isGone?: boolean;
  /** Hashes a text. Texts are compared by their hashes. */
  hash: (text: string) => string;
  lowScore: number;
  /** Who answers for the negotiation, and what its silence comes to. Undefined if nobody has asked. */
  guard?: Guard;
  /** Formats a moment for the reader, in ms since the epoch. */
  timeOf: (atMs: number) => string;
}

/** Collects the sources of one negotiation, as its person's programs know them. `observedAt` is when the backend showed it. */
export async function sourcesOf(
  negotiation: Negotiation,
  negotiations: Pick<Negotiations, "facts" | "evidence" | "hash" | "guard">,
  reader: Pick<Sources, "ownId" | "observedAt" | "texts" | "lowScore" | "isGone" | "timeOf">,
): Promise<Sources> {
  const id = negotiation.negotiation_id;
  const facts = await negotiations.facts(id);
  const guard = await negotiations.guard(id, reduce(facts, negotiation));
  const evidence = negotiations.evidence(negotiation);
  return { negotiation, facts, evidence, hash: negotiations.hash, guard, ...reader };
}

/**
 * Builds the dossier of a negotiation, with which comparison, graph, brief and report work. Other work gets its turn
 * during the cleaning.
 */
export async function collect(sources: Sources, options: SanitizeOptions): Promise<Sanitized<Dossier>> {
  const { negotiation, facts, evidence, ownId, observedAt, texts, isGone = false, hash, lowScore } = sources;
  const isWatched = sources.guard?.isWatched === true;
  const said = says({
    negotiation,
    stage: reduce(facts, isGone ? undefined : negotiation),
    hash,
    evidence,
    isGone,
    isWatched,
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

/** Says what becomes of the demand if nobody decides. Undefined if no decision is open. */
function silenceOf(said: Says, { guard, observedAt, texts, timeOf }: Sources): string | undefined {
  return deadlineIn(guard && fateOf(said, guard), { now: () => observedAt, timeOfDay: timeOf, texts });
}
