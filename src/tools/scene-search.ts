import type { SceneSummary } from "../backend/contract.ts";
import { plain, type Words, wordsOf } from "../report/matching.ts";
import type { Steps } from "../turn.ts";

/** The length to which the name and description of a scene are searched, in UTF-16 units. */
const MAX_LENGTH = 2_000;
/** The number of scenes that are searched before other work can run. */
const AT_ONCE = 50;

/**
 * Finds scenes, the best match first: those with the whole query in the name, then in the description, then with more
 * than half of its words. An empty query finds every scene, in the backend's order.
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
