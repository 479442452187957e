import { randomInt } from "node:crypto";
import { createInterface } from "node:readline/promises";
import type { AtTerminal } from "../../ask/context.ts";
import { showInvisible } from "../../safety/invisible.ts";
import { terminalTexts } from "../../text/terminal.ts";
import { printText } from "../print.ts";

/**
 * Shows all that would be sent, and has a code typed over from the screen: a script cannot do that in passing. Ctrl-C,
 * Ctrl-D and everything else are a no.
 */
export const askYes =
  (lang: "zh" | "en") =>
  async ({ title, text, beside }: AtTerminal): Promise<boolean> => {
    const texts = terminalTexts(lang);
    printText(`\n${[title, "", showInvisible(text), "", ...beside].join("\n")}\n`);
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    const code = String(randomInt(1_000, 10_000));
    try {
      return (await terminal.question(texts.code(code))).trim() === code;
    } catch {
      return false;
    } finally {
      terminal.close();
    }
  };
