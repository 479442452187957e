import * as z from "zod";
import type { Negotiation } from "../backend/contract.ts";
import { toIsoSeconds } from "../home/iso-time.ts";
import { formulatedText, phaseOf, shownState } from "../negotiation/backend-states.ts";
import { sentencesOf, summarise } from "../negotiation/describe.ts";
import { isDegraded, type Says, writerDecided, writerIn } from "../negotiation/says.ts";
import { isUndecided, type Stage } from "../negotiation/stage.ts";
import { type ShownBy, waysAt } from "../question/ways.ts";
import { AUTHORS, whyNotInChat } from "../question/who.ts";
import { resumeField } from "../result/tool-result.ts";
import { joinLines } from "../text/join.ts";
import type { Warning } from "../text/warnings.ts";
import { turn } from "../turn.ts";
import { deadlineIn, pageFor, unusualRouteOf } from "./ask-person.ts";
import { unusualRouteSentences } from "./consequences.ts";
import type { AskContext, HandlerResult } from "./context.ts";
import { type DecisionPath, decisionPathOf, hasSurface, isStrict } from "./decision-path.ts";
import { MOST_WINDOWS, WINDOWS_MINUTES } from "./page/open-page.ts";
import { piiSentence } from "./questions.ts";
import { type ShownText, shownText, whoWrote } from "./shown-text.ts";
import { fitsTwice } from "./whole.ts";

/**
 * Returns the shape of the data with which `towow_demand` and `towow_confirm` answer, both while a text waits for its
 * decision and afterwards (contract §6).
 */
export const pauseOutput = () =>
  z.object({
    negotiation_id: z.string(),
    state: z.string(),
    formulated_text: z.string().nullable().describe("The text, whole; invisible characters are written as \\u{…}"),
    deadline: z.string().nullable().describe("By when the person must decide, ISO 8601"),
    decision: z.string().nullable(),
    decided_by: z.string().nullable(),
    written_by: z
      .enum(AUTHORS)
      .nullable()
      .describe("Whose words are decided on; person: typed on the page or in the terminal"),
    difference: z
      .string()
      .nullable()
      .describe("What went out instead of the network's text, as [-taken out-] {+put in+}"),
    resume_with: resumeField().nullable().describe("The next call"),
    scene_name: z.string().optional().describe("Of the scene it goes to, where that is not the one joined last"),
  });
export type PauseData = z.output<ReturnType<typeof pauseOutput>>;

export type PauseOutcome = HandlerResult<PauseData>;

/**
 * Returns the result for a text that waits for its decision. It holds the whole text, the deadline and the ways to
 * decide.
 */
export async function pauseResult(
  negotiation: Negotiation,
  tool: string,
  ctx: AskContext,
  options: { undecided?: boolean; unshown?: Unshown; warnings?: Warning[] },
): Promise<PauseOutcome> {
  const { undecided, unshown, warnings = [] } = options;
  const { pause } = ctx.texts;
  const text = formulatedText(negotiation);
  const question = await ctx.negotiations.claimQuestion(negotiation, text);
  const stage = await ctx.negotiations.stage(negotiation.negotiation_id, negotiation);
  const { text: shown, warnings: about, ...whose } = await shownText(negotiation, stage, ctx);
  const path = await decisionPathOf(negotiation.negotiation_id, stage, ctx);
  const isWaiting = path !== "command_ends";
  const { silence } = question;
  const page = await providePage(negotiation, path, ctx);
  const kept = await whatKeeps(negotiation.negotiation_id, stage, ctx);
  await turn();
  const found = piiSentence([text], ctx.texts);
  await turn();
  const unusual = await unusualRouteInResult(negotiation.negotiation_id, ctx);
  const said = ctx.negotiations.says(stage, negotiation);
  const all = [...new Set([...warnings, ...said.warnings, ...about])];
  return {
    summary: joinLines([
      undecided ? pause.undecided : undefined,
      ...sentencesOf(all, ctx.texts),
      // Text that others wrote stands only in the data, where it is fenced.
      ...(whose.foreign || shown === null ? [] : textLines(shown, pause, whoWrote(said, ctx.texts))),
      found,
      ...unusual.sentences,
      ...(kept?.isGone
        ? [kept.sentence]
        : [
            isWaiting ? deadlineIn(silence, ctx) : undefined,
            kept?.sentence,
            page?.why,
            ...howToDecide(negotiation.negotiation_id, path, ctx, {
              unshown,
              page,
              isDrawn: isDecidedInChat(stage, ctx),
            }),
          ]),
    ]),
    data: {
      negotiation_id: negotiation.negotiation_id,
      state: shownState(negotiation),
      formulated_text: shown,
      deadline: silence.at === undefined || !isWaiting ? null : toIsoSeconds(silence.at),
      decision: null,
      decided_by: null,
      written_by: writerIn(said),
      difference: null,
      resume_with: {
        tool,
        params: { ...idOf(negotiation), ...(path === "argument" && { confirmation_id: question.id }) },
        ...(path === "argument" && { needs: ["decision"] }),
      },
      ...(unusual.sceneName !== undefined && { scene_name: unusual.sceneName }),
    },
    warnings: all,
    ...whose,
    ...(unusual.sceneName !== undefined && {
      foreign: [...(whose.foreign ?? []), "/scene_name"],
      ...(whose.foreign === undefined && { taints: false as const }),
    }),
    ...(isDegraded(all) && { status: "degraded" as const }),
  };
}

/**
 * Returns the sentences about where a demand goes, if that is unusual. Every question lists the same sentences. The
 * scene's name stands in the data, because others wrote it.
 */
async function unusualRouteInResult(id: string, ctx: AskContext): Promise<{ sentences: string[]; sceneName?: string }> {
  const unusual = await unusualRouteOf(id, ctx);
  const { sceneId } = unusual;
  const sceneName = sceneId === undefined ? undefined : await ctx.sceneName(sceneId);
  return {
    sentences: unusualRouteSentences(unusual, ctx.texts, (scene) => ctx.texts.page.sceneInResult(scene, sceneName)),
    ...(sceneName !== undefined && { sceneName }),
  };
}

/** Returns the lines with the text. A long text stands only in the data, because repeating it would double its cost. */
const textLines = (text: string, pause: AskContext["texts"]["pause"], author: string): string[] =>
  fitsTwice(text) ? [pause.heading(author), text] : [pause.inData(author)];

/**
 * The text that no surface of this client shows whole. It is the text in question, or an AI's text that would replace
 * it.
 */
type Unshown = "text" | "edit";

const OWN_HAND = ["strict", "tainted", "not_own", "not_passed_on", "too_long"] as const;
type OwnHand = (typeof OWN_HAND)[number];
export const isOwnHand = (path: DecisionPath): path is OwnHand => OWN_HAND.includes(path as OwnHand);

/** Says why the person must decide by themselves, on a page or in a terminal. */
const whyByOwnHand = (path: OwnHand, { texts: { pause } }: AskContext): string =>
  ({
    strict: pause.strict,
    tainted: pause.tainted,
    not_own: pause.notOwn,
    not_passed_on: pause.notPassedOn,
    too_long: pause.tooLong,
  })[path];

/** Returns who shows the person a text that is decided on in this way. */
const shownBy = (path: DecisionPath, unshown: Unshown | undefined): ShownBy =>
  path === "argument" ? "chat" : path !== "surface" ? "nobody" : unshown === undefined ? "client" : "cut";

/** Says why the person must go elsewhere, or returns undefined if this client will do. */
function whyElsewhere(path: DecisionPath, unshown: Unshown | undefined, ctx: AskContext): string | undefined {
  const { pause } = ctx.texts;
  if (isOwnHand(path)) return whyByOwnHand(path, ctx);
  if (path === "no_tool") return ctx.settings.profile === "read_only" ? pause.readsOnly : pause.noTool;
  if (path === "command_line") return pause.noCommand;
  if (path !== "surface" || unshown === undefined) return undefined;
  return unshown === "edit" ? pause.editNotInForm : pause.notInForm;
}

interface HowItIsAsked {
  unshown?: Unshown | undefined;
  page?: WantedPage | undefined;
  /** True if the client says that it draws a page at this result, and a yes from that page would count. */
  isDrawn?: boolean;
}

const isDecidedInChat = ({ isOwn }: Stage, { client, settings }: AskContext): boolean =>
  client.drawsPages &&
  client.decidingTools.length > 0 &&
  whyNotInChat(isOwn ? "text" : "others_text", isStrict(settings)) === undefined;

/**
 * Lists the ways to decide that work now, one line each. If the client itself is none of them, the first line gives the
 * reason.
 */
export function howToDecide(id: string, path: DecisionPath, ctx: AskContext, how: HowItIsAsked = {}): string[] {
  if (path === "command_ends") return [ctx.texts.pause.commandEnds];
  const why = whyElsewhere(path, how.unshown, ctx);
  return [...(why === undefined ? [] : [why]), ...waysToDecide(id, path, ctx, how)];
}

/** Lists only the ways to decide, for a result that has already given the reason. */
export function waysToDecide(
  id: string,
  path: DecisionPath,
  ctx: AskContext,
  { unshown, page, isDrawn = false }: HowItIsAsked = {},
): string[] {
  const { pause } = ctx.texts;
  const { browser, client } = ctx;
  const [tool] = client.decidingTools;
  const onPage = () => {
    if (page?.isOpen) return pause.onPage;
    if (page?.url !== undefined) return (browser === "elsewhere" ? pause.signIn : pause.atAddress)(page.url);
    if (page !== undefined || tool === undefined) return undefined;
    if (!client.canOpenPage && ctx.pages === undefined) return undefined;
    return (browser === "elsewhere" ? pause.signInAgain : pause.pageAgain)(tool);
  };
  const ways = waysAt({ shownBy: shownBy(path, unshown), browser, lifetime: client.lifetime });
  const drawn = isDrawn ? [pause.inChat] : [];
  const inOwnHands = ways.flatMap((way) => {
    if (way === "page") return onPage() ?? [];
    if (way === "tunnel") return page?.url === undefined ? [] : pause.throughTunnel(page.url);
    return way === "terminal" ? pause.inTerminal(id) : [];
  });
  const own = [...drawn, ...inOwnHands];
  const here = ways.flatMap((way) => (way === "chat" ? pause.ask : way === "client" ? again(ctx) : []));
  return [...here, ...own.map((where, i) => (i + here.length === 0 ? pause.decides(where) : pause.orDecides(where)))];
}

const again = ({ client, texts: { pause } }: AskContext): string =>
  client.mayRunInBackground ? pause.inBackground : pause.again;

/** The outcome of providing a page. The page is open, or can be opened at an address, or neither. */
interface WantedPage {
  isOpen?: true;
  url?: string;
  /** Why the page did not open, if that is not obvious. */
  why?: string;
}

/**
 * Provides the page for a client that has no surface of its own. If an argument may decide, or if the person is on
 * another machine and must sign in first, the result holds the page's address, which by itself decides nothing.
 * Otherwise the person must decide by themselves, so the server opens their browser. Returns undefined if no page is
 * wanted.
 */
async function providePage(
  negotiation: Negotiation,
  path: DecisionPath,
  ctx: AskContext,
): Promise<WantedPage | undefined> {
  const { browser, client } = ctx;
  const ways = waysAt({ shownBy: shownBy(path, undefined), browser, lifetime: client.lifetime });
  if (hasSurface(ctx) || !(ways.includes("page") || ways.includes("tunnel"))) return undefined;
  const url = (await pageFor(negotiation, ctx))?.forResult;
  if (url === undefined) return {};
  if (path === "argument" || browser === "elsewhere") return { url };
  const opening = await ctx.openBrowser(url);
  if (opening === "opened") return { isOpen: true };
  return opening === "too_many" ? { why: ctx.texts.form.tooManyWindows(MOST_WINDOWS, WINDOWS_MINUTES) } : {};
}

/** Returns the result for a negotiation that does not wait for a decision, either not yet or no longer. */
export async function notWaitingResult(
  negotiation: Negotiation,
  tool: string,
  ctx: AskContext,
  { more = [], ...late }: { more?: Warning[]; isLate?: true } = {},
): Promise<PauseOutcome> {
  const id = negotiation.negotiation_id;
  const stage = await ctx.negotiations.stage(id, negotiation);
  const { isGuarded } = await ctx.negotiations.guard(id, stage);
  const said = ctx.negotiations.says(stage, negotiation, { ...late, isGuarded });
  const evidence = ctx.negotiations.evidence(negotiation);
  const toReview = await ctx.negotiations.reviews.note({ said, evidence, lowScore: ctx.settings.low_resonance });
  const review: Warning[] = toReview.length > 0 ? ["review_pending"] : [];
  const warnings = [...new Set([...more, ...said.warnings, ...review])];
  const { text, warnings: about, ...whose } = await shownText(negotiation, stage, ctx);
  const before = phaseOf(negotiation.state) === "before";
  const resume = before
    ? { tool, params: idOf(negotiation) }
    : { tool: "towow_status", params: { ...idOf(negotiation), wait: "done" } };
  return {
    summary: joinLines([
      before ? ctx.texts.pause.ready(shownState(negotiation)) : summarise(said, ctx.texts),
      before ? (await whatKeeps(id, stage, ctx))?.sentence : undefined,
      ...sentencesOf(warnings, ctx.texts),
    ]),
    data: dataWith(said, negotiation, text, said.ending === undefined ? resume : null),
    warnings: [...warnings, ...about],
    ...whose,
    ...(isDegraded(warnings) && { status: "degraded" as const }),
  };
}

export const idOf = (n: Negotiation) => ({ negotiation_id: n.negotiation_id });

export const dataWith = (
  said: Pick<Says, "decision" | "writers">,
  negotiation: Negotiation,
  formulated_text: ShownText["text"],
  resume_with: PauseData["resume_with"],
  difference: string | null = null,
): PauseData => ({
  ...idOf(negotiation),
  state: shownState(negotiation),
  formulated_text,
  deadline: null,
  decision: said.decision?.kind ?? null,
  decided_by: said.decision?.by ?? null,
  written_by: writerDecided(said),
  difference,
  resume_with,
});

/**
 * Says whether an undecided demand survives if this server ends with its call. Other clients are not warned, because
 * their server lives on, sometimes beyond their own end. `isGone` means that no other program takes the demand over, so
 * nobody can decide on it any more. Returns undefined if there is nothing to warn about.
 */
export async function whatKeeps(
  id: string,
  stage: Stage,
  ctx: AskContext,
): Promise<{ sentence: string; isGone: boolean } | undefined> {
  const { client, negotiations, texts } = ctx;
  if (!client.startsServer || hasSurface(ctx) || !stage.isOwn || !isUndecided(stage)) return undefined;
  if (negotiations.isLeftToBackend(stage)) return undefined;
  // The offer of another program to take the demand over is awaited for every client, because an unknown client may end
  // this server too.
  const keeper = await negotiations.keeper(id);
  if (client.lifetime !== "call") return undefined;
  return keeper === undefined
    ? { sentence: texts.pause.keptHere, isGone: true }
    : { sentence: texts.pause.keptBy(keeper.pid), isGone: false };
}
