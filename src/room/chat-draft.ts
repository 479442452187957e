import * as z from "zod";
import { jsonIn } from "../json.ts";
import { formulatedText } from "../negotiation/backend-states.ts";
import { sha256 } from "../sha256.ts";
import type { RoomForm, RoomState } from "./room-state.ts";
import { longestText } from "./spec/sheet.ts";

/**
 * Reads and writes drafts. A draft is what the person did to the text. The page in the chat sends its draft with each
 * call, because by then the room may be in another replica or may have been closed. A draft proves no more than
 * anything else that is typed into that page.
 */

const MAX_PASSAGES = 5_000;
/** The longest text in a draft, in UTF-16 units. */
const MAX_LENGTH = 100_000;

const passages = z
  .array(z.object({ by: z.enum(["person", "network", "agent", "edit"]), text: z.string().max(MAX_LENGTH) }))
  .max(MAX_PASSAGES)
  .optional();
const draftSchema = z.object({
  /** The hash of the network's text that the draft belongs to. */
  of: z.string(),
  takenOut: z.array(z.string().max(20)).max(MAX_PASSAGES),
  edited: z.string().max(MAX_LENGTH).optional(),
  words: passages,
  opened: passages,
  isEditing: z.boolean(),
});

/** Returns the draft of the present text, or undefined if there is no text yet. */
export function serializeDraft({ demand, form }: Pick<RoomState, "demand" | "form">): string | undefined {
  if (demand?.negotiation === undefined) return undefined;
  const { takenOut, edited, words, opened, isEditing } = form;
  return JSON.stringify({ of: sha256(formulatedText(demand.negotiation)), takenOut, edited, words, opened, isEditing });
}

/**
 * Returns the state with the given draft. The state stays as it is if the draft cannot be read, belongs to another text
 * or is longer than the text's field takes, or if nothing can be changed any more. Pure.
 */
export function restoreDraft(state: RoomState, draft: string): RoomState {
  const { demand, form, busy } = state;
  if (demand?.stage.name !== "asking" || busy !== undefined || draft === serializeDraft(state)) return state;
  const read = draftSchema.safeParse(jsonIn(draft)).data;
  const network = demand.negotiation && formulatedText(demand.negotiation);
  if (read === undefined || network === undefined || read.of !== sha256(network)) return state;
  const { of: _, ...changed } = read;
  const sent = changed.words?.map(({ text }) => text).join("") ?? changed.edited ?? "";
  if (sent.length > longestText(network)) return state;
  const kept = { edited: undefined, words: undefined, opened: undefined } satisfies Partial<RoomForm>;
  return { ...state, form: { ...form, ...kept, ...changed, proposed: undefined } };
}
