import { HomeUnwritable } from "../config/errors.ts";
import { failureOf } from "../log.ts";
import type { NegotiationDeps } from "./deps.ts";
import type { Decision, Ending, NegotiationRecord } from "./history.ts";

type EndingDeps = Pick<NegotiationDeps, "history" | "clock" | "log">;

const RETRY_MS = 1_000;
/** A history that is away for longer than this is put right by recovery. */
const TRIES = 600;

export interface EndOptions {
  /** The person has not been told: the next status owes it to them. */
  owed?: boolean;
  /** Could not be written before it was carried out. */
  decision?: Decision;
}

/**
 * Writes down what has happened at the backend, for this user. It stands whether the history answers or not: so this
 * never throws. A store that is away is asked again in the background; on a full disk it stays unwritten, for the
 * decision is there, and the next program to look completes the record from it.
 */
export async function writeEnd(
  { history, clock, log }: EndingDeps,
  record: NegotiationRecord,
  as: Ending,
  { owed = false, decision }: EndOptions = {},
): Promise<void> {
  const id = record.negotiation_id;
  const at = clock.now();
  const write = async () => {
    if (decision !== undefined) await history.decide(id, decision);
    const latest = (await history.get(id)) ?? record;
    if (latest.ended !== undefined && latest.ended.at > at) return; // written late: something newer is known
    await history.put({ ...latest, ended: { at, as }, ...(owed && { notes: [...(latest.notes ?? []), as] }) });
  };
  await persist(write, { clock, log }, { negotiation_id: id, what: as });
}

/** Does once what must be written, and goes on trying in the background when the history does not answer. */
export async function persist(
  write: () => Promise<void>,
  { clock, log }: Pick<NegotiationDeps, "clock" | "log">,
  about: { negotiation_id: string; what: string },
): Promise<void> {
  let tries = 0;
  const attempt = async (): Promise<void> => {
    try {
      await write();
      if (tries > 0) log.info("history_written_late", about);
    } catch (error) {
      if (error instanceof HomeUnwritable) return log.error("end_not_written", about);
      if (tries === 0) log.warn("history_unwritten", { ...about, error: failureOf(error) });
      if (++tries < TRIES) clock.after(RETRY_MS, () => void attempt());
    }
  };
  await attempt();
}
