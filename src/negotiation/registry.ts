import { ignoreTowowError } from "../errors.ts";
import { failureOf } from "../log.ts";
import type { CoreDeps } from "./core.ts";
import { cachedFactsOf, type NegotiationKey } from "./facts.ts";
import { isSettled } from "./plan.ts";
import { isUndecided, reduce, type Stage } from "./stage.ts";
import { Supervisor } from "./supervisor.ts";

/**
 * How long after its start a program that stays on first takes up what killed programs left behind, in milliseconds.
 * The delay lets the client finish its own start first, unless deadlines are short.
 */
const FIRST_RECOVERY_MS = 5_000;
export const firstRecoveryMs = (confirmDeadlineMs: number): number =>
  Math.min(FIRST_RECOVERY_MS, confirmDeadlineMs / 20);
/**
 * The pause between two recoveries, in milliseconds. Another program may have opened a question since and may be killed
 * while it waits, so that question must be seen well before its deadline.
 */
const RECOVERY_EVERY_MS = 60_000;
const recoveryEveryMs = (confirmDeadlineMs: number): number => Math.min(RECOVERY_EVERY_MS, confirmDeadlineMs / 4);
/** The longest that a call waits for recovery, in milliseconds. The recovery then goes on in the background. */
const CATCH_UP_MS = 5_000;
/** How many supervisors are remembered whose negotiations need nothing any more. */
const REMEMBERED = 100;

/**
 * What happens to open negotiations when a program ends.
 * - `withdraw`: all that the program answers for are withdrawn.
 * - `withdraw_own`: those that the program submitted itself are withdrawn.
 * - `to_keeper`: as `withdraw`, except for those that another program stands by for.
 * - `leave`: undecided ones are left, so that the person can still decide on them. Those with a decision on its way,
 *   and those that are never left to the backend, are withdrawn nevertheless.
 * - `to_replicas`: none are withdrawn, and other replicas also go on with decisions that are on their way.
 */
export type AtEnd = "withdraw" | "to_keeper" | "withdraw_own" | "leave" | "to_replicas";

/**
 * Returns whether a program that ends withdraws the negotiation, if its text is not seen to be out. `isFromHere` says
 * that this program submitted the demand.
 */
export function isWithdrawnAtEnd(stage: Stage, atEnd: AtEnd, isFromHere: boolean): boolean {
  // In these stages the backend would broadcast its own text.
  const isUnheard = stage.name === "confirming" || stage.name === "cancelling";
  const isSilent = isUndecided(stage) && stage.isNeverLeft;
  return (
    atEnd === "withdraw" ||
    atEnd === "to_keeper" ||
    (atEnd === "withdraw_own" && isFromHere) ||
    (atEnd !== "to_replicas" && (isUnheard || isSilent))
  );
}

/** The supervisors of one user in this program. */
export class Registry {
  readonly #deps: CoreDeps;
  readonly #supervisors = new Map<string, Supervisor>();
  #recovery: Promise<void> | undefined;
  #cancelNext: (() => void) | undefined;
  #isClosed = false;
  /**
   * True if the registry has begun to look for what other programs left behind. From then on it looks again by itself.
   */
  hasBegunRecovery = false;

  constructor(deps: CoreDeps) {
    this.#deps = deps;
  }

  /** Returns this program's supervisor of the negotiation, and creates one if there is none. */
  of(key: NegotiationKey, { isNew = false } = {}): Supervisor {
    const name = `${key.origin} ${key.id}`; // An origin never contains a space.
    const current = this.#supervisors.get(name);
    if (current !== undefined) return current;
    const made = new Supervisor(key, this.#deps, {
      isNew,
      onIdle: () => this.#forgetOld(),
    });
    this.#supervisors.set(name, made);
    return made;
  }

  /**
   * Forgets the oldest supervisors at rest. The others are remembered, so that the next read need not fetch their facts
   * again.
   */
  #forgetOld(): void {
    const resting = [...this.#supervisors].filter(([, supervisor]) => !supervisor.isBusy && !supervisor.isRunning);
    for (const [name] of resting.slice(0, Math.max(0, resting.length - REMEMBERED))) this.#supervisors.delete(name);
  }

  /** Returns every supervisor that is remembered, at work or at rest. */
  get all(): Supervisor[] {
    return [...this.#supervisors.values()];
  }

  /** Resolves with whether a running program that stays on answers for the negotiation. */
  async isGuarded({ owner }: Stage): Promise<boolean> {
    if (owner === undefined) return false;
    const { owner: self, isAlive, policy } = this.#deps;
    return owner.instance === self.instance ? !policy().isOneShot : isAlive(owner);
  }

  /** Returns whether this program must show that it lives. */
  get needsHeartbeat(): boolean {
    return this.all.some(({ needsHeartbeat }) => needsHeartbeat);
  }

  get isBusy(): boolean {
    return this.busyIds.length > 0;
  }

  /** Returns the ids of the negotiations for which something is on its way. */
  get busyIds(): string[] {
    return this.all.filter(({ isBusy }) => isBusy).map(({ key }) => key.id);
  }

  /**
   * Takes up every open negotiation of this origin, and from then on does so repeatedly by itself, because a killed
   * program cannot ask for help and this one may not be called before the deadline. The call waits a few seconds at
   * most. A failure is logged, and the next call tries again.
   */
  async recover(): Promise<void> {
    if (this.#isClosed) return; // A program that is ending could not finish what it would adopt now.
    this.hasBegunRecovery = true;
    this.#recovery ??= this.#recover()
      .catch((error) => this.#deps.log.warn("recovery_failed", { error: failureOf(error) }))
      .finally(() => {
        this.#recovery = undefined;
        if (!this.#isClosed) this.#scheduleRecovery();
      });
    return this.#recovery;
  }

  /**
   * Schedules the next recovery, unless one is already scheduled. Tool calls start recoveries as well, and each of them
   * would otherwise postpone the next one.
   */
  #scheduleRecovery(): void {
    const { clock, policy } = this.#deps;
    this.#cancelNext ??= clock.after(recoveryEveryMs(policy().confirmDeadlineMs), () => {
      this.#cancelNext = undefined;
      void this.recover();
    });
  }

  /**
   * Takes up open negotiations that this program does not look after yet, and returns their supervisors without waiting
   * for them.
   */
  async look(): Promise<Supervisor[]> {
    const { facts, origin } = this.#deps;
    const keys = (await facts.listOpen()).filter((key) => key.origin === origin);
    if (this.#isClosed) return []; // The program ended while the negotiations were listed.
    const others = keys.map((key) => this.of(key)).filter(({ isAtWork }) => !isAtWork);
    for (const supervisor of others) supervisor.start();
    return others;
  }

  async #recover(): Promise<void> {
    const { clock } = this.#deps;
    const others = await this.look();
    if (others.length === 0) return;
    const caughtUp = Promise.all(others.map((supervisor) => supervisor.caughtUp));
    let cancelTimer = () => {};
    const enough = new Promise<void>((resolve) => {
      cancelTimer = clock.after(CATCH_UP_MS, resolve);
    });
    await Promise.race([caughtUp, enough]);
    cancelTimer();
    for (const { key } of others) await this.#closeSettled(key).catch(ignoreTowowError);
  }

  /**
   * Closes a negotiation that needs nothing any more. A program that was killed between writing the end and closing it
   * leaves it open, and no other program writes the end again.
   */
  async #closeSettled(key: NegotiationKey): Promise<void> {
    const { facts, clock } = this.#deps;
    const stage = reduce(cachedFactsOf(await facts.read(key)));
    const leftMs = stage.deadlineAt && stage.deadlineAt - clock.now();
    if (isSettled(stage, leftMs)) await facts.close(key);
  }

  /**
   * Ends every supervisor at the program's end. `isFromHere` says whether this program submitted a negotiation.
   * Resolves, once nothing is on its way, with the ids of those that could not be withdrawn.
   */
  async end(atEnd: AtEnd, isFromHere: (key: NegotiationKey) => boolean): Promise<string[]> {
    this.#isClosed = true;
    this.#cancelNext?.();
    const ended = await Promise.all(
      this.all.map(async (supervisor) => {
        await supervisor.noesNoted(); // What happens to the negotiation at the end depends on what the person has said.
        const isWithdrawn = isWithdrawnAtEnd(supervisor.stage, atEnd, isFromHere(supervisor.key));
        const how = atEnd === "to_keeper" ? atEnd : "withdraw";
        const isDone = await supervisor.end(isWithdrawn ? how : "leave").catch(() => !isWithdrawn);
        return isDone ? [] : [supervisor.key.id];
      }),
    );
    return ended.flat();
  }
}
