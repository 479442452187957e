import type { Negotiation } from "../backend/contract.ts";
import { ignoreTowowError } from "../errors.ts";
import { hostLabel, originOf, SANDBOX } from "../home/origin.ts";
import { formulatedText } from "../negotiation/backend-states.ts";
import type { OpenQuestion } from "../negotiation/decide.ts";
import type { Says } from "../negotiation/says.ts";
import type { Surface } from "../question/who.ts";
import { isBlank } from "../safety/invisible.ts";
import type { Fate } from "../view/fate.ts";
import { fitsRow, MIN_FORM } from "./client-forms.ts";
import { type UnusualRoute, unusualRoute, unusualRouteSentences } from "./consequences.ts";
import type { AskContext, HandlerResult } from "./context.ts";
import { ownSurfaces, showOn, showsNothing } from "./decision-path.ts";
import {
  type AskedAgain,
  aiTextBeside,
  type Beside,
  type FormulationPending,
  ownTextForm,
  type PageAddresses,
  type PageRequest,
  pageMessage,
  pauseForm,
} from "./questions.ts";
import { whoWroteInRow } from "./shown-text.ts";

type AskOutcome = Extract<HandlerResult<never>, { ask: unknown }>;

/** The surfaces that are not the client's own. There a result holds the text, or `towow-mcp confirm` asks about it. */
const BY_NO_CLIENT: Record<Exclude<Surface, "form" | "page">, typeof showsNothing> = {
  terminal: showsNothing,
  argument: showsNothing,
};

/**
 * Puts a text before the person on a surface that shows it whole, which is a form or else the page. Texts by their AI,
 * and texts that were not submitted here, always go to the page. Returns undefined if this client has no such surface,
 * or if this call may ask no further question.
 */
export async function askPerson(
  negotiation: Negotiation,
  ctx: AskContext,
  candidate?: string | undefined,
  askedAgain?: AskedAgain | undefined,
): Promise<AskOutcome | undefined> {
  if (!ctx.client.mayAskMore) return undefined;
  const { isOwn } = await ctx.negotiations.stage(negotiation.negotiation_id, negotiation);
  const surfaces = ownSurfaces(!isOwn ? "others_text" : candidate === undefined ? "text" : "ai_text", ctx);
  return showOn(surfaces, {
    ...BY_NO_CLIENT,
    form: () => (ctx.client.drawsForms ? askInChat : askInForm)(negotiation, ctx, { askedAgain }),
    page: () => askOnPage(negotiation, ctx, candidate, { askedAgain }),
  });
}

/** Asks by the page that the client draws instead of a form. The page shows any text whole and takes the answer. */
const askInChat = async (
  negotiation: Negotiation,
  ctx: AskContext,
  { askedAgain }: Pick<Beside, "askedAgain">,
): Promise<AskOutcome> => ({
  ask: { ...(await aboutPage(negotiation, ctx, undefined, { askedAgain })), isDrawn: true },
});

/** Returns the scene and the id under which a demand goes, if they are unusual. */
export async function unusualRouteOf(
  id: string,
  { negotiations, settings, userId }: AskContext,
): Promise<UnusualRoute> {
  const { submitted } = await negotiations.facts(id);
  return unusualRoute(submitted, { sceneId: settings.last_scene_id, userId: await userId().catch(ignoreTowowError) });
}

/** Returns the sentences of a question about an unusual scene or id. */
async function routeSentences(id: string, ctx: AskContext): Promise<string[]> {
  const unusual = await unusualRouteOf(id, ctx);
  const { sceneId } = unusual;
  const name = sceneId === undefined ? undefined : await ctx.sceneName(sceneId);
  return unusualRouteSentences(unusual, ctx.texts, (scene) => ctx.texts.page.scene(scene, name));
}

/** Asks on the page, which shows any text whole and has a real editor. Returns undefined if no page can be opened. */
async function askOnPage(
  negotiation: Negotiation,
  ctx: AskContext,
  candidate?: string | undefined,
  beside: Pick<Beside, "toChange" | "askedAgain"> = {},
): Promise<AskOutcome | undefined> {
  const asked = await aboutPage(negotiation, ctx, candidate, beside);
  const page = await pageFor(negotiation, ctx, { candidate, toChange: beside.toChange });
  return page && { ask: { ...asked, url: page.forClient } };
}

/** Writes the question that a client shows before it opens or draws a page. */
async function aboutPage(
  negotiation: Negotiation,
  ctx: AskContext,
  candidate: string | undefined,
  { toChange, askedAgain }: Pick<Beside, "toChange" | "askedAgain">,
): Promise<{ about: FormulationPending; message: string }> {
  const text = formulatedText(negotiation);
  const question = await ctx.negotiations.claimQuestion(negotiation, text);
  const host = namedHost(ctx);
  const terminal = ctx.browser === "none" ? inTerminal(negotiation.negotiation_id, ctx) : undefined;
  const isFull = host !== undefined && terminal !== undefined;
  const decideBy = deadlineIn(question.silence, ctx, isFull ? ctx.texts.form : ctx.texts.pageQuestion);
  const said = saidOf(negotiation, ctx);
  const isUnchanged = candidate === undefined && said.writers.submitted === "ai" && isDegraded(said);
  const unusual = await routeSentences(negotiation.negotiation_id, ctx);
  const beside = { decideBy, host, terminal, toChange, askedAgain, isUnchanged, unusual };
  const by = candidate === undefined ? whoWroteInRow(said, ctx.texts) : ctx.texts.author.ai;
  const message = pageMessage(candidate ?? text, ctx.texts, beside, by);
  return { about: aboutText(question), message };
}

/** Returns the terminal command only if it fits in its row, because nobody can type a command that is cut. */
function inTerminal(id: string, { texts }: AskContext): string | undefined {
  const row = texts.pageQuestion.terminal(id);
  return fitsRow(row, MIN_FORM.pageColumns) ? row : undefined;
}

const saidOf = (negotiation: Negotiation, { negotiations }: AskContext) =>
  negotiations.says(negotiations.stageInMemory(negotiation.negotiation_id, negotiation), negotiation);

/** Returns true unless the network is known to have added something to the text. */
const isDegraded = ({ warnings }: Pick<Says, "warnings">): boolean => warnings.includes("degraded_formulation");

/** Opens the page about a text, or returns undefined if no page can be opened. */
export const pageFor = async (
  negotiation: Negotiation,
  ctx: AskContext,
  how: Pick<PageRequest, "candidate" | "toChange"> = {},
): Promise<PageAddresses | undefined> =>
  ctx.pages?.open({ negotiationId: negotiation.negotiation_id, ...how, lang: ctx.texts.lang });

const aboutText = ({ id, negotiationId }: OpenQuestion): FormulationPending => ({
  kind: "formulation",
  negotiation_id: negotiationId,
  confirmation_id: id,
});

/**
 * Returns the label of the host that an answer goes to, if a question must name it. That is so in the first question of
 * a session, for a backend that is not the one in the settings file (contract §3), and always for the sandbox, which
 * reaches no real people.
 */
export function namedHost({ settings, origin, texts, isHostNamed }: AskContext): string | undefined {
  if (origin === "") return undefined;
  const isFiles = settings.sources.backend_url === "file" && originOf(settings.backend_url) === origin;
  return isFiles && isHostNamed && origin !== SANDBOX ? undefined : hostLabel(origin, texts);
}

/**
 * Asks in a form that shows the text whole, whether it is the backend's text or one that the person has just typed.
 * Returns undefined if no form shows it, or if no form's answer counts.
 */
export async function askInForm(
  negotiation: Negotiation,
  ctx: AskContext,
  { ownText, askedAgain }: { ownText?: string; askedAgain?: AskedAgain | undefined },
): Promise<AskOutcome | undefined> {
  if (!ctx.client.mayAskMore || !ownSurfaces("text", ctx).includes("form")) return undefined;
  const text = ownText ?? formulatedText(negotiation);
  if (isBlank(text)) return undefined; // Nobody can agree to a text that shows nothing.
  const question = await ctx.negotiations.claimQuestion(negotiation, text);
  const decideBy = deadlineIn(question.silence, ctx, ctx.texts.form);
  const said = saidOf(negotiation, ctx);
  const isByAi = ownText === undefined && said.writers.text === "ai";
  const isUnchanged = isByAi && isDegraded(said);
  const unusual = await routeSentences(negotiation.negotiation_id, ctx);
  const beside = { decideBy, host: namedHost(ctx), isByAi, isUnchanged, askedAgain, unusual };
  const form = pauseForm(text, ctx.texts, beside, ctx.client.surface.form);
  if (form === undefined) return undefined;
  return { ask: { about: { ...aboutText(question), ...(ownText !== undefined && { own_text: ownText }) }, ...form } };
}

/**
 * Keeps a text by the person's AI until the person chooses to change the network's text. The AI's text then stands
 * beside the form's field, because a client that only has forms never asks about such a text. Returns false if that
 * form would not show the text whole, or if the client draws the page instead of forms.
 */
export async function keepForEdit(negotiation: Negotiation, text: string, ctx: AskContext): Promise<boolean> {
  if (!ownSurfaces("own_text", ctx).includes("form") || ctx.client.drawsForms) return false;
  if (aiTextBeside(text, ctx.texts, ctx.client.surface.form) === undefined) return false;
  const question = await ctx.negotiations.claimQuestion(negotiation, formulatedText(negotiation));
  ctx.session.texts.put(ctx.origin, question.id, text);
  return true;
}

/** Asks the person for their own text, on the page, which has an editor, or in a form with one field. */
export async function askForOwnText(negotiation: Negotiation, ctx: AskContext): Promise<AskOutcome | undefined> {
  if (!ctx.client.mayAskMore) return undefined;
  return showOn(ownSurfaces("own_text", ctx), {
    ...BY_NO_CLIENT,
    page: () => askOnPage(negotiation, ctx, undefined, { toChange: true }),
    async form() {
      // The typed text goes out as it is, and the form has no room for anything beside it.
      if ((await routeSentences(negotiation.negotiation_id, ctx)).length > 0) return undefined;
      const question = await ctx.negotiations.claimQuestion(negotiation, formulatedText(negotiation));
      return {
        ask: {
          about: { ...aboutText(question), asks: "text" },
          ...ownTextForm(ctx.texts, ctx.client.surface.form, ctx.session.texts.get(ctx.origin, question.id)),
        },
      };
    },
  });
}

/** The words for a deadline on one surface, which is a result, a form or a page. */
interface DeadlineTexts {
  decideBy: (time: string) => string;
  autoAt: (time: string) => string;
  passed: string;
}

/**
 * Says by when the person must decide, and what happens then. Returns undefined if no deadline is known, or if nothing
 * waits for them.
 */
export function deadlineIn(
  fate: Fate | undefined,
  { now, timeOfDay, texts: { pause } }: Pick<AskContext, "now" | "timeOfDay" | "texts">,
  texts: DeadlineTexts = pause,
): string | undefined {
  if (fate?.of !== "silence" || fate.at === undefined) return undefined;
  if (fate.at <= now()) return texts.passed;
  return (fate.as === "withdrawn" ? texts.decideBy : texts.autoAt)(timeOfDay(fate.at));
}
