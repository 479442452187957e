import { stopwatch } from "../../clock.ts";
import { TowowError } from "../../errors.ts";
import { HomeUnwritable } from "../../home/errors.ts";
import { failureOf } from "../../log.ts";
import type { DecidedBy } from "../../question/who.ts";
import { hasMovedOn } from "../backend-states.ts";
import { type Facts, factName } from "../facts.ts";
import type { Journal } from "../journal.ts";
import { marginMs, TIMES, withinMargin } from "../plan.ts";
import type { Decision } from "../stage.ts";
import type { StepContext } from "./context.ts";

/**
 * Writes that nobody decided in time. While the store does not answer, or the home cannot be read, it is unknown
 * whether somebody has, so it is asked again until a third of the margin is left. Then only the backend decides.
 */
export async function withdrawUndecided(supervisor: StepContext, by: DecidedBy): Promise<void> {
  const { journal, deps } = supervisor;
  const { clock, owner, log } = deps;
  const elapsedMs = stopwatch(clock);
  const number = journal.facts.decided.length + 1;
  const fact = { at: clock.now(), kind: "withdraw", by, owner };
  try {
    if (await isForgotten(supervisor)) return;
    if (!supervisor.isMine) return;
    if (!["formulating", "asking", "confirming"].includes(supervisor.stage.name)) return; // Another program knows more.
    const { created, current } = await journal.claim(factName.decided(number), fact, "open");
    if (!created && !isWrittenHere(current, supervisor)) await journal.refresh();
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    log.warn("withdrawal_unwritten", { negotiation_id: journal.key.id, error: failureOf(error) });
    // On a full disk nobody else can decide either.
    const facts = error instanceof HomeUnwritable ? await readable(journal) : undefined;
    if (facts !== undefined) {
      if (facts.decided.length >= number) return;
    } else {
      const retryMs = withinMargin(deps.policy(), TIMES.cancelRetryMs);
      // If the store is slow to fail, one more try would use up the time left for the backend.
      const leftAfterRetryMs = (supervisor.leftMs() ?? 0) - retryMs - elapsedMs();
      const isLast = by === "shutdown" || leftAfterRetryMs <= marginMs(deps.policy()) / 3;
      if (!isLast) return supervisor.sleep(retryMs);
      if (hasMovedOn((await supervisor.read()).state)) return;
    }
    // It counts at once, since the cancel does not wait for a store.
    void journal.note(factName.decided(number), fact, "open");
  }
}

/**
 * Returns the facts of a home that cannot be written, or undefined where they cannot be read either, as if the store
 * were away.
 */
const readable = (journal: Journal): Promise<Facts | undefined> =>
  journal.refresh().catch((error) => {
    if (error instanceof HomeUnwritable) return undefined;
    throw error;
  });

/** A store that came back empty may have lost somebody's yes as well, so only the backend decides. */
async function isForgotten(supervisor: StepContext): Promise<boolean> {
  const entries = await supervisor.deps.facts.read(supervisor.key);
  supervisor.journal.learn(entries);
  return !entries.has(factName.submitted) && hasMovedOn((await supervisor.read()).state);
}

/** The answer to an earlier try may have been lost. */
function isWrittenHere(current: unknown, { deps }: StepContext): boolean {
  const { kind, owner } = (current ?? {}) as Partial<Decision>;
  return kind === "withdraw" && owner?.instance === deps.owner.instance;
}
