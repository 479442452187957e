import type { FaultHome } from "./home.ts";
import type { Machine } from "./machine.ts";
import type { BURSTS } from "./network.ts";
import type { Answer, Form, Program } from "./program.ts";
import type { SimClock } from "./sim.ts";
import type { Witness } from "./witness.ts";

/** The guard withdraws this long before the deadline. */
const MARGIN_MS = 15_000;
/** A decision so near to that moment may fall on either side of it. */
const BLUR_MS = 1_000;

/** What the commands work on. */
export interface Real {
  clock: SimClock;
  home: FaultHome;
  machine: Machine;
  witness: Witness;
  /** Questions on somebody's screen. */
  forms: OpenForm[];
  /** Which negotiation's text the person is about to change, in a form of this program. */
  editing: Map<Program, string>;
  outage: { until: number; what: Outage };
}

/** What every request meets for a while; a number is a status. */
export type Outage = "nothing answers" | "the name is not found" | (typeof BURSTS)[number];

export interface OpenForm {
  process: Program;
  form: Form;
  shownAt: number;
  reply: (answer: Answer) => void;
}

/** How a demand must end as long as nothing disturbs: undecided ones are withdrawn. */
type Expected = { state: "open" | "withdrawn" } | { state: "confirmed"; text: string };

/**
 * What must become of each demand. While nothing disturbs (`calm`) it foretells each exactly; after the first
 * disturbance only the promises hold that the witness looks after at all times.
 */
export class Model {
  /** By process, whether it lives. */
  readonly alive: boolean[] = [];
  demands = 0;
  forms = 0;
  calm = true;
  readonly #expected = new Map<string, Expected>();

  get living(): number {
    return this.alive.filter(Boolean).length;
  }

  /** A decision about what a form or a result asks; `text` is what goes out then, none for a rejection. */
  decided(real: Real, id: string, text: string | undefined): void {
    const one = real.home.mock.negotiations().find((n) => n.negotiation_id === id);
    if (one === undefined || (this.#expected.get(id)?.state ?? "open") !== "open") return;
    const leftMs = (one.confirmDeadline ?? 0) - MARGIN_MS - real.clock.now();
    if (Math.abs(leftMs) < BLUR_MS) this.calm = false;
    if (leftMs <= 0) return;
    this.#expected.set(id, text === undefined ? { state: "withdrawn" } : { state: "confirmed", text });
  }

  /** At the end of all time. */
  judge({ home, witness }: Real): void {
    if (!this.calm) return;
    for (const n of home.mock.negotiations().filter(({ depth }) => depth === 0)) {
      const must = this.#expected.get(n.negotiation_id) ?? { state: "open" };
      const confirmed = n.confirmedBy === undefined ? undefined : `${n.confirmedBy}: ${n.confirmedText}`;
      const is = confirmed ?? (n.cancelled ? "withdrawn" : n.state);
      const want = must.state === "confirmed" ? `user: ${must.text}` : "withdrawn";
      if (is !== want) witness.violate("d", "not what was decided", `${n.demand_raw}: ${is} and not ${want}`);
    }
  }
}

const LONG = ` wants somebody who knows hospital software.${" And queues.".repeat(60)}`;
const SHORT = " wants a designer for a hospital queue pilot.";

/** What the backend makes of a demand of that name. */
export const textOf = (token: string): string =>
  `${token}${Number(token.slice(1).split(".")[0]) % 3 === 2 ? LONG : SHORT}`;

/** Starts a program; what it asks in forms waits for its answer in `real.forms`. */
export async function startProgram(
  model: Model,
  { home, witness, clock, forms: open }: Real,
  { forms, mode }: { forms: boolean; mode: "normal" | "developer" },
): Promise<void> {
  const answer = (process: Program, form: Form) =>
    new Promise<never>((resolve) =>
      open.push({
        process,
        form,
        shownAt: clock.now(),
        reply(given) {
          witness.answered(process, form, given);
          resolve(given as never);
        },
      }),
    );
  witness.processes.push(await home.start({ onUnconfirmed: "cancel", mode, ...(forms && { answer }) }));
  model.alive.push(true);
}
