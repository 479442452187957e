import type { JSX } from "preact";
import { hexagram } from "../../style/mark.ts";
import type { UiSpec } from "../ui-spec-schema.ts";
import { Agent } from "./agent.tsx";
import { Facts } from "./facts.tsx";
import { FoldedQuote } from "./fold.tsx";
import { Items, OneField } from "./forms.tsx";
import { AgentMap } from "./map.tsx";
import { Agents, Offer } from "./negotiate.tsx";
import { PlanActions, Prose } from "./prose.tsx";
import { Review } from "./review.tsx";
import { sectionOf } from "./sections.ts";

/** Draws an ending without a plan. What happened and the next steps come first, and what came of the negotiation follows. */
export function Ending({ spec }: { spec: UiSpec }): JSX.Element {
  const happened = sectionOf(spec, "facts");
  const agents = sectionOf(spec, "agents");
  const review = sectionOf(spec, "review");
  const again = sectionOf(spec, "form", "again");
  const scenes = sectionOf(spec, "list", "scenes");
  const whole = spec.steps.filter(({ state }) => state === "done").length;
  return (
    <>
      <div class="three">
        <section aria-labelledby="s-happened">
          {agents === undefined ? (
            <EmptyMap whole={whole} />
          ) : (
            <AgentMap agents={agents} whole={whole} firstWidth={300} />
          )}
          {happened === undefined ? null : (
            <>
              <h2 id="s-happened">{happened.heading}</h2>
              <Facts facts={happened.facts} isBare />
            </>
          )}
        </section>
        {again === undefined ? null : <OneField section={again} rows={6} />}
        <div>
          {review === undefined ? null : <Review review={review} />}
          {scenes === undefined ? null : <Items list={scenes} isNamed />}
          <Agent spec={spec} />
        </div>
      </div>
      <Came spec={spec} />
    </>
  );
}

/** Draws who took part, what they offered, and a plan's words if there are any. */
function Came({ spec }: { spec: UiSpec }): JSX.Element | null {
  const agents = sectionOf(spec, "agents");
  const offer = sectionOf(spec, "offer");
  const prose = sectionOf(spec, "prose");
  const sent = sectionOf(spec, "quote", "sent");
  if (agents === undefined && prose === undefined && sent === undefined) return null;
  return (
    <div class={agents === undefined ? "came" : "came beside"}>
      {agents === undefined ? null : (
        <Agents agents={agents}>
          <p class="s mu empty">{agents.count}</p>
        </Agents>
      )}
      <div class="stack">
        {offer === undefined ? null : <Offer offer={offer} />}
        {prose === undefined ? null : (
          <Prose prose={prose}>
            <PlanActions spec={spec} />
          </Prose>
        )}
        {sent === undefined ? null : (
          <div class="folds">
            <FoldedQuote quote={sent} />
          </div>
        )}
      </div>
    </div>
  );
}

/** Draws the rings with nobody on them. Screen readers skip the drawing, because the text beside it says the same. */
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
