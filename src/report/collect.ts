import { deadlineIn } from "../ask/ask-person.ts";
import type { Negotiation } from "../backend/contract.ts";
import type { FeedEvidence } from "../feed/evidence.ts";
import { summarise } from "../negotiation/describe.ts";
import type { Facts } from "../negotiation/facts.ts";
import type { Guard } from "../negotiation/guard.ts";
import { kindOf } from "../negotiation/outline.ts";
import { risksOf } from "../negotiation/risks/describe-risks.ts";
import { decisionWord, type Says, says } from "../negotiation/says.ts";
import type { Negotiations } from "../negotiation/service.ts";
import { reduce } from "../negotiation/stage.ts";
import type { Sanitized, SanitizeOptions } from "../safety/sanitize/options.ts";
import type { Texts } from "../text/index.ts";
import { joinSentences } from "../text/join.ts";
import { fateOf } from "../view/fate.ts";
import { type Dossier, type Moment, sharedDossierOf } from "./dossier.ts";

/** What one negotiation is read from. */
export interface Sources {
  negotiation: Negotiation;
  /** What this user's programs wrote down. */
  facts: Facts;
  /** What the backend's feed said, as far as it agrees with the backend's answer. */
  evidence: FeedEvidence;
  /** The person's own agent. */
  ownId: string | undefined;
  /** When the backend showed it, in ms since the epoch. */
  observedAt: number;
  texts: Texts;
  /** The backend says that it does not know it: nothing is shown but what is written. */
  isGone?: boolean;
  /** By which texts are compared. */
  hash: (text: string) => string;
  lowScore: number;
  /** Who answers for it; undefined where nobody has asked. */
  guard?: Guard;
  /** A moment as its reader reads it. */
  timeOf: (atMs: number) => string;
}

/** What one negotiation is read from, as its person's programs know it. `observedAt`: when the backend showed it. */
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

/** A negotiation as comparison, graph, brief and report work with it; others have their turn while it is cleaned. */
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
    moments: momentsOf(facts, said, observedAt),
    warnings: said.warnings,
    risks: risksOf({ said, evidence, lowScore }, texts),
    tasks: evidence.plan?.tasks ?? [],
    ownId,
    observedAt,
  };
  return sharedDossierOf(input, options);
}

/** What becomes of it if nobody decides; undefined where that is not the question. */
function silenceOf(said: Says, { guard, observedAt, texts, timeOf }: Sources): string | undefined {
  return deadlineIn(guard && fateOf(said, guard), { now: () => observedAt, timeOfDay: timeOf, texts });
}

/**
 * What happened to a negotiation, as far as it is written down, in its order. A decision that was taken back is left out;
 * one of the person's that came too late is not.
 */
function momentsOf(
  { submitted, asked, decided, undone, out, outcomes }: Facts,
  said: Says,
  observedAt: number,
): Moment[] {
  const moments: Moment[] = [];
  if (submitted !== undefined) moments.push({ at: submitted.at, what: "submitted" });
  const first = asked[0];
  if (first !== undefined) moments.push({ at: first.at, what: "asked" });
  for (const [index, fact] of decided.entries()) {
    const why = undone.get(index + 1)?.why;
    const isLate = why === "too_late" || isBelied(index + 1, said);
    if (fact === undefined || (why !== undefined && why !== "too_late") || (isLate && fact.kind === "withdraw"))
      continue;
    moments.push({ at: fact.at, what: fact.kind, by: fact.by, ...(isLate && { isLate: true }) });
  }
  const moved = [...outcomes.values()].find(({ kind }) => kind === "moved" || kind === "confirmed")?.at;
  const seenOut = out?.at ?? moved ?? (said.broadcast && observedAt);
  // What was stopped before anybody was asked went to nobody.
  if (seenOut !== undefined && said.reach !== "nobody_asked") moments.push({ at: seenOut, what: "moved" });
  for (const { at, kind } of outcomes.values())
    if (kind === "ended" || kind === "cancelled") moments.push({ at, what: "ended" });
  return moments.sort((a, b) => a.at - b.at);
}

/** Whether what was seen shows that a decision that stands had no effect. */
function isBelied(number: number, { stage, told, broadcast }: Says): boolean {
  const isOvertaken = broadcast === "backend" || broadcast === "others";
  if (stage.yes?.number === number) return isOvertaken;
  if (stage.decision?.number !== number) return false;
  const word = decisionWord(stage.decision);
  return told.as !== word && told.as !== `${word}_pending`;
}
