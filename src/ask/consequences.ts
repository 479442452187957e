import type { Texts } from "../text/index.ts";

/** What is known of a profile that a question is about. */
export interface ProfileAsked {
  /** Under which id it is sent, where that is not the person's own. `isNew`: nobody has it yet. */
  as?: { id: string; isNew: boolean } | undefined;
  /** A scene that the person is in, as a question names scenes; absent where none is known. */
  elsewhere?: string | undefined;
}

/**
 * What a yes to a profile does besides sending it: the one list of it, which every surface shows whole, a sentence each
 * (contract §10). The network keeps one name and one profile for an id, for all scenes.
 */
export function profileConsequences({ as, elsewhere }: ProfileAsked, { page }: Texts): string[] {
  if (as?.isNew) return [page.profileAsNew(as.id), page.profileStays];
  if (as !== undefined) return [page.profileAs(as.id), page.profileReplacesTheirs, page.profileStays];
  return [page.profileReplaces(elsewhere), page.profileStays];
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
