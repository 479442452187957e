import type { Negotiation } from "../backend/contract.ts";
import { AlreadyCompleted, ReadTimeout } from "../backend/errors.ts";
import { Failure, ignoreTowowError } from "../errors.ts";
import { NEWER, type Newer } from "../newer.ts";
import {
  type Answer,
  type Author,
  type Hand,
  type Surface,
  surfaceOf,
  whyNotCounted,
  writerOf,
} from "../question/who.ts";
import type { Warning } from "../text/warnings.ts";
import { formulatedText, isOut, phaseOf } from "./backend-states.ts";
import { AlreadyDecided, alreadyDecidedBy, byConfirm, NeedsOwnHand, refuseUnsendable } from "./errors.ts";
import { type Decided, type DecisionKind, factName, type Rendering } from "./facts.ts";
import { cancelBody, confirmBody, type DecisionInput, type Effect } from "./pending-decision.ts";
import { TIMES } from "./plan/times.ts";
import { networksWriter, says } from "./says.ts";
import { confirms, type Decision, isUndecided, mayFollow, questionOf } from "./stage.ts";
import { adopt } from "./steps/outcome.ts";
import type { Supervisor } from "./supervisor.ts";

export interface CancelOptions {
  payload?: Record<string, unknown> | undefined;
  /** It withdraws and stops nothing: refused as soon as it is known to have been broadcast or decided on. */
  onlyUndecided?: true;
  /** Aborts when the call must end. */
  limit?: AbortSignal | undefined;
  /** Of the tool call that cancels. */
  requestId?: string | undefined;
}

/** A decision as it arrives. A yes carries how its text was shown; `onlyUndecided`: see {@link CancelOptions}. */
export type DecisionRequest = {
  negotiationId: string;
  /** The question that is answered; not needed to reject. */
  confirmationId?: string | undefined;
} & (
  | { kind: "reject"; by: Surface; onlyUndecided?: true }
  | { kind: "accept"; rendering: Rendering }
  /** `candidate`: what the surface showed as a text by the person's AI. */
  | { kind: "edit"; rendering: Rendering; text: string; candidate?: string | undefined }
);

export interface DecisionOptions {
  /** Aborts at the call's limit. A decision that is not written by then is dropped; a written one is carried out. */
  limit?: AbortSignal | undefined;
  /** Of the tool call that decides. */
  requestId?: string | undefined;
}

export type DecisionResult =
  | { kind: "confirmed"; negotiation: Negotiation; decision: Decision; warnings: Warning[] }
  | { kind: "rejected"; negotiation: Negotiation; decision: Decision }
  /** The text is another one than the person was shown: ask again. */
  | { kind: "changed"; negotiation: Negotiation }
  /** The negotiation went on without this user's decision. */
  | { kind: "moved"; negotiation: Negotiation };

/** A decision that is written. Its effect is wrapped in an object, so that the queue does not wait for it. */
interface Carried {
  effect: Promise<Effect>;
}

type Begun = DecisionResult | Carried;

/**
 * The one way by which a text is confirmed (contract §6): the question must have been asked, the text must still be the
 * same, all of it must have been rendered where a person decides, the first decision wins and is written before the
 * request goes out.
 * @throws `tool.negotiation.invalid.confirmation_id`, NeedsOwnHand, TextEmpty, TextIllFormed, AlreadyDecided, `tool.negotiation.conflict.not_waiting`,
 *   `tool.policy.blocked.profile`, DryRun, or what the backend answered; at the limit its reason where nothing was
 *   decided, else OutcomeUnknown
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

/** A call whose time is up, as after a sleep, does not say that it knows nothing of what a look shows. */
async function lookOnce(supervisor: Supervisor, { requestId }: DecisionOptions): Promise<DecisionResult | undefined> {
  const { decision } = supervisor.stage;
  if (decision !== undefined && confirms(decision)) return undefined;
  if ((supervisor.leftMs() ?? 1) > 0) return undefined;
  const negotiation = await readWithin(supervisor, TIMES.firstLookMs, requestId);
  return negotiation && isOut(negotiation) ? { kind: "moved", negotiation } : undefined;
}

/** What the backend shows within that time; undefined where it fails or takes longer. */
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

/** What was decided before is told by its effect, not as if what is written were done. */
async function throwByEffect(supervisor: Supervisor, error: unknown, options: DecisionOptions): Promise<never> {
  throw error instanceof AlreadyDecided ? await alreadyDecided(supervisor, options) : error;
}

/** What came of a decision; where nothing is seen of it yet, the backend is asked now. */
export async function alreadyDecided(
  supervisor: Supervisor,
  { requestId, limit }: DecisionOptions,
): Promise<AlreadyDecided> {
  const { name } = supervisor.stage;
  if (name === "confirming" || name === "cancelling" || isUndecided({ name }))
    await supervisor.read(requestId, limit).catch(ignoreTowowError);
  const { stage, observation, deps, key } = supervisor;
  const { told } = says({ negotiation: observation.snapshot, stage, hash: deps.hash });
  return alreadyDecidedBy(key.id, told, deps.clock.now());
}

async function begin(supervisor: Supervisor, request: DecisionRequest, options: DecisionOptions): Promise<Begun> {
  const { kind } = request;
  const { requestId, limit } = options;
  const { hash } = supervisor.deps;
  const id = supervisor.key.id;
  if (kind === "reject") return beginReject(supervisor, request, options);
  await supervisor.refresh();
  refuseUncounted(supervisor, answerTo(supervisor, request));
  refuseUnasked(supervisor);
  // By any hand: where only reading is allowed nothing goes out. A no takes back, as the guard does.
  if (supervisor.deps.policy().readsOnly)
    throw new Failure("tool.policy.blocked.profile", { tool: "towow_confirm", profile: "read_only" });

  const question = questionOf(supervisor.stage, request.confirmationId);
  if (question === undefined) throw new Failure("tool.negotiation.invalid.confirmation_id", { negotiation_id: id });
  const current = await supervisor.read(requestId, limit);
  const phase = phaseOf(current.state);
  if (phase === "before")
    throw new Failure("tool.negotiation.conflict.not_waiting", { negotiation_id: id, state: current.state });
  if (phase !== "asking") {
    await supervisor.refresh(); // somebody may have decided since
    if (supervisor.stage.decision !== undefined) throw new AlreadyDecided({ negotiation_id: supervisor.key.id });
    return { kind: "moved", negotiation: current };
  }
  const original = formulatedText(current);
  if (hash(original) !== question.formulated_hash) return { kind: "changed", negotiation: current };
  const text = kind === "edit" ? request.text : original;
  refuseUnsendable(text);
  const { surface, rendered_hash: answered } = request.rendering ?? UNSHOWN;
  // An accept is about the text that this question showed; an argument about what the result held.
  const isOther = kind === "accept" && hash(text) !== question.shown_hash;
  const asked = surface === "argument" ? question.shown_hash : hash(text);
  const about = { asked: isOther ? undefined : asked, answered };
  refuseUncounted(supervisor, { ...answerTo(supervisor, request), isUnused: true, about }); // `write` sees a later one
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
    text_hash: hash(text),
    formulated_hash: question.formulated_hash,
    display: { ...request.rendering, author },
  };
  return write(supervisor, fact, { text, requestId }, limit);
}

/** A no waits for no store: where nothing can be read, the backend alone tells whether a text is out. */
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
    negotiation !== undefined && (phaseOf(negotiation.state) === "over" || (!isRead && isOut(negotiation)));
  if (isTooLate) return { kind: "moved", negotiation };
  return write(supervisor, { kind: "reject", by: request.by }, { requestId: options.requestId }, options.limit);
}

/** Reads what other programs wrote, unless the store does not answer. */
async function readFacts(supervisor: Supervisor): Promise<boolean> {
  const read = supervisor.inTime(async () => {
    await supervisor.refresh();
    return true;
  });
  return (await read) ?? false;
}

/** @throws `tool.negotiation.conflict.not_waiting` where nobody has submitted it here, and nobody was asked about it */
function refuseUnasked({ journal: { facts }, key }: Supervisor): void {
  if (facts.submitted === undefined && facts.asked.length === 0)
    throw new Failure("tool.negotiation.conflict.not_waiting", { negotiation_id: key.id });
}

/** Whose words a text is that came so; never what somebody says of it. `candidate`: shown as an AI's. */
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

/** Behind the deadline it may be over by now, which no no changes any more; what cannot be read is tried all the same. */
async function lookBehindDeadline(
  supervisor: Supervisor,
  { requestId, limit }: DecisionOptions,
): Promise<Negotiation | undefined> {
  if ((supervisor.leftMs() ?? 1) > 0) return undefined;
  return supervisor.read(requestId, limit).catch(ignoreTowowError);
}

/** What says nothing of how it was shown is no more than an AI's word. */
const UNSHOWN: Rendering = { surface: "argument", rendered_hash: "" };

type Judged = Omit<Answer, "given">;

/** A decision as an answer, before the text is read: so far it is about this negotiation. */
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

/** @throws what an answer that does not count is told */
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
 * @throws what the backend answered, and at the limit as `decide` does
 */
export async function cancel(
  supervisor: Supervisor,
  by: Surface | "client",
  { payload, onlyUndecided, requestId, limit }: CancelOptions,
): Promise<Negotiation> {
  const begun = supervisor.enqueueNo(async () => {
    const isRead = await readFacts(supervisor);
    // What was submitted elsewhere must exist before a word about it is written.
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
    // A cancel that has been decided before is tried again; nobody needs to write it twice.
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

/** Whether nobody has decided before, or it is the same once more. */
function mayDecide({ stage }: Supervisor, request: DecisionRequest): boolean {
  const { kind } = request;
  if (isUndecided(stage)) return true;
  if (stage.name === "confirming" || stage.name === "cancelling") return stage.decision.kind === kind;
  // What went out without anybody's decision here can still be stopped.
  return kind === "reject" && request.onlyUndecided !== true && stage.name === "moving" && stage.decision === undefined;
}

/** A decision that was written would be carried out, by another program or later by this one. @throws DryRun */
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
 * Writes a decision under its number; false where that is taken. A yes must stand before anything follows from it. A no
 * waits for no store: what cannot be written counts in memory from now on, and is written when it can be (contract §6).
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
  await readFacts(supervisor); // a full disk can still be read
  if (journal.facts.decided.length >= number) return false;
  supervisor.deps.log.warn("no_unwritten", { negotiation_id: supervisor.key.id });
  void journal.note(name, fact, index);
  return true;
}

/** Writes a decision, or joins the same one that was written and not carried out. Gives what will come of it. */
async function write(
  supervisor: Supervisor,
  wanted: Wanted,
  input: DecisionInput,
  limit?: AbortSignal,
): Promise<Carried> {
  await refuseDry(supervisor, wanted.kind, input);
  const { clock, owner, isAlive } = supervisor.deps;
  const before = supervisor.stage.decision?.number;
  // What had the number may be taken back by now, while nobody has decided anything else.
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
