import type { Page } from "playwright-core";

/** What this page puts on the clipboard from now on: the clipboard itself all windows of the run's one browser share. */
export async function copiedIn(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(`(() => {
    const { writeText } = Clipboard.prototype;
    Clipboard.prototype.writeText = async function (text) {
      await writeText.call(this, text);
      globalThis.copied = text;
    };
  })()`);
  return () => page.evaluate("globalThis.copied");
}
