import { html, raw } from "hono/html";
import { TOKENS } from "../../style/tokens.ts";
import type { ReportTexts } from "../../text/report.ts";
import { type Columns, columnsOf, type Placed } from "../graph/columns.ts";
import type { Graph, Node } from "../graph/model.ts";
import { drawnWidth } from "./letter-widths.ts";

type Html = ReturnType<typeof html>;

const ROWS = 40;
const ROW = 28;
const TOP = 40;
const WIDTHS = [260, 220, 220] as const;
const GAP = 96;
const WIDTH = WIDTHS.reduce((sum, width) => sum + width, 0) + GAP * (WIDTHS.length - 1);
const RADIUS = 5;

/** The lines and letters of the picture; it stands in the report's own style and in that of a file of its own. */
export const GRAPH_STYLE = `.gr text{font:13px var(--sans);fill:var(--ink)}.gr .hd{font:500 12px var(--sans);fill:var(--muted)}
.gr .nd{fill:var(--bg);stroke:var(--ink);stroke-width:1.5}.gr .agent .nd{fill:var(--accent);stroke:var(--accent)}.gr .capability .nd{fill:var(--accent-bg);stroke:var(--accent)}.gr .demand .nd{fill:var(--ink)}
.gr path{fill:none;stroke:var(--edge);stroke-width:1}.gr .offer{stroke:var(--accent);stroke-width:1.5}.gr .none{stroke-dasharray:6 5}.gr .lists{stroke:var(--edge);opacity:.7}.gr .other{stroke-dasharray:2 4}
`;

/** A graph as a picture in columns; what has no room is counted. */
export function graphSvg(graph: Graph, texts: ReportTexts, { isFile = false } = {}): Html {
  const columns = columnsOf(graph, ROWS);
  const labels = new Map(columns.columns.flat().map((placed) => [placed.node, shownIn(placed)]));
  const rows = Math.max(1, ...columns.columns.map((nodes, i) => nodes.length + ((columns.more[i] ?? 0) > 0 ? 1 : 0)));
  const height = TOP + rows * ROW + 12;
  const heads = [texts.columns.demand, texts.columns.agent, texts.columns.capability];
  const own = isFile
    ? html`<style>${raw(TOKENS)}${raw(GRAPH_STYLE)}</style><rect width="100%" height="100%" fill="var(--bg)"/>`
    : "";
  return html`<svg ${raw(isFile ? `xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" lang="${texts.lang}"` : "")} class="gr" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${texts.graphLabel}">${own}
${heads.map((head, column) => html`<text class="hd" x="${leftOf(column)}" y="18">${head}</text>`)}
${raw(columns.links.map((link) => linkOf(link, labels)).join(""))}
${columns.columns.flatMap((nodes) => nodes.map((placed) => nodeOf(placed, labels)))}
${moreOf(columns, texts)}</svg>`;
}

const leftOf = (column: number): number =>
  WIDTHS.slice(0, column).reduce((sum, width) => sum + width, 0) + GAP * column;
const middleOf = (row: number): number => TOP + row * ROW + ROW / 2;

/** As much of each node's label as is shown: measured once, however many lines begin beside it. */
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

const widthOf = drawnWidth({ wide: 13.2, other: 7.2 });

/** As much of a label as its column shows. */
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
