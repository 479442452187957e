import type { Runtime } from "../../app/runtime.ts";
import { localTime } from "../../terminal/local-time.ts";
import { wrap } from "../../terminal/wrap.ts";
import { NO_WORDS, terminalTexts } from "../../text/terminal.ts";
import { atTerminal } from "../home.ts";
import { print, printText } from "../print.ts";
import { typedLine } from "../typed-line.ts";

/**
 * Asks for the code of a browser that waits to be let in (contract §6). The code is typed, and shown here nowhere: so it
 * can only come from that browser's own page. True when one was let in. @throws HomeUnwritable
 */
export async function letBrowserIn({
  io,
  browsers,
  live,
}: Pick<Runtime, "io" | "browsers" | "live">): Promise<boolean> {
  const [newest] = await browsers.visits();
  if (newest === undefined || !atTerminal(io)) return false;
  const texts = terminalTexts(live.current().lang);
  const waits = texts.browserWaits(newest.name, localTime(newest.at, { seconds: true }));
  void print(io, `\n${wrap(waits, io.stdout.columns || 80).join("\n")}\n`);
  for (;;) {
    const code = await typedLine(io, () => texts.browserCode);
    if (code === undefined || NO_WORDS.includes(code.toLowerCase())) return false;
    const name = code === "" ? undefined : await browsers.letIn(code);
    if (code !== "") void printText(io, `${name === undefined ? texts.browserWrong : texts.browserIn(name)}\n`);
    if (name !== undefined) return true;
  }
}
