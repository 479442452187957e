/** The most tokens in one channel of a result. Claude Code cuts a result off at 25,000. */
export const MAX_RESULT_TOKENS = 18_000;
/** The most tokens for a part of a result, which leaves room for its sentences, warnings and next steps. */
export const MAX_PART_TOKENS = MAX_RESULT_TOKENS - 2_500;
/** The tokens of a plain character, because no tokenizer needs much more than one for three of them, and of any other. */
const PLAIN = 1 / 3;
const OTHER = 1.2;

/** Estimates how many tokens a text has, too high rather than too low for every tokenizer that we know. */
export function estimatedTokens(text: string): number {
  const others = text.replace(/[ -~\n]+/g, "").length;
  return (text.length - others) * PLAIN + others * OTHER;
}

/**
 * Returns the length of the longest beginning of a text that has at most `tokens` tokens as JSON writes it, in UTF-16 units.
 */
export function lengthWithin(text: string, tokens: number): number {
  let left = tokens;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || code === 0x22 || code === 0x5c) left -= 2 * PLAIN;
    else left -= code >= 0x20 && code < 0x7f ? PLAIN : OTHER;
    if (left < 0) return at;
  }
  return text.length;
}
