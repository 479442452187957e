import { reviewReasons } from "../../negotiation/risks/describe-risks.ts";
import { ALONE } from "../../negotiation/says.ts";
import { reviewTexts } from "../../text/reviews.ts";
import type { RoomDemand } from "../room-state.ts";
import type { Section } from "../ui-spec-schema.ts";
import { button, type Drawing } from "./drawing.ts";

/** What of an end waits for the person's second look, and why (seed 003 §5); nothing where nothing waits. */
export function reviewSections(drawing: Drawing, demand: RoomDemand): Section<"review">[] {
  const { negotiation, said, review, id: demandId } = demand;
  if (negotiation === undefined || review === undefined) return [];
  // That nobody takes part is there to see; no verdict is needed on it.
  if (review.codes.every((code) => ALONE.some((one) => one === code))) return [];
  const say = reviewTexts(drawing.texts.lang);
  const codes = review.codes.join();
  const answer = (verdict: "fine" | "concern") =>
    button(drawing, "review", say[verdict], { params: { demandId, codes, verdict }, id: verdict });
  return [
    {
      kind: "review",
      id: "review",
      heading: say.heading,
      reasons: reviewReasons(review.codes, review.found, { ...said, negotiation }, drawing.texts),
      actions: [answer("fine"), answer("concern")],
    },
  ];
}
