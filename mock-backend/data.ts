/** What the mock keeps: the engine's records, with the fields of the wire under the wire's own names. */

export const STATES = [
  "created",
  "formulating",
  "formulated",
  "encoding",
  "offering",
  "barrier_waiting",
  "synthesizing",
  "completed",
] as const;
export type State = (typeof STATES)[number];

export interface Scene {
  scene_id: string;
  name: string;
  description: string;
  organizer_id: string;
  expected_responders: number;
  access_policy: string;
  status: string;
  agent_ids: string[];
}

export type Profile = Record<string, unknown>;

/** One record per agent id for the whole backend, whichever scene registered it last. */
export interface Agent {
  agent_id: string;
  display_name: string;
  source: string;
  profile_data: Profile;
}

export interface Participant {
  agent_id: string;
  display_name: string;
  resonance_score: number;
  state: "active" | "replied" | "exited";
  /** Absent until the agent replied; any JSON afterwards. */
  offer_content?: unknown;
  offer_capabilities?: unknown;
}

export interface WireEvent {
  event_type: string;
  negotiation_id: string;
  timestamp: string;
  event_id: string;
  data: Record<string, unknown>;
}

/** A negotiation with everything that REST hides of it. */
export interface Negotiation {
  negotiation_id: string;
  state: State;
  demand_raw: string;
  /** A string or null, save after a formulation that gave a list or an object: then GET answers 500. */
  demand_formulated: unknown;
  participants: Participant[];
  plan_output: string | null;
  center_rounds: number;
  parent_negotiation_id: string | null;
  sub_session_ids: string[];
  depth: number;

  scene_id: string;
  /** The `user_id` of the submit, which the engine takes on trust. */
  submittedBy: string;
  k_star: number | null;
  min_score: number | null;
  /** The scene's agents at the moment of the submit. */
  candidates: { agent_id: string; display_name: string }[];
  cancelled: boolean;
  /** Of this API, the engine's own deadline, or somebody who reached the backend in another way. */
  confirmedBy: "user" | "timeout" | "other" | undefined;
  /** How many confirms were answered 200 (or took effect behind a 500). */
  confirmCount: number;
  /** The text that goes, or went, out. */
  confirmedText: string | undefined;
  /** When the engine confirms by itself, ms since the epoch. */
  confirmDeadline: number | undefined;
  error: string | undefined;
  degraded: boolean;
  degradedReason: string;
  /** When each state was entered, ms since the epoch. */
  times: Partial<Record<State, number>>;
  events: WireEvent[];
}

/** Timestamps as Python's `isoformat()` has them. */
export function isoformat(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000+00:00");
}

export type NewNegotiation = Pick<
  Negotiation,
  "scene_id" | "submittedBy" | "demand_raw" | "k_star" | "min_score" | "candidates"
>;

export function newNegotiation(id: string, fields: NewNegotiation): Negotiation {
  return {
    negotiation_id: id,
    state: "created",
    demand_raw: fields.demand_raw,
    demand_formulated: null,
    participants: [],
    plan_output: null,
    center_rounds: 0,
    parent_negotiation_id: null,
    sub_session_ids: [],
    depth: 0,
    scene_id: fields.scene_id,
    submittedBy: fields.submittedBy,
    k_star: fields.k_star,
    min_score: fields.min_score,
    candidates: fields.candidates,
    cancelled: false,
    confirmedBy: undefined,
    confirmCount: 0,
    confirmedText: undefined,
    confirmDeadline: undefined,
    error: undefined,
    degraded: false,
    degradedReason: "",
    times: {},
    events: [],
  };
}

/** What the engine works with: the demand as confirmed, or as submitted when the confirmed text is empty. */
export function demandOf(negotiation: Negotiation): string {
  const { demand_formulated: text, demand_raw: raw } = negotiation;
  return typeof text === "string" && text !== "" ? text : raw;
}

/** A copy for assertions: changing it changes nothing. */
export type NegotiationView = Readonly<Negotiation>;

/** All records of one backend, and the hook that persists them. */
export class Store {
  readonly scenes = new Map<string, Scene>();
  readonly agents = new Map<string, Agent>();
  readonly negotiations = new Map<string, Negotiation>();
  /** Called after every change. */
  changed: () => void = () => {};

  sceneAgents(scene: Scene): Agent[] {
    return scene.agent_ids.map((id) => this.agents.get(id)).filter((agent) => agent !== undefined);
  }
}
