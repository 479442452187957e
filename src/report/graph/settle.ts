import { byCodeUnits } from "../../by-code-units.ts";
import type { Edge, Graph } from "./model.ts";

export interface Source {
  /** The name that a caller gives the source: a negotiation's id, a reference, "inline 1". */
  name: string;
  /** The source's graph. A graph that was merged before brings its own differences, as they were settled then. */
  graph: Graph & { diff?: readonly Difference[] };
  /** How far this source is believed if two differ, from 0 to 1. */
  weight: number;
}

type Value = string | number | boolean | null;

interface Variant {
  value: Value;
  /** The names of the sources that say this value. */
  sources: string[];
  weight: number;
}

/** What sources can differ about: a node, given by its id, or an edge. */
export type Subject = { node_id: string } | { edge: Pick<Edge, "type" | "from" | "to"> };
export type Field = "type" | "label" | "weight" | `properties/${string}`;

/** One field of a node or an edge that sources differ about. */
export type Difference = Subject & {
  field: Field;
  variants: Variant[];
  chosen: Value;
  resolution: "prefer_source" | "weight" | "agreement" | "alphabetical" | "greatest";
};

/** The value that one source gives a field. A source without a value has no say. */
export interface Said<T extends Value> {
  value: T;
  source: Source;
}

/**
 * Chooses one of the values that sources give: the preferred source's, or else the one with the most weight, or else the one
 * that most sources give, or else the greatest number or the first in the alphabet. Undefined if no source gives any.
 * @param diff receives the difference, if there is one
 */
export function settle<T extends Value>(
  subject: Subject,
  field: Field,
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

/** Returns the reason for which the first variant comes first. */
function reasonOf([first, second]: readonly Variant[]): Difference["resolution"] {
  if (first === undefined || second === undefined || first.weight > second.weight) return "weight";
  if (first.sources.length > second.sources.length) return "agreement";
  return typeof first.value === "number" && typeof second.value === "number" ? "greatest" : "alphabetical";
}

function order(a: Value, b: Value): number {
  if (typeof a === "number" && typeof b === "number") return b - a;
  // Values of different types are compared as JSON, in which no two of them are the same.
  const [one, other] = typeof a === "string" && typeof b === "string" ? [a, b] : [JSON.stringify(a), JSON.stringify(b)];
  return one < other ? -1 : 1;
}
