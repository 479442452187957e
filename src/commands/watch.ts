import type { Runtime, RuntimeOptions } from "../app/runtime.ts";
import type { Negotiation } from "../backend/contract.ts";
import { hostLabel } from "../home/origin.ts";
import { requireBackend } from "../home/settings.ts";
import { isAlone } from "../negotiation/backend-states.ts";
import { type Listed, listRecords, newestOpen, openSince } from "../negotiation/records.ts";
import { textsForPerson } from "../text/index.ts";
import { watchTexts } from "../text/watch.ts";
import { heardToItsEnd } from "./heard.ts";
import { notePiped } from "./piped.ts";
import { printError } from "./print.ts";
import { showUntilOver, type WatchOptions } from "./watch/show.ts";
import { withRuntime } from "./with-runtime.ts";

export interface WatchArguments extends RuntimeOptions {
  id?: string | undefined;
  /** True if one line is printed for each change, even in a terminal. */
  plain?: boolean;
  /** True if one JSON object is printed for each change. */
  json?: boolean;
  lang?: "zh" | "en";
}

/**
 * `towow-mcp watch [id]` shows a live view of one negotiation. The view decides nothing, but `c` asks the question of
 * `towow-mcp confirm`. The exit status is 0 if the negotiation is over, 1 if it ended against the person's decision, or if
 * there is nothing to watch or no access, and 130 if the person left.
 */
export async function watch({ id, plain = false, json = false, lang, ...options }: WatchArguments): Promise<void> {
  await withRuntime(
    { ...options, ...(lang && { flags: { lang } }), fallbackBackend: { negotiationId: id } },
    (runtime) => watchOne(runtime, id, { root: options.root, plain, json }),
  );
}

async function watchOne(runtime: Runtime, wanted: string | undefined, options: WatchOptions): Promise<number> {
  const { deps, live, facts } = runtime;
  const { negotiations, ...account } = runtime.account();
  const refused = live.problem();
  // The address was given but cannot be used.
  if (refused !== undefined && live.current().backend_url === undefined) throw refused;
  const settings = requireBackend(live.current());
  const backend = await account.backend();
  const id =
    wanted ??
    negotiationToWatch({
      records: await listRecords(facts, { origin: account.origin, count: 1, since: openSince(deps.clock.now()) }),
      lastId: settings.last_negotiation_id,
      now: deps.clock.now(),
    });
  if (id === undefined) {
    void printError(runtime.io, `${watchTexts(settings.lang).nothing}\n`);
    return 1;
  }
  await negotiations.refuseOtherBackend(id);
  const { isOwn } = await negotiations.stage(id);
  const host = hostLabel(account.origin, textsForPerson(settings.lang));
  const watched = {
    id,
    host,
    evidence: (n: Negotiation) => negotiations.evidence(n),
    settings,
  };
  const get = async (negotiationId: string, signal: AbortSignal) => {
    const seen = await backend.getNegotiation(negotiationId, { signal });
    if (!isOwn || seen.participants.length > 0) await notePiped(runtime);
    // Only the scene and the live feed show why nobody took part.
    return isAlone(seen) ? heardToItsEnd(negotiationId, negotiations, deps.clock) : seen;
  };
  return showUntilOver(runtime, watched, get, options);
}

interface Remembered {
  /** The newest record at this backend and those that may be open, newest first. */
  records: readonly Listed[];
  lastId: string | undefined;
  now: number;
}

/** Returns which negotiation is meant if none is named, which is the newest open negotiation, or else the last one. */
function negotiationToWatch({ records, lastId, now }: Remembered): string | undefined {
  return newestOpen(records, now)?.negotiation_id ?? lastId ?? records[0]?.negotiation_id;
}
