import type { Negotiation } from "../backend/contract.ts";
import { consistentWith } from "../feed/consistent.ts";
import { type FeedEvidence, NO_EVIDENCE } from "../feed/evidence.ts";
import type { Feeds } from "../feed/feeds.ts";
import { phaseOf } from "./backend-states.ts";

/** Negotiations whose agents are remembered. */
const MAX_SEEN = 50;

/** What this program has seen of the backend's negotiations beside their states: who takes part, and their feeds. */
export class Seen {
  readonly #feeds: Feeds | undefined;
  readonly #hash: (text: string) => string;
  readonly #agents = new Map<string, readonly string[]>();

  constructor(feeds: Feeds | undefined, hash: (text: string) => string) {
    this.#feeds = feeds;
    this.#hash = hash;
  }

  /** The backend has just shown it. */
  note({ negotiation_id: id, participants, state }: Negotiation): void {
    this.#agents.delete(id);
    this.#agents.set(
      id,
      participants.map(({ agent_id }) => agent_id),
    );
    for (const oldest of this.#agents.keys()) if (this.#agents.size > MAX_SEEN) this.#agents.delete(oldest);
    const phase = phaseOf(state);
    if (phase !== "before") this.#feeds?.follow(id, phase === "over");
  }

  agents(id: string): readonly string[] {
    return this.#agents.get(id) ?? [];
  }

  /** What the feed has said of it so far, as far as it agrees with the backend's own answer. */
  evidence(negotiation: Negotiation): FeedEvidence {
    const known = this.#feeds?.evidence(negotiation.negotiation_id) ?? NO_EVIDENCE;
    return consistentWith(negotiation, known, this.#hash);
  }

  close(): void {
    this.#feeds?.close();
  }
}
