import { isAliveIn } from "../../app/heartbeats.ts";
import { historyFolder, homeFactsIn, isNotFolder } from "../../app/history-folder.ts";
import type { Io } from "../../app/io.ts";
import { TowowError } from "../../errors.ts";
import { errnoOf } from "../../home/file.ts";
import { fromIso } from "../../home/iso-time.ts";
import { originOf } from "../../home/origin.ts";
import { marginMs } from "../../negotiation/plan/times.ts";
import { type Listed, listRecords, openSince } from "../../negotiation/records.ts";
import { isPersonsNo } from "../../negotiation/stage.ts";
import { localTime } from "../../terminal/local-time.ts";
import { shellWord } from "../../terminal/shell-word.ts";
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

export async function* checkPauses({
  home,
  settings,
  who,
  texts: { pauses: texts },
  io,
}: DoctorContext): AsyncGenerator<Finding> {
  const check = "pauses";
  const dir = historyFolder(home);
  if (isNotFolder(dir)) {
    const message = texts.notFolder(dir);
    return yield { check, level: "problem", message, fix: moveAside(dir, "old") };
  }
  const facts = homeFactsIn(home);
  const open: Listed[] = [];
  const unsent: Listed[] = [];
  try {
    for (const record of await listRecords(facts, { count: 0, since: openSince(io.clock.now()) }))
      if (record.ended === undefined && (record.deadline_at ?? 0) > io.clock.now())
        if (record.decision === undefined) open.push(record);
        else if (await isUnsentNo(record, home, io)) unsent.push(record);
  } catch (error) {
    const message = texts.unreadable(dir, reasonOf(error));
    const fix = (otherOwner(home) ?? otherOwner(dir))?.fix ?? `chmod -R u+rwX ${shellWord(dir)}`;
    return yield { check, level: "problem", message, fix };
  }
  const at = (origin: string) =>
    origin === originOf(who.backend_url) ? "" : `TOWOW_BACKEND_URL=${shellWord(origin)} `;
  for (const { negotiation_id: id, origin } of unsent)
    yield {
      check,
      level: "problem",
      message: texts.unsentNo(id),
      fix: `${at(origin)}towow-mcp cancel ${shellWord(id)}`,
    };
  if (open.length + unsent.length === 0) return yield { check, level: "ok", message: texts.none };
  const withdraws = settings.get("on_unconfirmed")?.value !== "leave";
  const deadlineMs = Number(settings.get("confirm_deadline_s")?.value ?? 300) * 1000;
  for (const { negotiation_id: id, deadline_at = 0, owner, origin } of open) {
    const guarded = withdraws && owner !== undefined && (await isAliveIn(home, io.clock)(owner));
    const until = localTime(
      deadline_at - (guarded ? marginMs({ onUnconfirmed: "cancel", confirmDeadlineMs: deadlineMs }) : 0),
      { seconds: true },
    );
    yield {
      check,
      level: "warning",
      message: guarded ? texts.guarded(id, until) : texts.unguarded(id, until),
      fix: `${at(origin)}towow-mcp confirm ${shellWord(id)}`,
    };
  }
}

/** A no whose program is gone: nothing sends it until another one that stays looks, or its person does. */
const isUnsentNo = async ({ decision, owner }: Listed, home: string, { clock }: Io): Promise<boolean> =>
  isPersonsNo(decision) && owner !== undefined && !(await isAliveIn(home, clock)(owner));

/** The errno, also of an error that has been given a code of ours. */
function reasonOf(error: unknown): string {
  const given = error instanceof TowowError ? error.params.reason : undefined;
  return errnoOf(error) ?? (typeof given === "string" ? given : "unknown");
}
