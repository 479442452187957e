import type { Negotiation } from "../backend/contract.ts";
import type { FeedEvidence } from "../feed/evidence.ts";
import { summarise } from "../negotiation/describe.ts";
import type { Facts } from "../negotiation/facts.ts";
import { risksOf } from "../negotiation/risks/describe-risks.ts";
import { type Says, says } from "../negotiation/says.ts";
import type { Negotiations } from "../negotiation/service.ts";
import { reduce } from "../negotiation/stage.ts";
import type { Sanitized, SanitizeOptions } from "../safety/sanitize/options.ts";
import type { Texts } from "../text/index.ts";
import { type Dossier, type DossierInput, sharedDossierOf } from "./dossier.ts";
import { momentsOf } from "./moments.ts";

/** What one negotiation is read from. */
export interface Sources {
  negotiation: Negotiation;
  /** What this user's programs wrote down. */
  facts: Facts;
  /** What the backend's feed said, as far as it agrees with the backend's answer. */
  evidence: FeedEvidence;
  /** The person's own agent. */
  ownId?: string | undefined;
  /** When the backend showed it, in ms since the epoch. */
  observedAt: number;
  texts: Texts;
  /** The backend says that it does not know it: nothing is shown but what is written. */
  isGone?: boolean;
  /** By which texts are compared. */
  hash: (text: string) => string;
  lowScore: number;
}

/** What one negotiation is read from, as its person's programs know it. `observedAt`: when the backend showed it. */
export async function sourcesOf(
  negotiation: Negotiation,
  negotiations: Pick<Negotiations, "facts" | "evidence" | "hash">,
  reader: Pick<Sources, "ownId" | "observedAt" | "texts" | "lowScore" | "isGone">,
): Promise<Sources> {
  const facts = await negotiations.facts(negotiation.negotiation_id);
  return { negotiation, facts, evidence: negotiations.evidence(negotiation), hash: negotiations.hash, ...reader };
}

/** Whose words the text is that is shown as the formulated one. */
function textBy({ broadcast, stage: { yes, lostEdits } }: Says): DossierInput["textBy"] {
  if (broadcast === "others" || broadcast === "replaced") return "others";
  const isEdit = yes === undefined ? lostEdits.length > 0 : yes.text_hash !== yes.formulated_hash;
  return broadcast === "person" && isEdit ? "person" : "network";
}

/** A negotiation as comparison, graph, brief and report work with it; others have their turn while it is cleaned. */
export async function collect(sources: Sources, options: SanitizeOptions): Promise<Sanitized<Dossier>> {
  const { negotiation, facts, evidence, ownId, observedAt, texts, isGone = false, hash, lowScore } = sources;
  const said = says({ negotiation, stage: reduce(facts, isGone ? undefined : negotiation), hash, evidence, isGone });
  const input = {
    negotiation,
    summary: summarise(said, texts),
    sceneId: facts.submitted?.scene_id,
    ending: said.ending,
    reach: said.reach,
    textBy: textBy(said),
    moments: momentsOf(facts, said, observedAt),
    warnings: said.warnings,
    risks: risksOf({ said, evidence, lowScore }, texts),
    tasks: evidence.plan?.tasks ?? [],
    ownId,
    observedAt,
  };
  return sharedDossierOf(input, options);
}
