import { html, raw } from "hono/html";
import { hexagram } from "../../style/mark.ts";
import { type MapSize, place, RINGS, radiusOf } from "../../style/placement.ts";
import type { ReportTexts } from "../../text/report.ts";
import { byResonance, type Offer, offersFirst, offerText } from "../../view/agents.ts";
import { type Agent, type Dossier, nobodyIn } from "../dossier.ts";
import { drawnWidth } from "./letter-widths.ts";
import { type Html, listed, type Part, section } from "./part.ts";

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

const listItem = ({ name, state, scoreText }: Agent, { texts }: Part): Html =>
  html`<li class="${CLASSES[state]}"><span class="bead" aria-hidden="true"></span><span class="nm">${name}</span><span>${scoreText}</span><span class="st">${texts.states[state]}</span></li>`;

interface Anchored {
  agent: Agent;
  anchor: string;
}

export function offersSection({ agents }: Dossier, part: Part): Html {
  const { texts } = part;
  const anchored = agents.map((agent, index): Anchored => ({ agent, anchor: `${part.id}-participants-${index}` }));
  const anchorOf = new Map(anchored.map((one) => [one.agent, one]));
  const sorted = offersFirst(agents).map((agent) => anchorOf.get(agent)!);
  const offers = sorted.filter(({ agent }) => agent.offer !== null);
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
  const { name, initials, score, scoreText, capabilities, offer, isOfferCut } = agent;
  const share = Math.round(Math.min(1, Math.max(0, score)) * 100);
  return html`<li class="card offer" id="${anchor}"><div class="row" style="gap:12px"><span class="av" aria-hidden="true">${initials}</span><div><h3>${name}</h3><span class="xs mu">${texts.resonanceOf(scoreText)}</span></div></div>
<div class="meter" aria-hidden="true"><i style="width:${share}%"></i></div>${tags(capabilities)}
${offer === null ? "" : words(offer, texts)}${isOfferCut ? html`<p class="mu">${texts.cutHere}</p>` : ""}</li>`;
}

function words({ text, facts }: Offer, texts: ReportTexts): Html {
  const isBlank = text.trim() === "";
  if (isBlank && facts.length === 0) return html`<p class="mu">${texts.emptyOffer}</p>`;
  const rows = facts.map(({ term, value }) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`);
  return html`${isBlank ? "" : html`<p class="words">${text}</p>`}${rows.length === 0 ? "" : html`<dl class="facts">${rows}</dl>`}`;
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
    rows.every(({ agent }) => agent.offer === null),
  ];
  const all = [texts.score, texts.stateHead, texts.capabilities, texts.offer];
  const heads = [texts.name, ...all.filter((_, column) => !isBlank[column])];
  const cells = rows.map(({ agent: { name, scoreText, state, capabilities, offer }, anchor }) => {
    const said = offer === null ? "" : shortened(offerText(offer)) || texts.emptyOffer;
    const words = [scoreText, texts.states[state], listed(capabilities, texts), said];
    const shown = words.filter((_, column) => !isBlank[column]);
    return html`<tr id="${anchor}"><th scope="row">${name}</th>${shown.map((text) => html`<td>${text}</td>`)}</tr>`;
  });
  return html`<h3 class="s mu" id="${id}-rest" style="margin-top:16px">${texts.moreAgents(rows.length)}</h3><div class="scroll" tabindex="0" role="group" aria-labelledby="${id}-rest"><table class="rows"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${cells}</tbody></table></div>`;
}

/** More than this, and only those with an offer have a name. */
const DENSE = 12;
const CROWD = 60;
const HEXAGRAM = { none: 4, plan: 6 };

/** The style of an agent, by how far it got. */
const CLASSES = { offered: "of", waiting: "wa", left: "gone", none: "gone" } as const;

const widthOf = drawnWidth({ wide: 14, other: 7.4 });

const fixed = (value: number): string => String(Math.round(value * 10) / 10);

/** The demand in the centre, agents around it: the nearer, the stronger the resonance. */
function resonanceMap(
  agents: readonly Agent[],
  { width, height, hasPlan, texts }: { width: number; height: number; hasPlan: boolean; texts: ReportTexts },
): Html {
  const isDense = agents.length > DENSE;
  const isSmall = width < 460;
  const node = agents.length > CROWD * 5 ? 3 : agents.length > CROWD ? 6 : isDense ? 11 : isSmall ? 18 : 22;
  const core = isSmall || isDense ? 18 : 22;
  const size: MapSize = { width, height, node, inner: isSmall || isDense ? 62 : 75 };
  const named = namedIn(agents);
  const places = place(
    agents.map((agent) => ({ score: agent.score, labelWidth: named.has(agent) ? widthOf(shortName(agent)) : 0 })),
    size,
  );
  const [x, y] = [width / 2, height / 2];
  const nodes = agents.map((agent, index) => ({ agent, at: places[index] ?? { x, y, hasLabel: false } }));
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${texts.mapLabel}">
${raw(RINGS.map((score) => ringOf(score, size, texts)).join(""))}
${raw(nodes.map(({ agent, at }) => lineOf(agent, at, { x, y, core, node })).join(""))}
<circle class="core" cx="${x}" cy="${y}" r="${fixed(core * 1.55)}"/>
<g fill="none" stroke="var(--ink)" stroke-width="2.4">${raw(
    hexagram(hasPlan ? HEXAGRAM.plan : HEXAGRAM.none, {
      x: x - core * 0.62,
      y: y - core * 0.66,
      width: core * 1.24,
      gap: core * 0.23,
    }),
  )}</g>
${agents.length > CROWD ? "" : raw(arcs(agents, { x, y, radius: core * 1.85 }))}
${nodes.map(({ agent, at }) => nodeOf(agent, at, { node, isDense, isUpper: at.y < y }))}
</svg>`;
}

/** All of a few, else those with an offer, the strongest first. */
function namedIn(agents: readonly Agent[]): ReadonlySet<Agent> {
  if (agents.length <= DENSE) return new Set(agents);
  const offered = agents.filter(({ state }) => state === "offered");
  return new Set(byResonance(offered).slice(0, DENSE * 2));
}

const NAME_LENGTH = 18;
const shortName = ({ name }: Agent): string => {
  const letters = [...name];
  return letters.length <= NAME_LENGTH ? name : `${letters.slice(0, NAME_LENGTH - 1).join("")}…`;
};

function ringOf(score: number, size: MapSize, texts: ReportTexts): string {
  const [x, y, radius] = [size.width / 2, size.height / 2, radiusOf(score, size)];
  const label = score === 0.5 ? texts.ring : score.toFixed(1);
  return `<circle class="o" cx="${x}" cy="${y}" r="${fixed(radius)}"/><text class="ot halo" x="${x}" y="${fixed(y + radius + 4)}">${label}</text>`;
}

interface Centre {
  x: number;
  y: number;
  core: number;
  node: number;
}

function lineOf({ state }: Agent, at: { x: number; y: number }, { x, y, core, node }: Centre): string {
  const distance = Math.hypot(at.x - x, at.y - y) || 1;
  const [dx, dy] = [(at.x - x) / distance, (at.y - y) / distance];
  const from = `${fixed(x + dx * core * 2.05)} ${fixed(y + dy * core * 2.05)}`;
  const to = `${fixed(at.x - dx * (node + 2))} ${fixed(at.y - dy * (node + 2))}`;
  return `<g class="${CLASSES[state]}"><path class="ln" d="M${from}L${to}"/></g>`;
}

/** One arc for each agent, filled when its offer is in. */
function arcs(agents: readonly Agent[], { x, y, radius }: { x: number; y: number; radius: number }): string {
  const step = (2 * Math.PI) / agents.length;
  const gap = Math.min(0.09, step / 5);
  const point = (angle: number) => `${fixed(x + radius * Math.cos(angle))} ${fixed(y + radius * Math.sin(angle))}`;
  return agents
    .map(({ state }, index) => {
      const from = -Math.PI / 2 + index * step + gap;
      const to = -Math.PI / 2 + (index + 1) * step - gap;
      const isLarge = to - from > Math.PI ? 1 : 0;
      const r = fixed(radius);
      return `<path class="arc${state === "offered" ? " in1" : ""}" d="M${point(from)}A${r} ${r} 0 ${isLarge} 1 ${point(to)}"/>`;
    })
    .join("");
}

function nodeOf(
  agent: Agent,
  at: { x: number; y: number; hasLabel: boolean },
  { node, isDense, isUpper }: { node: number; isDense: boolean; isUpper: boolean },
): Html {
  const [name, score] = isUpper ? [at.y - node - 26, at.y - node - 11] : [at.y + node + 22, at.y + node + 38];
  const label = at.hasLabel
    ? html`<text class="lb halo" x="${fixed(at.x)}" y="${fixed(name)}">${shortName(agent)}</text><text class="sc halo" x="${fixed(at.x)}" y="${fixed(score)}">${agent.scoreText}</text>`
    : "";
  const initials = isDense
    ? ""
    : html`<text class="in" x="${fixed(at.x)}" y="${fixed(at.y + 4.5)}">${agent.initials}</text>`;
  return html`<g class="${CLASSES[agent.state]}"><circle class="nd" cx="${fixed(at.x)}" cy="${fixed(at.y)}" r="${node}"/>${initials}${label}</g>`;
}
