import type { Clock } from "../src/clock.ts";
import { isoformat, type Negotiation, type State, type Store, type WireEvent } from "./data.ts";
import type { Random } from "./random.ts";

export class InvalidTransition extends Error {}

/** Writes down what happens to a negotiation: its states and their times, and the events of the feed. */
export class Recorder {
  readonly #store: Store;
  readonly #random: Random;
  readonly #clock: Clock;
  readonly listeners = new Set<(event: WireEvent) => void>();

  constructor(store: Store, random: Random, clock: Clock) {
    this.#store = store;
    this.#random = random;
    this.#clock = clock;
  }

  move(negotiation: Negotiation, state: State): void {
    this.check(negotiation, state);
    this.enter(negotiation, state);
  }

  /** Throws when it is over. Only a cancelled sub-negotiation gets that far: its run is the parent's, not stopped. */
  check(negotiation: Negotiation, state: State): void {
    if (negotiation.state === "completed")
      throw new InvalidTransition(`Invalid state transition: completed -> ${state}`);
  }

  enter(negotiation: Negotiation, state: State): void {
    negotiation.state = state;
    negotiation.times[state] ??= this.#clock.now();
    this.#store.changed();
  }

  emit(negotiation: Negotiation, eventType: string, data: object): void {
    const event: WireEvent = {
      event_type: eventType,
      negotiation_id: negotiation.negotiation_id,
      timestamp: isoformat(this.#clock.now()),
      event_id: `evt_${this.#random.hex(12)}`,
      data: structuredClone({ ...data }),
    };
    negotiation.events.push(event);
    this.#store.changed();
    for (const listener of this.listeners) listener(event);
  }
}
