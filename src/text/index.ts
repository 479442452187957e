import { enCatalogue, type Texts } from "./en.ts";
import { placesEn, placesZh } from "./places.ts";
import { drawnFor, type Reader } from "./reader.ts";
import { zhCatalogue } from "./zh.ts";

export type { Texts } from "./en.ts";

/**
 * Returns a function that gives every sentence of a language in the form for this reader. Each language is made once,
 * because every call reads it.
 */
export function textsReadBy(reader: Reader): (lang: "zh" | "en") => Texts {
  const made: Partial<Record<"zh" | "en", Texts>> = {};
  return (lang) =>
    (made[lang] ??= lang === "zh" ? drawnFor(zhCatalogue, reader, placesZh) : drawnFor(enCatalogue, reader, placesEn));
}

/** The texts for the AI of a client that runs on the person's own machine. */
export const textsOf = textsReadBy({ who: "model" });

/** The texts for a person who reads at a terminal. */
export const textsForPerson = textsReadBy({ who: "person" });

/** The texts for a person who reads a page. These texts name what the person can do on the page, and no command. */
export const textsForRoom = textsReadBy({ who: "room" });
