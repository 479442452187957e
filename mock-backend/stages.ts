import type { Clock } from "../src/clock.ts";
import type { Negotiation, Participant, Profile, Store } from "./data.ts";
import { enrich, formulate } from "./formulation.ts";
import { markersOf } from "./markers.ts";
import { type Answer, answer } from "./offers.ts";
import type { Recorder } from "./recorder.ts";
import { activate, type Community } from "./resonance.ts";

export interface EngineOptions {
  clock: Clock;
  seed: number;
  stepMs: number;
  /** How long `barrier_waiting` can be seen: 0 as in the real engine, more to look at it. */
  barrierMs: number;
  /** For how long after `formulated` a confirm is refused with "Engine is not waiting". */
  notWaitingMs: number;
  confirmTimeoutMs: number;
  formulationTimeoutMs: number;
  offerTimeoutMs: number;
  centerTimeoutMs: number;
  community?: Community | undefined;
}

/** What a test puts in place of an agent's answer; undefined leaves the usual one. */
export type OfferWriter = (agentId: string, negotiation: Negotiation) => Answer | undefined;
/** What a test puts in place of the formulated text; undefined leaves the usual one. */
export type Formulator = (intent: string, profile: Profile | undefined) => string | undefined;

/** The stages in which agents speak: formulation, resonance, offers. */
export class Stages {
  readonly #store: Store;
  readonly #record: Recorder;
  readonly #options: EngineOptions;
  formulator: Formulator | undefined;
  offerWriter: OfferWriter | undefined;

  constructor(store: Store, record: Recorder, options: EngineOptions) {
    this.#store = store;
    this.#record = record;
    this.#options = options;
  }

  async formulate(negotiation: Negotiation, signal: AbortSignal): Promise<void> {
    const { stepMs, formulationTimeoutMs, seed, community } = this.#options;
    const markers = markersOf(negotiation.demand_raw);
    const profile = this.#store.agents.get(negotiation.submittedBy)?.profile_data;
    const override = this.formulator?.(negotiation.demand_raw, profile);
    const hangs = markers.formulation === "hang" && profile !== undefined && override === undefined;
    await this.#options.clock.sleep(hangs ? formulationTimeoutMs : stepMs * 2, signal);
    const formulation =
      override !== undefined
        ? { text: override, degraded: false, reason: "" }
        : formulate(
            negotiation.demand_raw,
            profile,
            markers,
            (own) => community?.enrich(negotiation.demand_raw, seed) ?? enrich(negotiation.demand_raw, own, seed),
          );
    negotiation.demand_formulated = formulation.text;
    negotiation.degraded = formulation.degraded;
    negotiation.degradedReason = formulation.reason;
    // An object breaks the engine's own event before it is sent; a list only breaks the answers.
    if (markers.formulation === "dict" && typeof formulation.text === "object")
      throw new Error("unhashable type: 'slice'");
    this.#record.move(negotiation, "formulated");
    this.#record.emit(negotiation, "formulation.ready", {
      raw_intent: negotiation.demand_raw,
      formulated_text: formulation.text,
      enrichments: {},
      degraded: formulation.degraded,
      degraded_reason: formulation.reason,
    });
  }

  async resonate(negotiation: Negotiation, signal: AbortSignal): Promise<void> {
    const { stepMs } = this.#options;
    await this.#options.clock.sleep(stepMs / 2, signal);
    const defaultK = this.#store.scenes.get(negotiation.scene_id)?.expected_responders ?? 10;
    const { activated, filtered, announced } = activate(negotiation, this.#store.agents, defaultK, this.#options);
    if (announced)
      this.#record.emit(negotiation, "resonance.activated", {
        activated_count: activated.length,
        agents: activated,
        filtered_agents: filtered,
      });
    negotiation.participants = activated.map((one): Participant => ({ ...one, state: "active" }));
    this.#record.move(negotiation, "offering");
  }

  async collectOffers(negotiation: Negotiation, signal: AbortSignal): Promise<void> {
    const open = negotiation.participants.map((participant, index) => ({ participant, index }));
    await Promise.all(
      open
        .filter(({ participant }) => participant.state === "active")
        .map(({ participant, index }) => this.#collectOffer(negotiation, participant, index, signal)),
    );
    this.#record.move(negotiation, "barrier_waiting");
    const { participants } = negotiation;
    if (participants.length === 0) return;
    this.#record.emit(negotiation, "barrier.complete", {
      total_participants: participants.length,
      offers_received: participants.filter(({ state }) => state === "replied").length,
      exited_count: participants.filter(({ state }) => state === "exited").length,
    });
  }

  async #collectOffer(
    negotiation: Negotiation,
    participant: Participant,
    index: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { stepMs, offerTimeoutMs } = this.#options;
    const written = this.offerWriter?.(participant.agent_id, negotiation);
    const reply = written ?? answer(negotiation, this.#store.agents.get(participant.agent_id), index, this.#options);
    await this.#options.clock.sleep(reply === "hang" ? offerTimeoutMs : stepMs * (1.5 + index / 2), signal);
    if (reply === "hang" || reply === "exit") participant.state = "exited";
    else {
      participant.state = "replied";
      participant.offer_content = reply.content;
      participant.offer_capabilities = reply.capabilities;
      this.#record.emit(negotiation, "offer.received", {
        agent_id: participant.agent_id,
        display_name: participant.display_name,
        content: reply.content,
        capabilities: reply.capabilities,
      });
    }
    this.#store.changed();
  }
}
