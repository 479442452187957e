import type { JSX } from "preact";
import { current } from "./store.ts";

/** The id of the button that leads to what has not been seen. */
export const MORE = "more";

/** Where something ends that a yes sends: what sends it is held until this has been in the window. */
export function End({ id }: { id: string }): JSX.Element {
  return <div class="end" data-end={id} role="note" aria-label={current().spec.endOfText} tabIndex={-1} />;
}

/** On the bar's edge, before its buttons, while an end has not been seen. */
export function More(): JSX.Element | null {
  const { spec, hasMore } = current();
  return hasMore ? (
    <button type="button" class="b more" id={MORE}>
      {spec.moreBelow} <span aria-hidden="true">↓</span>
    </button>
  ) : null;
}
