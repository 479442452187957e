import type { SceneSummary } from "../backend/contract.ts";
import { plain, type Words, wordsOf } from "../report/matching.ts";
import type { Steps } from "../turn.ts";

/** Of a scene's name and description, in UTF-16 units, so much is searched. */
const MAX_LENGTH = 2_000;
/** Scenes that are looked at before others have their turn. */
const AT_ONCE = 50;

/**
 * Scenes that hold what is looked for, the nearest first: all of it in the name, else in the description, else more than
 * half of its words. No words at all find every scene, as the backend lists them.
 */
export function* searchScenes<T extends Pick<SceneSummary, "name" | "description">>(
  scenes: readonly T[],
  query: string,
): Steps<T[]> {
  const wanted = plain(query);
  const words = wordsOf(query);
  if (words.all.size === 0) return [...scenes];
  const found: { scene: T; fit: number }[] = [];
  for (const [i, scene] of scenes.entries()) {
    const fit = fitOf(scene, wanted, words);
    if (fit > 0) found.push({ scene, fit });
    if (i % AT_ONCE === AT_ONCE - 1) yield;
  }
  return found.sort((a, b) => b.fit - a.fit).map(({ scene }) => scene);
}

function fitOf({ name, description }: Pick<SceneSummary, "name" | "description">, query: string, words: Words): number {
  const [inName, inAll] = [name, `${name}\n${description}`].map((text) => plain(text.slice(0, MAX_LENGTH)));
  if (inName?.includes(query)) return 3;
  if (inAll?.includes(query)) return 2;
  const given = wordsOf(inAll ?? "");
  let shared = 0;
  for (const word of words.all) if (given.all.has(word) || given.stems.has(word)) shared++;
  const share = shared / words.all.size;
  return share > 0.5 ? share : 0;
}
