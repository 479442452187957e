/** What the map needs to know about an agent to place it. */
export interface Placeable {
  score: number;
  /** The width of the agent's name in pixels, or 0 if it is drawn without a name. */
  labelWidth: number;
}

export interface Place {
  x: number;
  y: number;
  /** True if there is room for the agent's name. */
  hasLabel: boolean;
}

export interface MapSize {
  width: number;
  height: number;
  /** The radius of an agent, in pixels. */
  node: number;
  /** The radius of the ring of the strongest resonance, in pixels. */
  inner: number;
}

/** The score at the rim of the map. Agents with a lower score also stand at the rim. */
const FLOOR = 0.4;
export const RINGS = [0.9, 0.7, 0.5] as const;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const FIRST_ANGLE = -Math.PI * 0.78;
const TURN = Math.PI / 36;
const TURNS = 72;
/**
 * The number of agents that are placed with care. The agents after them get no name and may cover others, because the
 * list beside the map holds them all.
 */
const MAX_ARRANGED = 300;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const touch = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/**
 * Returns the radius at which a score stands, in pixels. The scale is absolute, so that 0.70 is the same ring in
 * every map.
 */
export const radiusOf = (score: number, { width, height, node, inner }: MapSize): number => {
  const rim = Math.min(width / 2 - node * 1.5, height / 2 - node - 22);
  return inner + ((1 - Math.min(1, Math.max(score, FLOOR))) / (1 - FLOOR)) * (rim - inner);
};

/**
 * Places the agents on the map. The distance from the centre shows the score, but the angle has no meaning. The angle
 * is the golden angle times the order of arrival, so that agents stay where they are when another arrives, and the
 * same list gives the same picture. If a node with its name would cover another node, the angle turns until it does
 * not. After a full turn the node loses its name and turns again, and if that does not help either, it returns to its
 * first angle.
 */
export function place(agents: readonly Placeable[], size: MapSize): Place[] {
  const taken = fixedBoxes(size);
  return agents.map((agent, index) => {
    const radius = radiusOf(agent.score, size);
    const start = FIRST_ANGLE + index * GOLDEN_ANGLE;
    const at = (angle: number) => ({
      x: size.width / 2 + radius * Math.cos(angle),
      y: size.height / 2 + radius * Math.sin(angle),
    });
    if (index >= MAX_ARRANGED) return { ...at(start), hasLabel: false };
    for (const labelWidth of new Set([agent.labelWidth, 0]))
      for (let turn = 0; turn < TURNS; turn++) {
        const point = at(start + (turn % 2 ? 1 : -1) * Math.ceil(turn / 2) * TURN);
        const box = boxOf(point, labelWidth, size);
        if (leaves(box, size) || taken.some((other) => touch(box, other))) continue;
        taken.push(box);
        return { ...point, hasLabel: labelWidth > 0 };
      }
    const point = at(start);
    taken.push(boxOf(point, 0, size));
    return { ...point, hasLabel: false };
  });
}

/** Returns the boxes that no agent may cover: the centre and the numbers of the rings. */
function fixedBoxes(size: MapSize): Box[] {
  const [x, y, half] = [size.width / 2, size.height / 2, size.inner * 0.62];
  return [
    { x: x - half, y: y - half, width: 2 * half, height: 2 * half },
    ...RINGS.map((score, index) => {
      const halfLabel = index === RINGS.length - 1 ? 42 : 16; // The label of the last ring also says what the numbers mean.
      return { x: x - halfLabel, y: y + radiusOf(score, size) - 9, width: 2 * halfLabel, height: 18 };
    }),
  ];
}

/** Returns the box of a node and its name, which stands above or below the node, away from the centre. */
function boxOf({ x, y }: { x: number; y: number }, labelWidth: number, { node, height }: MapSize): Box {
  const half = Math.max(node, labelWidth / 2);
  const isNamed = labelWidth > 0;
  return {
    x: x - half - 4,
    y: y - node - (isNamed && y < height / 2 ? 42 : 4),
    width: 2 * half + 8,
    height: 2 * node + (isNamed ? 46 : 8),
  };
}

const leaves = (box: Box, { width, height }: MapSize): boolean =>
  box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height;
