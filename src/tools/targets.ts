import { plain, wordsOf } from "../report/matching.ts";

/** Something that a vague name may mean. */
export interface Candidate {
  kind: "scene" | "agent" | "negotiation";
  id: string;
  label: string;
  /** From 0 to 1. */
  confidence: number;
  why: "id" | "name" | "part_of_name" | "words" | "latest";
  /** Of an agent: an own negotiation that it takes part in, and where its offer there is read, if it has made one. */
  found_in?: { negotiation_id: string; uri?: string };
}

/** From so much on, and so far before the next, one is taken for what is meant. */
const SURE = 0.9;
const APART = 0.1;
const LEAST = 0.3;

const LATEST =
  /^(?:the )?(?:last|latest|newest|most recent)(?: one| negotiation| demand)?$|^(?:最近|最新|上次|上一个|上一次)(?:的)?(?:协商|需求|一次)?$/iu;
export const meansLatest = (query: string): boolean => LATEST.test(query.trim());

/** How well a text fits what is asked for: as a name, or by its words. Pure. */
export function fitOf(query: string, text: string): Pick<Candidate, "confidence" | "why"> | undefined {
  const [asked, found] = [squeezed(query), squeezed(text)];
  if (asked === "" || found === "") return undefined;
  if (text === query) return { confidence: 1, why: "name" };
  if (asked === found) return { confidence: 0.95, why: "name" };
  const [short, long] = asked.length < found.length ? [asked, found] : [found, asked];
  if (short.length >= 2 && long.includes(short))
    return { confidence: round(0.6 + 0.25 * (short.length / long.length)), why: "part_of_name" };
  const [wanted, given] = [wordsOf(query).all, wordsOf(text).all];
  const shared = [...wanted].filter((word) => given.has(word)).length;
  const confidence = wanted.size === 0 ? 0 : round(0.6 * (shared / wanted.size));
  return confidence >= LEAST ? { confidence, why: "words" } : undefined;
}

/** Letters and digits alone: spaces and signs are no part of a name. */
const squeezed = (text: string): string => plain(text).replaceAll(/[\s\p{P}]+/gu, "");

const round = (value: number): number => Math.round(value * 100) / 100;

/** The best of each id, the most certain first. Of candidates that are as certain, the first is taken. */
export function ranked(candidates: readonly Candidate[], limit: number): Candidate[] {
  const best = new Map<string, Candidate>();
  for (const one of candidates) {
    const key = `${one.kind} ${one.id}`;
    const known = best.get(key);
    best.set(key, known === undefined ? one : merged(known, one));
  }
  return [...best.values()].sort((a, b) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1)).slice(0, limit);
}

/** An agent is found in several places: where its offer can be read says more than where its name fits best. */
function merged(known: Candidate, other: Candidate): Candidate {
  const places = [known.found_in, other.found_in].filter((place) => place !== undefined);
  const found_in = places.find(({ uri }) => uri !== undefined) ?? places[0];
  return { ...(known.confidence < other.confidence ? other : known), ...(found_in && { found_in }) };
}

/** The one that is meant, where there is no doubt. */
export function unambiguous([first, second]: readonly Candidate[]): Candidate | undefined {
  if (first === undefined || first.confidence < SURE) return undefined;
  return first.confidence - (second?.confidence ?? 0) >= APART ? first : undefined;
}
