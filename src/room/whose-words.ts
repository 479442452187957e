import { attributeEdit, isWord, type Passage } from "../view/authorship.ts";
import type { RoomDemand, RoomForm } from "./room-state.ts";

/** The words of a demand by author, or undefined if the authors are not known. */
type Whose = readonly Passage[] | undefined;

/** Returns a changed text by author. Words that the earlier text lacked are attributed to `by`. */
function changed(before: readonly Passage[], text: string, by: "person" | "agent"): Whose {
  const passages = attributeEdit(before, text, by === "person" ? "edit" : "agent");
  return passages?.map((passage) => (passage.by === "edit" ? { ...passage, by: "person" } : passage));
}

/** Returns the words of the demand's field by author. Whatever an agent or the network did not put there is the person's. */
export const wordsOfIntent = ({ intent, written = [] }: Pick<RoomForm, "intent" | "written">): Whose =>
  written === "unknown" ? undefined : changed(written, intent, "person");

/** Returns the form's `written` after `by` has put another text into the demand's field. An empty field has no authors. */
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
 * Returns the words of a text that is asked again, by author. The text is compared with the submitted one, or with
 * `shown` if the person was changing the network's text. `shown` is that text as it last stood on their sheet, by
 * author.
 */
export function wordsAskedAgain(text: string, demand: RoomDemand, shown: readonly Passage[] | undefined): Whose {
  const submitted = wordsOfSubmitted(demand);
  const isSubmitted =
    shown === undefined || demand.stage.reach === "broadcast" || text === demand.negotiation?.demand_raw;
  const before = isSubmitted ? submitted : submitted && shown;
  return before && changed(before, text, "person");
}

/** Returns to whom a text is attributed, and its passages if it has several authors. */
export function authorsOf(words: Whose): Pick<RoomDemand, "writtenBy" | "passages"> {
  if (words === undefined) return { writtenBy: "unknown" };
  const hands = new Set(words.filter(({ text }) => isWord(text)).map(({ by }) => by));
  if (hands.size === 0 || (hands.size === 1 && hands.has("person"))) return { writtenBy: "person" };
  if (hands.size === 1 && hands.has("agent")) return { writtenBy: "ai" };
  return { writtenBy: "unknown", passages: words };
}
