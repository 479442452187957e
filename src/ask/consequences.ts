import { shellWord } from "../terminal/shell-word.ts";
import { fateTexts } from "../text/fate.ts";
import type { Texts } from "../text/index.ts";
import { joinSentences } from "../text/join.ts";
import type { QuestionTexts } from "../text/question.ts";
import type { Fate } from "../view/fate.ts";
import type { AskedProfile, AskedStop } from "./asked.ts";

/** What is known about the profile in a question. */
export interface ProfileAsked extends Pick<AskedProfile, "as"> {
  /**
   * The label, as questions show it, of another scene that the person belongs to. A yes replaces their profile there
   * too. Absent if no such scene is known.
   */
  elsewhere?: string | undefined;
}

/** One consequence of a yes. `isGrave` means that a person who overlooks it loses something. */
export interface Consequence {
  what: "readers" | "replaces" | "as" | "stays" | "ends" | "out" | "again";
  text: string;
  isGrave?: true;
}

/**
 * Lists everything that a yes to a profile does besides sending it. Every surface shows the whole list, one sentence
 * for each consequence (contract §10). The network keeps one name and one profile for an id, for all scenes.
 */
export function profileConsequences({ as, elsewhere }: ProfileAsked, { page }: Texts): Consequence[] {
  const stays = { what: "stays", text: page.profileStays } as const;
  if (as?.isNew) return [{ what: "as", text: page.profileAsNew(as.id) }, stays];
  if (as !== undefined)
    return [
      { what: "as", text: page.profileAs(as.id), isGrave: true },
      { what: "replaces", text: page.profileReplacesTheirs, isGrave: true },
      stays,
    ];
  const isGrave = elsewhere !== undefined && ({ isGrave: true } as const);
  return [{ what: "replaces", text: page.profileReplaces(elsewhere), ...isGrave }, stays];
}

/** Lists what a yes to a cancel does. */
export function stopConsequences(
  { reach, demand }: Pick<AskedStop, "reach" | "demand">,
  { stop }: QuestionTexts,
): Consequence[] {
  return [
    { what: "ends", text: stop.ends },
    { what: "out", text: stop.reach[reach === "nobody_asked" ? "not_known" : reach] },
    ...(demand === undefined ? [] : [{ what: "again", text: stop.again } as const]),
  ];
}

/**
 * The scene and the id of a demand, each only if it differs from the usual one: the scene joined last, and the person's
 * own id.
 */
export interface UnusualRoute {
  sceneId?: string;
  userId?: string;
}

/**
 * Returns what is unusual about a demand. `usual` holds the scene joined last, if there was one, and the person's own
 * id, if it is known.
 */
export function unusualRoute(
  submitted: { scene_id?: string; user_id: string } | undefined,
  usual: { sceneId: string | undefined; userId: string | undefined },
): UnusualRoute {
  if (submitted === undefined) return {}; // If a demand was submitted elsewhere, nothing is known of its scene and its id.
  const { scene_id: sceneId, user_id: userId } = submitted;
  return {
    ...(sceneId !== undefined && usual.sceneId !== undefined && sceneId !== usual.sceneId && { sceneId }),
    ...(userId !== usual.userId && { userId }),
  };
}

/**
 * Returns what the person must know beside the text, one sentence for each unusual thing. `sceneNamed` returns a
 * scene's name as this surface shows it.
 */
export const unusualRouteSentences = (
  { sceneId, userId }: UnusualRoute,
  { unusual }: Texts,
  sceneNamed: (id: string) => string,
): string[] => [
  ...(sceneId === undefined ? [] : [unusual.otherScene(sceneNamed(sceneId))]),
  ...(userId === undefined ? [] : [unusual.otherId(userId)]),
];

/** The moment at which a sentence is read, with its reader's language and clock. */
interface Moment {
  /** The present time in ms since the epoch. */
  now: number;
  lang: "zh" | "en";
  timeOfDay: (atMs: number) => string;
}

/**
 * Says that a decision is on its way, whether a running program sends it, and what the backend does at its deadline.
 * Returns undefined if no decision is on its way.
 */
export function onItsWayText(
  fate: Fate | undefined,
  { id, now, lang, timeOfDay }: Moment & { id: string },
): string | undefined {
  if (fate === undefined || fate.of === "silence") return undefined;
  const texts = fateTexts(lang);
  const of = fate.of === "yes" ? texts.yes : fate.isPersons ? texts.no : texts.withdrawal;
  const unsent = typeof of.unsent === "string" ? of.unsent : of.unsent(shellWord(id));
  return joinSentences([fate.isSending ? of.sending : unsent, byThen(fate, { now, lang, timeOfDay })]);
}

/**
 * Says what the backend does if the decision has not arrived by its deadline. Returns undefined for a yes that is being
 * sent, because the program may still withdraw it and so nothing certain can be said. Also returns undefined for a no
 * to a text that is already broadcast, because the deadline no longer matters.
 */
export function byThen(fate: Fate | undefined, { now, lang, timeOfDay }: Moment): string | undefined {
  if (fate?.at === undefined || fate.of === "silence") return undefined;
  if (fate.of === "no" ? fate.isBroadcast : fate.isSending) return undefined;
  const texts = fateTexts(lang);
  if (fate.at <= now) return texts.tooLate(timeOfDay(fate.at));
  return (fate.of === "no" ? texts.noByThen : texts.yesByThen)(timeOfDay(fate.at));
}
