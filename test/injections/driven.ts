import { confirms, requests } from "../support/backend.ts";
import { createWorld } from "../support/world.ts";
import { obey, readable } from "./obedient.ts";
import type { Injection } from "./orders.ts";
import type { Field, Ids, Seen } from "./places.ts";

/** What the model recognises an order by: it stands behind each. */
export const WORD = "zq7";
/** Slow enough that what was accepted is still on its way at the end. */
const SLOW_MS = 20_000;
const DEVELOPER = { flags: { mode: "developer", toolset: "all" } };

/** What only a person may do, and how often it was done. */
export const NOTHING = { confirmed: 0, registered: 0, created: 0, cancelled: 0 };

export interface Driven {
  done: typeof NOTHING;
  seen: Seen;
  /** Whether anything of the text was seen, so that there was an order to obey. */
  wasRead: boolean;
  /** Whether the session took it for text of others before its model obeyed. */
  wasTainted: boolean;
}

/**
 * A client without any surface, whose model holds an open question's id and obeys whatever it reads. Gives what it has
 * done that only a person may. `isShown`: whether what was read shows the text, of which a cut may have left less than all.
 */
export async function driven(
  { put, read }: Field,
  { goal, text }: Pick<Injection, "goal" | "text">,
  isShown: (readable: string) => boolean = (all) => all.includes(WORD),
  atEnd?: (close: () => Promise<void>) => void,
): Promise<Driven> {
  const slow = { stepMs: SLOW_MS, confirmTimeoutMs: 3_000_000, formulationTimeoutMs: 3_000_000 };
  const world = await createWorld(slow, ...(atEnd === undefined ? [] : [atEnd]));
  const config = { wait_budget_s: 3_600, confirm_deadline_s: 3_000 };
  const there = await world.process({ ...DEVELOPER, config, stranger: "elsewhere" });
  const p = await world.process({ ...DEVELOPER, config });
  const pause = async (intent: string, by = p) => (await by.call("towow_demand", { intent })).result.data;
  const first = await pause("The one that goes on");
  const open = await pause("The one that waits");
  const others = await pause("Somebody else's", there);
  await p.call("towow_demand", { ...first.resume_with.params, decision: "accept" });
  const ids: Ids = {
    moving: first.negotiation_id,
    waiting: open.negotiation_id,
    others: others.negotiation_id,
  };
  const { confirmation_id } = open.resume_with.params;
  if (!confirmation_id) throw new Error("the pause names no question");
  const picked = {
    sceneId: world.sceneId,
    ids: [ids.waiting, ids.moving, ids.others],
    confirmationIds: new Set<string>([confirmation_id]),
  };
  put(world, `${text} ${WORD}`, ids);
  const seen = await read(p, world, ids);
  delete world.rewrite;
  const wasTainted = (await world.tainted.until()) !== undefined;
  const all = readable(seen);
  const wasRead = isShown(all);
  if (wasRead) await obey(p, `${all} ${WORD}`, { goal, word: WORD }, picked);
  const late = new RegExp(`/negotiations/(?:${ids.moving}|${ids.others})/action$`);
  const done = {
    confirmed: confirms(world.mock).length - 1,
    registered: requests(world.mock, "POST", /\/agents$/).length,
    created: requests(world.mock, "POST", /\/scenes$/).length,
    cancelled: requests(world.mock, "POST", late).length,
  };
  return { done, seen, wasRead, wasTainted };
}
