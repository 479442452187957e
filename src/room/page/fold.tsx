import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import type { Section } from "../ui-spec-schema.ts";
import { Passages } from "./passages.tsx";

/** Draws a fold with a heading and a few words that say what is in it. */
export function Fold({
  section: { heading, note },
  isFilled = false,
  children,
}: {
  section: { heading?: string | undefined; note?: string | undefined };
  /** True if a field in the fold is filled. The fold then opens, and stays open even if the words are deleted again. */
  isFilled?: boolean;
  children: ComponentChildren;
}): JSX.Element {
  const isOpen = useRef(isFilled);
  isOpen.current ||= isFilled;
  return (
    <details open={isOpen.current}>
      <summary>
        {heading} {note === undefined ? null : <span class="mu">{note}</span>}
      </summary>
      {children}
    </details>
  );
}

/** Draws a folded text with its authors marked. */
export const FoldedQuote = ({ quote }: { quote: Section<"quote"> }): JSX.Element => (
  <Fold section={quote}>
    <p>
      <Passages passages={quote.passages} />
    </p>
  </Fold>
);
