import type { Texts } from "../text/index.ts";
import type { QuestionTexts } from "../text/question.ts";
import type { AskedProfile, AskedStop } from "./asked.ts";

/** What is known of a profile that a question is about. */
export interface ProfileAsked extends Pick<AskedProfile, "as"> {
  /** A scene that the person is in, as a question names scenes; absent where none is known. */
  elsewhere?: string | undefined;
}

/** One thing that follows from a yes; `isGrave`: somebody who overlooks it loses something. */
export interface Consequence {
  what: "readers" | "replaces" | "as" | "stays" | "ends" | "out" | "again";
  text: string;
  isGrave?: true;
}

/**
 * What a yes to a profile does besides sending it: the one list of it, which every surface shows whole, a sentence each
 * (contract §10). The network keeps one name and one profile for an id, for all scenes.
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

/** What a yes to a cancel does. */
export function stopConsequences({ reach, demand }: AskedStop, { stop }: QuestionTexts): Consequence[] {
  return [
    { what: "ends", text: stop.ends },
    { what: "out", text: stop.reach[reach === "nobody_asked" ? "not_known" : reach] },
    ...(demand === undefined ? [] : [{ what: "again", text: stop.again } as const]),
  ];
}

/** To whom and as whom a demand goes, as far as that is not the usual: the scene joined last, under the person's own id. */
export interface Unusual {
  sceneId?: string;
  userId?: string;
}

/** `usual`: the scene joined last, where one was, and the own id, where it is known. */
export function unusualIn(
  submitted: { scene_id?: string; user_id: string } | undefined,
  usual: { sceneId: string | undefined; userId: string | undefined },
): Unusual {
  if (submitted === undefined) return {}; // what was submitted elsewhere does not tell
  const { scene_id: sceneId, user_id: userId } = submitted;
  return {
    ...(sceneId !== undefined && usual.sceneId !== undefined && sceneId !== usual.sceneId && { sceneId }),
    ...(userId !== usual.userId && { userId }),
  };
}

/** What the person must know of it beside the text, a sentence each. `sceneNamed`: a scene as this surface names it. */
export const unusualSentences = (
  { sceneId, userId }: Unusual,
  { unusual }: Texts,
  sceneNamed: (id: string) => string,
): string[] => [
  ...(sceneId === undefined ? [] : [unusual.otherScene(sceneNamed(sceneId))]),
  ...(userId === undefined ? [] : [unusual.otherId(userId)]),
];
