import type { JSX } from "preact";
import { current } from "./store.ts";

/** The id of the button that leads to the next unseen end. */
export const MORE = "more";

/** Marks the end of something that a yes sends. The button that sends it is disabled until this mark has been in the window. */
export function End({ id }: { id: string }): JSX.Element {
  return <div class="end" data-end={id} role="note" aria-label={current().spec.endOfText} tabIndex={-1} />;
}

/** Draws a button on the edge of the bar, before the other buttons, while an end has not been seen. */
export function More(): JSX.Element | null {
  const { spec, hasMore } = current();
  return hasMore ? (
    <button type="button" class="b more" id={MORE}>
      {spec.moreBelow} <span aria-hidden="true">↓</span>
    </button>
  ) : null;
}
