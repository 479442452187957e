/**
 * Decides whether a surface shows a person all of a text, because only then does their yes count (contract §6). Forms,
 * their fields, tools' results, and the pages of the room and of questions all ask here.
 *
 * Some parts of the decision are made elsewhere. What a client's form shows is measured in `client-forms.ts`. Only a
 * browser knows whether a text's end has been in its window. `room/page/hold.ts` disables the buttons of the room's
 * page until then, `room/page/display.ts` finds out whether somebody sees the page in the chat, and
 * `ask/page/page-scripts.ts` disables the yes of the other pages. `room/room.ts` keeps which texts were sent to a page,
 * and `session/permissions.ts` which profiles an AI was given to show. `question/who.ts` compares what was shown with
 * what is answered, for every answer.
 */
import type { PageForm } from "../question/chat-wire.ts";
import { estimatedTokens, MAX_PART_TOKENS } from "../result/tokens.ts";
import { showInvisible } from "../safety/invisible.ts";
import { type FormGeometry, fitsField, fitsMessage, mayFit } from "./client-forms.ts";

/** Returns the text as a form's message, or undefined if the form would not show all of it. */
export function wholeInForm(text: string, form: FormGeometry): string | undefined {
  if (!mayFit(text, form)) return undefined;
  const message = showInvisible(text);
  return fitsMessage(message, form) ? message : undefined;
}

/**
 * Returns whether a text holds invisible characters. An editor or a field does not show them, but our own pages, forms
 * and results write them out.
 */
export const hidesInEditor = (text: string): boolean => showInvisible(text) !== text;

/** Returns whether a person sees all of what they typed into a form's field. */
export const isWholeInField = (text: string, form: FormGeometry): boolean =>
  !hidesInEditor(text) && fitsField(text, form);

/** Estimates the tokens that a text takes in a result. */
const tokensOf = (text: string): number => estimatedTokens(JSON.stringify(text));

/**
 * Returns the text as a result holds it, or undefined if it is too long for a result. A text that the person decides on
 * is never cut, so a longer one is read on the page or in a terminal.
 */
export function wholeInResult(text: string): string | undefined {
  const shown = showInvisible(text);
  return tokensOf(shown) <= MAX_PART_TOKENS ? shown : undefined;
}

/** Returns whether a result can hold the text twice, in words and as data. */
export const fitsTwice = (text: string): boolean => 2 * tokensOf(text) <= MAX_PART_TOKENS;

/**
 * Returns the hash of the text that a page in the chat reports as seen whole. The report counts only if it also says
 * how the page knows that its person sees it.
 */
export const reportedAsSeen = ({ shown, display }: Pick<PageForm, "shown" | "display">): string | undefined =>
  display === undefined ? undefined : shown;

/**
 * Returns whether a yes on a page is about the very text that it would send now, and that text was seen whole. `named`
 * is the hash that the button names, and `isSeen` returns whether the text with a hash has been seen.
 */
export const isWholeOnPage = (
  outgoing: string,
  { named, isSeen }: { named: string | null | undefined; isSeen: (hash: string) => boolean },
): boolean => named === outgoing && isSeen(outgoing);
