import type { Dossier } from "../../report/dossier.ts";
import { withoutRoot } from "../../report/graph/model.ts";
import type { Source as Part } from "../../report/graph/settle.ts";
import { inTurns } from "../../turn.ts";
import type { Source } from "./sources.ts";

/** The weight of each kind of source, from 0 to 1, if sources differ and the caller gives no other weights. */
export const WEIGHTS = { backend: 1, result: 0.8, inline: 0.5 };

/**
 * Returns the ids of the negotiations that are merged in their current state. A negotiation that is known only
 * through a given graph is not among them.
 */
export const namedIds = (read: readonly Source[]): string[] =>
  read.flatMap(({ ids, graph }) => (graph === undefined ? ids : []));

/**
 * Returns the parts to merge: the negotiations that the sources name, then the graphs as they were given.
 *
 * @param dossiers the dossiers of the negotiations in `namedIds`
 * @param weights the caller's weights, by any name that a source has
 */
export async function partsOf(
  read: readonly Source[],
  dossiers: readonly Dossier[],
  weights: ReadonlyMap<string, number> = new Map(),
): Promise<Part[]> {
  const { graphing } = await import("../../report/graph/build.ts");
  const current: Part[] = [];
  for (const dossier of dossiers) {
    const weight = weightOfNegotiation(dossier.id, weights, read) ?? WEIGHTS.backend;
    current.push({ name: dossier.id, graph: await inTurns(graphing(dossier)), weight });
  }
  return [
    ...current,
    ...read.flatMap(({ name, graph }) =>
      graph === undefined ? [] : [{ name, graph: withoutRoot(graph), weight: weights.get(name) ?? WEIGHTS.result }],
    ),
  ];
}

/**
 * Returns the caller's weight for a negotiation. A weight for its id counts first, then the greatest weight for a
 * source that led to it.
 */
function weightOfNegotiation(
  id: string,
  weights: ReadonlyMap<string, number>,
  read: readonly Source[],
): number | undefined {
  const led = read.filter(({ ids, graph }) => graph === undefined && ids.includes(id));
  const given = led.map(({ name }) => weights.get(name)).filter((weight) => weight !== undefined);
  return weights.get(id) ?? (given.length > 0 ? Math.max(...given) : undefined);
}
