import type { JSX } from "preact";
import type { Section, UiSpec } from "../ui-spec-schema.ts";
import { Agent } from "./agent.tsx";
import { Button, Form } from "./controls.tsx";
import { encoded } from "./encoded.ts";
import { Ending } from "./ending.tsx";
import { Sent } from "./negotiate.tsx";
import { Prose } from "./prose.tsx";
import { Review } from "./review.tsx";
import { sectionOf } from "./sections.ts";

/** The plan, or what can be done without one. */
export const Done = ({ spec }: { spec: UiSpec }): JSX.Element =>
  sectionOf(spec, "people") === undefined ? <Ending spec={spec} /> : <Plan spec={spec} />;

function Plan({ spec }: { spec: UiSpec }): JSX.Element {
  const people = sectionOf(spec, "people");
  const coverage = sectionOf(spec, "coverage");
  const mine = sectionOf(spec, "mine");
  const open = sectionOf(spec, "checklist");
  const weeks = sectionOf(spec, "weeks");
  const prose = sectionOf(spec, "prose");
  const review = sectionOf(spec, "review");
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
        {review === undefined ? null : <Review review={review} />}
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
            {coverage.rows.map(({ need, cells, others, gap, action }) =>
              gap === undefined ? (
                <tr key={need}>
                  <th scope="row">
                    {need}
                    {others === undefined ? null : <small> {others}</small>}
                  </th>
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
          {term === "" ? null : <b>{term}</b>}
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
