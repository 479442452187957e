import { attributeEdit, isWord, type Passage } from "../view/authorship.ts";
import type { RoomDemand, RoomForm } from "./room-state.ts";

/** The words of a text that is about to be submitted, by author; undefined if the authors are not known. */
type Whose = readonly Passage[] | undefined;

/** Returns the text after somebody has changed it. Words that the earlier text lacked are theirs. */
function changed(before: readonly Passage[], text: string, by: "person" | "agent"): Whose {
  const passages = attributeEdit(before, text, by === "person" ? "edit" : "agent");
  return passages?.map((passage) => (passage.by === "edit" ? { ...passage, by: "person" } : passage));
}

/** Returns the authors of the demand in its field: those who put words there, and the person for what was typed since. */
export const wordsOfIntent = ({ intent, written = [] }: Pick<RoomForm, "intent" | "written">): Whose =>
  written === "unknown" ? undefined : changed(written, intent, "person");

/** Returns the authors once somebody has put another text into the field; `undefined` if it is empty. */
export function writtenInto(form: RoomForm, text: string, by: "person" | "agent"): RoomForm["written"] {
  if (text.trim() === "") return undefined;
  if (by === "person") return form.written;
  const before = form.intent.trim() === "" ? [] : wordsOfIntent(form);
  return (before && changed(before, text, by)) ?? "unknown";
}

/** Returns the authors of a demand as it was submitted. */
export function wordsOfSubmitted({ writtenBy, passages, negotiation }: RoomDemand): Whose {
  const text = negotiation?.demand_raw ?? "";
  if (passages !== undefined || text === "") return passages ?? [];
  return writtenBy === "unknown" ? undefined : [{ by: writtenBy === "ai" ? "agent" : "person", text }];
}

/**
 * Returns the authors of a text that is asked again. It was made from the submitted text, or from the network's text if
 * the person was changing that one. `shown` is that text as it last stood on their sheet, by author.
 */
export function wordsAskedAgain(text: string, demand: RoomDemand, shown: readonly Passage[] | undefined): Whose {
  const submitted = wordsOfSubmitted(demand);
  const isSubmitted =
    shown === undefined || demand.stage.reach === "broadcast" || text === demand.negotiation?.demand_raw;
  const before = isSubmitted ? submitted : submitted && shown;
  return before && changed(before, text, "person");
}

/** Returns who a text is attributed to, and its passages if it has several authors. */
export function authorsOf(words: Whose): Pick<RoomDemand, "writtenBy" | "passages"> {
  if (words === undefined) return { writtenBy: "unknown" };
  const hands = new Set(words.filter(({ text }) => isWord(text)).map(({ by }) => by));
  if (hands.size === 0 || (hands.size === 1 && hands.has("person"))) return { writtenBy: "person" };
  if (hands.size === 1 && hands.has("agent")) return { writtenBy: "ai" };
  return { writtenBy: "unknown", passages: words };
}
