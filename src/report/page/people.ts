import { html } from "hono/html";
import { type Agent, byResonance, type Dossier, nobodyIn } from "../dossier.ts";
import { type Html, listed, type Part, section } from "./part.ts";
import { CLASSES, initialsOf, resonanceMap } from "./resonance.ts";

/** Who resonated, and what they offer. */

const MAX_LISTED = 60;
const MAX_CARDS = 24;
const MAX_ROWS = 2_000;
const ROW_CHARS = 200;
/** With more, one picture serves every width: there is no name in it that would be too small. */
const MAX_NARROW = 60;

export function resonanceSection(dossier: Dossier, part: Part): Html {
  const { texts } = part;
  const { agents, plan, counts } = dossier;
  const heading = texts.resonance;
  if (agents.length === 0) return section(part, "who", { heading }, html`<p>${nobodyIn(dossier, texts)}</p>`);
  const hasPlan = plan !== null && counts.received > 0;
  const hasNarrow = agents.length <= MAX_NARROW;
  const wide = resonanceMap(agents, { width: 600, height: 460, hasPlan, texts });
  const narrow = hasNarrow
    ? html`<div class="narrow">${resonanceMap(agents, { width: 327, height: 368, hasPlan, texts })}</div>`
    : "";
  const shown = byResonance(agents).slice(0, MAX_LISTED);
  const more = agents.length - shown.length;
  return section(
    part,
    "who",
    { heading, isPlain: true },
    html`<div class="who"><figure class="map ${hasNarrow ? "has-narrow" : ""}"><div class="wide">${wide}</div>${narrow}<figcaption>${texts.nearer}</figcaption></figure>
<div><h3 class="s mu">${texts.agents}</h3><ol class="list">${shown.map((agent) => listItem(agent, part))}</ol>${more > 0 ? html`<p class="xs mu">${texts.moreAgents(more)}</p>` : ""}</div></div>`,
  );
}

const listItem = ({ name, state, score }: Agent, { texts }: Part): Html =>
  html`<li class="${CLASSES[state]}"><span class="bead" aria-hidden="true"></span><span class="nm">${name}</span><span>${score.toFixed(2)}</span><span class="st">${texts.states[state]}</span></li>`;

interface Anchored {
  agent: Agent;
  anchor: string;
}

export function offersSection({ agents }: Dossier, part: Part): Html {
  const { texts } = part;
  const anchored = agents.map((agent, index): Anchored => ({ agent, anchor: `${part.id}-participants-${index}` }));
  const sorted = anchored.toSorted((a, b) => b.agent.score - a.agent.score);
  const offers = sorted.filter(({ agent }) => agent.state === "offered");
  const cards = new Set(offers.slice(0, MAX_CARDS));
  const rest = sorted.filter((one) => !cards.has(one)).slice(0, MAX_ROWS);
  const list =
    offers.length === 0
      ? html`<p class="mu">${texts.noOffers}</p>`
      : html`<ul class="cards">${[...cards].map((one) => card(one, part))}</ul>`;
  const heading = texts.offers;
  return section(part, "offers", { heading, isPlain: true }, [list, rest.length === 0 ? "" : table(rest, part)]);
}

function card({ agent, anchor }: Anchored, { texts }: Part): Html {
  const { name, score, capabilities, offer, isOfferCut } = agent;
  const share = Math.round(Math.min(1, Math.max(0, score)) * 100);
  return html`<li class="card offer" id="${anchor}"><div class="row" style="gap:12px"><span class="av" aria-hidden="true">${initialsOf(name)}</span><div><h3>${name}</h3><span class="xs mu">${texts.resonanceOf(score.toFixed(2))}</span></div></div>
<div class="meter" aria-hidden="true"><i style="width:${share}%"></i></div>${tags(capabilities)}
<p>${offer ?? ""}${isOfferCut ? html` <span class="mu">${texts.cutHere}</span>` : ""}</p></li>`;
}

const tags = (capabilities: readonly string[]) =>
  capabilities.length === 0 ? "" : html`<ul class="tags">${capabilities.map((text) => html`<li>${text}</li>`)}</ul>`;

function shortened(text: string): string {
  const letters = [...text.slice(0, 2 * ROW_CHARS)];
  return letters.length <= ROW_CHARS && letters.join("") === text ? text : `${letters.slice(0, ROW_CHARS).join("")}…`;
}

/** Those without a card, in rows. */
function table(rows: readonly Anchored[], { id, texts }: Part): Html {
  // What none of them has is no column: on a phone each costs the others a line.
  const isBlank = [
    ...[false, false],
    rows.every(({ agent }) => agent.capabilities.length === 0),
    rows.every(({ agent }) => !agent.offer),
  ];
  const all = [texts.score, texts.stateHead, texts.capabilities, texts.offer];
  const heads = [texts.name, ...all.filter((_, column) => !isBlank[column])];
  const cells = rows.map(({ agent: { name, score, state, capabilities, offer }, anchor }) => {
    const words = [score.toFixed(2), texts.states[state], listed(capabilities, texts), shortened(offer ?? "")];
    const shown = words.filter((_, column) => !isBlank[column]);
    return html`<tr id="${anchor}"><th scope="row">${name}</th>${shown.map((text) => html`<td>${text}</td>`)}</tr>`;
  });
  return html`<h3 class="s mu" id="${id}-rest" style="margin-top:16px">${texts.moreAgents(rows.length)}</h3><div class="scroll" tabindex="0" role="group" aria-labelledby="${id}-rest"><table class="rows"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${cells}</tbody></table></div>`;
}
