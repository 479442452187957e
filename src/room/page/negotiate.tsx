import type { ComponentChildren, JSX } from "preact";
import type { Section, UiSpec } from "../ui-spec-schema.ts";
import { Agent } from "./agent.tsx";
import { Button, Form } from "./controls.tsx";
import { Facts } from "./facts.tsx";
import { AgentMap, CLASSES } from "./map.tsx";
import { Passages } from "./passages.tsx";
import { sectionOf } from "./sections.ts";

/** Draws the agents that were asked, how near they are, and what they offer. */
export function Negotiate({ spec }: { spec: UiSpec }): JSX.Element {
  const agents = sectionOf(spec, "agents");
  const offer = sectionOf(spec, "offer");
  const sent = sectionOf(spec, "quote", "sent");
  return (
    <div class="neg">
      {agents === undefined ? null : (
        <Agents agents={agents}>{sent === undefined ? null : <Sent section={sent} />}</Agents>
      )}
      {agents === undefined ? null : <AgentMap agents={agents} whole={4} />}
      <div class="side">
        {offer === undefined ? null : <Offer offer={offer} />}
        <Agent spec={spec} />
      </div>
    </div>
  );
}

/** Draws everybody who resonated, and how strongly. */
export const Agents = ({
  agents,
  children,
}: {
  agents: Section<"agents">;
  children?: ComponentChildren;
}): JSX.Element => (
  <section aria-labelledby="s-agents" class="list">
    <h2 id="s-agents" class="mu">
      {agents.heading}
    </h2>
    {agents.note === undefined ? null : <p class="s mu empty">{agents.note}</p>}
    <AgentList agents={agents} />
    {children}
  </section>
);

/** Draws how many offers have come in, as lines that are whole, broken, or grey for an agent that has left. */
export function Meter({ agents }: { agents: Section<"agents"> }): JSX.Element {
  return (
    <div class="row push s meter">
      <span class="lines" aria-hidden="true">
        {agents.agents.slice(0, 24).map(({ id, state }) => (
          <i key={id} class={CLASSES[state]} />
        ))}
      </span>
      {agents.count === undefined ? null : <b>{agents.count}</b>}
      <Form class="row">
        {agents.actions.map((action) => (
          <Button key={action.id} action={action} />
        ))}
      </Form>
    </div>
  );
}

/** Draws the agents as a list. It shows the same as the map, but keyboards and screen readers can use it. */
export function AgentList({ agents }: { agents: Section<"agents"> }): JSX.Element {
  const byScore = [...agents.agents].sort((a, b) => b.score - a.score);
  return (
    <Form>
      <ul>
        {byScore.map(({ id, name, state, status, scoreText, selected }) => (
          <li key={id} class={CLASSES[state]}>
            <button type="submit" name="do" value={`select?itemId=${encodeURIComponent(id)}`} aria-pressed={selected}>
              <span class="bead" aria-hidden="true" />
              <span class="nm">{name}</span>
              <span class="score">{scoreText}</span>
              <span class="st">{status}</span>
            </button>
          </li>
        ))}
      </ul>
    </Form>
  );
}

/** Draws one offer, whose words are plain text. */
export function Offer({ offer }: { offer: Section<"offer"> }): JSX.Element {
  return (
    <article class={`card offer ${CLASSES[offer.state]}`} aria-labelledby="s-offer" aria-live="polite">
      <h2 class="vh" id="s-offer">
        {offer.heading}
      </h2>
      <div class="row who-row">
        <span class="av" aria-hidden="true">
          {offer.initials}
        </span>
        <div>
          <h3>{offer.name}</h3>
          <p class="s mu">{offer.status}</p>
        </div>
      </div>
      {offer.tags.length === 0 ? null : (
        <ul class="tags">
          {offer.tags.map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
      )}
      {offer.text === "" ? null : <p class={offer.state === "offered" ? "words" : "words mu"}>{offer.text}</p>}
      {offer.facts.length === 0 ? null : <Facts facts={offer.facts} />}
    </article>
  );
}

/** Draws the text that was sent, in a fold. */
function Sent({ section }: { section: Section<"quote"> }): JSX.Element {
  return (
    <div class="sent-text">
      <details>
        <summary>{section.heading}</summary>
        <p>
          <Passages passages={section.passages} />
        </p>
      </details>
      {section.note === undefined ? null : <p>{section.note}</p>}
    </div>
  );
}
