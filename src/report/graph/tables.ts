import type { ReportTexts } from "../../text/report.ts";
import { inertLine } from "../inert.ts";
import type { Graph } from "./model.ts";

/** A graph as two Markdown tables: what there is, and how it hangs together (seed 000, `reports.build`). Pure. */
export function graphTables({ nodes, edges }: Graph, { tables }: ReportTexts): string[] {
  if (nodes.length === 0) return [];
  const labels = new Map(nodes.map(({ id, label }) => [id, label]));
  const named = (id: string): string => inertLine(labels.get(id) ?? id);
  return [
    `## ${tables.entities}`,
    table(
      [tables.type, tables.label, "id"],
      nodes.map(({ id, type, label }) => [inertLine(type), inertLine(label), inertLine(id)]),
    ),
    `## ${tables.relations}`,
    table(
      [tables.from, tables.type, tables.to, tables.weight],
      edges.map(({ type, from, to, weight }) => [named(from), inertLine(type), named(to), weight?.toFixed(2) ?? ""]),
    ),
  ];
}

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
