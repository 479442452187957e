import type { Runtime } from "../../app/runtime.ts";
import { onItsWayText } from "../../ask/consequences.ts";
import { requireBackend } from "../../home/settings.ts";
import { sentencesOf, summarise, writtenText } from "../../negotiation/describe.ts";
import { type Outline as Outlined, type OutlineKind, outlinesOf as outlinesFrom } from "../../negotiation/outline.ts";
import { type Listed, listRecords, openSince, recordOf } from "../../negotiation/records.ts";
import type { Stage } from "../../negotiation/stage.ts";
import { type LostSubmit, lostSubmits } from "../../negotiation/submit.ts";
import { sanitizeOptions } from "../../safety/sanitize/options.ts";
import { textsForPerson } from "../../text/index.ts";
import { joinSentences } from "../../text/join.ts";
import { watchTexts } from "../../text/watch.ts";
import { type EndingGroup, groupOf } from "../../view/course.ts";
import { type Fate, fateOf } from "../../view/fate.ts";
import { deadlineText } from "../../watch/sentences.ts";
import { failureSentence } from "../failure.ts";
import { notePiped } from "../piped.ts";

/** One negotiation, as a terminal shows it in a list. */
export interface Outline extends Pick<Outlined, "id" | "sceneId" | "submittedAt" | "demand"> {
  /** The state in the backend's own word. Undefined if the backend did not answer. */
  state: string | undefined;
  /** True if the backend answered, even if only that it knows no such negotiation. */
  hasAnswered: boolean;
  /** The stage by the facts of this home, or `not_found` if the backend reports that now. */
  stage: Stage["name"];
  /** True if the negotiation ended with a plan that has offers, and nothing shows that the person did not want it. */
  hasSucceeded: boolean;
  /** Stable codes of the warnings. */
  warnings: readonly string[];
  kind: OutlineKind;
  /** The time by which the person must decide, in milliseconds since the epoch. Undefined unless the negotiation waits. */
  decideBy: number | undefined;
  /** Says what happens if nobody decides, and when. Undefined unless the negotiation waits. */
  deadline: string | undefined;
  /** True while a running program is sending a no, and will soon write down its outcome. */
  isBeingWithdrawn: boolean;
  /** How the negotiation ended. Undefined while it goes on. */
  end: EndingGroup | undefined;
  /** True while the negotiation goes on without waiting for the person. */
  isUnderWay: boolean;
  /** What becomes of the negotiation at the backend's deadline. */
  fate: Fate | undefined;
  offers: { received: number; total: number } | undefined;
  /** Says where the negotiation stands, in the person's language. */
  sentence: string;
}

/**
 * Returns whether a negotiation that the backend does not show is open according to the facts of this home. An open negotiation
 * waits for its deadline, or its text went out lately and no end of it is known.
 */
const isOpenAsWritten = (
  { kind, said: { stage }, submittedAt }: Outlined,
  fate: Fate | undefined,
  now: number,
): boolean => kind === "unknown" && (fate !== undefined || (stage.name === "moving" && submittedAt >= openSince(now)));

/**
 * Returns the newest `count` negotiations that this home knows at the configured backend. Takes over no negotiation from
 * another program, and writes down only whether others' text went to a pipe.
 */
export async function outlines(runtime: Runtime, count: number): Promise<Outline[]> {
  const { origin } = runtime.account();
  return readAll(runtime, await listRecords(runtime.facts, { origin, count }));
}

/** Returns the outlines of these negotiations in this order, and asks the backend about no others. */
export async function outlinesOf(runtime: Runtime, ids: readonly string[]): Promise<Outline[]> {
  const { origin, negotiations } = runtime.account();
  const record = async (id: string) => recordOf({ origin, id }, await negotiations.facts(id));
  return readAll(runtime, await Promise.all(ids.map(record)));
}

async function readAll(runtime: Runtime, records: readonly Listed[]): Promise<Outline[]> {
  const { lang } = requireBackend(runtime.live.current());
  const { negotiations, backend } = runtime.account();
  const found: Outline[] = [];
  const options = sanitizeOptions(runtime.live.current());
  for await (const some of outlinesFrom(records, { negotiations, backend, options }))
    found.push(...(await Promise.all(some.map((one) => forTerminal(runtime, one, lang)))));
  return found;
}

async function forTerminal(runtime: Runtime, outlined: Outlined, lang: "zh" | "en"): Promise<Outline> {
  const { said, guard, failure, kind, ...about } = outlined;
  const { negotiation, stage } = said;
  const texts = textsForPerson(lang);
  if (negotiation !== undefined && !stage.isOwn) await notePiped(runtime);
  const { clock, timeOfDay } = runtime.deps;
  const now = clock.now();
  const fate = fateOf(said, guard);
  const onItsWay = onItsWayText(fate, { id: about.id, now, lang, timeOfDay });
  const isUnread = negotiation === undefined && said.ending === undefined;
  const silence = (kind === "waiting" || isUnread) && fate?.of === "silence" ? fate : undefined;
  return {
    ...about,
    kind,
    state: negotiation?.state,
    hasAnswered: failure === undefined,
    stage: said.ending === "not_found" ? "not_found" : stage.name,
    hasSucceeded: said.hasSucceeded,
    warnings: said.warnings,
    decideBy: silence?.at,
    offers: negotiation && { received: said.offers.received, total: said.offers.total },
    deadline: deadlineText(silence, now, { texts: watchTexts(lang), timeOfDay }),
    isBeingWithdrawn: said.isBeingWithdrawn,
    end: said.ending && groupOf(said.ending),
    isUnderWay: kind === "open" || isOpenAsWritten(outlined, fate, now),
    fate,
    sentence: isUnread
      ? joinSentences([failure && failureSentence(failure, lang), onItsWay ?? writtenText(said, texts)])
      : joinSentences([onItsWay ?? summarise(said, texts), ...sentencesOf(said.warnings.filter(isListed), texts)]),
  };
}

/**
 * Returns whether a list shows this warning. A list warns only about the state and about what was broadcast, and the whole
 * result shows the other warnings.
 */
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

/** What this home remembers of the configured backend. */
export interface Remembered {
  /** The person's negotiations, newest first. */
  known: Outline[];
  /** Submits whose answer was lost. */
  lost: LostSubmit[];
}

/**
 * Returns the lost submits and the newest `count` negotiations as the backend shows them, or no negotiations without `isRead`.
 * Only reads, as {@link outlines} does.
 */
export async function remembered(runtime: Runtime, count: number, isRead = true): Promise<Remembered> {
  const { facts, io, isAlive } = runtime;
  const { origin } = runtime.account();
  const lost = await lostSubmits(facts, { origin, now: io.clock.now(), isAlive });
  return { known: isRead ? await outlines(runtime, count) : [], lost };
}
