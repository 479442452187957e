import { type Listed, newestOpen } from "../negotiation/records.ts";

export interface Remembered {
  /** Newest first. */
  records: readonly Listed[];
  /** The backend that is asked. */
  origin: string;
  lastId: string | undefined;
  now: number;
}

/** Which negotiation is meant where none is named: the newest open own one, else the last one. */
export function negotiationToWatch({ records, origin, lastId, now }: Remembered): string | undefined {
  const here = records.filter((record) => record.origin === origin);
  return newestOpen(here, now)?.negotiation_id ?? lastId ?? here[0]?.negotiation_id;
}
