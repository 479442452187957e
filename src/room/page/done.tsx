import type { JSX } from "preact";
import { hexagram } from "../../style/mark.ts";
import type { Section, UiSpec } from "../ui-spec-schema.ts";
import { Agent } from "./agent.tsx";
import { Button, encoded, Form } from "./controls.tsx";
import { Items, OneField } from "./forms.tsx";
import { AgentMap } from "./map.tsx";
import { Agents, Offer, Sent } from "./negotiate.tsx";
import { sectionOf } from "./sections.ts";

/** The plan, or what can be done where there is none. */
export const Done = ({ spec }: { spec: UiSpec }): JSX.Element =>
  sectionOf(spec, "prose") === undefined ? <Ending spec={spec} /> : <Plan spec={spec} />;

/** What is done with a plan: beside the heading. */
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

function Plan({ spec }: { spec: UiSpec }): JSX.Element {
  const people = sectionOf(spec, "people");
  const coverage = sectionOf(spec, "coverage");
  const mine = sectionOf(spec, "mine");
  const open = sectionOf(spec, "checklist");
  const weeks = sectionOf(spec, "weeks");
  const prose = sectionOf(spec, "prose");
  const sent = sectionOf(spec, "quote", "sent");
  return (
    <div class="plan">
      {people === undefined ? null : <People people={people} />}
      {coverage === undefined ? null : <Coverage coverage={coverage} />}
      {mine === undefined && open === undefined ? null : (
        <div class="stack">
          {mine === undefined ? null : <Mine mine={mine} />}
          {open === undefined ? null : <Open open={open} />}
        </div>
      )}
      {weeks === undefined ? null : <Weeks weeks={weeks} />}
      {prose === undefined ? null : <Prose prose={prose} />}
      <div class="stack wide">
        {sent === undefined ? null : <Sent section={sent} />}
        <Agent spec={spec} />
      </div>
    </div>
  );
}

const People = ({ people }: { people: Section<"people"> }): JSX.Element => (
  <section class="people" aria-labelledby="s-team">
    <h2 class="vh" id="s-team">
      {people.heading}
    </h2>
    <ul class="team">
      {people.people.map(({ id, name, initials, mark, detail, isMe }) => (
        <li key={id} class={isMe ? "card person me" : "card person"}>
          <div class="row who-row">
            <span class="av" aria-hidden="true">
              {initials}
            </span>
            <div>
              <h3>{name}</h3>
              <span class="xs mu">{mark}</span>
            </div>
          </div>
          {detail === "" ? null : <p class="s">{detail}</p>}
        </li>
      ))}
    </ul>
  </section>
);

const Coverage = ({ coverage }: { coverage: Section<"coverage"> }): JSX.Element => (
  <section class="card blk coverage" aria-labelledby="s-coverage">
    <div class="row blk-head">
      <h2 id="s-coverage">{coverage.heading}</h2>
      {coverage.note === undefined ? null : <span class="xs mu">{coverage.note}</span>}
      <p class="legend push">
        {coverage.legend.map(({ level, label }) => (
          <span key={level}>
            <span class={`dot ${level}`} aria-hidden="true" /> <span>{label}</span>
          </span>
        ))}
      </p>
    </div>
    <Form>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{coverage.corner}</th>
              {coverage.columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {coverage.rows.map(({ need, cells, gap, action }) =>
              gap === undefined ? (
                <tr key={need}>
                  <th scope="row">{need}</th>
                  {cells.map(({ level, label }, index) => (
                    <td key={`${need}${index}`}>
                      <span class={`dot ${level}`} aria-hidden="true" />
                      <span class="vh">{label}</span>
                    </td>
                  ))}
                </tr>
              ) : (
                <tr key={need} class="gap">
                  <th scope="row">{need}</th>
                  <td class="g" colSpan={cells.length}>
                    <span>{gap}</span>
                    {action === undefined ? null : <Button action={action} />}
                  </td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
    </Form>
  </section>
);

const Mine = ({ mine }: { mine: Section<"mine"> }): JSX.Element => (
  <section class="card blk part" aria-labelledby="s-mine">
    <h2 id="s-mine">{mine.heading}</h2>
    <ul>
      {mine.steps.map(({ term, value }) => (
        <li key={`${term}${value}`}>
          <b>{term}</b>
          <span>{value}</span>
        </li>
      ))}
    </ul>
  </section>
);

const Open = ({ open }: { open: Section<"checklist"> }): JSX.Element => (
  <section class="card blk" aria-labelledby="s-open">
    <h2 id="s-open">{open.heading}</h2>
    <Form>
      <ul class="check">
        {open.items.map(({ id, label, checked, action }) => (
          <li key={id}>
            <button type="submit" name="do" value={encoded(action)} aria-pressed={checked}>
              <span class="box" aria-hidden="true" />
              <span>{label}</span>
            </button>
          </li>
        ))}
      </ul>
    </Form>
  </section>
);

const Weeks = ({ weeks }: { weeks: Section<"weeks"> }): JSX.Element => (
  <section class="card blk wide" aria-labelledby="s-weeks">
    <h2 id="s-weeks">{weeks.heading}</h2>
    <ol class={`weeks n${Math.min(6, weeks.steps.length)}`}>
      {weeks.steps.map(({ title, detail, isMine }) => (
        <li key={`${detail}${title}`} class={isMine ? "mine" : ""}>
          <b>{title}</b>
          <span>{detail}</span>
        </li>
      ))}
    </ol>
  </section>
);

const Prose = ({ prose }: { prose: Section<"prose"> }): JSX.Element => (
  <section class="card blk wide prose" aria-labelledby="s-prose">
    <h2 id="s-prose">{prose.heading}</h2>
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
  const items = group.map(({ text, mark }, index) => (
    <li key={`${index}${text.slice(0, 20)}`} {...(mark === undefined ? {} : { value: Number(mark) })}>
      {text}
    </li>
  ));
  return first.kind === "bullet" ? <ul class="bullets">{items}</ul> : <ol class="numbers">{items}</ol>;
}

/** Every ending has a next step. */
function Ending({ spec }: { spec: UiSpec }): JSX.Element {
  const happened = sectionOf(spec, "facts");
  const agents = sectionOf(spec, "agents");
  const offer = sectionOf(spec, "offer");
  const again = sectionOf(spec, "form", "again");
  const scenes = sectionOf(spec, "list", "scenes");
  return (
    <div class="three">
      <section aria-labelledby="s-happened">
        {agents === undefined ? (
          <EmptyMap whole={spec.steps.filter(({ state }) => state === "done").length} />
        ) : (
          <AgentMap agents={agents} whole={5} firstWidth={300} />
        )}
        {happened === undefined ? null : (
          <>
            <h2 id="s-happened">{happened.heading}</h2>
            <dl class="facts bare">
              {happened.facts.map(({ term, value }) => (
                <div key={term}>
                  <dt>{term}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
        {agents === undefined ? null : (
          <Agents agents={agents}>
            <p class="s mu empty">{agents.count}</p>
          </Agents>
        )}
        {offer === undefined ? null : <Offer offer={offer} />}
      </section>
      {again === undefined ? null : <OneField section={again} rows={6} />}
      <div>
        {scenes === undefined ? null : <Items list={scenes} isNamed />}
        <Agent spec={spec} />
      </div>
    </div>
  );
}

/** The rings with nobody on them: drawn, and said in words beside it. */
const EmptyMap = ({ whole }: { whole: number }): JSX.Element => (
  <figure class="map none" aria-hidden="true">
    <svg viewBox="0 0 300 220" aria-hidden="true">
      {[48, 72, 96].map((r) => (
        <circle key={r} class="o" cx="150" cy="110" r={r} />
      ))}
      <circle class="core" cx="150" cy="110" r="28" />
      <g
        class="core-lines"
        dangerouslySetInnerHTML={{ __html: hexagram(whole, { x: 139, y: 98, width: 22, gap: 4.2 }) }}
      />
    </svg>
  </figure>
);
