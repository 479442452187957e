import type { CoreDeps } from "./core-deps.ts";
import { Countdown } from "./countdown.ts";
import { factName } from "./facts.ts";
import type { Journal } from "./journal.ts";
import type { Observation } from "./observation.ts";
import type { Stage } from "./stage.ts";

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
    if (this.#journal.facts.isNotOurs) return undefined;
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
