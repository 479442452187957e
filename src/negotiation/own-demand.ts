import type { Negotiation } from "../backend/contract.ts";
import { OutcomeUnknown, WrongShape } from "../backend/errors.ts";
import { stopwatch } from "../clock.ts";
import { ignoreTowowError } from "../errors.ts";
import { failureOf } from "../log.ts";
import { factName } from "./facts.ts";
import { TIMES, withinMargin } from "./plan/times.ts";
import type { StepContext } from "./steps/context.ts";

/** What a store may change of a text that it keeps: its normal form, its spaces and line ends, what nobody sees in it. */
const NOT_COMPARED = /[\s\p{C}\p{DI}\uFFFD]+/gu;
/** The same for one that escapes or replaces signs: all but the letters and digits. */
const NO_WORD = /[^\p{L}\p{N}]+/gu;
const ENTITY = /&(?:amp;)*(?:[a-z]{2,8}|#\d{1,7}|#x[\da-f]{1,6});/gi;

/** By its words; one that has none, by all that is seen of it. */
function comparable(text: string): string {
  const words = text.replace(ENTITY, "").normalize("NFKD").replace(NO_WORD, "");
  return words === "" ? text.normalize("NFKC").replace(NOT_COMPARED, "") : words;
}

/** Whether an answer is about this demand, as far as it says: one that leaves the demand out says nothing. */
export const isSameDemand = (intent: string, { demand_raw }: Pick<Negotiation, "demand_raw">): boolean =>
  comparable(demand_raw) === "" || comparable(demand_raw) === comparable(intent);

type Hash = (text: string) => string;

/** By which what the backend shows under an id is known to be the demand that was submitted. */
export const demandHash = (intent: string, hash: Hash): string => hash(comparable(intent));

const otherAnswer = (operation: "submitDemand" | "confirm" | "action"): OutcomeUnknown =>
  new OutcomeUnknown({ operation, reason: "other_negotiation" });

/** The answer to a submit names a negotiation that holds another demand: nobody knows the id of this one. */
export const otherDemand = (): OutcomeUnknown => otherAnswer("submitDemand");

type Decided = Pick<StepContext, "journal" | "deps">;

/** Whether an answer shows another demand than the own one that it should be about. */
function isStrange({ journal, deps }: Decided, { demand_raw }: Pick<Negotiation, "demand_raw">): boolean {
  const own = journal.facts.submitted?.demand_hash;
  const shown = comparable(demand_raw);
  return own !== undefined && shown !== "" && deps.hash(shown) !== own;
}

/** One to a decision tells nothing of what became of that then. @throws OutcomeUnknown */
export function refuseOtherAnswer(about: Decided, answer: Negotiation, operation: "confirm" | "action"): void {
  if (isStrange(about, answer)) throw otherAnswer(operation);
}

/** Whether the backend has ever shown the person's own demand under this id: to this program, or before a question. */
const isProven = ({ journal, observation }: StepContext): boolean =>
  observation.hasShownDemand || journal.facts.asked.length > 0;

/**
 * Before a read is believed: what stands under the id of an own demand must be that demand. Where the first two reads show
 * another one, it is written down that the id is not ours: nothing of it is shown, decided or withdrawn from here, unless
 * a later look shows that it is.
 * @throws OutcomeUnknown for an id that is not ours, WrongShape for an answer about another demand
 */
export async function refuseOthers(seen: StepContext, answer: Negotiation): Promise<void> {
  const { journal, observation, deps } = seen;
  const { submitted, isNotOurs } = journal.facts;
  if (isNotOurs) throw otherDemand();
  if (submitted?.demand_hash === undefined) return;
  if (!isStrange(seen, answer)) {
    observation.hasShownDemand ||= comparable(answer.demand_raw) !== ""; // one that leaves it out does not say
    return;
  }
  observation.strangeReads += 1;
  if (isProven(seen) || observation.strangeReads === 1)
    throw new WrongShape({ operation: "getNegotiation", field: "demand_raw" });
  deps.log.warn("submit_named_another", { negotiation_id: journal.key.id });
  const leftMs = seen.leftMs() ?? 0;
  await journal.note(factName.notOurs, { at: deps.clock.now() }, "close");
  lookOn(seen, submitted.demand_hash, leftMs);
  throw otherDemand();
}

/** What stood in the way may have mixed the first answers up: until the deadline it is looked at again. */
function lookOn(seen: StepContext, demandHash: string, leftMs: number): void {
  const { journal, observation, deps, key } = seen;
  const elapsedMs = stopwatch(deps.clock);
  if (leftMs <= 0) return;
  const again = async () => {
    const client = await seen.backend({ isCall: false }).catch(ignoreTowowError);
    const shown = await client?.getNegotiation(key.id).catch(ignoreTowowError);
    if (shown === undefined || deps.hash(comparable(shown.demand_raw)) !== demandHash)
      return lookOn(seen, demandHash, leftMs - elapsedMs());
    deps.log.info("submit_named_own", { negotiation_id: key.id });
    observation.hasShownDemand = true;
    await journal.note(factName.oursAfterAll, { at: deps.clock.now() }, "open");
    seen.start();
  };
  deps.clock.after(withinMargin(deps.policy(), TIMES.ownerCheckMs), () => {
    again().catch((error: unknown) => {
      deps.log.warn("look_failed", { negotiation_id: key.id, error: failureOf(error) });
      lookOn(seen, demandHash, leftMs - elapsedMs());
    });
  });
}

/** Whether the only reads that have been answered show another demand: it is neither ours for certain nor another's. */
export const isDoubtful = (seen: StepContext): boolean => seen.observation.strangeReads > 0 && !isProven(seen);

/**
 * Looks at what stands under the id of an own demand which no read has shown yet, for so long at most, and once more where
 * that shows another one.
 * @throws OutcomeUnknown for an id that is not ours
 */
export async function lookFirst(supervisor: StepContext, withinMs: number, requestId?: string): Promise<void> {
  const { journal, deps } = supervisor;
  if (journal.facts.submitted?.demand_hash === undefined || isProven(supervisor)) return;
  const look = () => {
    const stop = new AbortController();
    const cancelTimer = deps.clock.after(withinMs, () => stop.abort());
    return supervisor
      .read(requestId, stop.signal)
      .catch((error: unknown) => error)
      .finally(cancelTimer);
  };
  // What it does not show in time is taken for ours. Once may be a slip on the way.
  if ((await look()) instanceof WrongShape) await look();
  if (journal.facts.isNotOurs) throw otherDemand();
}
