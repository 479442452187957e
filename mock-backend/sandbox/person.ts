import type { Kind } from "./kinds.ts";

/** One of the things that somebody does, as they say it in one language. Lists are parted by commas. */
interface Words {
  /** What it is called in their profile. */
  skill: string;
  /** What people name when they need it, as it can stand in `says` in place of `{something}`. */
  things?: string;
  /** What they do it to or with: the same, but that by itself it asks for nothing, as a sofa that is to be carried. */
  handles?: string;
  /** Other words that ask for exactly this; none where it is found by another's. */
  words?: string;
  /** Words that often stand beside it, and by themselves ask for nothing. */
  near?: string;
  /** What they answer. `{oven}` becomes the thing that the demand names, and is an oven where it names none. */
  says: string;
  /** What they want to know first. */
  asks: string;
}

export interface Service {
  kind: Kind;
  /** Comes, too, where a demand of the kind finds nobody by its own words. */
  isGeneral?: true;
  /** The English name of somebody's service, by whose words this one is found as well. */
  like?: string;
  en: Words;
  zh: Words;
}

interface Both {
  en: string;
  zh: string;
}

/** Somebody of the sandbox. None of them exists. */
export interface Person {
  id: string;
  name: string;
  bio: Both;
  /** What they do not do. It holds for any demand, so it names no day and no place. */
  limit?: Both;
  /** None: it is a matter of agreement, or costs nothing. */
  price?: Both;
  does: readonly Service[];
}
