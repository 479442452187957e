import type { JournalEntry, NegotiationView } from "../../mock-backend/main.ts";
import type { Violation } from "./judge.ts";
import type { Called } from "./program.ts";

export interface Verdicts {
  count: (what: string) => void;
  violate: (invariant: Violation["invariant"], kind: string, detail: string) => void;
  falsehood: (name: string, detail: string) => void;
}

/** Invariant (c): each call makes one negotiation at most, and a submit whose answer was lost is reported as that. */
export class Submits {
  readonly #made = new Map<string, number>();

  begin(intent: string): void {
    this.#made.set(intent, (this.#made.get(intent) ?? 0) + 1);
  }

  /** One call's result, beside what the backend received while it ran. */
  check(intent: string, { result }: Called, since: readonly JournalEntry[], verdicts: Verdicts): void {
    const last = since.findLast(
      (e) => e.path.endsWith("/submit") && (e.body as { intent?: string })?.intent === intent,
    );
    const refused = last?.status === 401; // before the fault, and for certain
    const lost = last?.fault !== undefined && last.fault !== "delay" && last.fault !== "status" && !refused;
    const whole = last?.status === 201 && last.fault === undefined ? last.made : undefined;
    if (whole !== undefined && result.error !== null && !JSON.stringify(result).includes(whole))
      verdicts.falsehood("failed without naming the negotiation that was made", `${intent} ${result.error.code}`);
    const reported = result.error?.code === "tool.backend.timeout.submit_outcome_unknown";
    if (reported) verdicts.count("submit outcome unknown");
    if (reported && refused) verdicts.violate("c", "reported as lost what was refused", intent);
    if (!reported && lost && this.#made.get(intent) === 1)
      verdicts.violate("c", "lost submit not reported", `${intent} ${last.fault} ${result.error?.code}`);
  }

  /** At the end of the run. */
  finish(all: readonly NegotiationView[], { violate }: Verdicts): void {
    for (const [intent, made] of this.#made) {
      const there = all.filter((n) => n.demand_raw === intent).length;
      if (there > made) violate("c", "more negotiations than calls", `${intent}: ${there} of ${made}`);
    }
  }
}
