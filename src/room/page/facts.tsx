import type { ComponentChildren, JSX } from "preact";

/** Draws terms with their values. `isBare` puts them close below a heading. */
export const Facts = ({
  facts,
  isBare = false,
}: {
  facts: readonly { term: string; value: ComponentChildren }[];
  isBare?: boolean;
}): JSX.Element => (
  <dl class={isBare ? "facts bare" : "facts"}>
    {facts.map(({ term, value }, index) => (
      <div key={`${index}${term}`}>
        <dt>{term}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
