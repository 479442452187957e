import * as z from "zod";
import { jsonIn } from "../../json.ts";
import { sha256 } from "../../sha256.ts";
import type { Store } from "../../store/store.ts";
import type { FactStore, NegotiationKey } from "../facts.ts";

/**
 * How long facts are kept, in milliseconds. By then a negotiation no longer matters, and the person had long enough to
 * look back.
 */
const KEPT_MS = 30 * 24 * 3_600_000;
/** How long attempts are kept, in milliseconds. An identical submit is refused for less time than that. */
const ATTEMPTS_KEPT_MS = 3_600_000;
const OPEN = "facts:open";
const ALL = "facts:all";

const memberShape = z.tuple([z.string(), z.string()]);

/**
 * Keeps one user's facts in a store that replicas share. The store puts a prefix of this user's own before each key.
 * Each negotiation is one hash, and the index is written in the same step.
 */
export function createSharedFacts(store: Store): FactStore {
  const nameOf = ({ origin, id }: NegotiationKey) => `facts:${sha256(origin).slice(0, 12)}:${id}`;
  const memberOf = ({ origin, id }: NegotiationKey) => JSON.stringify([origin, id]);
  const keysIn = async (set: string): Promise<NegotiationKey[]> =>
    (await store.members(set)).flatMap((member) => {
      const [origin, id] = memberShape.safeParse(jsonIn(member)).data ?? [];
      return origin === undefined || id === undefined ? [] : [{ origin, id }];
    });
  return {
    read: async (key) => new Map(Object.entries(await store.fields(nameOf(key)))),
    async create(key, name, value, index) {
      const isAttempt = /^(attempt|answer)\./.test(name);
      const member = memberOf(key);
      const { created, value: current } = await store.createField(nameOf(key), name, value, {
        ttlMs: isAttempt ? ATTEMPTS_KEPT_MS : KEPT_MS,
        add: isAttempt ? [] : [[ALL, member], ...(index === "open" ? [[OPEN, member] as const] : [])],
        remove: index === "close" ? [[OPEN, member]] : [],
      });
      return { created, current };
    },
    close: (key) => store.removeMember(OPEN, memberOf(key)),
    listOpen: () => keysIn(OPEN),
    async list({ origin, id } = {}) {
      const keys = (await keysIn(ALL)).filter(
        (key) => (origin ?? key.origin) === key.origin && (id ?? key.id) === key.id,
      );
      // The facts of a negotiation expire thirty days after the last one. The list does not expire, because each new
      // fact renews it.
      const areThere = await Promise.all(
        keys.map(async (key) => Object.keys(await store.fields(nameOf(key))).length > 0),
      );
      const gone = keys.filter((_, index) => !areThere[index]);
      await Promise.all(gone.map((key) => store.removeMember(ALL, memberOf(key))));
      // This store does not record the time of the last write.
      return keys.filter((_, index) => areThere[index]).map((key) => ({ ...key, writtenAt: Number.POSITIVE_INFINITY }));
    },
  };
}
