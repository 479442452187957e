import type { Negotiation } from "../../backend/contract.ts";
import { EngineNotWaiting, NotFormulated, OutcomeUnknown } from "../../backend/errors.ts";
import { ignoreTowowError, TowowError } from "../../errors.ts";
import { isBlank } from "../../safety/invisible.ts";
import { formulatedText, hasMovedOn, phaseOf } from "../backend-states.ts";
import { confirmBody, type PendingDecision } from "../pending-decision.ts";
import type { Decision } from "../stage.ts";
import type { StepContext } from "./context.ts";
import { beginTry, mayHaveArrived, noteLoss, noteOutcome, owedUnless } from "./outcome.ts";

/**
 * Sends the yes once. A lost answer is noted, and the plan reads whether it took effect before it sends the yes again.
 */
export async function confirm(supervisor: StepContext): Promise<void> {
  const { deps, key } = supervisor;
  const { decision } = supervisor.stage;
  if (decision === undefined) return;
  const pending = beginTry(supervisor, decision);
  const text = pending.text ?? textOf(supervisor, decision);
  try {
    const client = await supervisor.backend({ requestId: pending.requestId, isCall: false });
    // After the deadline the backend may have gone on by itself, so only its current state may be answered.
    const isLate = (supervisor.leftMs() ?? 1) <= 0;
    if (isLate && !isWaiting(await supervisor.read().catch(ignoreTowowError), decision, deps.hash)) return;
    if (await supervisor.isOvertaken(decision)) return;
    const answer = await client.confirm(key.id, confirmBody(text), {
      timeoutMs: supervisor.timeoutMs("confirm"),
    });
    await noteOutcome(supervisor, { kind: "confirmed", decision, ...owedUnless(supervisor, decision) });
    deps.log.info("negotiation_confirmed", { negotiation_id: key.id, decided_by: decision.by });
    deps.nudge(key.id);
    supervisor.waiters.answer(decision.number, {
      effect: { kind: "confirmed", negotiation: answer, decision, answerLost: false },
    });
  } catch (error) {
    pending.error = error;
    if (error instanceof EngineNotWaiting) pending.last = refused(supervisor, decision, "busy");
    else if (error instanceof NotFormulated && hasMovedOn(error.params.state))
      await supervisor.read().catch(ignoreTowowError); // The text that is out shows whose word it was.
    else if (error instanceof TowowError && !(error instanceof OutcomeUnknown))
      pending.last = refused(supervisor, decision, "failed");
    else noteLoss(supervisor, pending, decision);
  }
}

/** Returns whether the backend shows the decided text, and waits for an answer to it. */
function isWaiting(
  seen: Negotiation | undefined,
  { formulated_hash }: Decision,
  hash: (text: string) => string,
): boolean {
  if (seen === undefined || phaseOf(seen.state) !== "asking") return false;
  return formulated_hash === undefined || formulated_hash === hash(formulatedText(seen));
}

/** A refusal says nothing about an earlier try whose answer was lost. */
const refused = (supervisor: StepContext, decision: Decision, how: "busy" | "failed"): PendingDecision["last"] =>
  mayHaveArrived(supervisor, decision) ? "unknown" : how;

/** Returns the backend's own text. @throws Error if nobody has agreed to that text */
function textOf({ observation: { snapshot }, deps }: StepContext, { text_hash }: Decision): string {
  const text = snapshot && formulatedText(snapshot);
  if (text === undefined || isBlank(text) || deps.hash(text) !== text_hash)
    throw new Error("nobody has agreed to this text");
  return text;
}
