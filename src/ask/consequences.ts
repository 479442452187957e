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
