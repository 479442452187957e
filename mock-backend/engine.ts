import { synthesize } from "./center.ts";
import {
  type Negotiation,
  type NewNegotiation,
  newNegotiation,
  type Scene,
  type State,
  type Store,
  type WireEvent,
} from "./data.ts";
import { languageOf } from "./formulation.ts";
import { markersOf } from "./markers.ts";
import type { Random } from "./random.ts";
import { InvalidTransition, Recorder } from "./recorder.ts";
import { Refused } from "./refused.ts";
import { type EngineOptions, type Formulator, type OfferWriter, Stages } from "./stages.ts";

interface Waiter {
  /** Null: the text as it stands. A later confirm overwrites an earlier one. */
  text: string | null;
  confirmed: () => void;
}

/** The state machine of contract sections 4, 6 and 9, on a clock that tests can drive. */
export class Engine {
  readonly #store: Store;
  readonly #random: Random;
  readonly #options: EngineOptions;
  readonly #runs = new Map<string, AbortController>();
  readonly #waiters = new Map<string, Waiter>();
  readonly #record: Recorder;
  readonly #stages: Stages;

  constructor(store: Store, random: Random, options: EngineOptions) {
    this.#store = store;
    this.#random = random;
    this.#options = options;
    this.#record = new Recorder(store, random, options.clock);
    this.#stages = new Stages(store, this.#record, options);
  }

  /** From now on the formulated text of every negotiation, degraded ones included, until called with undefined. */
  formulateWith(formulator: Formulator | undefined): void {
    this.#stages.formulator = formulator;
  }

  /** From now on what agents answer (hostile text, any JSON, "exit", "hang"), until called with undefined. */
  offerWith(writer: OfferWriter | undefined): void {
    this.#stages.offerWriter = writer;
  }

  /** Changes a record under the client's eyes: the text between question and answer, scores, offers, the plan. */
  patch(id: string, fields: Partial<Negotiation>): void {
    Object.assign(this.get(id), fields);
    this.#store.changed();
  }

  /** Changes the text of a negotiation that waits in `formulated`. */
  setFormulatedText(id: string, text: string): void {
    this.patch(id, { demand_formulated: text });
  }

  /** Hears every event of the feed; the returned function stops it. */
  onEvent(listener: (event: WireEvent) => void): () => void {
    this.#record.listeners.add(listener);
    return () => void this.#record.listeners.delete(listener);
  }

  /** The record. Throws `Refused` 404. */
  get(id: string): Negotiation {
    const negotiation = this.#store.negotiations.get(id);
    if (negotiation === undefined) throw new Refused(404, `Negotiation ${id} not found`);
    return negotiation;
  }

  /** Creates a negotiation, snapshots the scene's agents, and starts it. */
  submit(scene: Scene, userId: string, intent: string, kStar: number | null, minScore: number | null): Negotiation {
    const negotiation = this.#create({
      scene_id: scene.scene_id,
      submittedBy: userId,
      demand_raw: intent,
      k_star: kStar,
      min_score: minScore,
      candidates: this.#store.sceneAgents(scene).map(({ agent_id, display_name }) => ({ agent_id, display_name })),
    });
    this.#start(negotiation);
    return negotiation;
  }

  /**
   * Confirms; the caller answers with the record as it still is. Throws `Refused` 404 and 409.
   * Until the engine wakes up a second confirm is taken as well, and its text wins. `by` is "other" when it does not
   * come over this API: somebody at another window of the same account.
   */
  confirm(id: string, text: string | null, by: "user" | "other" = "user"): Negotiation {
    const negotiation = this.get(id);
    if (negotiation.state !== "formulated")
      throw new Refused(409, `Cannot confirm: negotiation is in state ${negotiation.state}, expected 'formulated'`);
    const waiter = this.#waiters.get(id);
    if (waiter === undefined) throw new Refused(409, "Engine is not waiting for confirmation (may have timed out)");
    waiter.text = text;
    negotiation.confirmedBy = by;
    negotiation.confirmCount += 1;
    negotiation.confirmedText = text ?? String(negotiation.demand_formulated);
    this.#store.changed();
    waiter.confirmed();
    return negotiation;
  }

  /** Cancels: completed without a plan, and no event. A sub-negotiation is marked, but runs on into an error. */
  cancel(id: string): Negotiation {
    const negotiation = this.get(id);
    if (negotiation.state === "completed") throw new Refused(409, "Negotiation already completed");
    negotiation.cancelled = true;
    this.#record.enter(negotiation, "completed");
    this.#runs.get(id)?.abort();
    return negotiation;
  }

  /** Carries on with what a data file brought back. */
  resume(): void {
    for (const negotiation of this.#store.negotiations.values())
      if (negotiation.depth === 0 && negotiation.state !== "completed") this.#start(negotiation);
  }

  /** Negotiations that are under way. */
  get running(): number {
    return this.#runs.size;
  }

  /** Stops every run where it is. */
  close(): void {
    for (const run of this.#runs.values()) run.abort();
    this.#record.listeners.clear();
  }

  #create(fields: NewNegotiation): Negotiation {
    const negotiation = newNegotiation(`neg_${this.#random.hex(12)}`, fields);
    this.#store.negotiations.set(negotiation.negotiation_id, negotiation);
    this.#record.enter(negotiation, "created");
    return negotiation;
  }

  #start(negotiation: Negotiation): void {
    const run = new AbortController();
    this.#runs.set(negotiation.negotiation_id, run);
    void this.#run(negotiation, run.signal).finally(() => this.#runs.delete(negotiation.negotiation_id));
  }

  /** One negotiation from its present state to the end. Never rejects. */
  async #run(negotiation: Negotiation, signal: AbortSignal): Promise<void> {
    const { stepMs, barrierMs } = this.#options;
    const at = (state: State) => negotiation.state === state;
    try {
      if (at("created")) {
        await this.#options.clock.sleep(stepMs * 2, signal);
        this.#record.move(negotiation, "formulating");
      }
      if (at("formulating")) await this.#stages.formulate(negotiation, signal);
      if (at("formulated")) await this.#confirmation(negotiation, signal);
      if (at("encoding")) await this.#stages.resonate(negotiation, signal);
      if (at("offering")) await this.#stages.collectOffers(negotiation, signal);
      if (at("barrier_waiting")) {
        if (barrierMs > 0) await this.#options.clock.sleep(barrierMs, signal);
        negotiation.center_rounds = 1;
        this.#record.move(negotiation, "synthesizing");
      }
      if (at("synthesizing")) await this.#synthesize(negotiation, signal);
    } catch (error) {
      if (signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      negotiation.error = error instanceof InvalidTransition ? message : `Negotiation failed: ${message}`;
      if (negotiation.state !== "completed") this.#record.enter(negotiation, "completed");
      this.#store.changed();
    }
  }

  /** Waits for the person; after the deadline the engine confirms by itself with the text that it has. */
  async #confirmation(negotiation: Negotiation, signal: AbortSignal): Promise<void> {
    const { clock, confirmTimeoutMs, notWaitingMs, stepMs } = this.#options;
    const id = negotiation.negotiation_id;
    // Nobody is asked to confirm a sub-negotiation.
    if (negotiation.depth > 0) return this.#goOut(negotiation);
    if (notWaitingMs > 0) await clock.sleep(notWaitingMs, signal);
    const waiter: Waiter = { text: null, confirmed: () => {} };
    // After a restart: the confirm came, and only the engine had not moved yet.
    if (negotiation.confirmedBy === "user" || negotiation.confirmedBy === "other") {
      if (typeof negotiation.demand_formulated === "string") waiter.text = negotiation.confirmedText ?? null;
    } else {
      negotiation.confirmDeadline ??= clock.now() + confirmTimeoutMs;
      this.#waiters.set(id, waiter);
      this.#store.changed();
      let stop = () => {};
      try {
        await new Promise<void>((resolve, reject) => {
          waiter.confirmed = resolve;
          stop = clock.after(negotiation.confirmDeadline! - clock.now(), resolve);
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        });
        if (negotiation.confirmCount > 0) await clock.sleep(stepMs / 5, signal);
        else negotiation.confirmedBy = "timeout";
      } finally {
        stop();
        this.#waiters.delete(id);
      }
    }
    if (waiter.text !== null) negotiation.demand_formulated = waiter.text;
    this.#goOut(negotiation);
  }

  #goOut(negotiation: Negotiation): void {
    const text = negotiation.demand_formulated;
    negotiation.confirmedText = typeof text === "string" ? text : JSON.stringify(text);
    this.#record.move(negotiation, "encoding");
  }

  async #synthesize(negotiation: Negotiation, signal: AbortSignal): Promise<void> {
    const { stepMs, centerTimeoutMs } = this.#options;
    const marker = markersOf(negotiation.demand_raw).center;
    await this.#options.clock.sleep(marker === "hang" ? centerTimeoutMs : stepMs * 4, signal);
    if (marker === "sub" && negotiation.depth === 0) await this.#subNegotiation(negotiation, signal);
    this.#record.check(negotiation, "completed");
    const { community } = this.#options;
    const center = synthesize(negotiation, { agents: this.#store.agents, community }, marker);
    if (center.toolCall !== undefined) this.#record.emit(negotiation, "center.tool_call", center.toolCall);
    if (center.plan !== undefined) {
      this.#record.emit(negotiation, "plan.ready", center.plan);
      negotiation.plan_output = center.plan.plan_text;
    }
    if (center.error !== undefined) throw new Error(center.error);
    this.#record.move(negotiation, "completed");
  }

  /** A gap becomes a demand of its own, under the parent's run, that nobody is asked to confirm. */
  async #subNegotiation(parent: Negotiation, signal: AbortSignal): Promise<void> {
    const gap =
      languageOf(parent.demand_raw) === "zh"
        ? "没有人负责机器学习与 Python 代码的安全审计"
        : "Nobody covers the machine learning and python security audit";
    let child = this.#store.negotiations.get(parent.sub_session_ids[0] ?? "");
    if (child === undefined) {
      this.#record.emit(parent, "center.tool_call", {
        tool_name: "create_sub_demand",
        tool_args: { gap_description: gap },
        round_number: 1,
      });
      child = this.#create({ ...parent, demand_raw: `Sub-demand: ${gap}` });
      child.parent_negotiation_id = parent.negotiation_id;
      child.depth = parent.depth + 1;
      parent.sub_session_ids.push(child.negotiation_id);
      this.#record.emit(parent, "sub_negotiation.started", {
        sub_negotiation_id: child.negotiation_id,
        gap_description: gap,
      });
    }
    await this.#run(child, signal);
    signal.throwIfAborted();
  }
}
