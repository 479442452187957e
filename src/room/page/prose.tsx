import { type ComponentChildren, h, type JSX } from "preact";
import type { Block, Run } from "../../markdown.ts";
import type { Section, UiSpec } from "../ui-spec-schema.ts";
import { Button, Form } from "./controls.tsx";
import { sectionOf } from "./sections.ts";

/** Draws the buttons for what can be done with a plan. */
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

/** Draws the plan's own words. `children` are its buttons, unless they stand beside the heading. */
export const Prose = ({ prose, children }: { prose: Section<"prose">; children?: ComponentChildren }): JSX.Element => (
  <section class="card blk wide prose" aria-labelledby="s-prose">
    <div class="row blk-head">
      <h2 id="s-prose">{prose.heading}</h2>
      {children}
    </div>
    <div>
      <Blocks blocks={prose.blocks} />
    </div>
  </section>
);

export const Blocks = ({ blocks }: { blocks: readonly Block[] }): JSX.Element => (
  <>
    {blocks.map((block, index) => (
      <Drawn key={`${index}${block.kind}`} block={block} />
    ))}
  </>
);

function Drawn({ block }: { block: Block }): JSX.Element {
  if (block.kind === "heading") return <h3>{shown(block.runs)}</h3>;
  if (block.kind === "paragraph") return <p>{shown(block.runs)}</p>;
  if (block.kind === "code") return <pre>{block.text}</pre>;
  if (block.kind === "rule") return <hr />;
  if (block.kind === "table") return <Table rows={block.rows} />;
  if (block.kind === "quote")
    return (
      <blockquote>
        <Blocks blocks={block.blocks} />
      </blockquote>
    );
  const { start } = block;
  const items = block.items.map((item, index) => (
    <li key={String(index)} {...(start === null ? {} : { value: start + index })}>
      {item[0]?.kind === "paragraph" ? shown(item[0].runs) : null}
      <Blocks blocks={item[0]?.kind === "paragraph" ? item.slice(1) : item} />
    </li>
  ));
  return start === null ? <ul class="bullets">{items}</ul> : <ol class="numbers">{items}</ol>;
}

const Table = ({ rows: [head = [], ...rows] }: { rows: readonly Run[][][] }): JSX.Element => (
  <table>
    <thead>
      <tr>
        {head.map((cell, index) => (
          <th key={String(index)}>{shown(cell)}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row, index) => (
        <tr key={String(index)}>
          {row.map((cell, at) => (
            <td key={String(at)}>{shown(cell)}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

const shown = (runs: readonly Run[]): ComponentChildren =>
  runs.map(({ text, looks }) => looks.reduceRight<ComponentChildren>((inner, look) => h(look, null, inner), text));
