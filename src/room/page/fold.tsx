import type { ComponentChildren, JSX } from "preact";

/** Something to look up: its heading, and beside it in a few words what is in there. */
export const Fold = ({
  section: { heading, note },
  children,
}: {
  section: { heading?: string | undefined; note?: string | undefined };
  children: ComponentChildren;
}): JSX.Element => (
  <details>
    <summary>
      {heading} {note === undefined ? null : <span class="mu">{note}</span>}
    </summary>
    {children}
  </details>
);
