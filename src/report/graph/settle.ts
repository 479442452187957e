import { byCodeUnits } from "../../by-code-units.ts";
import type { Edge, Graph } from "./model.ts";

export interface Source {
  /** The name that a caller gives the source, such as a negotiation's id or a reference. */
  name: string;
  /** The source's graph. If it comes from an earlier merge, it brings the differences that were settled then. */
  graph: Graph & { diff?: readonly Difference[] };
  /** The weight of this source when sources differ, from 0 to 1. */
  weight: number;
}

type Value = string | number | boolean | null;

interface Variant {
  value: Value;
  /** The names of the sources that give this value. */
  sources: string[];
  weight: number;
}

/** The node or the edge that sources differ about. */
export type DisputedElement = { node_id: string } | { edge: Pick<Edge, "type" | "from" | "to"> };
type DifferingField = "type" | "label" | "weight" | `properties/${string}`;

/** A field of a node or an edge for which sources give different values. */
export type Difference = DisputedElement & {
  field: DifferingField;
  variants: Variant[];
  chosen: Value;
  resolution: "prefer_source" | "weight" | "agreement" | "alphabetical" | "greatest";
};

/** The value that one source gives for a field. A source that gives no value has no part in the choice. */
export interface Said<T extends Value> {
  value: T;
  source: Source;
}

/**
 * Chooses among the values that sources give for a field. The value of the preferred source wins, else the value with
 * the greatest weight, else the value that most sources give, else the greatest number or the first text in the
 * alphabet. Undefined if no source gives a value.
 * @param diff receives the difference, if the sources disagree
 */
export function settle<T extends Value>(
  subject: DisputedElement,
  field: DifferingField,
  said: readonly Said<T>[],
  prefer: string | undefined,
  diff: Difference[],
): T | undefined {
  const byValue = new Map<T, Set<Source>>();
  for (const { value, source } of said) byValue.set(value, (byValue.get(value) ?? new Set()).add(source));
  if (byValue.size < 2) return said[0]?.value;
  const variants = [...byValue]
    .map(([value, by]) => ({
      value,
      sources: [...by].map(({ name }) => name).sort(byCodeUnits),
      weight: Math.max(...[...by].map(({ weight }) => weight)),
    }))
    .sort((a, b) => b.weight - a.weight || b.sources.length - a.sources.length || order(a.value, b.value));
  const preferred = prefer === undefined ? undefined : variants.find(({ sources }) => sources.includes(prefer));
  const { value: chosen } = preferred ?? (variants[0] as (typeof variants)[number]);
  const resolution = preferred === undefined ? reasonOf(variants) : "prefer_source";
  diff.push({ ...subject, field, variants, chosen, resolution });
  return chosen;
}

/** Returns the reason why the first variant was sorted first. */
function reasonOf([first, second]: readonly Variant[]): Difference["resolution"] {
  if (first === undefined || second === undefined || first.weight > second.weight) return "weight";
  if (first.sources.length > second.sources.length) return "agreement";
  return typeof first.value === "number" && typeof second.value === "number" ? "greatest" : "alphabetical";
}

function order(a: Value, b: Value): number {
  if (typeof a === "number" && typeof b === "number") return b - a;
  // Values of different types are compared as JSON, which differs for any two of them.
  const [one, other] = typeof a === "string" && typeof b === "string" ? [a, b] : [JSON.stringify(a), JSON.stringify(b)];
  return one < other ? -1 : 1;
}
