import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import type { Section } from "../ui-spec-schema.ts";
import { Passages } from "./passages.tsx";

/** Something to look up: its heading, and beside it in a few words what is in there. */
export function Fold({
  section: { heading, note },
  isFilled = false,
  children,
}: {
  section: { heading?: string | undefined; note?: string | undefined };
  /** Somebody's words stand in it: it opens, and does not close under the hand that takes them out again. */
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

/** A text to look up, with whose words it is. */
export const FoldedQuote = ({ quote }: { quote: Section<"quote"> }): JSX.Element => (
  <Fold section={quote}>
    <p>
      <Passages passages={quote.passages} />
    </p>
  </Fold>
);
