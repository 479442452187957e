import { toIsoSeconds } from "../../home/iso-time.ts";
import { negotiationUri } from "../../safety/resource-uris.ts";
import type { Contents, Reading } from "./reading.ts";

/** What waits for a second look by the person (seed 003 §5). They answer it themselves; how is said by the sentence about it. */
export async function readReviews({ deps, settings }: Reading): Promise<Contents> {
  const pending = await deps.account().negotiations.reviews.pending();
  const reviews = pending.map(({ negotiation_id, at, codes }) => ({
    negotiation_id,
    since: toIsoSeconds(at),
    codes,
    uri: negotiationUri(negotiation_id),
  }));
  const text = JSON.stringify({ reviews, about: deps.textsOf(settings.lang).note.review_pending }, null, 1);
  return { text, holdsOthersText: false };
}
