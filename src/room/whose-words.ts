import { attributeEdit, isWord, type Passage } from "../view/authorship.ts";
import type { RoomDemand, RoomForm } from "./room-state.ts";

/** Words of a text that is about to be submitted, by whose they are; undefined where that is not known. */
type Whose = readonly Passage[] | undefined;

/** The same text after somebody has changed it: what was not in it before is theirs. */
function changed(before: readonly Passage[], text: string, by: "person" | "agent"): Whose {
  const passages = attributeEdit(before, text, by === "person" ? "edit" : "agent");
  return passages?.map((passage) => (passage.by === "edit" ? { ...passage, by: "person" } : passage));
}

/** Whose words stand in the field of the demand: those that somebody put there, and what the person has typed since. */
export const wordsOfIntent = ({ intent, written = [] }: Pick<RoomForm, "intent" | "written">): Whose =>
  written === "unknown" ? undefined : changed(written, intent, "person");

/** The same once somebody has put another text there; `undefined` where it is empty. */
export function writtenInto(form: RoomForm, text: string, by: "person" | "agent"): RoomForm["written"] {
  if (text.trim() === "") return undefined;
  if (by === "person") return form.written;
  const before = form.intent.trim() === "" ? [] : wordsOfIntent(form);
  return (before && changed(before, text, by)) ?? "unknown";
}

/** Words of a demand as it was submitted. */
export function wordsOfSubmitted({ writtenBy, passages, negotiation }: RoomDemand): Whose {
  const text = negotiation?.demand_raw ?? "";
  if (passages !== undefined || text === "") return passages ?? [];
  return writtenBy === "unknown" ? undefined : [{ by: writtenBy === "ai" ? "agent" : "person", text }];
}

/**
 * Words of a text that is asked again, made of what was submitted, or of the network's text while its person changed it.
 * `shown`: that text as it last stood on their sheet, by whose words.
 */
export function wordsAskedAgain(text: string, demand: RoomDemand, shown: readonly Passage[] | undefined): Whose {
  const submitted = wordsOfSubmitted(demand);
  const isSubmitted =
    shown === undefined || demand.stage.reach === "broadcast" || text === demand.negotiation?.demand_raw;
  const before = isSubmitted ? submitted : submitted && shown;
  return before && changed(before, text, "person");
}

/** How a text is headed, and its passages where it is not all of one hand. */
export function authorsOf(words: Whose): Pick<RoomDemand, "writtenBy" | "passages"> {
  if (words === undefined) return { writtenBy: "unknown" };
  const hands = new Set(words.filter(({ text }) => isWord(text)).map(({ by }) => by));
  if (hands.size === 0 || (hands.size === 1 && hands.has("person"))) return { writtenBy: "person" };
  if (hands.size === 1 && hands.has("agent")) return { writtenBy: "ai" };
  return { writtenBy: "unknown", passages: words };
}
