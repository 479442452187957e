import { randomInt } from "node:crypto";
import type { AtTerminal } from "../../ask/context.ts";
import { showInvisible } from "../../safety/invisible.ts";
import { terminalTexts } from "../../text/terminal.ts";
import { printText } from "../print.ts";
import { typedLine } from "../typed-line.ts";

/**
 * Shows all that would be sent, and has a code typed over from the screen: a script cannot do that in passing. Ctrl-C,
 * Ctrl-D and everything else are a no.
 */
export const askYes =
  (lang: "zh" | "en") =>
  async ({ title, text, beside }: AtTerminal): Promise<boolean> => {
    const texts = terminalTexts(lang);
    printText(`\n${[title, "", showInvisible(text), "", ...beside].join("\n")}\n`);
    const code = String(randomInt(1_000, 10_000));
    return (await typedLine(() => texts.code(code))) === code;
  };
