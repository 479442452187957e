import type { FieldSpec } from "../ui-spec-schema.ts";
import { fieldsIn } from "./fields.ts";
import { current } from "./store.ts";

/** By how many characters a text is too long for its field, where it is. */
export const excessOf = (field: FieldSpec | undefined, text = ""): number =>
  field === undefined ? 0 : Math.max(0, text.length - field.maxLength);

/** Whether something stands on the page that the room would not take: what goes on from here would lose it. */
export function hasExcess(): boolean {
  const { spec, drafts } = current();
  return fieldsIn(spec).some((field) => excessOf(field, drafts[field.id]) > 0);
}
