/** A body that was read to its end. `json` is there when its text is JSON, and of a sane depth. */
export interface Body {
  text: string;
  json?: unknown;
  tooDeep?: true;
}

/** The answer is larger than the cap. */
export class BodyTooLarge extends Error {}

/**
 * Reads a body to its end, counting **decoded** bytes, so that a small compressed answer cannot fill the memory.
 * Throws BodyTooLarge beyond `maxBytes`, and whatever the stream throws when it breaks off.
 */
export async function readBody(response: Response, maxBytes: number): Promise<Body> {
  const text = await readText(response, maxBytes);
  // Before parsing, which takes seconds for megabytes of brackets.
  if (/^\s*[[{]/.test(text) && tooDeep(text)) return { text, tooDeep: true };
  try {
    return { text, json: JSON.parse(text) };
  } catch {
    return { text };
  }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream, and with it the download.
    if (bytes > maxBytes) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks, bytes));
}

export const isJson = (body: Body): body is Body & { json: unknown } => "json" in body;

/** Deeper than any answer of this API, and far below what overflows the stack of whoever walks it. */
const maxDepth = 200;

/** Whether a JSON text is nested deeper than anybody means, told without parsing it. */
export function tooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x5c) i++;
    else if (char === 0x22) quoted = !quoted;
    else if (!quoted && (char === 0x5b || char === 0x7b) && ++depth > maxDepth) return true;
    else if (!quoted && (char === 0x5d || char === 0x7d)) depth--;
  }
  return false;
}
