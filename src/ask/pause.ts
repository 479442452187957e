import type { Negotiation } from "../backend/contract.ts";
import { formulatedText, phaseOf } from "../negotiation/backend-states.ts";
import type { DecisionRequest, DecisionResult } from "../negotiation/decide.ts";
import { sentencesOf, summarise } from "../negotiation/describe.ts";
import { AlreadyDecided, refuseUnsendable, TwoTexts } from "../negotiation/errors.ts";
import type { Rendering } from "../negotiation/facts.ts";
import { isDegraded } from "../negotiation/says.ts";
import { confirms, questionOf, type Stage } from "../negotiation/stage.ts";
import { isSameDemand } from "../negotiation/submit.ts";
import { showInvisible } from "../safety/invisible.ts";
import { sanitizePlan } from "../safety/sanitize/foreign.ts";
import { sanitizeOptions } from "../safety/sanitize/options.ts";
import { rememberedSha256 } from "../sha256.ts";
import { joinLines } from "../text/join.ts";
import type { Warning } from "../text/warnings.ts";
import { askForOwnText, askInForm, askPerson, keepForEdit } from "./ask-person.ts";
import { type AskContext, waitUntil } from "./context.ts";
import { type DecisionArguments, decisionPathOf, hasSurface, refusalOf } from "./decision-path.ts";
import { dataWith, idOf, notWaitingResult, type PauseOutcome, pauseResult } from "./pause-result.ts";
import { askPermission } from "./permission.ts";
import { type DecisionAnswer, declinedSentence, readDecision, readOwnText } from "./questions.ts";
import { markedDifference, shownText, whoWrote } from "./shown-text.ts";
import { cancelQuestion, stageNow } from "./stop.ts";
import { isWholeInField } from "./whole.ts";

/** The warning that the result asks again, because the text differs from the one that the person was shown. */
export const TEXT_CHANGED = "text_changed";

/**
 * Asks the person about a text if this client shows it whole. Otherwise returns the result that says how to decide.
 * `candidate` is a text by the person's AI, to be sent instead of the backend's. If no page asks about the candidate,
 * it is kept and offered when the person writes a text of their own.
 */
export async function openPause(
  negotiation: Negotiation,
  tool: string,
  ctx: AskContext,
  { candidate, warnings = [] }: { candidate?: string | undefined; warnings?: Warning[] } = {},
): Promise<PauseOutcome> {
  const asked = await askPerson(negotiation, ctx, candidate, warnings.includes(TEXT_CHANGED) ? "changed" : undefined);
  if (asked !== undefined) return asked;
  if (!ctx.client.mayAskMore) return pauseResult(negotiation, tool, ctx, { undecided: true, warnings });
  if (candidate === undefined) return pauseResult(negotiation, tool, ctx, { unshown: "text", warnings });
  const kept = (await keepForEdit(negotiation, candidate, ctx)) ? (["confirmed_text_offered"] as const) : [];
  return pauseResult(negotiation, tool, ctx, { unshown: "edit", warnings: [...warnings, ...kept] });
}

/** Continues the call after the client has answered the question. Only what the question asked for counts. */
export async function answerPause(answer: DecisionAnswer, tool: string, ctx: AskContext): Promise<PauseOutcome> {
  const { about, action, surface } = answer;
  if (surface === "page") return answerPage(answer, tool, ctx);
  if (about.asks === "text") return answerOwnText(answer, tool, ctx);
  const { negotiation_id: negotiationId, confirmation_id: confirmationId, own_text: text } = about;
  const decision = action === "decline" ? "reject" : action === "accept" ? readDecision(answer.content) : undefined;
  const base = { negotiationId, confirmationId };
  if (decision === "reject") {
    const outcome = await describeOutcome(await decideInForm({ ...base, kind: "reject", by: surface }, ctx), tool, ctx);
    return action === "decline" ? toldAsDeclined(outcome, answer, ctx) : outcome;
  }
  if (decision === "accept") {
    const rendering = await renderingOf(negotiationId, confirmationId, surface, ctx);
    const yes = text === undefined ? ({ kind: "accept" } as const) : ({ kind: "edit", text } as const);
    return describeOutcome(await decideInForm({ ...base, ...yes, rendering }, ctx), tool, ctx, text);
  }
  return whileUndecided(negotiationId, tool, ctx, decision !== undefined, async (negotiation) => {
    if (decision !== "edit") return pauseResult(negotiation, tool, ctx, { undecided: true });
    await ctx.negotiations.neverLeave(negotiationId);
    return (await askForOwnText(negotiation, ctx)) ?? pauseResult(negotiation, tool, ctx, { undecided: true });
  });
}

function toldAsDeclined(outcome: PauseOutcome, { afterMs }: DecisionAnswer, { texts }: AskContext): PauseOutcome {
  if (!("summary" in outcome)) return outcome;
  return { ...outcome, summary: joinLines([declinedSentence(afterMs, texts), outcome.summary]) };
}

/**
 * Handles what the person typed after "change it first". The text goes out if the field showed all of it. A longer text
 * is asked about in a form that shows it. If no form shows it, the result says where else the person can decide.
 */
async function answerOwnText(answer: DecisionAnswer, tool: string, ctx: AskContext): Promise<PauseOutcome> {
  const { negotiation_id: negotiationId, confirmation_id: confirmationId } = answer.about;
  const typed = answer.action === "accept" ? readOwnText(answer.content) : undefined;
  if (typed !== undefined) refuseUnsendable(typed, { tool, negotiation_id: negotiationId });
  if (typed !== undefined && isWholeInField(typed, ctx.client.surface.form)) {
    const rendering = { surface: "form", rendered_hash: rememberedSha256(typed) } as const;
    const edit = { kind: "edit", text: typed, rendering } as const;
    return describeOutcome(await decideInForm({ negotiationId, confirmationId, ...edit }, ctx), tool, ctx, typed);
  }
  return whileUndecided(negotiationId, tool, ctx, typed !== undefined, async (negotiation) => {
    if (typed === undefined) return pauseResult(negotiation, tool, ctx, { undecided: true });
    const asked = await askInForm(negotiation, ctx, { ownText: typed });
    return (
      asked ??
      pauseResult(negotiation, tool, ctx, { undecided: true, ...(ctx.client.mayAskMore && { unshown: "text" }) })
    );
  });
}

/**
 * Continues only if the negotiation still waits for a decision. Otherwise reports where the negotiation stands, and for
 * a decision (`isDecided`) that it came too late.
 */
async function whileAsking(
  id: string,
  tool: string,
  ctx: AskContext,
  isDecided: boolean,
  go: (negotiation: Negotiation) => Promise<PauseOutcome>,
): Promise<PauseOutcome> {
  const negotiation = await ctx.negotiations.get(id);
  const { name } = await ctx.negotiations.stage(id, negotiation);
  return name === "asking"
    ? go(negotiation)
    : notWaitingResult(negotiation, tool, ctx, isDecided ? { isLate: true } : {});
}

/**
 * Continues only if nobody has decided and the negotiation still waits. A person who wants another text in the form
 * (`isDecided`) learns what was decided elsewhere.
 * @throws AlreadyDecided if somebody has decided
 */
async function whileUndecided(...asked: Parameters<typeof whileAsking>): Promise<PauseOutcome> {
  const [id, , ctx, isDecided] = asked;
  const { decision } = await ctx.negotiations.stage(id);
  if (isDecided && decision !== undefined) throw await ctx.negotiations.alreadyDecided(id);
  return whileAsking(...asked);
}

/**
 * Continues after the page. No answer of the client decides, because "accept" only means that the person is done or
 * that the page opens, and "decline" means that the page was not opened. The page itself records the decision. Without
 * a decision, the text still waits. A client that declined the page unseen is asked in another way.
 */
async function answerPage(answer: DecisionAnswer, tool: string, ctx: AskContext): Promise<PauseOutcome> {
  const { negotiation_id: id } = answer.about;
  if (answer.action === "unseen") return whileAsking(id, tool, ctx, false, (n) => openPause(n, tool, ctx));
  const waits = answer.action === "accept" && ctx.client.surface.acceptsAsItOpens === true;
  const { negotiations } = ctx;
  const isDecided = await (waits ? negotiations.untilDecided(id, waitBudgetMs(ctx)) : negotiations.isDecided(id));
  const negotiation = await ctx.negotiations.get(id);
  if (isDecided || phaseOf(negotiation.state) !== "asking") {
    const now = await waitUntil(id, (n) => phaseOf(n.state) !== "asking", ctx, 2_000);
    return notWaitingResult(now, tool, ctx);
  }
  const isDeclined = answer.action === "decline" && (await ctx.negotiations.neverLeave(id));
  return pauseResult(negotiation, tool, ctx, { undecided: true, ...(isDeclined && { warnings: ["page_declined"] }) });
}

const waitBudgetMs = (ctx: AskContext) => ctx.settings.wait_budget_s * 1000;

/**
 * Takes a decision that came as arguments. If the client can ask the person, this function only asks them. A rejection
 * of the user's own demand needs no second question.
 * @throws TwoTexts, TextEmpty, TextIllFormed, or NeedsOwnHand if the person must decide on a page or in a terminal
 */
export async function decideByArgument(args: DecisionArguments, tool: string, ctx: AskContext): Promise<PauseOutcome> {
  const { negotiation_id: negotiationId, confirmation_id: confirmationId, decision: kind } = args;
  const { confirmed_text: editedText } = args;
  const stageForNo = kind === "reject" ? await ctx.negotiations.stageForNo(negotiationId) : undefined;
  if (stageForNo?.isOwn) return rejectByArgument(args, stageForNo, tool, ctx);
  const stage = await ctx.negotiations.stage(negotiationId);
  const path = await decisionPathOf(negotiationId, stage, ctx);
  if (path === "command_line" || path === "command_ends") throw refusalOf(path, negotiationId);
  if (kind === "edit")
    refuseUnsendable(editedText ?? "", {
      tool,
      negotiation_id: negotiationId,
      ...(confirmationId !== undefined && { confirmation_id: confirmationId }),
    });
  if (path === "surface" || (path === "not_own" && hasSurface(ctx, "others_text"))) {
    const candidate = kind === "edit" ? editedText : undefined;
    await refuseTwoTexts(args, tool, ctx);
    return whileAsking(negotiationId, tool, ctx, true, async (negotiation) => {
      if (candidate !== undefined) await ctx.negotiations.neverLeave(negotiationId);
      return openPause(negotiation, tool, ctx, { candidate });
    });
  }
  if (path !== "argument") {
    // Only a negotiation that exists is reported as submitted elsewhere.
    if (!stage.isOwn) await ctx.negotiations.get(negotiationId);
    const isGone = stage.name === "moving" || stage.name === "over";
    throw isGone ? await ctx.negotiations.alreadyDecided(negotiationId) : refusalOf(path, negotiationId);
  }
  await refuseTwoTexts(args, tool, ctx);
  const rendering = await renderingOf(negotiationId, confirmationId, "argument", ctx);
  const yes = kind === "edit" ? ({ kind, text: editedText ?? "" } as const) : ({ kind: "accept" } as const);
  const decided = await ctx.negotiations.decide({ negotiationId, confirmationId, rendering, ...yes });
  return describeOutcome(decided, tool, ctx, kind === "edit" ? editedText : undefined);
}

/**
 * Rejects a demand of the user's own. That is free while the demand is undecided. A demand that went out without a
 * decision is stopped with the same question as a cancel.
 */
async function rejectByArgument(args: DecisionArguments, stage: Stage, tool: string, ctx: AskContext) {
  const { negotiation_id: negotiationId } = args;
  const reject = { negotiationId, kind: "reject" } as const;
  if (stage.name === "moving" && stage.decision === undefined) {
    const now = await stageNow(negotiationId, ctx.negotiations);
    const answer = await askPermission(tool, args, cancelQuestion(negotiationId, now, ctx), ctx);
    if (!("by" in answer)) return answer;
    return describeOutcome(await ctx.negotiations.decide({ ...reject, by: answer.by }), tool, ctx);
  }
  const no = { ...reject, by: "argument", onlyUndecided: true } as const;
  return describeOutcome(await ctx.negotiations.decide(no), tool, ctx);
}

/** The warnings about the text that has just gone out. */
const OF_WHAT_IS_OUT: readonly Warning[] = ["confirmed_text_mismatch", "degraded_formulation"];

/**
 * Returns the result that says what became of a decision. `sentText` is the text that went out instead of the
 * network's, if this call knows it.
 */
async function describeOutcome(
  result: FormDecision,
  tool: string,
  ctx: AskContext,
  sentText?: string | undefined,
): Promise<PauseOutcome> {
  const { pause } = ctx.texts;
  if (result.kind === "changed") return openPause(result.negotiation, tool, ctx, { warnings: [TEXT_CHANGED] });
  if (result.kind === "moved" || result.kind === "stands")
    return notWaitingResult(result.negotiation, tool, ctx, { isLate: true });
  if (result.kind === "rejected") return notWaitingResult(result.negotiation, tool, ctx);
  const { negotiation: answered, decision } = result;
  // The answer to a confirm still holds the old state, and a short wait shows the new one. Even if that wait fails, the
  // result says that the text went out.
  const moved = waitUntil(answered.negotiation_id, (n) => phaseOf(n.state) !== "asking", ctx, 2_000);
  const negotiation = await moved.catch((error) => (ctx.signal.aborted ? Promise.reject(error) : answered));
  const stage = await ctx.negotiations.stage(negotiation.negotiation_id, negotiation);
  const said = ctx.negotiations.says(stage, negotiation);
  // In this case, nothing shows that the text was broadcast because of this yes.
  if (said.broadcast !== undefined && said.broadcast !== "person" && said.broadcast !== "replaced")
    return notWaitingResult(negotiation, tool, ctx, { isLate: true });
  const isOver = said.ending !== undefined;
  // In this case, a no came right after this yes, before anything was seen to go out.
  const wasStopped = isOver && said.broadcast === undefined;
  const warnings: Warning[] = [
    ...new Set<Warning>([
      ...result.warnings,
      ...(decision.by === "argument" ? (["confirmed_by_argument"] as const) : []),
      ...said.warnings.filter((code) => isOver || OF_WHAT_IS_OUT.includes(code)),
    ]),
  ];
  const { text, warnings: about, ...whose } = await shownText(negotiation, stage, ctx);
  const difference = await differenceSent(sentText, result, ctx);
  const { writers } = said;
  const by = writers.text && whoWrote({ negotiation: answered, writers }, ctx.texts);
  return {
    summary: joinLines([
      isOver ? undefined : pause.moving,
      wasStopped ? undefined : by && (difference === undefined ? pause.sent(by) : pause.sentInstead(by)),
      isOver ? summarise(said, ctx.texts) : undefined,
      ...sentencesOf(warnings, ctx.texts),
    ]),
    data: dataWith(
      { decision, writers },
      negotiation,
      text,
      isOver ? null : { tool: "towow_status", params: { ...idOf(negotiation), wait: "done" } },
      difference,
    ),
    warnings: [...warnings, ...about],
    ...whose,
    ...(isDegraded(warnings) && { status: "degraded" as const }),
    ...(difference !== undefined && {
      foreign: [...(whose.foreign ?? []), "/difference"],
      ...(whose.foreign === undefined && { taints: false as const }), // The person saw the network's text when they were asked.
    }),
  };
}

/**
 * Returns the surface and the hash of what a question showed, as they were written down when it was asked. An unknown
 * question showed nothing.
 */
async function renderingOf(
  negotiationId: string,
  confirmationId: string | undefined,
  surface: "form" | "argument",
  ctx: AskContext,
): Promise<Rendering> {
  const question = questionOf(await ctx.negotiations.stage(negotiationId), confirmationId);
  return { surface, rendered_hash: question?.shown_hash ?? "" };
}

/**
 * The fate of an answer. `stands` means that the answer repeats what has already been decided, so nothing was done.
 */
type FormDecision = DecisionResult | { kind: "stands"; negotiation: Negotiation };

/**
 * Carries out what a form says. A client leaves a form open while its person decides elsewhere (contract §6), so the
 * same answer again is no second decision.
 * @throws AlreadyDecided, with the standing decision, for a different answer, and what `decide` throws
 */
async function decideInForm(request: DecisionRequest, ctx: AskContext): Promise<FormDecision> {
  try {
    return await ctx.negotiations.decide(request);
  } catch (error) {
    const id = request.negotiationId;
    if (!(error instanceof AlreadyDecided) || !saysTheSame(request, await ctx.negotiations.stage(id))) throw error;
    return { kind: "stands", negotiation: await ctx.negotiations.get(id) };
  }
}

/**
 * Returns whether the standing decision has the same effect as this request. Both must send the very same text, or both
 * must send none.
 */
function saysTheSame(request: DecisionRequest, stage: Stage): boolean {
  const { decision } = stage;
  if (decision === undefined) return false; // Without a decision, the backend went on by itself.
  if (request.kind === "reject") return !confirms(decision);
  const text =
    request.kind === "edit" ? rememberedSha256(request.text) : questionOf(stage, request.confirmationId)?.shown_hash;
  return confirms(decision) && text !== undefined && decision.text_hash === text;
}

/**
 * Refuses a yes to the shown text together with another text or demand, because nobody can say which of them the person
 * wants to send. The shown text itself does not count as another one, even in the form in which a result writes it, and
 * neither does the demand from which it was made.
 * @throws TwoTexts
 */
export async function refuseTwoTexts(args: DecisionArguments, tool: string, ctx: AskContext): Promise<void> {
  const { negotiation_id, confirmation_id, decision, confirmed_text, intent } = args;
  if (decision !== "accept" || (confirmed_text ?? intent) === undefined) return;
  const negotiation = await ctx.negotiations.get(negotiation_id);
  const stage = await ctx.negotiations.stage(negotiation_id, negotiation);
  if (stage.name !== "asking") return;
  const current = formulatedText(negotiation);
  const shown = questionOf(stage, confirmation_id)?.shown_hash;
  const isOther = (text: string): boolean =>
    text !== current && text !== showInvisible(current) && rememberedSha256(text) !== shown;
  const isNew = intent !== undefined && isOther(intent) && !isSameDemand(intent, negotiation);
  if (!isNew && (confirmed_text === undefined || !isOther(confirmed_text))) return;
  throw new TwoTexts({ tool, negotiation_id, ...(confirmation_id !== undefined && { confirmation_id }) });
}

/**
 * Returns the marked difference between the network's text and the text that went out instead. Undefined if the
 * network's own text went out, or if the network's text is no longer known.
 */
async function differenceSent(
  text: string | undefined,
  { negotiation, decision }: Extract<DecisionResult, { kind: "confirmed" }>,
  ctx: AskContext,
): Promise<string | undefined> {
  // The answer to a confirm holds the old text.
  const original = formulatedText(negotiation);
  const isKnown = rememberedSha256(original) === decision.formulated_hash;
  if (text === undefined || text === original || !isKnown) return undefined;
  const marked = markedDifference(showInvisible(original), showInvisible(text), ctx.texts.lang);
  return marked && (await sanitizePlan(marked, sanitizeOptions(ctx.settings))).value;
}
