import * as z from "zod";
import { askForm, askPage, type FormAnswer, fitsForm, readAnswer } from "../agent/human.ts";
import { showInvisible } from "../agent/visible.ts";
import type { Negotiation } from "../backend/contract.ts";
import { EditedTextEmpty, HumanSurfaceRequired } from "../negotiation/errors.ts";
import type { GateResult } from "../negotiation/gate.ts";
import type { DecidedBy } from "../negotiation/history.ts";
import { formulatedText, phaseOf } from "../negotiation/states.ts";
import { summarise, warningsOf } from "../negotiation/summary.ts";
import { isoTime } from "../text/time.ts";
import type { Outcome, ToolContext } from "./define.ts";
import { resumeField } from "./fields.ts";
import { follow, standingOf } from "./follow.ts";

/** What `towow_demand` and `towow_confirm` answer, in the pause and after it (contract §6). */
export const pauseOutput = z.object({
  negotiation_id: z.string(),
  state: z.string(),
  formulated_text: z.string().nullable().describe("The text, whole; invisible characters are written as \\u{…}"),
  deadline: z.string().nullable().describe("By when the person must decide, ISO 8601"),
  decision: z.string().nullable(),
  decided_by: z.string().nullable(),
  resume_with: resumeField.nullable().describe("The next call"),
});
export type PauseData = z.output<typeof pauseOutput>;

/** Decisions as arguments of a call. */
export interface DecisionArguments {
  negotiation_id: string;
  confirmation_id?: string | undefined;
  decision?: "accept" | "edit" | "reject" | undefined;
  confirmed_text?: string | undefined;
}

/** An answer to a question about a formulated text. */
export type DecisionAnswer = FormAnswer & { about: { kind: "formulation" } };

type PauseOutcome = Outcome<PauseData>;

/**
 * Asks the person about a text: in a form if it fits there, else as a result that holds it whole. `candidate` is an
 * edited text that is to be sent instead of the backend's.
 */
export async function openPause(
  negotiation: Negotiation,
  tool: string,
  ctx: ToolContext,
  { candidate, warnings = [] }: { candidate?: string; warnings?: string[] } = {},
): Promise<PauseOutcome> {
  const text = candidate ?? formulatedText(negotiation);
  if (ctx.canAsk && fitsForm(text)) return ask(negotiation, text, ctx);
  if (ctx.canOpenPage && candidate === undefined) return askOnPage(negotiation, ctx);
  return pauseResult(negotiation, tool, ctx, { text, warnings });
}

/** The same call after the form came back. */
export async function answerPause(
  answer: DecisionAnswer,
  args: DecisionArguments,
  tool: string,
  ctx: ToolContext,
): Promise<PauseOutcome> {
  const { negotiation_id: negotiationId, confirmation_id: confirmationId } = answer.about;
  if (answer.surface === "page") return answerPage(answer, tool, ctx);
  const filled = answer.action === "accept" ? readAnswer(answer.content) : undefined;
  const base = { negotiationId, confirmationId, by: "form" as const };
  if (answer.action === "decline" || filled?.decision === "reject")
    return settle(await ctx.negotiations.gate.decide({ ...base, kind: "reject", editSeen: true }), tool, ctx);
  if (filled === undefined) {
    const negotiation = await ctx.negotiations.get(negotiationId, ctx.signal);
    if (phaseOf(negotiation.state) !== "asking") return describe(negotiation, tool, ctx);
    return pauseResult(negotiation, tool, ctx, { text: formulatedText(negotiation), undecided: true });
  }
  const candidate = args.decision === "edit" ? args.confirmed_text : undefined;
  const typed = filled.confirmed_text?.trim() ? filled.confirmed_text : undefined;
  if (filled.decision === "edit" && typed === undefined) throw new EditedTextEmpty();
  // A text typed beside "accept" is what the person wants sent.
  const editedText = typed ?? candidate;
  const kind = editedText === undefined ? "accept" : "edit";
  const result = await ctx.negotiations.gate.decide({ ...base, kind, editedText, editSeen: typed !== undefined });
  return settle(result, tool, ctx, candidate);
}

/**
 * Back from the page: the client's "accept" only means "I'm done", the decision is what the page recorded. Undecided,
 * it waits within the budget and returns with the pause open.
 */
async function answerPage(answer: DecisionAnswer, tool: string, ctx: ToolContext): Promise<PauseOutcome> {
  const { negotiation_id: id } = answer.about;
  const done = answer.action === "accept" && (await ctx.negotiations.untilDecided(id, waitBudgetMs(ctx), ctx.signal));
  const negotiation = await ctx.negotiations.get(id, ctx.signal);
  if (done || phaseOf(negotiation.state) !== "asking") {
    const now = await follow(id, (n) => phaseOf(n.state) !== "asking", ctx, 2_000);
    return describe(now, tool, ctx);
  }
  return pauseResult(negotiation, tool, ctx, { text: formulatedText(negotiation), undecided: true });
}

const waitBudgetMs = (ctx: ToolContext) => ctx.settings.wait_budget_s * 1000;

/**
 * A decision that came as arguments. Where the client can ask, it only opens the form; a rejection needs no second
 * question. @throws HumanSurfaceRequired under `confirmation_policy: strict`.
 */
export async function decideByArgument(args: DecisionArguments, tool: string, ctx: ToolContext): Promise<PauseOutcome> {
  const { negotiation_id: negotiationId, confirmation_id: confirmationId, confirmed_text: editedText } = args;
  const { gate } = ctx.negotiations;
  const kind = args.decision ?? "accept";
  const by: DecidedBy = "argument";
  if (kind === "reject") return settle(await gate.decide({ negotiationId, kind, by, editSeen: true }), tool, ctx);
  if (kind === "edit" && !editedText?.trim()) throw new EditedTextEmpty();
  if (!ctx.canAsk) {
    if (ctx.settings.confirmation_policy === "strict") throw new HumanSurfaceRequired();
    return settle(
      await gate.decide({ negotiationId, confirmationId, kind, editedText, by, editSeen: true }),
      tool,
      ctx,
    );
  }
  const negotiation = await ctx.negotiations.get(negotiationId, ctx.signal);
  const standing = await standingOf(negotiationId, ctx);
  if (phaseOf(negotiation.state) !== "asking" || standing.decision !== undefined)
    return describe(negotiation, tool, ctx);
  const text = kind === "edit" && editedText !== undefined ? editedText : formulatedText(negotiation);
  const question = (await ctx.negotiations.record(negotiationId))?.confirmation;
  const shownWhole = question?.id === confirmationId && question?.shown_hash === ctx.negotiations.hash(text);
  if (fitsForm(text) || shownWhole) return ask(negotiation, text, ctx);
  if (ctx.canOpenPage && kind === "accept") return askOnPage(negotiation, ctx);
  return pauseResult(negotiation, tool, ctx, { text, ...(kind === "edit" && { edited: true }) });
}

/** The page shows the text whole and has a real editor: for every text that no form can show. */
async function askOnPage(negotiation: Negotiation, ctx: ToolContext): Promise<PauseOutcome> {
  const text = formulatedText(negotiation);
  const record = await ctx.negotiations.question(negotiation, text);
  const url = await pageFor(negotiation, ctx);
  const decideBy = deadlineSentence(ctx.negotiations.decideBy(record), ctx);
  return {
    ask: {
      about: aboutText(record),
      message: askPage(text, ctx.texts, decideBy),
      url,
    },
  };
}

const pageFor = (negotiation: Negotiation, ctx: ToolContext) =>
  ctx.pages.open({ negotiationId: negotiation.negotiation_id, host: unusualHost(ctx), lang: ctx.texts.lang });

const aboutText = (record: { negotiation_id: string; confirmation: { id: string } }) => ({
  kind: "formulation" as const,
  negotiation_id: record.negotiation_id,
  confirmation_id: record.confirmation.id,
});

/** A question names the backend's host when it is not the file's (contract §3). */
export const unusualHost = (ctx: ToolContext) =>
  ctx.settings.sources.backend_url === "file" ? undefined : hostOf(ctx.settings.backend_url);

async function ask(negotiation: Negotiation, text: string, ctx: ToolContext): Promise<PauseOutcome> {
  const record = await ctx.negotiations.question(negotiation, text);
  const host = unusualHost(ctx);
  const decideBy = deadlineSentence(ctx.negotiations.decideBy(record), ctx);
  return {
    ask: {
      about: aboutText(record),
      ...askForm(text, ctx.texts, {
        ...(decideBy !== undefined && { decideBy }),
        ...(host !== undefined && { host }),
      }),
    },
  };
}

const hostOf = (url: string | undefined) => (url === undefined ? undefined : new URL(url).host);

function deadlineSentence(at: number | undefined, ctx: ToolContext): string | undefined {
  if (at === undefined) return undefined;
  if (at <= ctx.now()) return ctx.texts.pause.passed;
  const time = ctx.timeOfDay(at);
  return ctx.settings.on_unconfirmed === "cancel" ? ctx.texts.pause.decideBy(time) : ctx.texts.pause.autoAt(time);
}

/** The pause as a result: the text whole, the deadline, and the call that decides. */
async function pauseResult(
  negotiation: Negotiation,
  tool: string,
  ctx: ToolContext,
  options: { text: string; undecided?: boolean; edited?: boolean; warnings?: string[] },
): Promise<PauseOutcome> {
  const { text, undecided, edited, warnings = [] } = options;
  const { pause, note } = ctx.texts;
  const record = await ctx.negotiations.question(negotiation, text);
  const shown = showInvisible(text);
  const decideBy = ctx.negotiations.decideBy(record);
  const strict = ctx.settings.confirmation_policy === "strict" && !ctx.canAsk;
  const page = candidateIs(negotiation, text) ? await offerPage(negotiation, strict, ctx) : undefined;
  const all = [...warnings, ...(shown === text ? [] : ["invisible_characters"])];
  return {
    summary: [
      undecided ? pause.undecided : undefined,
      ...all.map((code) => (note as Record<string, string>)[code]),
      pause.heading,
      shown,
      deadlineSentence(decideBy, ctx),
      strict ? pause.strict : pause.ask,
      page,
    ]
      .filter((line) => line !== undefined)
      .join("\n"),
    data: {
      negotiation_id: negotiation.negotiation_id,
      state: negotiation.state,
      formulated_text: shown,
      deadline: decideBy === undefined ? null : isoTime(decideBy),
      decision: null,
      decided_by: null,
      resume_with: {
        tool,
        params: {
          negotiation_id: negotiation.negotiation_id,
          ...(!strict && { confirmation_id: record.confirmation.id }),
          ...(edited && { decision: "edit", confirmed_text: text }),
        },
      },
    },
    warnings: all,
  };
}

const candidateIs = (negotiation: Negotiation, text: string) => text === formulatedText(negotiation);

/**
 * A client without any surface gets the page as a link. Under `strict` no address appears in a result, where a model
 * could use it: the server opens the browser itself.
 */
async function offerPage(negotiation: Negotiation, strict: boolean, ctx: ToolContext): Promise<string | undefined> {
  if (ctx.canAsk || ctx.canOpenPage) return undefined;
  const url = await pageFor(negotiation, ctx);
  if (!strict) return ctx.texts.form.link(url);
  return (await ctx.openBrowser(url)) ? ctx.texts.form.opened : undefined;
}

/** What became of a decision. */
async function settle(
  result: GateResult,
  tool: string,
  ctx: ToolContext,
  candidate?: string | undefined,
): Promise<PauseOutcome> {
  const { note, state, pause } = ctx.texts;
  if (result.kind === "changed")
    return openPause(result.negotiation, tool, ctx, {
      warnings: ["text_changed"],
      ...(candidate !== undefined && { candidate }),
    });
  if (result.kind === "moved") return describe(result.negotiation, tool, ctx);
  if (result.kind === "rejected")
    return { summary: state.rejected, data: await dataOf(result.negotiation, ctx, null), warnings: [] };
  const { negotiation: answered, decision } = result;
  // The answer to a confirm still holds the old state: a short look tells what is true now.
  const negotiation = await follow(answered.negotiation_id, (n) => phaseOf(n.state) !== "asking", ctx, 2_000);
  const warnings = [...result.warnings, ...(decision.by === "argument" ? ["confirmed_by_argument"] : [])];
  return {
    summary: [pause.moving, ...warnings.map((code) => (note as Record<string, string>)[code])].join("\n"),
    data: await dataOf(negotiation, ctx, { tool: "towow_status", params: { ...idOf(negotiation), wait: "done" } }),
    warnings,
  };
}

/** A negotiation that is not waiting for a decision (yet, or any more). */
export async function describe(
  negotiation: Negotiation,
  tool: string,
  ctx: ToolContext,
  more: string[] = [],
): Promise<PauseOutcome> {
  const id = negotiation.negotiation_id;
  const standing = await standingOf(id, ctx);
  const warnings = [...more, ...warningsOf(negotiation, standing, (text) => ctx.negotiations.hash(text))];
  const before = phaseOf(negotiation.state) === "before";
  const resume = before
    ? { tool, params: idOf(negotiation) }
    : { tool: "towow_status", params: { ...idOf(negotiation), wait: "done" } };
  return {
    summary: [
      before ? ctx.texts.pause.ready(negotiation.state) : summarise(negotiation, standing, ctx.texts),
      ...warnings.map((code) => (ctx.texts.note as Record<string, string>)[code]),
    ]
      .filter((line) => line !== undefined)
      .join("\n"),
    data: await dataOf(negotiation, ctx, phaseOf(negotiation.state) === "over" ? null : resume),
    warnings,
    ...(warnings.includes("auto_confirmed") && { status: "degraded" as const }),
  };
}

const idOf = (n: Negotiation) => ({ negotiation_id: n.negotiation_id });

async function dataOf(
  negotiation: Negotiation,
  ctx: ToolContext,
  resume_with: PauseData["resume_with"],
): Promise<PauseData> {
  const decision = await ctx.negotiations.decision(negotiation.negotiation_id);
  return {
    ...idOf(negotiation),
    state: negotiation.state,
    formulated_text: negotiation.demand_formulated === null ? null : showInvisible(formulatedText(negotiation)),
    deadline: null,
    decision: decision?.kind ?? null,
    decided_by: decision?.by ?? null,
    resume_with,
  };
}
