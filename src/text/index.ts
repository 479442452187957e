import { enCatalogue, type Texts } from "./en.ts";
import { placesEn, placesZh } from "./places.ts";
import { drawnFor, type Reader } from "./reader.ts";
import { zhCatalogue } from "./zh.ts";

export type { Texts } from "./en.ts";

/** Every sentence of one language, as this reader sees it; made once, since every call reads them. */
export function textsReadBy(reader: Reader): (lang: "zh" | "en") => Texts {
  const made: Partial<Record<"zh" | "en", Texts>> = {};
  return (lang) =>
    (made[lang] ??= lang === "zh" ? drawnFor(zhCatalogue, reader, placesZh) : drawnFor(enCatalogue, reader, placesEn));
}

/** For the AI of a client that runs on the person's own machine. */
export const textsOf = textsReadBy({ who: "model" });

/** For a person who reads it themselves at a terminal. */
export const textsForPerson = textsReadBy({ who: "person" });

/** For a person who reads it on a page: it names what can be done there, and no command. */
export const textsForRoom = textsReadBy({ who: "room" });
