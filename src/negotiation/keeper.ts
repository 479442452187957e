import type { CoreDeps } from "./core-deps.ts";
import type { Facts, Owner } from "./facts.ts";

/** The running program that has offered to answer for a negotiation when this one ends, if its offer still stands. */
export async function keeperOf(
  { standby, watched }: Pick<Facts, "standby" | "watched">,
  { owner, isAlive }: Pick<CoreDeps, "owner" | "isAlive">,
): Promise<Owner | undefined> {
  for (const offer of standby) {
    if (offer === undefined || offer.number !== watched.length + 1 || offer.owner.instance === owner.instance) continue;
    if (await isAlive(offer.owner)) return offer.owner;
  }
  return undefined;
}
