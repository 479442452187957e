import { toIsoSeconds } from "../home/iso-time.ts";
import { reportTexts } from "../text/report.ts";
import { briefOf } from "./brief.ts";
import { compare } from "./compare.ts";
import type { Dossier } from "./dossier.ts";
import { mergedGraphOf } from "./graph/merge.ts";
import type { Graph } from "./graph/model.ts";
import type { ReportOptions } from "./page/report.ts";

/**
 * Writes the report as JSON, for programs. `graph` defaults to the merged graph of these negotiations, and a caller
 * passes another graph if more sources were merged.
 */
export function reportJson(
  dossiers: readonly Dossier[],
  { lang, host, madeAt, needs, isMasked }: ReportOptions,
  graph: Graph = mergedGraphOf(dossiers),
): string {
  const report = {
    made_at: toIsoSeconds(madeAt),
    host,
    contacts_masked: isMasked,
    brief: briefOf(dossiers, reportTexts(lang), { needs }),
    comparison: compare(dossiers, needs),
    graph,
    negotiations: dossiers,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
