import type { Settings } from "../home/settings.ts";
import { formulatedText } from "../negotiation/backend-states.ts";
import { byConfirm, NeedsOwnHand } from "../negotiation/errors.ts";
import type { Stage } from "../negotiation/stage.ts";
import {
  type Author,
  type Client,
  type Given,
  type QuestionName,
  type Surface,
  surfacesFor,
  TRAITS,
  type Trait,
  whyOwnHand,
} from "../question/who.ts";
import { showInvisible } from "../safety/invisible.ts";
import type { AskContext } from "./context.ts";
import { fitsInResult } from "./text-in-result.ts";

/**
 * How a decision about a negotiation may come from this client (contract §6):
 * - `surface`: the client itself asks the person, so arguments only ask again;
 * - `argument`: there is no surface, and the person's AI passes their word on;
 * - `command_line`, `strict`, `tainted`, `not_own`, `not_passed_on`: on the page or in a terminal, and nowhere else;
 * - `too_long`: the same, since no result holds the text whole;
 * - `no_tool`: the same, since this client may call no tool that takes it;
 * - `command_ends`: nowhere, since it is withdrawn as soon as the command that submitted it ends.
 */
export type DecisionPath =
  | "surface"
  | "argument"
  | "command_line"
  | "command_ends"
  | "strict"
  | "tainted"
  | "not_own"
  | "not_passed_on"
  | "too_long"
  | "no_tool";

/** Decisions as arguments of a call. */
export interface DecisionArguments {
  negotiation_id: string;
  confirmation_id?: string | undefined;
  decision: "accept" | "edit" | "reject";
  confirmed_text?: string | undefined;
  /** The demand itself: some clients give it again. */
  intent?: string | undefined;
}

/** What the client of this call is, for who may ask. */
const clientIn = ({ client, askAtTerminal }: AskContext): Client => {
  const traits: Record<Trait, boolean> = {
    forms: client.showsForms,
    pages: client.canOpenPage,
    elicitation: client.declaresElicitation,
    terminal: askAtTerminal !== undefined,
    command_line: client.isCommandLine,
    no_deciding_tool: client.decidingTools.length === 0,
  };
  return new Set(TRAITS.filter((trait) => traits[trait]));
};

/** Whose words the arguments of a call are: a person's who types a command in a terminal, else those of their AI. */
export const callersAuthor = ({ client, askAtTerminal }: Pick<AskContext, "client" | "askAtTerminal">): Author =>
  client.isCommandLine && askAtTerminal !== undefined ? "person" : "ai";

/** Under what a word counts in this call. `isTainted`: also by what it is about. */
export async function givenIn(
  { settings, session, client }: Pick<AskContext, "settings" | "session" | "client">,
  isTainted = false,
): Promise<Given> {
  return {
    isStrict: isStrict(settings),
    isTainted: isTainted || (await session.taint.isTainted()),
    passesNoWord: client.passesNoWord,
  };
}
export const isStrict = ({ confirmation_policy }: Pick<Settings, "confirmation_policy">): boolean =>
  confirmation_policy === "strict";

/** Where this call may put a question before the person, the best first. */
export const surfacesIn = (question: QuestionName, ctx: AskContext, given: Given): Surface[] =>
  surfacesFor(question, clientIn(ctx), given);

/** Which of its own surfaces this client puts a text on; text of others that its AI has read changes nothing about that. */
export const ownSurfaces = (question: TextQuestion, ctx: AskContext): Surface[] =>
  surfacesIn(question, ctx, { isStrict: isStrict(ctx.settings), isTainted: true });
type TextQuestion = Extract<QuestionName, "text" | "own_text" | "ai_text" | "others_text">;

/** Whether the client itself can put a question before the person: then arguments never decide (contract §6). */
export const hasSurface = (ctx: AskContext, question: TextQuestion = "text"): boolean =>
  ownSurfaces(question, ctx).length > 0;

/** How a question is shown on each surface; undefined where that does not show all of it. */
type Showing<Shown> = Readonly<Record<Surface, () => Promise<Shown | undefined>>>;

/** Puts a question on the first surface that shows all of it. */
export async function showOn<Shown>(surfaces: readonly Surface[], how: Showing<Shown>): Promise<Shown | undefined> {
  for (const surface of surfaces) {
    const shown = await how[surface]();
    if (shown !== undefined) return shown;
  }
  return undefined;
}
export const showsNothing = async (): Promise<undefined> => undefined;

/** How a decision about `id` may come; `stage` is where the negotiation stands now. */
export async function decisionPathOf(id: string, stage: Stage, ctx: AskContext): Promise<DecisionPath> {
  if (ctx.client.isCommandLine) return endsWithCommand(id, stage, ctx) ? "command_ends" : "command_line";
  if (stage.isOwn && ctx.client.decidingTools.length === 0) return "no_tool";
  if (stage.isOwn && hasSurface(ctx)) return "surface";
  const question = stage.isOwn ? "text" : "others_text";
  const why = whyOwnHand(question, { surface: "argument" }, await givenIn(ctx, stage.isTainted));
  if (why !== undefined) return why;
  const seen = ctx.negotiations.lastSeen(id);
  const fits = seen === undefined || fitsInResult(showInvisible(formulatedText(seen)));
  return fits ? "argument" : "too_long";
}

/** Whether it is withdrawn when the command that runs now has ended. */
export const endsWithCommand = (id: string, stage: Stage, { negotiations, ...ctx }: AskContext): boolean =>
  ctx.client.isCommandLine &&
  negotiations.isFromThisProgram(id) &&
  (ctx.withdrawsAtEnd || !negotiations.isLeftToBackend(stage));

/** Why a decision by argument is refused, with the way that there is. */
export const refusalOf = (path: Exclude<DecisionPath, "surface" | "argument">, negotiation_id: string) =>
  new NeedsOwnHand(
    path === "tainted" || path === "not_own" || path === "not_passed_on" ? path : "strict",
    byConfirm(negotiation_id),
  );
