import { stripInvisible } from "../invisible.ts";
import { MARKS_PER_BASE } from "./options.ts";

/*
 * ECMA-48, with the seven-bit and the one-byte introducers. Each class stops at the next introducer, so that a text full
 * of openings without an end is read once.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL_SEQUENCE = /(?:\x1B\[|\x9B)[0-?]*[ -/]*[@-~]/g;
/** Window titles, hyperlinks, the clipboard: dropped with their content, but only where they end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL_STRING = /(?:\x1B[\]PX^_]|[\x90\x98\x9D-\x9F])[^\x07\x1B\x90\x98\x9C-\x9F\n]*(?:\x07|\x1B\\|\x9C)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const SHORT_ESCAPE = /\x1B[ -/]*[0-~]/g;

const MARK_FLOOD = new RegExp(`(\\p{M}{${MARKS_PER_BASE}})\\p{M}+`, "gu");

/** Agent layer §4: no terminal sequences, nothing invisible, no floods of combining marks, no half surrogates. */
export const stripControls = (text: string): string =>
  stripInvisible(
    text.toWellFormed().replace(CONTROL_STRING, "").replace(CONTROL_SEQUENCE, "").replace(SHORT_ESCAPE, ""),
  ).replace(MARK_FLOOD, "$1");
