import { isNegotiationId } from "../../backend/route.ts";
import { fromIso, toIsoSeconds } from "../../home/iso-time.ts";
import { failureOf } from "../../log.ts";
import type { Listed } from "../../negotiation/records.ts";
import { negotiationUri } from "../../safety/resource-uris.ts";
import { resourceTexts } from "../../text/resources.ts";
import { cursorBehind, keyOf } from "../../tools/cursor.ts";
import { invalidParams } from "../list-params.ts";
import { type Contents, type Reading, type ResourceDeps, rethrowCursorError } from "./reading.ts";

/** The filters that a list of negotiations takes. */
export const NEGOTIATION_FILTERS = ["state", "scene_id", "ending", "since", "until", "limit", "cursor"] as const;

const MAX_LISTED = 100;
const DEFAULT_LISTED = 25;

/**
 * Lists the person's own negotiations at this backend, newest first, from the facts that were written down, without
 * asking the backend. @throws ProtocolError for a bad filter or cursor
 */
export async function readNegotiations({ filters, deps, uri }: Reading): Promise<Contents> {
  const { state, scene_id, ending, cursor } = filters;
  const [since, until] = [timeOf(filters.since, "since"), timeOf(filters.until, "until")];
  const most = limitOf(filters.limit);
  const list = JSON.stringify([uri.split("?")[0], state, scene_id, ending, filters.since, filters.until]);
  const after = behind(cursor, list);
  const isBehind = (one: Listed) => after === undefined || keyIn(one) < after;
  const fits = (one: Listed) =>
    (state === undefined || one.stage === state) &&
    (scene_id === undefined || one.scene_id === scene_id) &&
    (ending === undefined || one.ended?.as === ending) &&
    (since === undefined || one.submitted_at >= since) &&
    (until === undefined || one.submitted_at < until);
  const isNarrowed = [state, scene_id, ending, since, until].some((filter) => filter !== undefined);
  // With a filter, all records are read to count the matches. Without one, the files are counted by their names.
  const found = await deps.account().negotiations.list(isNarrowed ? { fits } : { fits: isBehind, count: most + 1 });
  const rest = found.records.filter(isBehind);
  const shown = rest.slice(0, most);
  const total = isNarrowed ? found.records.length : found.written;
  const last = shown.at(-1);
  const next = last !== undefined && rest.length > shown.length ? cursorBehind(keyIn(last), list) : null;
  const text = JSON.stringify({ negotiations: shown.map(entryOf), total, next_cursor: next }, null, 1);
  return { text, holdsOthersText: false };
}

const entryOf = ({ negotiation_id, stage, scene_id, submitted_at, deadline_at, decision, ended }: Listed) => ({
  negotiation_id,
  state: stage,
  scene_id: scene_id ?? null,
  submitted_at: toIsoSeconds(submitted_at),
  deadline: deadline_at === undefined ? null : toIsoSeconds(deadline_at),
  decision: decision?.kind ?? null,
  decided_by: decision?.by ?? null,
  ending: ended?.as ?? null,
  ended_at: ended === undefined ? null : toIsoSeconds(ended.at),
  uri: negotiationUri(negotiation_id),
});

/** How many of the newest negotiations the resource list names one by one. */
const NEWEST = 5;

/**
 * Returns entries for the newest negotiations, in the shape that resource lists use. If the facts cannot be read,
 * returns no entries.
 */
export async function newestEntries({ account, settings, log }: ResourceDeps) {
  const { title, description } = resourceTexts(settings().lang).negotiation;
  const records = await account()
    .negotiations.records({ count: NEWEST, fits: ({ negotiation_id }: Listed) => isNegotiationId(negotiation_id) })
    .catch((error: unknown) => {
      log.warn("negotiations_unlisted", { error: failureOf(error) });
      return [];
    });
  return records.map(({ negotiation_id, submitted_at }) => ({
    uri: negotiationUri(negotiation_id),
    name: negotiation_id,
    title: `${title} · ${toIsoSeconds(submitted_at)}`,
    description,
    mimeType: "text/plain",
  }));
}

/** Returns the sort key, which orders by the time of submission and then by id. The greatest key is listed first. */
const keyIn = ({ submitted_at, negotiation_id }: Listed): string =>
  `${String(Math.max(0, Math.floor(submitted_at))).padStart(16, "0")} ${negotiation_id}`;

function behind(cursor: string | undefined, list: string): string | undefined {
  try {
    return keyOf(cursor || undefined, list);
  } catch (error) {
    return rethrowCursorError(error);
  }
}

function timeOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? fromIso(text) : undefined;
  if (at === undefined) throw invalidParams(`${name}: a date such as 2026-11-21 or 2026-11-21T08:00:00Z`);
  return at;
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LISTED;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LISTED) throw invalidParams(`limit: 1 to ${MAX_LISTED}`);
  return limit;
}
