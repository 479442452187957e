import type { Negotiation } from "../backend/contract.ts";
import { type Clock, stopwatch } from "../clock.ts";
import { phaseOf, showsMatching } from "./backend-states.ts";
import type { CoreDeps } from "./core.ts";
import { factName } from "./facts.ts";
import type { Journal } from "./journal.ts";
import type { Stage } from "./stage.ts";

/** What this program has seen of one negotiation at the backend, and how long ago. */
export class Observation {
  readonly #clock: Clock;
  snapshot: Negotiation | undefined;
  /** True if agents were ever seen to be asked, or looked for and not found. */
  hasSeenMatching = false;
  /** When the last read that showed the text waiting for its decision began, on the monotonic clock. */
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

  /** Notes that a read begins, and returns a function that measures the time since then. */
  beginRead(): () => number {
    this.#sinceRequestMs = stopwatch(this.#clock);
    return this.#sinceRequestMs;
  }

  /** Notes that the last read is over, answered or not. */
  endRead(): void {
    this.#sinceRequestEndMs = stopwatch(this.#clock);
  }

  /** Records what a read showed. `sinceMs` measures the time since that read began. */
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

  /** Records that the backend does not know the negotiation. */
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
   * Returns the time since the last read that did not show the text yet, in milliseconds. The backend's deadline cannot
   * have been running for longer.
   */
  get sinceWithoutTextMs(): number | undefined {
    return this.#sinceWithoutTextMs?.();
  }

  get notFoundMs(): number | undefined {
    return this.#notFoundSince === undefined ? undefined : this.#clock.monotonic() - this.#notFoundSince;
  }
}

/** How much the clocks of replicas may differ, in milliseconds. Replicas of one endpoint run on different machines. */
const SKEW_MS = 10_000;

/**
 * Measures how long the backend still waits (contract §6, "the deadline is real"). A deadline is written as a time of
 * day, and a clock may be set. From the moment when the deadline is first seen, a timer therefore measures it as well,
 * and the smaller of the two results counts.
 */
export class Countdown {
  readonly #clock: Clock;
  readonly #elapsedMs: () => number;
  readonly #mark: number;
  readonly #totalMs: number;
  readonly #atMostMs: number;
  readonly deadlineAt: number;

  /**
   * `leftMs` is the time until the deadline as this program measured it, and `atMostMs` is the longest that it can be.
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
   * Returns the countdown of a deadline that is only known from a file. The clock may have been set since, and nobody
   * knows when or by how much. If the demand seems to have been submitted in the future, the clock was set back, and
   * perhaps no time is left. The clock may also have been set forward, so that the backend, which waits for
   * `deadlineMs`, has only just begun to wait.
   */
  static ofWritten(clock: Clock, deadlineAt: number, submittedAt: number, deadlineMs: number): Countdown {
    const leftMs = submittedAt - clock.now() > SKEW_MS ? 0 : deadlineAt - clock.now();
    return new Countdown(clock, deadlineAt, leftMs, Math.max(leftMs, deadlineMs));
  }

  /**
   * Returns the time until the backend goes on, in the worst case of clock and timers, in milliseconds. The result is
   * negative once the backend must have gone on.
   */
  leftMs(): number {
    return Math.min(this.#totalMs - this.#elapsedMs(), this.deadlineAt - this.#clock.now());
  }

  /**
   * Returns the longest that the backend may still wait, in milliseconds. A clock that was set forward on this machine
   * does not shorten the backend's wait.
   */
  leftAtMostMs(): number {
    return this.#atMostMs - (this.#clock.monotonic() - this.#mark);
  }
}

/**
 * The deadline of one negotiation as this program measures it. The countdown begins when this program first knows the
 * deadline.
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

  /** Returns the countdown of the deadline that is known by now, or undefined if none is known. */
  of({ deadlineAt }: Stage): Countdown | undefined {
    if (deadlineAt === undefined || this.#countdown?.deadlineAt === deadlineAt) return this.#countdown;
    const { clock, policy } = this.#deps;
    const submittedAt = this.#journal.facts.submitted?.at ?? 0;
    this.#countdown = Countdown.ofWritten(clock, deadlineAt, submittedAt, policy().confirmDeadlineMs);
    return this.#countdown;
  }

  /**
   * Writes down when the backend will go on, as soon as the backend shows the text. The backend's deadline starts with
   * the text, so it started no earlier than the last read that did not show the text.
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
