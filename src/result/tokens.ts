/** What one channel of a result may hold: Claude Code ends a result at 25,000. */
export const MAX_RESULT_TOKENS = 18_000;
/** The same for what stands in a result beside its sentences, warnings and next steps. */
export const MAX_PART_TOKENS = MAX_RESULT_TOKENS - 2_500;
/** Of a plain character, three of which are hardly more than a token anywhere; and of every other. */
const PLAIN = 1 / 3;
const OTHER = 1.2;

/** How many tokens a text has, on the high side for every tokenizer that we know. */
export function estimatedTokens(text: string): number {
  const others = text.replace(/[ -~\n]+/g, "").length;
  return (text.length - others) * PLAIN + others * OTHER;
}

/** The longest beginning of a text that has at most so many tokens as JSON writes it, in UTF-16 units. */
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
