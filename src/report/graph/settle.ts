import { byCodeUnits } from "../../by-code-units.ts";
import type { Edge, Graph } from "./model.ts";

export interface Source {
  /** How a caller names it: a negotiation's id, a reference, "inline 1". */
  name: string;
  /** One that was merged before brings what its own sources differed about, as it was settled then. */
  graph: Graph & { diff?: readonly Difference[] };
  /** From 0 to 1: how far this source is believed where two differ. */
  weight: number;
}

type Value = string | number | boolean | null;

interface Variant {
  value: Value;
  /** Names of the sources that say so. */
  sources: string[];
  weight: number;
}

/** What sources can differ about: a node, by its id, or an edge. */
export type Subject = { node_id: string } | { edge: Pick<Edge, "type" | "from" | "to"> };
export type Field = "type" | "label" | "weight" | `properties/${string}`;

/** One node or edge about which sources differ. */
export type Difference = Subject & {
  field: Field;
  variants: Variant[];
  chosen: Value;
  resolution: "prefer_source" | "weight" | "agreement" | "alphabetical" | "greatest";
};

/** What one source says. A source that says nothing about a field has no say in it. */
export interface Said<T extends Value> {
  value: T;
  source: Source;
}

/**
 * The one value of all that is said: the preferred source's, else the one that is believed most, else the one that most
 * sources say, else the greatest number or the first in the alphabet. Undefined where nobody says anything.
 *
 * @param diff where a difference is noted
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

/** Why the first variant is the first. */
function reasonOf([first, second]: readonly Variant[]): Difference["resolution"] {
  if (first === undefined || second === undefined || first.weight > second.weight) return "weight";
  if (first.sources.length > second.sources.length) return "agreement";
  return typeof first.value === "number" && typeof second.value === "number" ? "greatest" : "alphabetical";
}

function order(a: Value, b: Value): number {
  if (typeof a === "number" && typeof b === "number") return b - a;
  // A text beside a number or a switch: as JSON no two of them are the same.
  const [one, other] = typeof a === "string" && typeof b === "string" ? [a, b] : [JSON.stringify(a), JSON.stringify(b)];
  return one < other ? -1 : 1;
}
