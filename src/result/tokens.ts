/** The maximum number of tokens in the text of a result, and also in its data. Claude Code cuts a result off at 25,000. */
export const MAX_RESULT_TOKENS = 18_000;
/** The maximum number of tokens in a part of a result, which leaves room for sentences, warnings and next steps. */
export const MAX_PART_TOKENS = MAX_RESULT_TOKENS - 2_500;
/**
 * The estimated tokens of a plain ASCII character. `OTHER` is the estimate for any other character. No tokenizer
 * needs much more than one token for three plain characters.
 */
const PLAIN = 1 / 3;
const OTHER = 1.2;

/** Estimates how many tokens a text has. For every tokenizer that we know, the estimate is rather too high than too low. */
export function estimatedTokens(text: string): number {
  const others = text.replace(/[ -~\n]+/g, "").length;
  return (text.length - others) * PLAIN + others * OTHER;
}

/**
 * Returns the length, in UTF-16 units, of the longest beginning of a text that has at most `tokens` tokens when
 * written as JSON.
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
