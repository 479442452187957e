import { dirname, join } from "node:path";
import { expect } from "vitest";

export const LANGS = ["en", "zh"] as const;
export type Lang = (typeof LANGS)[number];

/** What stands on each screen of a surface, by the screen's name. */
export type Screens = Readonly<Record<string, string>>;

/** The file of a surface, as a person reads it: each screen under its name, in the order given. */
const printed = (screens: Screens): string =>
  Object.entries(screens)
    .map(([name, text]) => `════ ${name}\n${text.replace(/\n*$/, "\n")}`)
    .join("\n");

/**
 * Holds what a surface shows against `screens/<name>.<lang>.txt` beside the test. A file that is missing fails as one that
 * differs does, outside CI too (`update` in `vitest.config.ts`); a file that no test names fails in
 * `test/docs/screens.test.ts`. `npm run screens` writes them anew.
 */
export async function expectScreens(name: string, lang: Lang, screens: Screens): Promise<void> {
  const folder = dirname(expect.getState().testPath ?? "");
  await expect(printed(screens)).toMatchFileSnapshot(join(folder, "screens", `${name}.${lang}.txt`));
}
