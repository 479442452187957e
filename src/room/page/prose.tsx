import type { ComponentChildren, JSX } from "preact";
import type { Section, UiSpec } from "../ui-spec-schema.ts";
import { Button, Form } from "./controls.tsx";
import { sectionOf } from "./sections.ts";

/** What is done with a plan. */
export function PlanActions({ spec }: { spec: UiSpec }): JSX.Element | null {
  const section = sectionOf(spec, "form", "export");
  if (section === undefined) return null;
  const icons = { markdown: "copy", print: "print", report: "doc" } as const;
  return (
    <Form class="row push wraps">
      {section.actions.map((action) => (
        <Button key={action.id} action={action} icon={icons[action.params.as as keyof typeof icons]} />
      ))}
    </Form>
  );
}

/** `children`: what can be done with it, where that does not stand beside the heading. */
export const Prose = ({ prose, children }: { prose: Section<"prose">; children?: ComponentChildren }): JSX.Element => (
  <section class="card blk wide prose" aria-labelledby="s-prose">
    <div class="row blk-head">
      <h2 id="s-prose">{prose.heading}</h2>
      {children}
    </div>
    <div>
      {groupsOf(prose.blocks).map((group, index) => (
        <Group key={`${index}${group[0]?.text.slice(0, 20)}`} group={group} />
      ))}
    </div>
  </section>
);

type Blocks = Section<"prose">["blocks"];

/** Items of the same kind in a row are one list. */
function groupsOf(blocks: Blocks): Blocks[] {
  const groups: Blocks[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    const isItem = block.kind === "bullet" || block.kind === "number";
    if (isItem && last?.[0]?.kind === block.kind) last.push(block);
    else groups.push([block]);
  }
  return groups;
}

function Group({ group }: { group: Blocks }): JSX.Element | null {
  const [first] = group;
  if (first === undefined) return null;
  if (first.kind === "heading") return <h3>{first.text}</h3>;
  if (first.kind === "paragraph") return <p>{first.text}</p>;
  if (first.kind === "lines") return <pre>{first.text}</pre>;
  const items = group.map(({ text, mark }, index) => (
    <li key={`${index}${text.slice(0, 20)}`} {...(mark === undefined ? {} : { value: Number(mark) })}>
      {text}
    </li>
  ));
  return first.kind === "bullet" ? <ul class="bullets">{items}</ul> : <ol class="numbers">{items}</ol>;
}
