import type { JournalEntry, NegotiationView } from "../../mock-backend/main.ts";
import type { Violation } from "./judge.ts";
import type { Called } from "./program.ts";

export interface Verdicts {
  count: (what: string) => void;
  violate: (invariant: Violation["invariant"], kind: string, detail: string) => void;
  falsehood: (name: string, detail: string) => void;
}

const isSubmitOf = ({ path, body }: JournalEntry, intent: string): boolean =>
  path.endsWith("/submit") && (body as { intent?: string } | undefined)?.intent === intent;

/** What the backend did, and of whose answer the id has come. */
const isNamedBy = ({ fault }: JournalEntry): boolean => fault === undefined || fault === "cut_body";

/** Invariant (c): each call makes one negotiation at most, and a submit whose answer was lost is reported as that. */
export class Submits {
  readonly #made = new Map<string, number>();

  begin(intent: string): void {
    this.#made.set(intent, (this.#made.get(intent) ?? 0) + 1);
  }

  /** One call's result, beside what the backend received while it ran, and what of it came from the call's own program. */
  check(
    intent: string,
    { result }: Called,
    since: readonly JournalEntry[],
    own: readonly JournalEntry[],
    verdicts: Verdicts,
  ): void {
    const last = since.findLast((e) => isSubmitOf(e, intent));
    const refused = last?.status === 401; // before the fault, and for certain
    const lost =
      last !== undefined && !isNamedBy(last) && last.fault !== "delay" && last.fault !== "status" && !refused;
    const whole = own.flatMap((e) => (isSubmitOf(e, intent) && e.status === 201 && isNamedBy(e) && e.made) || []);
    const isNamed = whole.some((id) => JSON.stringify(result).includes(id));
    // Of two calls at once with the same demand nobody outside can tell which one made it.
    if (whole.length > 0 && result.error !== null && !isNamed && this.#made.get(intent) === 1)
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
