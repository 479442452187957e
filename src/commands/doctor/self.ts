import { isAliveIn } from "../../app/heartbeats.ts";
import { historyFolder, homeFactsIn, isNotFolder } from "../../app/history-folder.ts";
import { byThen } from "../../ask/consequences.ts";
import { TowowError } from "../../errors.ts";
import { errnoOf } from "../../home/file.ts";
import { fromIso } from "../../home/iso-time.ts";
import { originOf } from "../../home/origin.ts";
import { cachedFactsOf, type NegotiationKey } from "../../negotiation/facts.ts";
import { guardOf, type Policy } from "../../negotiation/plan.ts";
import { listRecords, openSince } from "../../negotiation/records.ts";
import { reduce } from "../../negotiation/stage.ts";
import { localTime } from "../../terminal/local-time.ts";
import { shellWord } from "../../terminal/shell-word.ts";
import { joinSentences } from "../../text/join.ts";
import { type Fate, fateOf } from "../../view/fate.ts";
import { FIRST_CALL } from "./backend-token.ts";
import { type DoctorContext, type Finding, moveAside, otherOwner } from "./finding.ts";

export function* checkIdentity({ who, texts }: DoctorContext): Generator<Finding> {
  if (who.backend_url === null) return;
  const { user_id, token } = who;
  yield {
    check: "identity",
    level: "ok",
    message: user_id === null ? texts.identity.none : texts.identity.ok(user_id),
  };
  if (token.of_other_origin !== null)
    yield {
      check: "token.origin",
      level: "warning",
      message: texts.token.otherOrigin(token.of_other_origin),
      fix: "unset TOWOW_API_TOKEN",
    };
  const check = "token";
  if (!token.present) return yield { check, level: "ok", message: texts.token.none };
  if (token.source !== "file" && token.source !== null)
    return yield { check, level: "ok", message: texts.token.given(texts.source[token.source]) };
  const end = fromIso(token.expires_at ?? undefined);
  if (end === undefined) return yield { check, level: "ok", message: texts.token.kept };
  if (token.expired)
    return yield { check, level: "warning", message: texts.token.expired(localTime(end)), fix: FIRST_CALL };
  yield { check, level: "ok", message: texts.token.until(localTime(end)) };
}

/** How pressing a demand near its deadline is, and the command to type. */
const PRESSING = {
  withdrawn: { level: "warning", command: "confirm" },
  broadcast: { level: "warning", command: "confirm" },
  unguarded: { level: "warning", command: "confirm" },
  noSending: { level: "warning", command: "watch" },
  noUnsent: { level: "problem", command: "cancel" },
  withdrawing: { level: "warning", command: "watch" },
  withdrawalUnsent: { level: "problem", command: "cancel" },
  yesSending: { level: "warning", command: "watch" },
  yesUnsent: { level: "problem", command: "open" }, // A long-running program, such as the room, sends the yes.
} as const;

function pressingOf(fate: Fate): keyof typeof PRESSING {
  if (fate.of === "silence") return fate.as;
  if (fate.of === "no" && fate.isPersons) return fate.isSending ? "noSending" : "noUnsent";
  if (fate.of === "no") return fate.isSending ? "withdrawing" : "withdrawalUnsent";
  return fate.isSending ? "yesSending" : "yesUnsent";
}

/**
 * Returns whether something is still to be done. An undecided demand past its deadline is not pending, because the backend has
 * gone on without the person.
 */
const isPending = (fate: Fate, now: number): boolean => fate.of !== "silence" || (fate.at ?? 0) > now;

export async function* checkPauses(context: DoctorContext): AsyncGenerator<Finding> {
  const { home, who, io } = context;
  const texts = context.texts.pauses;
  const check = "pauses";
  const dir = historyFolder(home);
  if (isNotFolder(dir)) {
    const message = texts.notFolder(dir);
    return yield { check, level: "problem", message, fix: moveAside(dir, "old") };
  }
  let found: Hanging[];
  try {
    found = await hanging(context);
  } catch (error) {
    const message = texts.unreadable(dir, reasonOf(error));
    const fix = (otherOwner(home) ?? otherOwner(dir))?.fix ?? `chmod -R u+rwX ${shellWord(dir)}`;
    return yield { check, level: "problem", message, fix };
  }
  for (const { key, fate } of found) {
    const pressing = pressingOf(fate);
    if (!isPending(fate, io.clock.now())) continue;
    const { level, command } = PRESSING[pressing];
    const timeOfDay = (at: number) => localTime(at, { seconds: true });
    const ifNot = byThen(fate, { now: io.clock.now(), lang: context.lang, timeOfDay });
    const elsewhere = key.origin === originOf(who.backend_url) ? "" : `TOWOW_BACKEND_URL=${shellWord(key.origin)} `;
    yield {
      check,
      level,
      message: joinSentences([texts[pressing](key.id, timeOfDay(fate.at ?? 0)), ifNot]),
      fix: `${elsewhere}towow-mcp ${command} ${shellWord(key.id)}`,
    };
  }
  if (!found.some(({ fate }) => fate.of === "silence" && isPending(fate, io.clock.now())))
    yield { check, level: "ok", message: texts.none };
}

interface Hanging {
  key: NegotiationKey;
  fate: Fate;
}

/**
 * Finds the person's demands of the last day that still wait for their deadlines, according to the facts of this home.
 */
async function hanging({ home, settings, io: { clock } }: DoctorContext): Promise<Hanging[]> {
  const store = homeFactsIn(home);
  const policy: Policy = {
    onUnconfirmed: settings.get("on_unconfirmed")?.value === "leave" ? "leave" : "cancel",
    confirmDeadlineMs: Number(settings.get("confirm_deadline_s")?.value ?? 300) * 1000,
  };
  const found: Hanging[] = [];
  for (const { negotiation_id: id, origin, ended } of await listRecords(store, {
    count: 0,
    since: openSince(clock.now()),
  })) {
    if (ended !== undefined) continue;
    const key = { origin, id };
    const stage = reduce(cachedFactsOf(await store.read(key)));
    const { owner } = stage;
    const isGuarded = owner !== undefined && (await isAliveIn(home, clock)(owner));
    const guard = guardOf(stage, { isGuarded, policy });
    const fate = fateOf({ stage, ending: undefined, broadcast: stage.firstBroadcast && "backend" }, guard);
    if (fate !== undefined) found.push({ key, fate });
  }
  return found;
}

/** Returns the system's error code, even if the error has been given a code of this program. */
function reasonOf(error: unknown): string {
  const given = error instanceof TowowError ? error.params.reason : undefined;
  return errnoOf(error) ?? (typeof given === "string" ? given : "unknown");
}
