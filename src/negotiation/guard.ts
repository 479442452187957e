import { HomeUnwritable } from "../config/errors.ts";
import { TowowError } from "../errors.ts";
import { failureOf } from "../log.ts";
import type { Cancellations } from "./cancellations.ts";
import { type DatedRecord, type Deadlines, isDated } from "./deadlines.ts";
import type { NegotiationDeps } from "./deps.ts";
import type { DecidedBy, Decision, NegotiationRecord } from "./history.ts";
import { guardMarginMs, shareOfMargin } from "./margin.ts";

const RETRY_MS = 1_000;
/** Timers stand still while a machine sleeps: after it the clock is looked at within this. */
const LOOK_MS = 5_000;

interface Watched {
  record: DatedRecord;
  cancelTimer: () => void;
}

/**
 * Withdraws what the person has not decided before the backend would broadcast it by itself (contract §6, "the
 * deadline is real"). It starts with every submit, outlives the call that made it, and ends with a decision.
 */
export class Guard {
  readonly #deps: NegotiationDeps;
  readonly #cancellations: Cancellations;
  readonly #deadlines: Deadlines;
  readonly #watched = new Map<string, Watched>();
  /** Called when the deadline finds a decision of somebody else. */
  onDecided: () => void = () => {};

  constructor(deps: NegotiationDeps, cancellations: Cancellations, deadlines: Deadlines) {
    this.#deps = deps;
    this.#cancellations = cancellations;
    this.#deadlines = deadlines;
  }

  /** Starts or moves the watch over one negotiation. */
  watch(record: NegotiationRecord): void {
    this.drop(record.negotiation_id);
    if (!isDated(record)) return;
    const watched: Watched = { record, cancelTimer: () => {} };
    this.#watched.set(record.negotiation_id, watched);
    const leftMs = () => this.#deadlines.leftMs(record) - this.#marginMs();
    const arm = (): void => {
      const sliceMs = Math.min(leftMs(), this.#share(LOOK_MS));
      watched.cancelTimer = this.#deps.clock.after(Math.max(0, sliceMs), () => {
        if (leftMs() > 0) arm();
        else this.#act(record);
      });
    };
    arm();
  }

  #act({ negotiation_id: id }: NegotiationRecord): void {
    if (this.#deps.policy().onUnconfirmed === "leave") return;
    this.withdraw(id, "guard").catch((error) =>
      this.#deps.log.error("guard_failed", { negotiation_id: id, error: failureOf(error) }),
    );
  }

  drop(id: string): void {
    this.#watched.get(id)?.cancelTimer();
    this.#watched.delete(id);
  }

  isWatching(id: string): boolean {
    return this.#watched.has(id);
  }

  /** The negotiations that this process answers for. */
  watched(): string[] {
    return [...this.#watched.keys()];
  }

  /** Cancels one undecided negotiation that is watched here; a decision that came first stands. */
  async withdraw(id: string, by: DecidedBy): Promise<void> {
    const { clock, owner } = this.#deps;
    const record = this.#watched.get(id)?.record;
    if (record === undefined) return;
    this.drop(id);
    const decision: Decision = { kind: "withdraw", by, at: clock.now(), owner };
    const decided = await this.#cancellations.during(id, async () => {
      const claimed = await this.#claim(record, decision);
      if (claimed === "others") return true;
      await this.#cancellations.finish(record, "withdrawn", claimed === "unknown" ? decision : undefined);
      return false;
    });
    if (decided) this.onDecided(); // whoever decided may have died before the request went out
  }

  #marginMs(): number {
    return guardMarginMs(this.#deps.policy().confirmDeadlineMs);
  }

  #share(ms: number): number {
    return shareOfMargin(this.#deps.policy().confirmDeadlineMs, ms);
  }

  /**
   * Writes the decision to withdraw. While the history does not answer, nobody can tell whether somebody has decided,
   * so it is asked again until a third of the margin is left: then the backend alone must tell.
   */
  async #claim(record: DatedRecord, wanted: Decision): Promise<"mine" | "others" | "unknown"> {
    const { history, clock, log } = this.#deps;
    const { negotiation_id: id } = record;
    const marginMs = this.#marginMs();
    for (;;) {
      try {
        const { won, decision } = await history.decide(id, wanted);
        // The answer to an earlier try may have been lost.
        const own = decision.kind === "withdraw" && decision.owner.instance === wanted.owner.instance;
        return won || own ? "mine" : "others";
      } catch (error) {
        // On a full disk nobody else can decide either, and unsent the backend would broadcast.
        if (error instanceof HomeUnwritable) return (await history.decision(id)) === undefined ? "mine" : "others";
        if (!(error instanceof TowowError)) throw error;
        log.warn("guard_cannot_tell", { negotiation_id: id, error: failureOf(error) });
        if (wanted.by === "shutdown" || this.#deadlines.leftMs(record) <= marginMs / 3) return "unknown";
        await clock.sleep(this.#share(RETRY_MS));
      }
    }
  }
}
