import { html, raw } from "hono/html";
import type { ReportTexts } from "../../text/report.ts";
import type { Edge, Graph, Node } from "../graph/model.ts";
import GRAPH_CSS from "./graph-file.css";

type Html = ReturnType<typeof html>;

const ROWS = 40;
const ROW = 28;
const TOP = 40;
const WIDTHS = [260, 220, 220] as const;
const GAP = 96;
const WIDTH = WIDTHS.reduce((sum, width) => sum + width, 0) + GAP * (WIDTHS.length - 1);
const RADIUS = 5;

/**
 * Draws a graph in three columns. Of the nodes that do not fit, only the number is shown. With `isFile`, the picture
 * brings its own size and style, so that it can stand alone.
 */
export function graphSvg(graph: Graph, texts: ReportTexts, { isFile = false } = {}): Html {
  const columns = columnsOf(graph, ROWS);
  const labels = new Map(columns.columns.flat().map((placed) => [placed.node, shownIn(placed)]));
  const rows = Math.max(1, ...columns.columns.map((nodes, i) => nodes.length + ((columns.more[i] ?? 0) > 0 ? 1 : 0)));
  const height = TOP + rows * ROW + 12;
  const heads = [texts.columns.demand, texts.columns.agent, texts.columns.capability];
  const own = isFile ? html`<style>${raw(GRAPH_CSS)}</style><rect width="100%" height="100%" fill="var(--bg)"/>` : "";
  return html`<svg ${raw(isFile ? `xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" lang="${texts.lang}"` : "")} class="gr" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${texts.graphLabel}">${own}
${heads.map((head, column) => html`<text class="hd" x="${leftOf(column)}" y="18">${head}</text>`)}
${raw(columns.links.map((link) => linkOf(link, labels)).join(""))}
${columns.columns.flatMap((nodes) => nodes.map((placed) => nodeOf(placed, labels)))}
${moreOf(columns, texts)}</svg>`;
}

const leftOf = (column: number): number =>
  WIDTHS.slice(0, column).reduce((sum, width) => sum + width, 0) + GAP * column;
const middleOf = (row: number): number => TOP + row * ROW + ROW / 2;

/**
 * Maps each node to the part of its label that is shown and the width of that part, so that each label is measured
 * only once.
 */
type Labels = ReadonlyMap<Node, { text: string; width: number }>;

function linkOf({ from, to, kind }: Columns["links"][number], labels: Labels): string {
  const [y1, y2] = [middleOf(from.row), middleOf(to.row)];
  if (from.column === to.column) {
    const x = leftOf(from.column) + RADIUS;
    return `<path class="${kind}" d="M${x} ${y1}C${x - 12} ${y1} ${x - 12} ${y2} ${x} ${y2}"/>`;
  }
  const [left, right] = from.column < to.column ? [from, to] : [to, from];
  const x1 = leftOf(left.column) + 3 * RADIUS + (labels.get(left.node)?.width ?? 0) + 8;
  const x2 = leftOf(right.column) - 2;
  const [a, b] = [middleOf(left.row), middleOf(right.row)];
  const bend = (x2 - x1) / 2;
  return `<path class="${kind}" d="M${x1} ${a}C${x1 + bend} ${a} ${x2 - bend} ${b} ${x2} ${b}"/>`;
}

function nodeOf({ node, column, row }: Placed, labels: Labels): Html {
  const [x, y] = [leftOf(column), middleOf(row)];
  return html`<g class="${node.type}"><circle class="nd" cx="${x + RADIUS}" cy="${y}" r="${RADIUS - 1}"/><text x="${x + 3 * RADIUS}" y="${y + 4.5}">${labels.get(node)?.text}</text></g>`;
}

/** Matches characters that are as wide as they are high. */
const WIDE = /[\u2E80-\u9FFF\uAC00-\uD7AF\uFF00-\uFFEF]/;
/** Estimates the drawn width of a text in units of the SVG. */
const widthOf = (text: string): number => [...text].reduce((sum, letter) => sum + (WIDE.test(letter) ? 13.2 : 7.2), 0);

/** Cuts a label to the width of its column. */
function shownIn({ node: { label }, column }: Placed): { text: string; width: number } {
  const room = (WIDTHS[column] ?? 0) - 3 * RADIUS;
  const letters = [...label];
  let [width, fitting] = [0, 0];
  for (const letter of letters) {
    width += widthOf(letter);
    if (width <= room - 10) fitting += 1;
  }
  const text = width <= room ? label : `${letters.slice(0, fitting).join("").trimEnd()}…`;
  return { text, width: widthOf(text) };
}

const moreOf = ({ columns, more }: Columns, texts: ReportTexts): Html[] =>
  more.flatMap((count, column) =>
    count === 0
      ? []
      : [
          html`<text class="hd" x="${leftOf(column) + 3 * RADIUS}" y="${middleOf(columns[column]?.length ?? 0) + 4.5}">${texts.graphMore(count)}</text>`,
        ],
  );

/** A graph laid out in three columns: what was asked for, who resonated, and what their offers list. */
interface Columns {
  columns: readonly (readonly Placed[])[];
  /** The number of nodes that each column leaves out. */
  more: readonly number[];
  links: readonly { from: Placed; to: Placed; kind: "offer" | "none" | "lists" | "other"; weight: number }[];
}

interface Placed {
  node: Node;
  column: number;
  row: number;
}

const COLUMN: Readonly<Record<string, number>> = {
  demand: 0,
  plan: 0,
  scene: 0,
  sub_negotiation: 0,
  agent: 1,
  capability: 2,
};
const COLUMN_COUNT = 3;

/**
 * Places the nodes of a graph. Offers and tasks get no node, because an offer is drawn as lines from its agent to the
 * capabilities that it lists. The nodes with the most lines come first, and each capability stands near the agents
 * that list it. The same graph always gives the same picture. Pure.
 * @param rows the maximum number of nodes in a column
 */
function columnsOf(graph: Graph, rows: number): Columns {
  const links = linksOf(graph);
  const degree = new Map<string, number>();
  for (const { from, to, weight } of links)
    for (const id of [from, to]) degree.set(id, (degree.get(id) ?? 0) + 1 + weight);
  const rank = (node: Node): number => degree.get(node.id) ?? 0;
  const sorted = (column: number): Node[] =>
    graph.nodes
      .filter(({ type }) => COLUMN[type] === column)
      .sort((a, b) => order(a) - order(b) || rank(b) - rank(a) || (a.id < b.id ? -1 : 1));
  const all = Array.from({ length: COLUMN_COUNT }, (_, column) => sorted(column));
  const kept = all.map((nodes) => nodes.slice(0, rows));
  const agentRows = new Map((kept[1] ?? []).map(({ id }, row) => [id, row]));
  kept[2] = byMeanRow(kept[2] ?? [], links, agentRows);
  const placed = kept.map((nodes, column) => nodes.map((node, row): Placed => ({ node, column, row })));
  const byId = new Map(placed.flat().map((one) => [one.node.id, one]));
  return {
    columns: placed,
    more: all.map((nodes) => Math.max(0, nodes.length - rows)),
    links: links.flatMap(({ from, to, kind, weight }) => {
      const [a, b] = [byId.get(from), byId.get(to)];
      return a === undefined || b === undefined ? [] : [{ from: a, to: b, kind, weight }];
    }),
  };
}

/** Returns the rank of a node's type within the first column, where demands stand above everything else. */
const order = ({ type }: Node): number => ["demand", "plan", "sub_negotiation", "scene"].indexOf(type);

type Link = { from: string; to: string; kind: Columns["links"][number]["kind"]; weight: number };

function linksOf({ edges }: Graph): Link[] {
  const agentOf = new Map<string, string>();
  const offering = new Map<string, Set<string>>();
  for (const { type, from, to } of edges)
    if (type === "offered") {
      agentOf.set(to, from);
      offering.set(from, (offering.get(from) ?? new Set()).add(to));
    }
  const found = new Map<string, Link>();
  const add = (link: Link) => found.set(`${link.from}\n${link.to}`, link);
  for (const edge of edges) {
    if (edge.type === "resonated") add({ ...resonated(edge, offering), weight: edge.weight ?? 0 });
    else if (edge.type === "lists")
      add({ from: agentOf.get(edge.from) ?? edge.from, to: edge.to, kind: "lists", weight: 0 });
    else if (COLUMN_EDGES.has(edge.type)) add({ from: edge.from, to: edge.to, kind: "other", weight: 0 });
  }
  return [...found.values()];
}

const COLUMN_EDGES = new Set(["answers", "asks_further", "submitted_in", "is_demand"]);

/** Returns the line from a demand to an agent. The line's kind is `offer` if the agent made an offer for this demand. */
function resonated({ from, to }: Edge, offering: ReadonlyMap<string, ReadonlySet<string>>): Omit<Link, "weight"> {
  const negotiation = from.slice("demand:".length);
  const hasOffer = [...(offering.get(to) ?? [])].some((offer) => offer.startsWith(`offer:${negotiation}/`));
  return { from, to, kind: hasOffer ? "offer" : "none" };
}

function byMeanRow(nodes: readonly Node[], links: readonly Link[], rows: ReadonlyMap<string, number>): Node[] {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { from, to } of links) {
    const row = rows.get(from);
    if (row === undefined) continue;
    const known = sums.get(to) ?? { sum: 0, count: 0 };
    sums.set(to, { sum: known.sum + row, count: known.count + 1 });
  }
  const mean = ({ id }: Node): number => {
    const { sum, count } = sums.get(id) ?? { sum: 0, count: 0 };
    return count === 0 ? Number.MAX_SAFE_INTEGER : sum / count;
  };
  return nodes.toSorted((a, b) => mean(a) - mean(b) || (a.id < b.id ? -1 : 1));
}
