import * as z from "zod";
import type { Negotiation } from "../backend/contract.ts";
import { BROWSER_PROOFS, SURFACES, type Surface } from "../question/who.ts";
import { formulatedText } from "./backend-states.ts";

/**
 * Whose words a text is. `person`: typed on the page or in the terminal. `client`: it came back in a form of the
 * client's, whose hooks can fill in forms as well as its person can.
 */
export const AUTHORS = ["network", "ai", "person", "client"] as const;
export type Author = (typeof AUTHORS)[number];

export const display = z.object({
  surface: z.enum(SURFACES),
  /** Of the text that was rendered there, all of it. For `argument`: of the text that the result held. */
  rendered_hash: z.string().min(1),
  author: z.enum(AUTHORS),
  /** On the page, and only there. */
  browser: z.enum(BROWSER_PROOFS).exactOptional(),
});

/** How the text that is decided on was shown. Without it nothing is confirmed (contract §6, "seen means seen whole"). */
type Display = z.output<typeof display>;

/** What a surface knows of it; whose words a text is, the core finds out. */
export type Rendering = Omit<Display, "author">;

/** The formulated text, and whose words it is. */
export interface Formulated {
  original: string;
  author: Author;
}

/** A demand comes as an argument, so what the network left as it was is an AI's. */
export function formulatedOf(negotiation: Negotiation): Formulated {
  const original = formulatedText(negotiation);
  return { original, author: original === negotiation.demand_raw ? "ai" : "network" };
}

/** Whose words a text is that came by this surface; never what somebody says of it. `candidate`: shown as an AI's. */
export function authorOf(
  text: string,
  { original, author }: Formulated,
  surface: Surface,
  candidate?: string | undefined,
): Author {
  if (text === original) return author;
  if (text === candidate) return "ai";
  return WRITERS[surface];
}

/** Who writes what comes by a surface. */
const WRITERS: Record<Surface, Author> = { form: "client", page: "person", terminal: "person", argument: "ai" };
