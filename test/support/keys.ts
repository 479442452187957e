import type { Locator } from "playwright-core";

/** What a key may take on a busy machine, where each one marks a long text anew. */
const MAX_KEY_MS = 150;

/** Types over what stands in a field, key by key, as a person does. @throws where the field does not hold it then */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.press("ControlOrMeta+a");
  if (text === "") await field.press("Delete");
  else await field.pressSequentially(text, { timeout: Math.max(30_000, text.length * MAX_KEY_MS) });
  const held = await field.inputValue();
  if (held !== text) throw new Error(`typed ${JSON.stringify(text)}, and ${field} holds ${JSON.stringify(held)}`);
}

/** Pastes over what stands in a field: one input of many letters, as from a clipboard. */
export async function pasteInto(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.press("ControlOrMeta+a");
  await field.page().keyboard.insertText(text);
}
