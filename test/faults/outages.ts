import type { Fault, FaultBoard, FaultRoute } from "../../mock-backend/main.ts";
import type { Mix } from "./mixes.ts";
import { anyFault, BURSTS, nameNotFound, slowRead, wordsOf } from "./network.ts";
import type { Dice, SimClock } from "./sim.ts";
import type { Witness } from "./witness.ts";

const NEVER = Number.NEGATIVE_INFINITY;

/** What the requests of a run meet on their way: stretches in which nothing answers or all of it fails, and single faults. */
export class Outages {
  readonly #mix: Mix;
  readonly #dice: Dice;
  readonly #clock: SimClock;
  readonly #witness: Witness;
  readonly #from: number;
  /** `isNameless`: even the name is not found. */
  #blackout = { until: NEVER, isNameless: false };
  #burst = { until: NEVER, status: 0 };
  /** What reads meet, and nothing else does. */
  #reads: { until: number; fault: Fault } | undefined;

  constructor(mix: Mix, dice: Dice, clock: SimClock, witness: Witness) {
    this.#mix = mix;
    this.#dice = dice;
    this.#clock = clock;
    this.#witness = witness;
    this.#from = clock.now();
    if (mix.reads === "always slow") this.#reads = { until: Number.POSITIVE_INFINITY, fault: slowRead(dice) };
  }

  /** One request is about to go out. @throws as fetch does where the name is not found */
  meet(route: FaultRoute, board: FaultBoard): void {
    const now = this.#clock.now();
    if (now < this.#blackout.until) {
      this.#met(this.#blackout.isNameless ? "name not found" : "nothing answers");
      if (this.#blackout.isNameless) throw nameNotFound();
      board.add({ route, kind: "drop_before" });
    } else if (now < this.#burst.until) {
      this.#met("burst of 4xx or 5xx");
      board.add({ route, kind: "status", status: this.#burst.status });
    } else if (route === "get" && this.#reads !== undefined && now < this.#reads.until) {
      this.#met(this.#reads.fault.kind === "delay" ? "slow read" : "only reads fail");
      board.add(this.#reads.fault);
    } else if (this.#mix.lost?.[route] !== undefined && this.#dice.chance(this.#mix.lost[route])) {
      this.#met("lost on its way");
      board.add({ route, kind: "drop_before" });
    } else if (this.#dice.chance(this.#mix.faults[route] ?? 0)) {
      const fault = anyFault(this.#dice, route);
      const { kind, status = "", delayMs = "", delayWhen = "" } = fault;
      this.#witness.note(`  fault ${route} ${kind} ${status} ${delayMs}${delayWhen}`);
      board.add(fault);
      for (const what of wordsOf(fault)) this.#met(what);
    }
  }

  /** From now on nothing answers, for a while. */
  beginBlackout(): void {
    const until = this.#clock.now() + this.#dice.int(2_000, 60_000);
    this.#blackout = { until, isNameless: this.#dice.chance(0.4) };
    this.#begins(`blackout${this.#blackout.isNameless ? ", no name," : ""}`, until);
    this.#witness.blackedOut.push({ from: this.#clock.now(), to: until });
  }

  /** From now on everything is answered with one status, for a while. */
  beginBurst(): void {
    const until = this.#clock.now() + this.#dice.int(2_000, 60_000);
    this.#burst = { until, status: this.#dice.pick(BURSTS) };
    this.#begins(String(this.#burst.status), until);
    this.#witness.blackedOut.push({ from: this.#clock.now(), to: until });
  }

  /** From now on reads are slow, or fail, for a while. */
  troubleReads(): void {
    const fault: Fault = this.#dice.chance(0.5)
      ? slowRead(this.#dice)
      : { route: "get", kind: "status", status: this.#dice.pick(BURSTS) };
    const until = this.#clock.now() + this.#dice.int(2_000, 120_000);
    this.#reads = { until, fault };
    this.#begins(`reads ${fault.status ?? `take ${fault.delayMs} ms`}`, until);
  }

  #begins(what: string, until: number): void {
    this.#witness.note(`${what} until ${(until - this.#from) / 1000}`);
  }

  #met(what: string): void {
    this.#witness.count(`met: ${what}`);
  }
}
