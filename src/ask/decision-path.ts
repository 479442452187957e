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
import type { AskContext } from "./context.ts";
import { wholeInResult } from "./whole.ts";

/**
 * How a decision about a negotiation may come from this client (contract §6):
 * - `surface`: the client itself asks the person, so arguments only ask again;
 * - `argument`: there is no surface, and the person's AI passes their word on;
 * - `command_line`, `strict`, `tainted`, `not_own`, `not_passed_on`: only on the page or in a terminal;
 * - `too_long`: also only there, because no result holds the text whole;
 * - `no_tool`: also only there, because this client may call no tool that takes a decision;
 * - `command_ends`: nowhere, because the demand is withdrawn as soon as the command that submitted it ends.
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

/** The arguments in which a call can carry a decision. */
export interface DecisionArguments {
  negotiation_id: string;
  confirmation_id?: string | undefined;
  decision: "accept" | "edit" | "reject";
  confirmed_text?: string | undefined;
  /** The demand, which some clients give again. */
  intent?: string | undefined;
}

/** Returns the traits of this call's client, for the rules of who may ask. */
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

/**
 * Returns whose words the arguments of a call are. They are a person's if the person types a command in a terminal, and
 * their AI's otherwise.
 */
export const callersAuthor = ({ client, askAtTerminal }: Pick<AskContext, "client" | "askAtTerminal">): Author =>
  client.isCommandLine && askAtTerminal !== undefined ? "person" : "ai";

/**
 * Returns the conditions that limit whose word counts in this call. `isTainted` says that the negotiation itself is
 * tainted by text of others.
 */
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

/** Lists the surfaces on which this call may put a question before the person, the best first. */
export const surfacesIn = (question: QuestionName, ctx: AskContext, given: Given): Surface[] =>
  surfacesFor(question, clientIn(ctx), given);

/** Lists the client's own surfaces for a text. They are the same whether or not its AI has read text by others. */
export const ownSurfaces = (question: TextQuestion, ctx: AskContext): Surface[] =>
  surfacesIn(question, ctx, { isStrict: isStrict(ctx.settings), isTainted: true });
type TextQuestion = Extract<QuestionName, "text" | "own_text" | "ai_text" | "others_text">;

/** Returns whether the client itself can ask the person. If it can, arguments never decide (contract §6). */
export const hasSurface = (ctx: AskContext, question: TextQuestion = "text"): boolean =>
  ownSurfaces(question, ctx).length > 0;

/** How to show a question on each surface. A surface that does not show all of it resolves with undefined. */
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

/** Returns how a decision about `id` may come. `stage` is where the negotiation stands now. */
export async function decisionPathOf(id: string, stage: Stage, ctx: AskContext): Promise<DecisionPath> {
  if (ctx.client.isCommandLine) return endsWithCommand(id, stage, ctx) ? "command_ends" : "command_line";
  if (stage.isOwn && ctx.client.decidingTools.length === 0) return "no_tool";
  if (stage.isOwn && hasSurface(ctx)) return "surface";
  const question = stage.isOwn ? "text" : "others_text";
  const why = whyOwnHand(question, { surface: "argument" }, await givenIn(ctx, stage.isTainted));
  if (why !== undefined) return why;
  const seen = ctx.negotiations.lastSeen(id);
  const fits = seen === undefined || wholeInResult(formulatedText(seen)) !== undefined;
  return fits ? "argument" : "too_long";
}

/** Returns whether the negotiation is withdrawn when the current command ends. */
export const endsWithCommand = (id: string, stage: Stage, { negotiations, ...ctx }: AskContext): boolean =>
  ctx.client.isCommandLine &&
  negotiations.isFromThisProgram(id) &&
  (ctx.withdrawsAtEnd || !negotiations.isLeftToBackend(stage));

/** Returns the error that says why a decision by argument is refused, and which way is open. */
export const refusalOf = (path: Exclude<DecisionPath, "surface" | "argument">, negotiation_id: string) =>
  new NeedsOwnHand(
    path === "tainted" || path === "not_own" || path === "not_passed_on" ? path : "strict",
    byConfirm(negotiation_id),
  );
