import { type Clock, stopwatch } from "../clock.ts";
import type { CoreDeps } from "./core-deps.ts";
import { factName } from "./facts.ts";
import type { Journal } from "./journal.ts";
import type { Observation } from "./observation.ts";
import type { Stage } from "./stage.ts";

/** Replicas of one endpoint run on machines whose clocks differ a little. */
const SKEW_MS = 10_000;

/**
 * How long the backend still waits (contract §6, "the deadline is real"). A deadline is kept as a time of day, and a
 * clock may be set; so from its first sight on it is measured by a timer as well, and whatever says less counts.
 */
export class Countdown {
  readonly #clock: Clock;
  readonly #elapsedMs: () => number;
  readonly #mark: number;
  readonly #totalMs: number;
  readonly #atMostMs: number;
  readonly deadlineAt: number;

  /** `leftMs`: until that deadline, as this program measured it; `atMostMs`: the most that it can be. */
  constructor(clock: Clock, deadlineAt: number, leftMs: number, atMostMs = leftMs) {
    this.#clock = clock;
    this.deadlineAt = deadlineAt;
    this.#totalMs = leftMs;
    this.#atMostMs = atMostMs;
    this.#elapsedMs = stopwatch(clock);
    this.#mark = clock.monotonic();
  }

  /**
   * Of a deadline that is only written: the clock may have been set since, nobody knows when or by how much. Submitted
   * in the future, it was set back, and no time may be left. It may as well have been set forward, and the backend, which
   * waits for `deadlineMs`, may have only just begun.
   */
  static ofWritten(clock: Clock, deadlineAt: number, submittedAt: number, deadlineMs: number): Countdown {
    const leftMs = submittedAt - clock.now() > SKEW_MS ? 0 : deadlineAt - clock.now();
    return new Countdown(clock, deadlineAt, leftMs, Math.max(leftMs, deadlineMs));
  }

  /** Milliseconds until the backend goes on, if the worst is true of clock and timers; below zero when it has. */
  leftMs(): number {
    return Math.min(this.#totalMs - this.#elapsedMs(), this.deadlineAt - this.#clock.now());
  }

  /** The longest that it may still wait: a clock that was set forward shortens nothing at the backend. */
  leftAtMostMs(): number {
    return this.#atMostMs - (this.#clock.monotonic() - this.#mark);
  }
}

/** The deadline of one negotiation as this program measures it: by a countdown that begins when it is first known. */
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

  /** Of the deadline that is known by now; undefined where none is. */
  of({ deadlineAt }: Stage): Countdown | undefined {
    if (deadlineAt === undefined || this.#countdown?.deadlineAt === deadlineAt) return this.#countdown;
    const { clock, policy } = this.#deps;
    const submittedAt = this.#journal.facts.submitted?.at ?? 0;
    this.#countdown = Countdown.ofWritten(clock, deadlineAt, submittedAt, policy().confirmDeadlineMs);
    return this.#countdown;
  }

  /**
   * Writes down when the backend goes on, once it shows the text. Its clock starts with the text: not before the last read
   * that did not show it.
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
