import type { Negotiation } from "../backend/contract.ts";
import { remembering } from "../remember.ts";

/** What a store may change of a text that it keeps: its normal form, its spaces and line ends, what nobody sees in it. */
const NOT_COMPARED = /[\s\p{C}\p{DI}\uFFFD]+/gu;
/** The same for one that escapes or replaces signs: all but the letters and digits. */
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

/** Whether an answer is about this demand, as far as it says: one that leaves the demand out says nothing. */
export const isSameDemand = (intent: string, { demand_raw }: Pick<Negotiation, "demand_raw">): boolean =>
  comparable(demand_raw) === "" || comparable(demand_raw) === comparable(intent);
