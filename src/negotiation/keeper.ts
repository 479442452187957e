import { HomeUnwritable } from "../home/errors.ts";
import { failureOf } from "../log.ts";
import type { CoreDeps } from "./core.ts";
import { type Facts, factName, type Owner } from "./facts.ts";
import { type Guard, guardOf, isTooLateToLeave } from "./plan.ts";
import { isUndecided, type Stage } from "./stage.ts";
import type { StepContext } from "./steps.ts";

/**
 * The longest that a program may have been silent, in milliseconds, if a negotiation is to be left to it. A living
 * program gives a sign of life every five seconds.
 */
const SILENT_MS = 8_000;

/**
 * Returns who answers for the negotiation now and what happens if nobody decides, by the deadline as this program
 * measures it.
 */
export async function guardNow(supervisor: Pick<StepContext, "deps" | "leftMs">, stage: Stage): Promise<Guard> {
  const { clock, policy, owner: self, isAlive } = supervisor.deps;
  const { owner, deadlineAt } = stage;
  // A command tries a yes for some seconds and then ends, but it stays until a withdrawal is done.
  const stays = !policy().isOneShot || stage.name !== "confirming";
  const isGuarded = owner !== undefined && (owner.instance === self.instance ? stays : await isAlive(owner));
  const leftMs = supervisor.leftMs();
  const isMeasured = deadlineAt !== undefined && leftMs !== undefined;
  // The clock may have been set since the deadline was measured.
  const endsAt = isMeasured ? Math.min(deadlineAt, clock.now() + leftMs) : deadlineAt;
  return guardOf(stage, { isGuarded, policy: policy(), endsAt });
}

/**
 * Returns whether another program may still take a standby up. That is so as long as nothing has been written since but
 * the end of other programs' standbys.
 */
export const isStandbyOpen = (number: number, by: string, adopted: Facts["adopted"]): boolean =>
  number > 0 &&
  adopted.slice(number - 1).every((fact) => fact?.handed === "back" && fact.by !== undefined && fact.by !== by);

/**
 * Returns the running program that stands by to answer for a negotiation when this one ends, if its standby may still
 * be taken up.
 */
async function keeperOf(
  { standby, adopted }: Pick<Facts, "standby" | "adopted">,
  { owner, isAlive }: Pick<CoreDeps, "owner" | "isAlive">,
): Promise<Owner | undefined> {
  for (const each of standby) {
    if (each === undefined || each.owner.instance === owner.instance) continue;
    if (!isStandbyOpen(each.number, each.owner.instance, adopted)) continue;
    if (await isAlive(each.owner, SILENT_MS)) return each.owner;
  }
  return undefined;
}

/** Returns whether there is still time to leave the negotiation to another program. */
export const mayLeave = (supervisor: Pick<StepContext, "leftMs" | "deps">): boolean =>
  !isTooLateToLeave(supervisor.leftMs(), supervisor.deps.policy());

/**
 * Returns the other program that already answers for the negotiation, or the one that would, if there is still time to
 * leave the negotiation to it.
 */
export async function keeperNow(supervisor: StepContext): Promise<Owner | undefined> {
  const { journal, stage, deps } = supervisor;
  const { owner } = stage;
  const isOthers = owner !== undefined && owner.instance !== deps.owner.instance;
  if (isOthers && (await deps.isAlive(owner))) return owner;
  return mayLeave(supervisor) ? keeperOf(journal.facts, deps) : undefined;
}

/**
 * Ends this program's standby, so that no other program may leave the negotiation to it from now on. Taking a standby
 * up and ending it write a fact of the same name, so only one of the two can happen. If another program was first, the
 * facts that were read show that.
 */
export async function endStandby(supervisor: StepContext): Promise<void> {
  const { journal, deps } = supervisor;
  if (!supervisor.isOnStandby) return;
  await supervisor.refresh();
  for (;;) {
    const { owner } = supervisor.stage;
    if (supervisor.isMine || owner === undefined || !supervisor.isOnStandby) return;
    const { adopted, decided } = journal.facts;
    const back = { handed: "back", by: deps.owner.instance };
    const fact = { at: deps.clock.now(), owner, decisions: decided.length, ...back };
    await journal.claim(factName.adopted(adopted.length + 1), fact);
  }
}

/**
 * Leaves the negotiation, at this program's end, to a living program that stands by for it. Resolves with true only if
 * that is written down.
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
    if (!created) continue; // A standby, perhaps another program's, ended at that moment.
    deps.log.info("negotiation_handed_on", { negotiation_id: key.id });
    if (await deps.isAlive(keeper, SILENT_MS)) return true;
    await adopt(ending); // The keeper was stopped or killed meanwhile.
    return false;
  }
  return false;
}

/**
 * Returns whether the previous program had ended or was ending when it handed the negotiation on. Such a program never
 * gets the negotiation back.
 */
const isHandedOn = ({ adopted }: Pick<Facts, "adopted">): boolean =>
  adopted.findLast((fact) => fact?.handed !== "back")?.handed === "on";

/**
 * Writes that this program would answer for the negotiation when its owner ends. Owners end often if a client starts a
 * program for each call. The program stands by only for its own account, and a standby that cannot be written does not
 * count.
 */
export async function beginStandby(supervisor: StepContext): Promise<void> {
  const { journal, deps, key } = supervisor;
  const { adopted, standby, submitted } = journal.facts;
  const number = adopted.length + 1;
  // The number is set before the first await, because a program that ends also ends its standby.
  supervisor.standbyNumber = number;
  try {
    if ((await deps.userId()) !== submitted?.user_id) return;
    const fact = { at: deps.clock.now(), owner: deps.owner, number };
    // Several programs may stand by at once, each under a name of its own, as long as nobody has taken a standby up.
    for (let next = standby.length + 1; supervisor.isOnStandby; next++)
      if ((await journal.claim(factName.standby(next), fact)).created) return;
  } catch (error) {
    deps.log.debug("offer_unwritten", { negotiation_id: key.id, error: failureOf(error) });
  }
}

/**
 * Resolves with whether this program's end can leave the demand to an earlier owner. An adopted demand goes back to
 * such an owner if that program was only stopped, or was late in showing that it lives.
 */
export async function goesBackToEarlierOwner({
  isMine,
  stage,
  journal: { facts },
  deps,
}: StepContext): Promise<boolean> {
  if (!isMine || !isUndecided(stage) || isHandedOn(facts)) return false;
  const others = [facts.submitted, ...facts.adopted].flatMap((fact) => fact?.owner ?? []);
  const { owner, isAlive } = deps;
  const alive = others.filter(({ instance }) => instance !== owner.instance).map((other) => isAlive(other));
  return (await Promise.all(alive)).includes(true);
}

/**
 * Adopts the negotiation of a program that is gone. Only one of several programs succeeds, unless the disk is full, in
 * which case each of them acts as the owner.
 */
export async function adopt({ journal, deps }: StepContext): Promise<void> {
  const { adopted, decided } = journal.facts;
  const fact = { at: deps.clock.now(), owner: deps.owner, decisions: decided.length };
  const name = factName.adopted(adopted.length + 1);
  try {
    await journal.claim(name, fact);
  } catch (error) {
    if (!(error instanceof HomeUnwritable)) throw error;
    // On a full disk somebody must still withdraw the demand, and sending a cancel twice is harmless.
    deps.log.warn("adoption_unwritten", { negotiation_id: journal.key.id, error: failureOf(error) });
    await journal.note(name, fact);
  }
  deps.log.info("negotiation_adopted", { negotiation_id: journal.key.id });
}
