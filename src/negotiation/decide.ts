import type { Negotiation } from "../backend/contract.ts";
import { AlreadyCompleted, ReadTimeout } from "../backend/errors.ts";
import { Failure, ignoreTowowError } from "../errors.ts";
import { NEWER, type Newer } from "../newer.ts";
import type { Platform } from "../platform.ts";
import {
  type Answer,
  type Author,
  type Hand,
  type Surface,
  surfaceOf,
  whyNotCounted,
  writerOf,
} from "../question/who.ts";
import { rememberedSha256 } from "../sha256.ts";
import type { Warning } from "../text/warnings.ts";
import { formulatedText, isBroadcast, phaseOf } from "./backend-states.ts";
import { AlreadyDecided, alreadyDecidedBy, byConfirm, NeedsOwnHand, refuseUnsendable } from "./errors.ts";
import { type Asked, type Decided, type DecisionKind, factName, type Rendering } from "./facts.ts";
import { adopt } from "./keeper.ts";
import { type Silence, TIMES } from "./plan.ts";
import { networksWriter, says } from "./says.ts";
import { confirms, type Decision, isUndecided, mayFollow, questionOf } from "./stage.ts";
import { cancelBody, confirmBody, type DecisionInput, type Effect } from "./steps.ts";
import type { Supervisor } from "./supervisor.ts";

export interface CancelOptions {
  payload?: Record<string, unknown> | undefined;
  /** Only withdraws the demand. The cancel is refused once the demand is known to be confirmed or broadcast. */
  onlyUndecided?: true;
  /** Aborts when the call must end. */
  limit?: AbortSignal | undefined;
  /** The id of the tool call that cancels. */
  requestId?: string | undefined;
}

/**
 * A decision as it arrives from a surface, which is a form, a page, a terminal or a tool's arguments. A yes says how
 * its text was shown. For `onlyUndecided` see {@link CancelOptions}.
 */
export type DecisionRequest = {
  negotiationId: string;
  /** The id of the question that was answered. A rejection needs none. */
  confirmationId?: string | undefined;
} & (
  | { kind: "reject"; by: Surface; onlyUndecided?: true }
  | { kind: "accept"; rendering: Rendering }
  /** `candidate` is the text that the surface showed as written by the person's AI. */
  | { kind: "edit"; rendering: Rendering; text: string; candidate?: string | undefined }
);

export interface DecisionOptions {
  /**
   * Aborts at the call's limit. A decision that is not written by then is dropped, and a written one is carried out.
   */
  limit?: AbortSignal | undefined;
  /** The id of the tool call that decides. */
  requestId?: string | undefined;
}

export type DecisionResult =
  | { kind: "confirmed"; negotiation: Negotiation; decision: Decision; warnings: Warning[] }
  | { kind: "rejected"; negotiation: Negotiation; decision: Decision }
  /** The text differs from the one that the person was shown, so the question must be asked again. */
  | { kind: "changed"; negotiation: Negotiation }
  /** The negotiation went on without this user's decision. */
  | { kind: "moved"; negotiation: Negotiation };

/** A written decision. The effect is wrapped in an object, so that the queue does not wait for it. */
interface Carried {
  effect: Promise<Effect>;
}

type Begun = DecisionResult | Carried;

/**
 * Decides on a negotiation, and is the only way to confirm a text (contract §6). A yes counts only if its question was
 * asked, the text is unchanged, and the whole text was shown. Such a yes is stored before its request goes out. The
 * first decision wins.
 * @throws `tool.negotiation.invalid.confirmation_id`, NeedsOwnHand, TextEmpty, TextIllFormed, AlreadyDecided,
 * `tool.negotiation.conflict.not_waiting`, `tool.policy.blocked.profile`, DryRun, or what the backend answered. At the
 * limit it throws the limit's reason if nothing was decided, else OutcomeUnknown.
 */
export async function decide(
  supervisor: Supervisor,
  request: DecisionRequest,
  options: DecisionOptions = {},
): Promise<DecisionResult> {
  try {
    return await carriedOut(supervisor, request, options);
  } catch (error) {
    const late = options.limit?.aborted ? await lookOnce(supervisor, options) : undefined;
    return late ?? throwByEffect(supervisor, error, options);
  }
}

async function carriedOut(
  supervisor: Supervisor,
  request: DecisionRequest,
  options: DecisionOptions,
): Promise<DecisionResult> {
  const work = () => begin(supervisor, request, options);
  const begun = await (request.kind === "reject"
    ? supervisor.enqueueNo(work, options.limit)
    : supervisor.enqueue(work, options.limit));
  if (!("effect" in begun)) return begun;
  const effect = await begun.effect;
  switch (effect.kind) {
    case "confirmed": {
      const { negotiation, decision } = effect;
      return { kind: "confirmed", negotiation, decision, warnings: effect.answerLost ? ["confirm_answer_lost"] : [] };
    }
    case "cancelled":
      return { kind: "rejected", negotiation: effect.negotiation, decision: effect.decision };
    case "moved":
      return effect;
  }
}

/**
 * Reads the negotiation once more after the call's time is up, for example because the machine slept, so that the call
 * can still report that the backend went on.
 */
async function lookOnce(supervisor: Supervisor, { requestId }: DecisionOptions): Promise<DecisionResult | undefined> {
  const { decision } = supervisor.stage;
  if (decision !== undefined && confirms(decision)) return undefined;
  if ((supervisor.leftMs() ?? 1) > 0) return undefined;
  const negotiation = await readWithin(supervisor, TIMES.firstLookMs, requestId);
  return negotiation && isBroadcast(negotiation) ? { kind: "moved", negotiation } : undefined;
}

/** Returns what the backend shows within `ms`, or undefined if the read fails or takes longer. */
async function readWithin(
  supervisor: Supervisor,
  ms: number,
  requestId: string | undefined,
): Promise<Negotiation | undefined> {
  const stop = new AbortController();
  const tooSlow = new ReadTimeout({ operation: "getNegotiation", timeout_ms: ms });
  const cancelTimer = supervisor.deps.clock.after(ms, () => stop.abort(tooSlow));
  return supervisor.read(requestId, stop.signal).catch(ignoreTowowError).finally(cancelTimer);
}

/**
 * Replaces an AlreadyDecided error by one that states the effect of the earlier decision, because a written decision
 * may not have been carried out. Throws other errors as they are.
 */
async function throwByEffect(supervisor: Supervisor, error: unknown, options: DecisionOptions): Promise<never> {
  throw error instanceof AlreadyDecided ? await alreadyDecided(supervisor, options) : error;
}

/**
 * Returns an error that says what came of the earlier decision. If no effect was seen yet, the backend is asked now.
 */
export async function alreadyDecided(
  supervisor: Supervisor,
  { requestId, limit }: DecisionOptions,
): Promise<AlreadyDecided> {
  const { name } = supervisor.stage;
  if (name === "confirming" || name === "cancelling" || isUndecided({ name }))
    await supervisor.read(requestId, limit).catch(ignoreTowowError);
  const { stage, observation, deps, key } = supervisor;
  const { told } = says({ negotiation: observation.snapshot, stage });
  return alreadyDecidedBy(key.id, told, deps.clock.now());
}

async function begin(supervisor: Supervisor, request: DecisionRequest, options: DecisionOptions): Promise<Begun> {
  const { kind } = request;
  const { requestId, limit } = options;
  const id = supervisor.key.id;
  if (kind === "reject") return beginReject(supervisor, request, options);
  await supervisor.refresh();
  refuseUncounted(supervisor, answerTo(supervisor, request));
  refuseUnasked(supervisor);
  // Under a read-only profile no text is sent, no matter who says yes. A no is not refused, because it only takes a
  // demand back, as the withdrawal at the deadline does.
  if (supervisor.deps.policy().readsOnly)
    throw new Failure("tool.policy.blocked.profile", { tool: "towow_confirm", profile: "read_only" });

  const question = questionOf(supervisor.stage, request.confirmationId);
  if (question === undefined) throw new Failure("tool.negotiation.invalid.confirmation_id", { negotiation_id: id });
  const current = await supervisor.read(requestId, limit);
  const phase = phaseOf(current.state);
  if (phase === "before")
    throw new Failure("tool.negotiation.conflict.not_waiting", { negotiation_id: id, state: current.state });
  if (phase !== "asking") {
    await supervisor.refresh(); // Another program may have decided since.
    if (supervisor.stage.decision !== undefined) throw new AlreadyDecided({ negotiation_id: supervisor.key.id });
    return { kind: "moved", negotiation: current };
  }
  const original = formulatedText(current);
  if (rememberedSha256(original) !== question.formulated_hash) return { kind: "changed", negotiation: current };
  const text = kind === "edit" ? request.text : original;
  refuseUnsendable(text);
  const { surface, rendered_hash: answered } = request.rendering ?? UNSHOWN;
  // An accept must be about the text that its question showed, and a yes in a tool's arguments about the text that the
  // result held.
  const isOther = kind === "accept" && rememberedSha256(text) !== question.shown_hash;
  const asked = surface === "argument" ? question.shown_hash : rememberedSha256(text);
  const about = { asked: isOther ? undefined : asked, answered };
  // At this point the answer counts as the first one, because `write` finds out whether the question was answered
  // before.
  refuseUncounted(supervisor, { ...answerTo(supervisor, request), isUnused: true, about });
  const author: Author | Newer =
    authorOf(
      text,
      { current, submitted: supervisor.stage.writtenBy },
      request.rendering ?? UNSHOWN,
      kind === "edit" ? request.candidate : undefined,
    ) ?? NEWER;
  const fact = {
    kind,
    by: surface,
    question_id: question.question_id,
    text_hash: rememberedSha256(text),
    formulated_hash: question.formulated_hash,
    display: { ...request.rendering, author },
  };
  return write(supervisor, fact, { text, requestId }, limit);
}

/**
 * Begins a no, which does not wait for a store. If the facts cannot be read, only the backend shows whether a text is
 * out.
 */
async function beginReject(
  supervisor: Supervisor,
  request: DecisionRequest & { kind: "reject" },
  options: DecisionOptions,
): Promise<Begun> {
  const isRead = await readFacts(supervisor);
  refuseUncounted(supervisor, answerTo(supervisor, request));
  if (isRead) refuseUnasked(supervisor);
  const negotiation = await (isRead
    ? lookBehindDeadline(supervisor, options)
    : readWithin(supervisor, TIMES.lastLookMs, options.requestId));
  const isTooLate =
    negotiation !== undefined && (phaseOf(negotiation.state) === "over" || (!isRead && isBroadcast(negotiation)));
  if (isTooLate) return { kind: "moved", negotiation };
  return write(supervisor, { kind: "reject", by: request.by }, { requestId: options.requestId }, options.limit);
}

/** Resolves with whether the facts of other programs were read. The facts are not read if the store does not answer. */
async function readFacts(supervisor: Supervisor): Promise<boolean> {
  const read = supervisor.inTime(async () => {
    await supervisor.refresh();
    return true;
  });
  return (await read) ?? false;
}

/**
 * Refuses an answer about a negotiation that no program of this user submitted and about which none of them asked.
 * @throws `tool.negotiation.conflict.not_waiting`
 */
function refuseUnasked({ journal: { facts }, key }: Supervisor): void {
  if (facts.submitted === undefined && facts.asked.length === 0)
    throw new Failure("tool.negotiation.conflict.not_waiting", { negotiation_id: key.id });
}

/**
 * Derives the author of a text from the way in which it arrived, never from what anybody claims. `candidate` is the
 * text that was shown as written by the person's AI.
 */
function authorOf(
  text: string,
  { current, submitted }: { current: Negotiation; submitted: Author | undefined },
  by: Hand,
  candidate?: string | undefined,
): Author | undefined {
  if (text === formulatedText(current)) return networksWriter(current, submitted);
  if (text === candidate) return "ai";
  return writerOf(by);
}

/**
 * Reads the negotiation if its deadline has passed, because a no changes nothing if the negotiation is over. If the
 * read fails, the no is tried anyway.
 */
async function lookBehindDeadline(
  supervisor: Supervisor,
  { requestId, limit }: DecisionOptions,
): Promise<Negotiation | undefined> {
  if ((supervisor.leftMs() ?? 1) > 0) return undefined;
  return supervisor.read(requestId, limit).catch(ignoreTowowError);
}

/** The rendering of an answer that does not say how its text was shown. Such an answer counts as an AI's word. */
const UNSHOWN: Rendering = { surface: "argument", rendered_hash: "" };

type Judged = Omit<Answer, "given">;

/**
 * Describes a decision as an answer for the rules of question/who.ts, before the text is read. At this point only the
 * negotiation's id can be compared.
 */
function answerTo(supervisor: Supervisor, request: DecisionRequest): Judged {
  const { id } = supervisor.key;
  const isUnused = mayDecide(supervisor, request);
  const isNo = request.kind === "reject";
  const by: Hand = isNo ? { surface: request.by } : (request.rendering ?? UNSHOWN);
  const isOwn = supervisor.journal.facts.submitted !== undefined;
  const question = isNo ? withdrawalOf(supervisor) : isOwn ? "text" : "others_text";
  return { question, by, isUnused, about: { asked: id, answered: id } };
}

const withdrawalOf = ({ journal: { facts } }: Supervisor) =>
  facts.submitted === undefined ? "others_withdrawal" : "withdrawal";

/**
 * Refuses an answer that does not count under the rules of question/who.ts.
 * @throws AlreadyDecided, NeedsOwnHand, `tool.negotiation.invalid.confirmation_id`
 */
function refuseUncounted({ deps, journal, key }: Supervisor, answer: Judged): void {
  const given = { isStrict: deps.policy().isStrict ?? false, isTainted: journal.facts.submitted?.tainted === true };
  const why = whyNotCounted({ ...answer, given });
  if (why === undefined) return;
  if (why === "used") throw new AlreadyDecided({ negotiation_id: key.id });
  if (why === "other") throw new Failure("tool.negotiation.invalid.confirmation_id", { negotiation_id: key.id });
  throw new NeedsOwnHand(why, byConfirm(key.id));
}

/**
 * Cancels a negotiation that the person no longer wants, decided or not.
 * @throws what the backend answered, and at the limit what {@link decide} throws
 */
export async function cancel(
  supervisor: Supervisor,
  by: Surface | "client",
  { payload, onlyUndecided, requestId, limit }: CancelOptions,
): Promise<Negotiation> {
  const begun = supervisor.enqueueNo(async () => {
    const isRead = await readFacts(supervisor);
    // A negotiation that was submitted elsewhere must exist before anything about it is written.
    if (supervisor.journal.facts.submitted === undefined) await supervisor.read(requestId, limit);
    const { id } = supervisor.key;
    const about = { asked: id, answered: id };
    refuseUncounted(supervisor, {
      question: withdrawalOf(supervisor),
      by: { surface: surfaceOf(by) },
      isUnused: true,
      about,
    });
    if (isRead) await lookBehindDeadline(supervisor, { requestId, limit });
    else await readWithin(supervisor, TIMES.lastLookMs, requestId);
    const { decision, name } = supervisor.stage;
    if (name === "over") throw new AlreadyCompleted({ operation: "action", negotiation_id: supervisor.key.id });
    const isOpen = isUndecided({ name }) || name === "cancelling";
    if (onlyUndecided && !isOpen) throw new AlreadyDecided({ negotiation_id: supervisor.key.id });
    await refuseDry(supervisor, "cancel", { payload, requestId });
    // The earlier cancel is tried again and need not be written twice.
    if (decision !== undefined && !mayFollow("cancel", decision)) {
      const isOthers = !supervisor.isMine && (await supervisor.deps.isAlive(decision.owner));
      if (name !== "cancelling" || isOthers) throw new AlreadyDecided({ negotiation_id: supervisor.key.id });
      if (!supervisor.isMine) await adopt(supervisor);
      return { effect: supervisor.effectOf(decision, { payload, requestId }, limit) };
    }
    return write(supervisor, { kind: "cancel", by }, { payload, requestId }, limit);
  }, limit);
  const { effect } = await begun.catch((error) => throwByEffect(supervisor, error, { requestId, limit }));
  const { kind, negotiation } = await effect;
  if (kind === "moved") throw new AlreadyCompleted({ operation: "action", negotiation_id: supervisor.key.id });
  return negotiation;
}

/** Returns whether nobody has decided before, or the earlier decision is of the same kind. */
function mayDecide({ stage }: Supervisor, request: DecisionRequest): boolean {
  const { kind } = request;
  if (isUndecided(stage)) return true;
  if (stage.name === "confirming" || stage.name === "cancelling") return stage.decision.kind === kind;
  // A demand that went out without a decision of this user can still be stopped.
  return kind === "reject" && request.onlyUndecided !== true && stage.name === "moving" && stage.decision === undefined;
}

/**
 * Shows what a dry run would send instead of deciding, because a written decision would be carried out, by another
 * program or later by this one.
 * @throws DryRun
 */
async function refuseDry(
  { deps, key }: Supervisor,
  kind: DecisionKind,
  { requestId, ...input }: DecisionInput,
): Promise<void> {
  if (!deps.policy().isDry) return;
  const client = await deps.backend(requestId);
  if (confirms({ kind })) await client.confirm(key.id, confirmBody(input.text), { dryRun: true });
  else await client.action(key.id, cancelBody(input.payload), { dryRun: true });
}

type Wanted = { kind: DecisionKind } & Pick<
  Decision,
  "by" | "question_id" | "text_hash" | "formulated_hash" | "display"
>;

/**
 * Writes a decision under its number, and returns false if the number is taken. A yes must be stored before anything
 * follows from it. A no does not wait for a store. If the no cannot be written now, it counts in memory at once and is
 * written later (contract §6).
 */
async function claim(supervisor: Supervisor, number: number, fact: Decided): Promise<boolean> {
  const { journal } = supervisor;
  const name = factName.decided(number);
  const index = journal.facts.submitted && "open";
  if (confirms(fact))
    try {
      return (await journal.claim(name, fact, index)).created;
    } catch (error) {
      journal.undoIfWritten(number, fact);
      throw error;
    }
  const claimed = await supervisor.inTime(() => journal.claim(name, fact, index));
  if (claimed !== undefined) return claimed.created;
  await readFacts(supervisor); // The facts on a full disk can still be read.
  if (journal.facts.decided.length >= number) return false;
  supervisor.deps.log.warn("no_unwritten", { negotiation_id: supervisor.key.id });
  void journal.note(name, fact, index);
  return true;
}

/**
 * Writes a decision, or joins the same decision if that was written and not carried out. Returns the effect to wait
 * for.
 */
async function write(
  supervisor: Supervisor,
  wanted: Wanted,
  input: DecisionInput,
  limit?: AbortSignal,
): Promise<Carried> {
  await refuseDry(supervisor, wanted.kind, input);
  const { clock, owner, isAlive } = supervisor.deps;
  const before = supervisor.stage.decision?.number;
  // A number may be taken by a decision that has been undone since, so the loop goes on until another decision stands.
  while (mayFollow(wanted.kind, supervisor.stage.decision) && supervisor.stage.decision?.number === before) {
    const number = supervisor.journal.facts.decided.length + 1;
    const fact = { at: clock.now(), ...wanted, owner };
    if (await claim(supervisor, number, fact))
      return { effect: supervisor.effectOf({ number, kind: wanted.kind }, input, limit) };
    await supervisor.refresh();
  }
  const first = supervisor.stage.decision;
  const isSame = first !== undefined && first.kind === wanted.kind && first.text_hash === wanted.text_hash;
  const isFree = isSame && (supervisor.isMine ? !supervisor.waiters.has(first.number) : !(await isAlive(first.owner)));
  if (!isFree) throw new AlreadyDecided({ negotiation_id: supervisor.key.id });
  if (!supervisor.isMine) await adopt(supervisor);
  return { effect: supervisor.effectOf(first, input, limit) };
}

/** A question that is put to the person about a text. */
export interface OpenQuestion {
  id: string;
  negotiationId: string;
  /** What happens if the person does not decide. */
  silence: Silence;
  /** Present if the backend could not be asked now, so that the negotiation may have moved on. */
  unchecked?: true;
}

/**
 * Returns the question about this text, and writes it down if it is new. The same text keeps its question.
 * @throws what {@link Supervisor.enqueue} throws
 */
export async function claimQuestion(
  supervisor: Supervisor,
  negotiation: Negotiation,
  shownText: string,
  { newId, clock }: Platform,
  limit: AbortSignal | undefined,
): Promise<Asked> {
  const shown_hash = rememberedSha256(shownText);
  const formulated_hash = rememberedSha256(formulatedText(negotiation));
  const asked = () =>
    supervisor.stage.questions.find((q) => q.shown_hash === shown_hash && q.formulated_hash === formulated_hash);
  const write = async (): Promise<Asked> => {
    await supervisor.refresh();
    const current = asked();
    if (current !== undefined) return current;
    const { round } = supervisor.stage;
    const fact = { at: clock.now(), question_id: newId(), round, shown_hash, formulated_hash };
    const claim = (text: string) =>
      supervisor.journal.claim(factName.asked(round, rememberedSha256(text).slice(0, 16)), fact);
    await claim(shown_hash + formulated_hash);
    // A file that cannot be read occupies that name forever, and nobody can answer its question, so another question is
    // asked.
    if (asked() === undefined) await claim(fact.question_id);
    return asked() ?? fact;
  };
  return asked() ?? supervisor.enqueue(write, limit);
}
