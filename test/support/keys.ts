import type { CDPSession, Locator, Page } from "playwright-core";

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** A key as Chromium is told of it; a letter that stands on no key comes as an input method writes it. */
function keyOf(letter: string): { key: string; code: string; text: string; windowsVirtualKeyCode: number } | undefined {
  if (letter === "\n") return { key: "Enter", code: "Enter", text: "\r", windowsVirtualKeyCode: 13 };
  if (!/^[ -~]$/.test(letter)) return undefined;
  const upper = letter.toUpperCase();
  const code = /[A-Z]/.test(upper) ? `Key${upper}` : /\d/.test(upper) ? `Digit${upper}` : letter === " " ? "Space" : "";
  return { key: letter, code, text: letter, windowsVirtualKeyCode: code === "" ? 0 : upper.charCodeAt(0) };
}

/** Key by key into what has the focus, each down and up, as fast as the page takes them. */
export async function typeKeys(page: Page, text: string): Promise<void> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  const cdp = await session;
  await Promise.all(
    [...text].flatMap((letter): Promise<unknown>[] => {
      const key = keyOf(letter);
      if (key === undefined) return [cdp.send("Input.insertText", { text: letter })];
      return [
        cdp.send("Input.dispatchKeyEvent", { type: "keyDown", unmodifiedText: key.text, ...key }),
        cdp.send("Input.dispatchKeyEvent", { type: "keyUp", ...key, text: "" }),
      ];
    }),
  );
}

/** Types over what stands in a field, key by key, as a person does. @throws where the field does not hold it then */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.press("ControlOrMeta+a");
  if (text === "") await field.press("Delete");
  else await typeKeys(field.page(), text);
  const held = await field.inputValue();
  if (held !== text) throw new Error(`typed ${JSON.stringify(text)}, and ${field} holds ${JSON.stringify(held)}`);
}

/** Pastes over what stands in a field: one input of many letters, as from a clipboard. */
export async function pasteInto(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.press("ControlOrMeta+a");
  await field.page().keyboard.insertText(text);
}
