import type { Negotiation } from "../backend/contract.ts";
import { stopwatch } from "../clock.ts";
import { TowowError } from "../errors.ts";
import { formulatedText } from "./backend-states.ts";
import type { CoreDeps } from "./core.ts";
import { type Asked, factName } from "./facts.ts";
import { type Guard, guardOf, type Silence } from "./plan.ts";
import type { Registry } from "./registry.ts";
import { isUndecided, reduce, type Stage } from "./stage.ts";
import type { Supervisor } from "./supervisor.ts";

/** An answer that is no older than this, in milliseconds, need not be read again unless a call began since. */
export const FRESH_MS = 1_000;
const READ_TIMEOUT_MS = 3_000;

/** A question that is put to the person about a text. */
export interface OpenQuestion {
  id: string;
  negotiationId: string;
  /** What happens if the person does not decide. */
  silence: Silence;
  /** Whether the backend could not be asked about it now, so that it may have moved on. */
  unchecked?: true;
}

/** Says who answers for it now and what its silence comes to, by the deadline as this program measures it. */
export async function guardNow(supervisor: Pick<Supervisor, "deps" | "leftMs">, stage: Stage): Promise<Guard> {
  const { clock, policy, owner: self, isAlive } = supervisor.deps;
  const { owner, deadlineAt } = stage;
  // A command tries a yes for some seconds and ends; a withdrawal it stays for.
  const stays = !policy().isOneShot || stage.name !== "confirming";
  const isWatched = owner !== undefined && (owner.instance === self.instance ? stays : await isAlive(owner));
  const leftMs = supervisor.leftMs();
  const isMeasured = deadlineAt !== undefined && leftMs !== undefined;
  // The clock may have moved on since it was measured.
  const endsAt = isMeasured ? Math.min(deadlineAt, clock.now() + leftMs) : deadlineAt;
  return guardOf(stage, { isWatched, policy: policy(), endsAt });
}

/** How the negotiations are read. No answer is older than `maxAgeMs`, and no read goes on after the call's `limit`. */
interface ReadOptions {
  requestId: string | undefined;
  maxAgeMs: number;
  limit: AbortSignal | undefined;
}

/** Gives own negotiations that wait for a decision, newest first. Each has been read, as far as the backend answers. */
export async function openQuestions(
  { deps, registry }: { deps: CoreDeps; registry: Registry },
  options: ReadOptions,
): Promise<OpenQuestion[]> {
  const { facts: store, origin, clock } = deps;
  const keys = (await store.listOpen()).filter((key) => key.origin === origin);
  const found = await Promise.all(
    keys.map(async (key) => {
      const supervisor = registry.of(key);
      await supervisor.refresh();
      const { facts } = supervisor.journal;
      const written = reduce(facts);
      if ((written.deadlineAt ?? 0) <= clock.now()) return [];
      const seen = await latest(supervisor, written, options);
      const { name, questions } = reduce(facts, seen.negotiation);
      const isOpen = isUndecided({ name });
      const question: OpenQuestion = {
        id: questions.at(-1)?.question_id ?? "",
        negotiationId: key.id,
        silence: (await guardNow(supervisor, written)).silence,
        ...(!seen.isNow && { unchecked: true }),
      };
      return isOpen ? [{ at: facts.submitted?.at ?? 0, question }] : [];
    }),
  );
  return found
    .flat()
    .sort((a, b) => b.at - a.at)
    .map(({ question }) => question);
}

/** Gives what the backend showed within `maxAgeMs` (`isNow`) or, if it does not answer soon, at some time before. */
async function latest(
  supervisor: Supervisor,
  { name }: Stage,
  { requestId, maxAgeMs, limit }: ReadOptions,
): Promise<{ negotiation: Negotiation | undefined; isNow: boolean }> {
  if (name !== "formulating" && name !== "asking") return { negotiation: undefined, isNow: true };
  const { snapshot, sinceReadMs = Number.POSITIVE_INFINITY } = supervisor.observation;
  // One that is over is kept no longer, and the facts that were read may be from before its end.
  if (snapshot !== undefined && sinceReadMs <= maxAgeMs) return { negotiation: snapshot, isNow: true };
  const { deps, key } = supervisor;
  const sinceMs = stopwatch(deps.clock);
  try {
    const backend = await deps.backend(requestId);
    const seen = await backend.getNegotiation(key.id, { timeoutMs: READ_TIMEOUT_MS, ...(limit && { signal: limit }) });
    await supervisor.observe(seen, sinceMs);
    return { negotiation: seen, isNow: true };
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    return { negotiation: snapshot, isNow: false };
  }
}

/**
 * Gives the question about this text, and writes it down if it is new. The same text keeps its question.
 * @throws as `enqueue` does
 */
export async function claimQuestion(
  supervisor: Supervisor,
  negotiation: Negotiation,
  shownText: string,
  { hash, newId, clock }: Pick<CoreDeps, "hash" | "newId" | "clock">,
  limit: AbortSignal | undefined,
): Promise<Asked> {
  const shown_hash = hash(shownText);
  const formulated_hash = hash(formulatedText(negotiation));
  const asked = () =>
    supervisor.stage.questions.find((q) => q.shown_hash === shown_hash && q.formulated_hash === formulated_hash);
  const write = async (): Promise<Asked> => {
    await supervisor.refresh();
    const current = asked();
    if (current !== undefined) return current;
    const { round } = supervisor.stage;
    const fact = { at: clock.now(), question_id: newId(), round, shown_hash, formulated_hash };
    const claim = (text: string) => supervisor.journal.claim(factName.asked(round, hash(text).slice(0, 16)), fact);
    await claim(shown_hash + formulated_hash);
    // A file that cannot be read holds that name for ever: nobody can answer it, so another question is asked.
    if (asked() === undefined) await claim(fact.question_id);
    return asked() ?? fact;
  };
  return asked() ?? supervisor.enqueue(write, limit);
}
