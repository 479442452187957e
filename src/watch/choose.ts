import type { NegotiationRecord } from "../negotiation/old-format/history.ts";

/** What is older than this waits for nobody any more, also where no program wrote down how it ended. */
const MAX_OPEN_MS = 24 * 3_600_000;

export interface Remembered {
  /** Newest first. */
  records: readonly NegotiationRecord[];
  /** The backend that is asked. */
  origin: string;
  lastId: string | undefined;
  now: number;
}

/** Which negotiation is meant where none is named: the newest open own one, else the last one. */
export function negotiationToWatch({ records, origin, lastId, now }: Remembered): string | undefined {
  const here = records.filter((record) => record.origin === origin);
  const open = here.find((record) => record.ended === undefined && now - record.submitted_at < MAX_OPEN_MS);
  return open?.negotiation_id ?? lastId ?? here[0]?.negotiation_id;
}
