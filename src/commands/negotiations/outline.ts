import type { Runtime } from "../../app/runtime.ts";
import type { Negotiation } from "../../backend/contract.ts";
import { UnknownNegotiation } from "../../backend/errors.ts";
import { TowowError } from "../../errors.ts";
import { requireBackend } from "../../home/settings.ts";
import { countOffers, formulatedText } from "../../negotiation/backend-states.ts";
import { sentencesOf, summarise } from "../../negotiation/describe.ts";
import { type Listed, listRecords, recordOf } from "../../negotiation/records.ts";
import type { Says } from "../../negotiation/says.ts";
import type { Stage } from "../../negotiation/stage.ts";
import { showInvisible } from "../../safety/invisible.ts";
import { sanitizeLine } from "../../safety/sanitize/foreign.ts";
import { type SanitizeOptions, sanitizeOptions } from "../../safety/sanitize/options.ts";
import { textsForPerson } from "../../text/for-person.ts";
import { joinSentences } from "../../text/join.ts";
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
  /** `not_found` also where the backend says so now. */
  stage: Stage["name"];
  /** Whether it is over with a plan, and not against its person's word. */
  hasSucceeded: boolean;
  /** Stable codes. */
  warnings: readonly string[];
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
  const { snapshot, failure, isGone } = await latest(runtime, id, lang);
  const stage = await negotiations.stage(id, snapshot);
  const said = negotiations.says(stage, snapshot, { isGone });
  if (snapshot !== undefined && !stage.isOwn) await notePiped(runtime);
  const kind = kindOf(said);
  const offers = snapshot && countOffers(snapshot);
  const local = kind === "waiting" ? await localStateOf(runtime, id) : undefined;
  const { clock, timeOfDay } = runtime.deps;
  return {
    id,
    sceneId: record.scene_id,
    submittedAt: record.submitted_at,
    state: snapshot?.state,
    stage: said.ending === "not_found" ? "not_found" : stage.name,
    kind,
    hasSucceeded: said.hasSucceeded,
    warnings: said.warnings,
    decideBy: local?.decideBy,
    offers: offers && { received: offers.received, total: offers.total },
    demand: snapshot && demandLine(snapshot, stage, sanitizeOptions(runtime.live.current())),
    deadline: local && deadlineText({ local }, clock.now(), { texts: watchTexts(lang), timeOfDay }),
    sentence:
      snapshot === undefined && said.ending === undefined
        ? (failure ?? "")
        : joinSentences([summarise(said, texts), ...sentencesOf(said.warnings.filter(isListed), texts)]),
  };
}

/** What the backend shows now, or a sentence on why it shows nothing; `isGone`: it does not know it. */
async function latest(
  runtime: Runtime,
  id: string,
  lang: "zh" | "en",
): Promise<{ snapshot: Negotiation | undefined; failure?: string; isGone: boolean }> {
  try {
    const backend = await runtime.account().backend();
    return { snapshot: await backend.getNegotiation(id, { timeoutMs: READ_TIMEOUT_MS }), isGone: false };
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    const isGone = error instanceof UnknownNegotiation;
    return { snapshot: undefined, failure: failureSentence(error, lang), isGone };
  }
}

/** A list is for how things stand and went out; what else a result warns of is said where it is read whole. */
const isListed = (code: string): boolean => LISTED.includes(code);
const LISTED = [
  "auto_confirmed",
  "decision_too_late",
  "cancel_too_late",
  "yes_or_deadline",
  "other_text_broadcast",
  "confirmed_text_mismatch",
  "withdrawn_late",
];

function kindOf({ negotiation, stage, ending }: Says): Outline["kind"] {
  if (ending === "plan" || ((ending === "all_left" || ending === "no_offers") && negotiation !== undefined))
    return "plan";
  if (ending !== undefined) return "over";
  if (stage.name === "asking") return "waiting";
  return negotiation === undefined ? "unknown" : "open";
}

/** What others wrote is made fit for a model, which may read it, and is no longer than a name. */
function demandLine(snapshot: Negotiation, { isOwn }: Stage, options: SanitizeOptions): string {
  const text = oneLine(snapshot.demand_raw || formulatedText(snapshot));
  return isOwn ? text : sanitizeLine(text, options).value;
}

const oneLine = (text: string): string => showInvisible(text.toWellFormed()).replace(/\s+/g, " ").trim();
