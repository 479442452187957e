import { stopwatch } from "../clock.ts";
import { ignoreTowowError } from "../errors.ts";
import { failureOf } from "../log.ts";
import type { Platform } from "../platform.ts";
import {
  type Created,
  type Decided,
  type Entries,
  type FactStore,
  type Facts,
  factName,
  factsOf,
  isSameDecision,
  type NegotiationKey,
  NO_FACTS,
} from "./facts.ts";
import { TIMES } from "./plan.ts";
import { isPersonsNo } from "./stage.ts";

/**
 * How long a store may still carry out a write that it did not answer in time, in milliseconds. A store that answers a
 * read after this time has either written the fact by then or never will.
 */
export const LATE_WRITE_MS = 5_000;
const RETRY_MS = 1_000;
/**
 * How often a write is tried again. If a store is away for longer, the next program that reads it corrects the facts.
 */
const RETRIES = 600;

type Index = "open" | "close";
type UnwrittenYes = { number: number; sinceMs: () => number; isAwaited: boolean } & Pick<Decided, "at" | "owner">;

/**
 * One negotiation's facts, as this program knows them. Facts about what has happened at the backend are true whether or
 * not the store answers, so they count in this program at once, and are written later if the store does not take them
 * now.
 */
export class Journal {
  readonly key: NegotiationKey;
  readonly #platform: Platform;
  readonly #store: FactStore;
  readonly #entries = new Map<string, unknown>();
  #facts: Facts = NO_FACTS;
  /** The object that the store returned last. If it returns the same object again, nothing is new. */
  #lastRead: Entries | undefined;
  /** Measures the time since the store last answered. */
  #sinceHeardMs: (() => number) | undefined;
  /** The yeses that were reported as not written. */
  #unwrittenYes: UnwrittenYes[] = [];
  #undoing = Promise.resolve();
  #unwritten: { name: string; value: unknown; index: Index | undefined }[] = [];
  #retries = 0;

  constructor(key: NegotiationKey, platform: Platform, store: FactStore) {
    this.key = key;
    this.#platform = platform;
    this.#store = store;
  }

  get facts(): Facts {
    return this.#facts;
  }

  /**
   * Reads what other programs wrote.
   * @throws StoreUnreachable, HomeUnwritable, `tool.config.invalid.newer_version`
   */
  async refresh(): Promise<Facts> {
    const sinceHeardMs = stopwatch(this.#platform.clock);
    const entries = await this.#store.read(this.key);
    this.#sinceHeardMs = sinceHeardMs;
    for (const one of this.#unwrittenYes) one.isAwaited &&= one.sinceMs() < LATE_WRITE_MS;
    if (entries === this.#lastRead) return this.#facts;
    this.#lastRead = entries;
    this.#add(entries);
    await this.#undoing;
    return this.#facts;
  }

  /**
   * Undoes a yes if the store writes it after all. A yes that was reported as failed does not count, but a store that
   * did not answer in time may still write it a moment later.
   */
  undoIfWritten(number: number, { at, owner }: Pick<Decided, "at" | "owner">): void {
    this.#unwrittenYes.push({ number, at, owner, sinceMs: stopwatch(this.#platform.clock), isAwaited: true });
  }

  /** Returns whether the store may still write a yes that does not count. */
  get awaitsLateWrite(): boolean {
    return this.#unwrittenYes.some(({ isAwaited }) => isAwaited);
  }

  /**
   * Waits until the store can no longer write a yes that does not count, but at most `maxMs`, because no other program
   * may take such a yes for a valid one.
   */
  async settleLateWrites(maxMs: number): Promise<void> {
    const { clock } = this.#platform;
    const elapsedMs = stopwatch(clock);
    while (this.awaitsLateWrite && elapsedMs() < maxMs) {
      await this.refresh().catch(ignoreTowowError);
      if (this.awaitsLateWrite) await clock.sleep(TIMES.lateWriteCheckMs);
    }
  }

  #undoLateWrites(): void {
    const { decided } = this.#facts;
    const found = this.#unwrittenYes.filter(({ number }) => decided[number - 1] !== undefined);
    this.#unwrittenYes = this.#unwrittenYes.filter((one) => !found.includes(one));
    // The undoing counts in memory at once. `refresh` also waits until the undoing is written.
    for (const { number } of found.filter((one) => isSameDecision(one, decided[one.number - 1])))
      this.#undoing = this.note(factName.undone(number), { at: this.#platform.clock.now(), why: "no_effect" });
  }

  /**
   * Returns whether this program holds a person's no that no store has taken yet, so that no other program knows of it.
   */
  get holdsUnwrittenNo(): boolean {
    return this.#unwritten.some(({ name }) => {
      const number = /^decided\.(\d+)$/.exec(name)?.[1];
      return number !== undefined && isPersonsNo(this.#facts.decided[Number(number) - 1]);
    });
  }

  /** Returns how old the knowledge of other programs' facts is, in milliseconds. */
  get ageMs(): number {
    return this.#sinceHeardMs?.() ?? Number.POSITIVE_INFINITY;
  }

  /** Adds facts that are already known to be written. */
  learn(entries: Entries): void {
    this.#add(entries);
  }

  /**
   * Writes a fact that must be stored before anything follows from it.
   * @throws StoreUnreachable, HomeUnwritable
   */
  async claim(name: string, value: unknown, index?: Index): Promise<Created> {
    const sinceHeardMs = stopwatch(this.#platform.clock);
    const result = await this.#store.create(this.key, name, value, index);
    // Only one of two programs that write the same number wins, so a number that was free shows that no other program
    // has gone on.
    if (result.created) this.#sinceHeardMs = sinceHeardMs;
    this.#add(new Map([[name, result.current]]));
    return result;
  }

  /**
   * Writes a fact that is already true, and never throws. If a store or a full disk does not take the fact now, it is
   * written later.
   */
  async note(name: string, value: unknown, index?: Index): Promise<void> {
    this.#add(new Map([[name, value]]));
    this.#unwritten.push({ name, value, index });
    if (this.#unwritten.length === 1) await this.#flush();
  }

  #add(entries: Entries): void {
    let isNew = false;
    for (const [name, value] of entries) {
      if (this.#entries.has(name)) continue;
      this.#entries.set(name, value);
      isNew = true;
    }
    if (!isNew) return;
    this.#facts = factsOf(this.#entries);
    this.#undoLateWrites();
  }

  /** Writes the facts in the order in which they happened. */
  async #flush(): Promise<void> {
    const { log, clock } = this.#platform;
    for (let fact = this.#unwritten[0]; fact !== undefined; fact = this.#unwritten[0]) {
      const about = { negotiation_id: this.key.id, fact: fact.name };
      try {
        await this.#store.create(this.key, fact.name, fact.value, fact.index);
        if (this.#retries > 0) log.info("fact_written_late", about);
        this.#retries = 0;
      } catch (error) {
        if (++this.#retries <= RETRIES) {
          if (this.#retries === 1) log.warn("fact_unwritten", { ...about, error: failureOf(error) });
          clock.after(RETRY_MS, () => void this.#flush());
          return;
        }
        log.error("fact_not_written", about);
      }
      this.#unwritten.shift();
    }
    this.#retries = 0; // A store that goes away again gets all its retries again.
  }
}
