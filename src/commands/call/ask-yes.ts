import type { AtTerminal } from "../../ask/context.ts";
import { showInvisible } from "../../safety/invisible.ts";
import { terminalTexts } from "../../text/terminal.ts";
import { printText } from "../print.ts";
import { typedCode } from "../typed-code.ts";

/** Shows all that would be sent, and has a code typed over. Ctrl-C, Ctrl-D and everything else are a no. */
export const askYes =
  (lang: "zh" | "en") =>
  async ({ title, text, beside }: AtTerminal): Promise<boolean> => {
    const texts = terminalTexts(lang);
    printText(`\n${[title, "", showInvisible(text), "", ...beside].join("\n")}\n`);
    return (await typedCode(texts.code)).isCode;
  };
