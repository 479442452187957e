import type { JSX } from "preact";
import { hexagram } from "../../style/mark.ts";
import { place, RINGS, radiusOf } from "../../style/placement.ts";
import type { AgentSpec, Section } from "../ui-spec-schema.ts";
import { current } from "./store.ts";

/** The CSS class of an agent, by its state. */
export const CLASSES = { waiting: "wa", offered: "of", left: "gone", none: "gone" } as const;

/** The size of the map in pixels, before the browser has measured its place. */
const FIRST_WIDTH = 548;
const FIRST_HEIGHT = 520;
const SMALL = 460;
/** With more agents than this, names are drawn only for offers and for the chosen agent. */
const CROWD = 12;
/** With more agents than this, their circles are drawn at the smallest size. */
const THRONG = 24;

interface Drawn {
  width: number;
  height: number;
  node: number;
  core: number;
  isCrowd: boolean;
}

function sizeOf(count: number, firstWidth: number): Drawn {
  const { mapWidth: width = firstWidth, mapHeight = FIRST_HEIGHT } = current();
  const [isSmall, isCrowd] = [width < SMALL, count > CROWD];
  return {
    width,
    height: isSmall ? Math.max(300, Math.min(368, width)) : mapHeight,
    node: count > THRONG ? 8 : isCrowd ? 11 : isSmall ? 18 : 22,
    core: isSmall || isCrowd ? 18 : 22,
    isCrowd,
  };
}

const labelWidth = (name: string): number =>
  [...name].reduce((sum, char) => sum + (/[\u1100-\uffdc]/.test(char) ? 14 : 7.4), 0);

const point = (x: number, y: number, radius: number, angle: number) =>
  `${(x + radius * Math.cos(angle)).toFixed(1)} ${(y + radius * Math.sin(angle)).toFixed(1)}`;

interface MapProps {
  agents: Section<"agents">;
  /** How many of the six lines in the centre are whole. */
  whole: number;
  /** The width until the browser has measured the map's place, in pixels. */
  firstWidth?: number;
}

/** Draws the demand in the centre and the agents around it, nearer for a stronger resonance. */
export function AgentMap({ agents, whole, firstWidth = FIRST_WIDTH }: MapProps): JSX.Element {
  const size = sizeOf(agents.agents.length, firstWidth);
  const { width, height, node, core, isCrowd } = size;
  const [x, y, inner] = [width / 2, height / 2, core < 22 ? 62 : 75];
  const mapSize = { width, height, node, inner };
  const isNamed = ({ state, selected }: AgentSpec) => !isCrowd || state === "offered" || selected;
  const places = place(
    agents.agents.map((agent) => ({ score: agent.score, labelWidth: isNamed(agent) ? labelWidth(agent.name) : 0 })),
    mapSize,
  );
  const drawn = agents.agents.map((agent, index) => ({ ...agent, ...(places[index] ?? { x, y, hasLabel: false }) }));
  const lines = hexagram(whole, { x: x - core * 0.62, y: y - core * 0.66, width: core * 1.24, gap: core * 0.23 });
  return (
    <figure class="map" data-map="">
      <p class="vh">{agents.mapLabel}</p>
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {RINGS.map((score) => (
          <circle key={score} class="o" cx={x} cy={y} r={radiusOf(score, mapSize)} />
        ))}
        {RINGS.map((score, index) => (
          <text key={score} class="ot halo" x={x} y={y + radiusOf(score, mapSize) + 4}>
            {index === RINGS.length - 1 ? `${agents.ring} ${score.toFixed(1)}` : score.toFixed(1)}
          </text>
        ))}
        {drawn.map((agent) => (
          <Link
            key={agent.id}
            from={{ x, y, r: core * 2.05 }}
            to={{ x: agent.x, y: agent.y, r: node + 2 }}
            state={agent.state}
          />
        ))}
        <circle class="core" cx={x} cy={y} r={core * 1.55} />
        <g class="core-lines" dangerouslySetInnerHTML={{ __html: lines }} />
        <Arcs agents={agents.agents} x={x} y={y} r={core * 1.85} />
        {[...drawn]
          .sort((a, b) => layerOf(a) - layerOf(b))
          .map((agent) => (
            <Node key={agent.id} agent={agent} node={node} isCrowd={isCrowd} centre={y} />
          ))}
      </svg>
      <figcaption>{agents.caption}</figcaption>
    </figure>
  );
}

/** Orders agents that overlap: those with an offer lie over those without one, and the chosen one lies over all. */
const layerOf = ({ state, selected }: AgentSpec): number =>
  selected ? 3 : { left: 0, none: 0, waiting: 1, offered: 2 }[state];

interface End {
  x: number;
  y: number;
  r: number;
}

function Link({ from, to, state }: { from: End; to: End; state: AgentSpec["state"] }): JSX.Element {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  return (
    <g class={CLASSES[state]}>
      <path class="ln" d={`M${point(from.x, from.y, from.r, angle)}L${point(to.x, to.y, -to.r, angle)}`} />
    </g>
  );
}

/** Draws an arc around the centre for each agent, filled once the agent has made an offer. */
function Arcs({ agents, x, y, r }: { agents: readonly AgentSpec[] } & End): JSX.Element {
  const part = (2 * Math.PI) / Math.max(1, agents.length);
  const gap = Math.min(0.09, part / 5);
  return (
    <g>
      {agents.map(({ id, state }, index) => {
        const [from, to] = [-Math.PI / 2 + index * part + gap, -Math.PI / 2 + (index + 1) * part - gap];
        const large = to - from > Math.PI ? 1 : 0;
        return (
          <path
            key={id}
            class={state === "offered" ? "arc in1" : "arc"}
            d={`M${point(x, y, r, from)}A${r} ${r} 0 ${large} 1 ${point(x, y, r, to)}`}
          />
        );
      })}
    </g>
  );
}

interface NodeProps {
  agent: AgentSpec & { x: number; y: number; hasLabel: boolean };
  node: number;
  isCrowd: boolean;
  centre: number;
}

function Node({ agent, node, isCrowd, centre }: NodeProps): JSX.Element {
  const { id, x, y, name, initials, scoreText, state, selected, hasLabel } = agent;
  const isAbove = y < centre;
  return (
    <g data-agent={id} class={`${isCrowd ? "dense " : ""}${CLASSES[state]}${selected ? " on" : ""}`}>
      <circle class="sel" cx={x} cy={y} r={node + 6} />
      <circle class="nd" cx={x} cy={y} r={node} />
      <text class="in" x={x} y={y + 4.5}>
        {initials}
      </text>
      {hasLabel ? (
        <>
          <text class="lb halo" x={x} y={isAbove ? y - node - 26 : y + node + 22}>
            {name}
          </text>
          <text class="sc halo" x={x} y={isAbove ? y - node - 11 : y + node + 38}>
            {scoreText}
          </text>
        </>
      ) : null}
    </g>
  );
}
