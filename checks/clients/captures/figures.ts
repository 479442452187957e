import type { Scene } from "./scenes.ts";
import type { Sitting } from "./sitting.ts";

export interface Figures {
  /** How often the model spoke, without its replies to what the person typed in between. */
  responses: number;
  /** Keys pressed from the question on. */
  keys: number;
  /** Characters of results that the model was given: the call's, and the end that woke it. */
  results: { call: number; end: number };
}

interface Block {
  type: string;
  text?: string;
  content?: unknown;
}

/** What a sitting took of the model. */
export function figuresOf({ place, count }: Sitting, { asksLater }: Scene): Figures {
  const { messages = [] } = place.model.last() as { messages?: { role: string; content: string | Block[] }[] };
  const blocks = messages.flatMap(({ content }) =>
    typeof content === "string" ? [{ type: "text", text: content }] : content,
  );
  const end = blocks.map(
    ({ text = "" }) => /<status>completed[\s\S]*<result>\n([\s\S]*)\n<\/result>/.exec(text)?.[1] ?? "",
  );
  const spoken = messages.filter(({ role }) => role === "assistant").length + 1;
  return {
    responses: spoken - (asksLater ? 2 : 1),
    keys: count(),
    results: { call: place.model.results().at(-1)?.text.length ?? 0, end: end.join("").length },
  };
}
