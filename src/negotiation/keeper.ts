import { HomeUnwritable } from "../home/errors.ts";
import { failureOf } from "../log.ts";
import type { CoreDeps } from "./core.ts";
import { type Facts, factName, type Owner } from "./facts.ts";
import { isTooLateToLeave } from "./plan.ts";
import { isUndecided } from "./stage.ts";
import type { StepContext } from "./steps.ts";

/**
 * Nothing is left to a program that has been silent for longer than this, in milliseconds. One that lives shows it
 * every five seconds.
 */
const SILENT_MS = 8_000;

/** Whether an offer stands, which is so as long as only offers of others have been taken back since it was written. */
export const stands = (offered: number, by: string, adopted: Facts["adopted"]): boolean =>
  offered > 0 &&
  adopted.slice(offered - 1).every((fact) => fact?.handed === "back" && fact.by !== undefined && fact.by !== by);

/** The running program that has offered to answer for a negotiation when this one ends, if its offer still stands. */
async function keeperOf(
  { standby, adopted }: Pick<Facts, "standby" | "adopted">,
  { owner, isAlive }: Pick<CoreDeps, "owner" | "isAlive">,
): Promise<Owner | undefined> {
  for (const offer of standby) {
    if (offer === undefined || offer.owner.instance === owner.instance) continue;
    if (!stands(offer.number, offer.owner.instance, adopted)) continue;
    if (await isAlive(offer.owner, SILENT_MS)) return offer.owner;
  }
  return undefined;
}

/** Whether there is still time to leave it to another program. */
export const mayLeave = (supervisor: Pick<StepContext, "leftMs" | "deps">): boolean =>
  !isTooLateToLeave(supervisor.leftMs(), supervisor.deps.policy());

/**
 * Gives the other program that answers for it already, or the one that would, as long as it may still be left to that
 * one.
 */
export async function keeperNow(supervisor: StepContext): Promise<Owner | undefined> {
  const { journal, stage, deps } = supervisor;
  const { owner } = stage;
  const isOthers = owner !== undefined && owner.instance !== deps.owner.instance;
  if (isOthers && (await deps.isAlive(owner))) return owner;
  return mayLeave(supervisor) ? keeperOf(journal.facts, deps) : undefined;
}

/**
 * From here on nobody may leave the negotiation to this program. Taking an offer and taking it back write the same
 * name, and one of them wins. If another program was first, the facts say so now.
 */
export async function takeOfferBack(supervisor: StepContext): Promise<void> {
  const { journal, deps } = supervisor;
  if (!supervisor.isOffered) return;
  await supervisor.refresh();
  for (;;) {
    const { owner } = supervisor.stage;
    if (supervisor.isMine || owner === undefined || !supervisor.isOffered) return;
    const { adopted, decided } = journal.facts;
    const back = { handed: "back", by: deps.owner.instance };
    const fact = { at: deps.clock.now(), owner, decisions: decided.length, ...back };
    await journal.claim(factName.adopted(adopted.length + 1), fact);
  }
}

/**
 * Leaves the negotiation, at this program's end, to a living program that has offered to answer for it. Resolves with
 * true only if that is written.
 */
export async function leaveToKeeper(ending: StepContext): Promise<boolean> {
  const { journal, deps, key } = ending;
  if (ending.pending !== undefined || !mayLeave(ending)) return false;
  await ending.refresh();
  while (ending.isMine && isUndecided(ending.stage)) {
    const keeper = await keeperOf(journal.facts, deps);
    if (keeper === undefined) return false;
    const { adopted, decided } = journal.facts;
    const fact = { at: deps.clock.now(), owner: keeper, decisions: decided.length, handed: "on" };
    const { created } = await journal.claim(factName.adopted(adopted.length + 1), fact);
    if (!created) continue; // an offer was taken back in that moment, which may be another one's
    deps.log.info("negotiation_handed_on", { negotiation_id: key.id });
    if (await deps.isAlive(keeper, SILENT_MS)) return true;
    await adopt(ending); // it was stopped or killed meanwhile
    return false;
  }
  return false;
}

/** Whether the program that had it before has ended or was ending, so that it never gets the negotiation back. */
const isHandedOn = ({ adopted }: Pick<Facts, "adopted">): boolean =>
  adopted.findLast((fact) => fact?.handed !== "back")?.handed === "on";

/**
 * Writes that this program would answer for the negotiation when its owner ends, which happens often where a client
 * starts a program for each call. It offers only for the same account, and an offer that cannot be written is none.
 */
export async function offerToKeep(supervisor: StepContext): Promise<void> {
  const { journal, deps, key } = supervisor;
  const { adopted, standby, submitted } = journal.facts;
  const number = adopted.length + 1;
  supervisor.offered = number; // before anything is awaited: a program that ends takes it back
  try {
    if ((await deps.userId()) !== submitted?.user_id) return;
    const fact = { at: deps.clock.now(), owner: deps.owner, number };
    // Several programs offer at once, each under a name of its own, for as long as nobody has taken an offer.
    for (let next = standby.length + 1; supervisor.isOffered; next++)
      if ((await journal.claim(factName.standby(next), fact)).created) return;
  } catch (error) {
    deps.log.debug("offer_unwritten", { negotiation_id: key.id, error: failureOf(error) });
  }
}

/**
 * What this program adopted goes back to its former owner if that one was only stopped, or late in showing that it
 * lives.
 */
export async function isWatchedElsewhere({ isMine, stage, journal: { facts }, deps }: StepContext): Promise<boolean> {
  if (!isMine || !isUndecided(stage) || isHandedOn(facts)) return false;
  const others = [facts.submitted, ...facts.adopted].flatMap((fact) => fact?.owner ?? []);
  const { owner, isAlive } = deps;
  const alive = others.filter(({ instance }) => instance !== owner.instance).map((other) => isAlive(other));
  return (await Promise.all(alive)).includes(true);
}

/**
 * Adopts what a program that is gone has left. Only one of several programs does, or each if none can write it down.
 */
export async function adopt({ journal, deps }: StepContext): Promise<void> {
  const { adopted, decided } = journal.facts;
  const fact = { at: deps.clock.now(), owner: deps.owner, decisions: decided.length };
  const name = factName.adopted(adopted.length + 1);
  try {
    await journal.claim(name, fact);
  } catch (error) {
    if (!(error instanceof HomeUnwritable)) throw error;
    // On a full disk somebody must still withdraw it, and sending a cancel twice is harmless.
    deps.log.warn("adoption_unwritten", { negotiation_id: journal.key.id, error: failureOf(error) });
    await journal.note(name, fact);
  }
  deps.log.info("negotiation_adopted", { negotiation_id: journal.key.id });
}
