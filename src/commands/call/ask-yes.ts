import type { Io } from "../../app/io.ts";
import type { AtTerminal } from "../../ask/context.ts";
import { showInvisible } from "../../safety/invisible.ts";
import { NO_WORDS, terminalTexts } from "../../text/terminal.ts";
import { printText } from "../print.ts";
import { typedCode } from "../typed-code.ts";

/** Shows all that would be sent, and has a code typed over, until it is right or there is a no: Ctrl-C and Ctrl-D are one. */
export const askYes =
  (io: Io, lang: "zh" | "en") =>
  async ({ title, text, beside }: AtTerminal): Promise<boolean> => {
    const texts = terminalTexts(lang);
    void printText(io, `\n${[title, "", showInvisible(text), "", ...beside].join("\n")}\n`);
    for (;;) {
      const { line, isCode } = await typedCode(io, texts.codeOrNo);
      if (isCode) return true;
      if (line === undefined || NO_WORDS.includes(line.toLowerCase())) return false;
      void printText(io, `${texts.wrongCode}\n`);
    }
  };
