import type { JSX } from "preact";
import type { PersonSpec, Section, UiSpec } from "../ui-spec-schema.ts";
import { Agent } from "./agent.tsx";
import { Button, Form } from "./controls.tsx";
import { encoded } from "./encoded.ts";
import { Ending } from "./ending.tsx";
import { Facts } from "./facts.tsx";
import { Fold, FoldedQuote } from "./fold.tsx";
import { Icon } from "./icons.tsx";
import { Blocks, Prose } from "./prose.tsx";
import { Review } from "./review.tsx";
import { isPlan, sectionOf } from "./sections.ts";
import { current } from "./store.ts";

/** Draws the plan, or what can be done without one. */
export const Done = ({ spec }: { spec: UiSpec }): JSX.Element =>
  isPlan(spec) ? <Plan spec={spec} /> : <Ending spec={spec} />;

/** Draws who does what, what comes next, and in folds the texts that these come from. */
function Plan({ spec }: { spec: UiSpec }): JSX.Element {
  const team = sectionOf(spec, "people", "team");
  const course = sectionOf(spec, "course");
  const prose = sectionOf(spec, "prose");
  const review = sectionOf(spec, "review");
  const others = sectionOf(spec, "people", "offers");
  const sent = sectionOf(spec, "quote", "sent");
  return (
    <div class="plan">
      {team === undefined ? null : <Team team={team} />}
      {course === undefined ? null : <Course course={course} />}
      {prose === undefined || prose.folded ? null : <Prose prose={prose} />}
      {review === undefined ? null : <Review review={review} />}
      <Agent spec={spec} />
      <div class="folds">
        {others === undefined ? null : (
          <Fold section={others}>
            <ul class="pp">
              {others.people.map((person) => (
                <Offered key={person.id} person={person} />
              ))}
            </ul>
          </Fold>
        )}
        {prose?.folded ? (
          <Fold section={prose}>
            <div class="prose">
              <Blocks blocks={prose.blocks} />
            </div>
          </Fold>
        ) : null}
        {sent === undefined ? null : <FoldedQuote quote={sent} />}
      </div>
    </div>
  );
}

const Team = ({ team }: { team: Section<"people"> }): JSX.Element => (
  <section class="card blk" aria-labelledby="s-team">
    <h2 id="s-team">{team.heading}</h2>
    <Form>
      <ul class="pp">
        {team.people.map((person) => (
          <Member key={person.id} person={person} team={team} />
        ))}
        {team.gaps.map(({ label, need, action }) => (
          <li key={need} class="gap">
            <span class="av" aria-hidden="true">
              ?
            </span>
            <span class="txt">
              <b>{label}</b> {need}
            </span>
            <Button action={action} class="on" />
          </li>
        ))}
      </ul>
    </Form>
  </section>
);

const Name = ({ person: { name, initials, isMe, mark } }: { person: PersonSpec }): JSX.Element => (
  <>
    <span class={isMe ? "av me" : "av"} aria-hidden="true">
      {initials}
    </span>
    <h3>
      {name}
      {mark === undefined ? null : <span class="mu"> {mark}</span>}
    </h3>
  </>
);

/** Draws a participant: their name, contact and tasks, and in a fold what they offered. */
function Member({ person, team }: { person: PersonSpec; team: Section<"people"> }): JSX.Element {
  const { name, isMe, does, details, contact, noContact, offer } = person;
  return (
    <li class={isMe ? "me" : ""}>
      <Name person={person} />
      {contact === undefined ? (
        noContact && <span class="ct s mu">{noContact}</span>
      ) : contact.whole === "" ? (
        <span class="ct s mu">{contact.masked}</span>
      ) : (
        <Contact name={name} contact={contact} team={team} />
      )}
      {does.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {details.map((text) => (
        <p key={text} class="s mu">
          {text}
        </p>
      ))}
      {offer === undefined ? null : (
        <details>
          <summary>
            {offer.label} <span class="mu">{offer.mark}</span>
          </summary>
          <OfferText offer={offer} />
        </details>
      )}
    </li>
  );
}

/** Draws a contact that is partly hidden until somebody opens it. Without a script, only the copying is missing. */
const Contact = ({
  name,
  contact: { masked, whole },
  team,
}: {
  name: string;
  contact: NonNullable<PersonSpec["contact"]>;
  team: Section<"people">;
}): JSX.Element => (
  <details class="ct s mu">
    <summary>
      <span class="hid">{masked}</span> <Icon name="eye" /> <span class="hid">{team.show}</span>
      <span class="vh"> {name}</span>
    </summary>
    <p>{whole}</p>
    {current().isLive ? (
      <button type="button" class="b t" data-copy={whole}>
        {team.copy}
        <span class="vh"> {name}</span>
      </button>
    ) : null}
  </details>
);

const OfferText = ({ offer: { tags, text, facts } }: { offer: NonNullable<PersonSpec["offer"]> }): JSX.Element => (
  <>
    {tags.length === 0 ? null : (
      <ul class="tags">
        {tags.map((tag) => (
          <li key={tag}>{tag}</li>
        ))}
      </ul>
    )}
    {text === "" ? null : <p class="words">{text}</p>}
    {facts.length === 0 ? null : <Facts facts={facts} />}
  </>
);

/** Draws a participant with the offer, outside of the plan's team. */
const Offered = ({ person }: { person: PersonSpec }): JSX.Element => (
  <li>
    <Name person={person} />
    {person.offer === undefined ? null : (
      <>
        <p class="s mu">{person.offer.mark}</p>
        <OfferText offer={{ ...person.offer, tags: [] }} />
      </>
    )}
  </li>
);

const Course = ({ course: { heading, open, weeks } }: { course: Section<"course"> }): JSX.Element => (
  <section class="card blk" aria-labelledby="s-next">
    <h2 id="s-next">{heading}</h2>
    <Form>
      <ol class="tl">
        {open === undefined ? null : (
          <li class="open">
            <h3>{open.label}</h3>
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
          </li>
        )}
        {weeks.map(({ title, text, mine }) => (
          <li key={`${title}${text}`} class={mine === undefined ? "" : "mine"}>
            <h3>
              {title}
              {mine === undefined ? null : (
                <>
                  {" "}
                  <span aria-hidden="true">·</span> <span>{mine}</span>
                </>
              )}
            </h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </Form>
  </section>
);
