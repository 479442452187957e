import type { Runtime } from "../../app/runtime.ts";
import type { Negotiation } from "../../backend/contract.ts";
import { TowowError } from "../../errors.ts";
import { requireBackend } from "../../home/settings.ts";
import { countOffers, formulatedText, phaseOf } from "../../negotiation/backend-states.ts";
import { summarise, writtenEnding } from "../../negotiation/describe.ts";
import { type Listed, listRecords, recordOf } from "../../negotiation/records.ts";
import type { Stage } from "../../negotiation/stage.ts";
import { showInvisible } from "../../safety/invisible.ts";
import { sanitizeLine } from "../../safety/sanitize/foreign.ts";
import { type SanitizeOptions, sanitizeOptions } from "../../safety/sanitize/options.ts";
import { textsForPerson } from "../../text/for-person.ts";
import { watchTexts } from "../../text/watch.ts";
import { deadlineText } from "../../watch/sentences.ts";
import { failureSentence } from "../failure.ts";
import { notePiped } from "../piped.ts";
import { localStateOf } from "./local-state.ts";

/** One negotiation as a list shows it. */
export interface Outline {
  id: string;
  sceneId: string | undefined;
  /** ms since the epoch. */
  submittedAt: number;
  /** The backend's word; undefined where it did not answer. */
  state: string | undefined;
  stage: Stage["name"];
  /** `waiting`: for the person's decision; `open`: on its way; `plan`: over, with a plan by agents; `over`: otherwise. */
  kind: "waiting" | "open" | "plan" | "over" | "unknown";
  /** By when the person must decide, ms since the epoch; only while it waits. */
  decideBy: number | undefined;
  /** What happens if nobody decides, and when; only while it waits. */
  deadline: string | undefined;
  offers: { received: number; total: number } | undefined;
  /** What is asked for, on one line; undefined where the backend did not answer. */
  demand: string | undefined;
  /** Where it stands, in the person's language. */
  sentence: string;
}

/** A backend that is slow must not hold up a list. */
const READ_TIMEOUT_MS = 4_000;
const READS_AT_ONCE = 8;

/**
 * The newest `count` negotiations that this home knows at the configured backend. Only looks: takes nothing over, writes
 * nothing down but that others' words went to a pipe.
 */
export async function outlines(runtime: Runtime, count: number): Promise<Outline[]> {
  const { origin } = runtime.account();
  const records = (await listRecords(runtime.facts)).filter((record) => record.origin === origin).slice(0, count);
  return readAll(runtime, records);
}

/** The same of these alone, in this order. Asks the backend about no other. */
export async function outlinesOf(runtime: Runtime, ids: readonly string[]): Promise<Outline[]> {
  const { origin, negotiations } = runtime.account();
  const record = async (id: string) => recordOf({ origin, id }, await negotiations.facts(id));
  return readAll(runtime, await Promise.all(ids.map(record)));
}

async function readAll(runtime: Runtime, records: readonly Listed[]): Promise<Outline[]> {
  const { lang } = requireBackend(runtime.live.current());
  const found: Outline[] = [];
  for (let from = 0; from < records.length; from += READS_AT_ONCE) {
    const some = records.slice(from, from + READS_AT_ONCE);
    found.push(...(await Promise.all(some.map((record) => outlineOf(runtime, record, lang)))));
  }
  return found;
}

async function outlineOf(runtime: Runtime, record: Listed, lang: "zh" | "en"): Promise<Outline> {
  const id = record.negotiation_id;
  const texts = textsForPerson(lang);
  const { negotiations } = runtime.account();
  const { snapshot, failure } = await latest(runtime, id, lang);
  const stage = await negotiations.stage(id, snapshot);
  if (snapshot !== undefined && !stage.isOwn) await notePiped(runtime);
  const kind = kindOf(snapshot, stage);
  const offers = snapshot && countOffers(snapshot);
  const local = kind === "waiting" ? await localStateOf(runtime, id) : undefined;
  const { clock, timeOfDay } = runtime.deps;
  return {
    id,
    sceneId: record.scene_id,
    submittedAt: record.submitted_at,
    state: snapshot?.state,
    stage: stage.name,
    kind,
    decideBy: local?.decideBy,
    offers: offers && { received: offers.received, total: offers.total },
    demand: snapshot && demandLine(snapshot, stage, sanitizeOptions(runtime.live.current())),
    deadline: local && deadlineText({ local }, clock.now(), { texts: watchTexts(lang), timeOfDay }),
    sentence: snapshot ? summarise(snapshot, stage, texts) : (writtenEnding(stage, texts) ?? failure ?? ""),
  };
}

/** What the backend shows now, or a sentence on why it shows nothing. */
async function latest(
  runtime: Runtime,
  id: string,
  lang: "zh" | "en",
): Promise<{ snapshot: Negotiation | undefined; failure: string | undefined }> {
  try {
    const backend = await runtime.account().backend();
    return { snapshot: await backend.getNegotiation(id, { timeoutMs: READ_TIMEOUT_MS }), failure: undefined };
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    return { snapshot: undefined, failure: failureSentence(error, lang) };
  }
}

function kindOf(snapshot: Negotiation | undefined, stage: Stage): Outline["kind"] {
  if (stage.name === "asking") return "waiting";
  if (stage.name === "over" || stage.name === "not_found")
    return snapshot !== undefined && snapshot.plan_output !== null && snapshot.participants.length > 0
      ? "plan"
      : "over";
  if (snapshot === undefined) return "unknown";
  return phaseOf(snapshot.state) === "over" ? "over" : "open";
}

/** What others wrote is made fit for a model, which may read it, and is no longer than a name. */
function demandLine(snapshot: Negotiation, { isOwn }: Stage, options: SanitizeOptions): string {
  const text = oneLine(snapshot.demand_raw || formulatedText(snapshot));
  return isOwn ? text : sanitizeLine(text, options).value;
}

const oneLine = (text: string): string => showInvisible(text.toWellFormed()).replace(/\s+/g, " ").trim();
