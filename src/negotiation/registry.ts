import { ignoreTowowError } from "../errors.ts";
import { failureOf } from "../log.ts";
import type { CoreDeps } from "./core.ts";
import { cachedFactsOf, type NegotiationKey } from "./facts.ts";
import { isSettled } from "./plan.ts";
import { isUndecided, reduce, type Stage } from "./stage.ts";
import { Supervisor } from "./supervisor.ts";

/**
 * A program that stays recovers so long after its start, in milliseconds. That is later than what a client does at its
 * own start, unless deadlines are short.
 */
const FIRST_RECOVERY_MS = 5_000;
export const firstRecoveryMs = (confirmDeadlineMs: number): number =>
  Math.min(FIRST_RECOVERY_MS, confirmDeadlineMs / 20);
/**
 * The pause between two looks, in milliseconds. Another program may have opened a question since and may be killed
 * while it waits, so it must be seen well before its deadline.
 */
const RECOVERY_EVERY_MS = 60_000;
const recoveryEveryMs = (confirmDeadlineMs: number): number => Math.min(RECOVERY_EVERY_MS, confirmDeadlineMs / 4);
/** The longest that a call waits for recovery, which then goes on in the background. */
const CATCH_UP_MS = 5_000;
/** So many negotiations that need nothing any more are remembered. */
const REMEMBERED = 100;

/**
 * What becomes of open pauses when a program ends: all that it answers for are withdrawn, or those that it submitted
 * itself, or none, so that the person can still decide on them. `to_replicas`: other replicas go on, also with decisions
 * that are on their way. `to_keeper`: as `withdraw`, but for what another program has offered to answer for.
 */
export type AtEnd = "withdraw" | "to_keeper" | "withdraw_own" | "leave" | "to_replicas";

/**
 * Whether a program that ends withdraws the negotiation, if nothing of it is seen to be out. `isFromHere` says that
 * this program submitted it.
 */
export function isWithdrawnAtEnd(stage: Stage, atEnd: AtEnd, isFromHere: boolean): boolean {
  const isUnheard = stage.name === "confirming" || stage.name === "cancelling"; // the backend would broadcast its own text
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
  /** Whether it has begun to look for what other programs left. From then on it goes on by itself. */
  hasBegunRecovery = false;

  constructor(deps: CoreDeps) {
    this.#deps = deps;
  }

  /** Gives the supervisor that answers for this negotiation here, or would. */
  of(key: NegotiationKey, { isNew = false } = {}): Supervisor {
    const name = `${key.origin} ${key.id}`; // no origin has a space
    const current = this.#supervisors.get(name);
    if (current !== undefined) return current;
    const made = new Supervisor(key, this.#deps, {
      isNew,
      onIdle: () => this.#forgetOld(),
    });
    this.#supervisors.set(name, made);
    return made;
  }

  /** Supervisors at rest are remembered for a while, so that the next read need not fetch their facts again. */
  #forgetOld(): void {
    const resting = [...this.#supervisors].filter(([, supervisor]) => !supervisor.isBusy && !supervisor.isRunning);
    for (const [name] of resting.slice(0, Math.max(0, resting.length - REMEMBERED))) this.#supervisors.delete(name);
  }

  /** Every supervisor that is remembered, at work or resting. */
  get all(): Supervisor[] {
    return [...this.#supervisors.values()];
  }

  /** Whether a running program that stays answers for it. */
  async isWatched({ owner }: Stage): Promise<boolean> {
    if (owner === undefined) return false;
    const { owner: self, isAlive, policy } = this.#deps;
    return owner.instance === self.instance ? !policy().isOneShot : isAlive(owner);
  }

  /** Whether this program must show that it lives. */
  get isWatching(): boolean {
    return this.all.some(({ isWatching }) => isWatching);
  }

  get isBusy(): boolean {
    return this.busyIds.length > 0;
  }

  /** The negotiations of which something is on its way. */
  get busyIds(): string[] {
    return this.all.filter(({ isBusy }) => isBusy).map(({ key }) => key.id);
  }

  /**
   * Takes up every open negotiation of this origin, and from then on again and again by itself: a killed program
   * cannot ask for help, and this one may not be called before the deadline. Waits a few seconds at most. A failure is
   * logged, and the next call tries again.
   */
  async recover(): Promise<void> {
    if (this.#isClosed) return; // what this program would adopt now it could not finish
    this.hasBegunRecovery = true;
    this.#recovery ??= this.#recover()
      .catch((error) => this.#deps.log.warn("recovery_failed", { error: failureOf(error) }))
      .finally(() => {
        this.#recovery = undefined;
        if (!this.#isClosed) this.#scheduleRecovery();
      });
    return this.#recovery;
  }

  /** A look that is scheduled stays, because calls recover as well and each would set it anew. */
  #scheduleRecovery(): void {
    const { clock, policy } = this.#deps;
    this.#cancelNext ??= clock.after(recoveryEveryMs(policy().confirmDeadlineMs), () => {
      this.#cancelNext = undefined;
      void this.recover();
    });
  }

  /** Takes up what is open and not looked after here, and gives those supervisors without waiting for them. */
  async look(): Promise<Supervisor[]> {
    const { facts, origin } = this.#deps;
    const keys = (await facts.listOpen()).filter((key) => key.origin === origin);
    if (this.#isClosed) return []; // it ended while they were listed
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

  /** A program that was killed between writing the end and closing it leaves it open, and no other writes it again. */
  async #closeSettled(key: NegotiationKey): Promise<void> {
    const { facts, clock } = this.#deps;
    const stage = reduce(cachedFactsOf(await facts.read(key)));
    const leftMs = stage.deadlineAt && stage.deadlineAt - clock.now();
    if (isSettled(stage, leftMs)) await facts.close(key);
  }

  /**
   * Ends every supervisor at the program's end. `isFromHere` says whether this program submitted a negotiation.
   * Resolves when nothing is on its way, with the ids of what could not be withdrawn.
   */
  async end(atEnd: AtEnd, isFromHere: (key: NegotiationKey) => boolean): Promise<string[]> {
    this.#isClosed = true;
    this.#cancelNext?.();
    const ended = await Promise.all(
      this.all.map(async (supervisor) => {
        await supervisor.noesNoted(); // what becomes of it at the end follows from what its person has said
        const isWithdrawn = isWithdrawnAtEnd(supervisor.stage, atEnd, isFromHere(supervisor.key));
        const how = atEnd === "to_keeper" ? atEnd : "withdraw";
        const isDone = await supervisor.end(isWithdrawn ? how : "leave").catch(() => !isWithdrawn);
        return isDone ? [] : [supervisor.key.id];
      }),
    );
    return ended.flat();
  }
}
