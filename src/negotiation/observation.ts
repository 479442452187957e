import type { Negotiation } from "../backend/contract.ts";
import { type Clock, stopwatch } from "../clock.ts";
import { phaseOf, showsMatching } from "./backend-states.ts";
import type { CoreDeps } from "./core.ts";
import { factName } from "./facts.ts";
import type { Journal } from "./journal.ts";
import type { Stage } from "./stage.ts";

/** What this program has seen of the backend about one negotiation, and how long ago. */
export class Observation {
  readonly #clock: Clock;
  snapshot: Negotiation | undefined;
  /** Whether agents were ever seen to be asked, or looked for and not found. */
  hasSeenMatching = false;
  /** When the last read began that showed the text waiting for its decision, on the monotonic clock. */
  waitingAt: number | undefined;
  #sinceReadMs: (() => number) | undefined;
  #sinceAnswerMs: (() => number) | undefined;
  #sinceRequestMs: (() => number) | undefined;
  #sinceRequestEndMs: (() => number) | undefined;
  #sinceWithoutTextMs: (() => number) | undefined;
  #notFoundSince: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes that a read begins, and gives a function that measures the time since then. */
  beginRead(): () => number {
    this.#sinceRequestMs = stopwatch(this.#clock);
    return this.#sinceRequestMs;
  }

  /** Notes that the read that began last is over, answered or not. */
  endRead(): void {
    this.#sinceRequestEndMs = stopwatch(this.#clock);
  }

  /** Takes note of what a read showed. `sinceMs` measures the time since that read began. */
  show(snapshot: Negotiation, sinceMs: () => number): void {
    const phase = phaseOf(snapshot.state);
    this.snapshot = snapshot;
    this.#sinceReadMs = sinceMs;
    this.#sinceAnswerMs = stopwatch(this.#clock);
    this.#notFoundSince = undefined;
    if (phase === "before") this.#sinceWithoutTextMs = sinceMs;
    if (phase === "asking") this.waitingAt = this.#clock.monotonic() - sinceMs();
    if (showsMatching(snapshot)) this.hasSeenMatching = true;
  }

  /** Takes note that the backend does not know the negotiation. */
  showNotFound(): void {
    this.#notFoundSince ??= this.#clock.monotonic();
    this.snapshot = undefined;
  }

  get sinceReadMs(): number | undefined {
    return this.#sinceReadMs?.();
  }

  get sinceAnswerMs(): number | undefined {
    return this.#sinceAnswerMs?.();
  }

  get sinceRequestMs(): number | undefined {
    return this.#sinceRequestMs?.();
  }

  get sinceRequestEndMs(): number | undefined {
    return this.#sinceRequestEndMs?.();
  }

  /**
   * The time since the last read that did not show the text yet, in milliseconds. The backend's clock has not run for
   * longer.
   */
  get sinceWithoutTextMs(): number | undefined {
    return this.#sinceWithoutTextMs?.();
  }

  get notFoundMs(): number | undefined {
    return this.#notFoundSince === undefined ? undefined : this.#clock.monotonic() - this.#notFoundSince;
  }
}

/** Replicas of one endpoint run on machines whose clocks differ a little. */
const SKEW_MS = 10_000;

/**
 * How long the backend still waits (contract §6, "the deadline is real"). A deadline is written as a time of day, and a
 * clock may be set. So from the moment it is first seen it is measured by a timer as well, and the smaller of the two
 * counts.
 */
export class Countdown {
  readonly #clock: Clock;
  readonly #elapsedMs: () => number;
  readonly #mark: number;
  readonly #totalMs: number;
  readonly #atMostMs: number;
  readonly deadlineAt: number;

  /**
   * `leftMs` is the time until that deadline as this program measured it, and `atMostMs` the longest that it can be.
   */
  constructor(clock: Clock, deadlineAt: number, leftMs: number, atMostMs = leftMs) {
    this.#clock = clock;
    this.deadlineAt = deadlineAt;
    this.#totalMs = leftMs;
    this.#atMostMs = atMostMs;
    this.#elapsedMs = stopwatch(clock);
    this.#mark = clock.monotonic();
  }

  /**
   * Makes the countdown of a deadline that is only known from a file. The clock may have been set since, and nobody
   * knows when or by how much. If the demand seems to be submitted in the future, the clock was set back, and perhaps
   * no time is left. The clock may also have been set forward, so that the backend, which waits for `deadlineMs`, has
   * only just begun.
   */
  static ofWritten(clock: Clock, deadlineAt: number, submittedAt: number, deadlineMs: number): Countdown {
    const leftMs = submittedAt - clock.now() > SKEW_MS ? 0 : deadlineAt - clock.now();
    return new Countdown(clock, deadlineAt, leftMs, Math.max(leftMs, deadlineMs));
  }

  /**
   * Milliseconds until the backend goes on in the worst case of clock and timers. It is below zero once the backend has
   * gone on.
   */
  leftMs(): number {
    return Math.min(this.#totalMs - this.#elapsedMs(), this.deadlineAt - this.#clock.now());
  }

  /**
   * The longest that the backend may still wait, in milliseconds. A clock that was set forward here shortens nothing
   * there.
   */
  leftAtMostMs(): number {
    return this.#atMostMs - (this.#clock.monotonic() - this.#mark);
  }
}

/**
 * The deadline of one negotiation as this program measures it, with a countdown that begins when the deadline is first
 * known.
 */
export class MeasuredDeadline {
  readonly #deps: Pick<CoreDeps, "clock" | "policy">;
  readonly #journal: Journal;
  readonly #observation: Observation;
  #countdown: Countdown | undefined;

  constructor(deps: Pick<CoreDeps, "clock" | "policy">, journal: Journal, observation: Observation) {
    this.#deps = deps;
    this.#journal = journal;
    this.#observation = observation;
  }

  /** Gives the countdown of the deadline that is known by now, or undefined if none is known. */
  of({ deadlineAt }: Stage): Countdown | undefined {
    if (deadlineAt === undefined || this.#countdown?.deadlineAt === deadlineAt) return this.#countdown;
    const { clock, policy } = this.#deps;
    const submittedAt = this.#journal.facts.submitted?.at ?? 0;
    this.#countdown = Countdown.ofWritten(clock, deadlineAt, submittedAt, policy().confirmDeadlineMs);
    return this.#countdown;
  }

  /**
   * Writes down when the backend will go on, as soon as it shows the text. The backend's clock starts with the text, so
   * it started no earlier than the last read that did not show it.
   */
  async note(stage: Stage): Promise<void> {
    const { submitted, formulated } = this.#journal.facts;
    const sinceMs = this.#observation.sinceWithoutTextMs;
    if (submitted === undefined || formulated !== undefined || sinceMs === undefined || stage.name !== "asking") return;
    const { clock, policy } = this.#deps;
    const leftMs = policy().confirmDeadlineMs - sinceMs;
    if (leftMs <= (this.of(stage)?.leftMs() ?? 0)) return;
    const at = clock.now();
    const deadlineAt = at + leftMs;
    this.#countdown = new Countdown(clock, deadlineAt, leftMs);
    await this.#journal.note(factName.formulated, { at, deadline_at: deadlineAt });
  }
}
