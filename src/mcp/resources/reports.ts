import { ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { Dossier } from "../../report/dossier.ts";
import { fence } from "../../safety/fence.ts";
import { sanitizeOptions } from "../../safety/sanitize/options.ts";
import { isCacheKey } from "../../session/kept-results.ts";
import { textsOf } from "../../text/index.ts";
import { reportTexts } from "../../text/report.ts";
import { readDossier } from "../../tools/references/dossiers.ts";
import { inTurns, turn } from "../../turn.ts";
import { PAGE_LENGTH, pageAt, pagesOf } from "../text-pages.ts";
import { type Contents, negotiationsOf, type Reading } from "./reading.ts";

/** Reads an earlier result of this session in full. Text that others wrote was cleaned when the result was made. */
export async function readCached(reading: Reading): Promise<Contents> {
  const { uri, ids, deps } = reading;
  const key = ids.cache_key ?? "";
  const kept = isCacheKey(key) ? await deps.session.kept.get(key) : undefined;
  if (kept === undefined) throw new ResourceNotFoundError(uri, reading.texts.notKept);
  return jsonPages(reading, kept.data, kept.foreign.length > 0);
}

/** Reads the graph of one negotiation, as the backend shows it now to this user. */
export async function readGraph(reading: Reading): Promise<Contents> {
  const { graphing } = await import("../../report/graph/build.ts");
  return jsonPages(reading, await inTurns(graphing(await dossierFor(reading))), true);
}

/** Reads the brief of one negotiation. */
export async function readBrief(reading: Reading): Promise<Contents> {
  const { briefOf } = await import("../../report/brief.ts");
  const { covering } = await import("../../report/coverage.ts");
  const { mergingGraphsOf } = await import("../../report/graph/merge.ts");
  const dossiers = [await dossierFor(reading)];
  const [coverage, graph] = [await inTurns(covering(dossiers)), await inTurns(mergingGraphsOf(dossiers))];
  return jsonPages(reading, briefOf(dossiers, reportTexts(reading.settings.lang), { coverage, graph }), true);
}

async function dossierFor(reading: Reading): Promise<Dossier> {
  const { ids, settings, now, deps } = reading;
  const id = ids.negotiation_id ?? "";
  const negotiations = negotiationsOf(reading);
  const texts = textsOf(settings.lang);
  const reader = { negotiations, settings, texts, now, timeOfDay: deps.timeOfDay };
  return (await readDossier(id, { ...reader, options: sanitizeOptions(settings) })).value;
}

/**
 * Returns one page of the value's JSON. The value has been cleaned before, and the pages, joined, are the whole JSON
 * again.
 */
async function jsonPages(reading: Reading, value: unknown, isForeign: boolean): Promise<Contents> {
  const pages = pagesOf(JSON.stringify(value, null, 1), PAGE_LENGTH);
  await turn();
  const { text, above, place } = pageAt(reading, pages);
  return {
    text: [...above, isForeign ? fence(text, reading.deps.boundary) : text].join("\n"),
    holdsOthersText: isForeign,
    _meta: { "towow/page": place },
  };
}
