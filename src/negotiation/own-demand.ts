import type { Negotiation } from "../backend/contract.ts";
import { remembering } from "../remember.ts";

/**
 * A store may change these in a text that it keeps, since they are spaces, line ends and characters that nobody sees.
 */
const NOT_COMPARED = /[\s\p{C}\p{DI}\uFFFD]+/gu;
/** A store that escapes or replaces signs may change everything but letters and digits. */
const NO_WORD = /[^\p{L}\p{N}]+/gu;
const ENTITY = /&(?:amp;)*(?:[a-z]{2,8}|#\d{1,7}|#x[\da-f]{1,6});/gi;

/** By its words; one that has none, by all that is seen of it. Each read asks for that of its demand twice. */
const comparable = remembering(
  (text) => {
    const words = text.replace(ENTITY, "").normalize("NFKD").replace(NO_WORD, "");
    return words === "" ? text.normalize("NFKC").replace(NOT_COMPARED, "") : words;
  },
  100,
  4_000,
);

/**
 * Whether an answer is about this demand, as far as it says so. An answer that leaves the demand out says nothing, and
 * passes.
 */
export const isSameDemand = (intent: string, { demand_raw }: Pick<Negotiation, "demand_raw">): boolean =>
  comparable(demand_raw) === "" || comparable(demand_raw) === comparable(intent);
