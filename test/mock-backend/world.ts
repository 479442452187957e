import type { State } from "../../mock-backend/data.ts";
import {
  createMockBackend,
  type MockBackend,
  type MockOptions,
  type NegotiationView,
} from "../../mock-backend/main.ts";
import { ManualClock } from "../support/manual-clock.ts";

export const ORIGIN = "http://127.0.0.1:8801";
export const INTENT =
  "I need a technical partner to build an AI product with machine learning, python and frontend design";

/** The agents of the recordings; Alice has a skill more, so that she resonates most here as well. */
const AGENTS: [string, string, string[], string][] = [
  [
    "agent_alice",
    "Alice",
    ["python", "machine learning", "recommendation", "ai product design"],
    "Machine learning engineer building AI product prototypes",
  ],
  ["agent_bob", "Bob", ["react", "frontend", "product design"], "Frontend engineer for AI product teams"],
  ["agent_carol", "Carol", ["growth", "product management"], "Product manager with AI startup experience"],
  ["agent_zed", "Zed", ["pottery", "ceramics"], "Ceramic artist"],
  ["user_test", "Tester", ["python", "writing"], "Submits demands"],
];

export interface Answered {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what a foreign server sent is judged by the assertions
  body: any;
}

/** A mock on a manual clock, with the calls that tests make again and again. */
export class World {
  readonly clock = new ManualClock();
  readonly mock: MockBackend;

  constructor(options: MockOptions = {}) {
    this.mock = createMockBackend({ clock: this.clock, seed: 1, auth: false, sampleData: false, ...options });
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answered> {
    const sent = typeof body === "string" ? body : body === undefined ? undefined : JSON.stringify(body);
    const type = sent === undefined || "content-type" in headers ? {} : { "content-type": "application/json" };
    const response = await this.mock.fetch(
      new Request(`${ORIGIN}${path}`, {
        method,
        headers: { ...type, ...headers },
        ...(sent === undefined ? {} : { body: new TextEncoder().encode(sent) }),
      }),
    );
    const text = await response.text();
    const isJson = response.headers.get("content-type") === "application/json" && text !== "";
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  async scene(name = "AI co-founders"): Promise<string> {
    const created = await this.call("POST", "/v1/api/scenes", { name, description: "d", organizer_id: "o" });
    return created.body.scene_id;
  }

  /** A scene with the agents of the recordings; the submitter is an agent elsewhere. */
  async peopledScene(): Promise<string> {
    const elsewhere = await this.scene("Elsewhere");
    const sceneId = await this.scene();
    for (const [agent_id, display_name, skills, bio] of AGENTS)
      await this.call("POST", `/v1/api/scenes/${agent_id === "user_test" ? elsewhere : sceneId}/agents`, {
        agent_id,
        display_name,
        profile_data: { skills, bio },
      });
    return sceneId;
  }

  async submit(sceneId: string, intent = INTENT, more: object = {}): Promise<string> {
    const submitted = await this.call("POST", "/v1/api/negotiations/submit", {
      scene_id: sceneId,
      user_id: "user_test",
      intent,
      ...more,
    });
    return submitted.body.negotiation_id;
  }

  confirm(id: string, body: object = {}): Promise<Answered> {
    return this.call("POST", `/v1/api/negotiations/${id}/confirm`, body);
  }

  cancel(id: string): Promise<Answered> {
    return this.call("POST", `/v1/api/negotiations/${id}/action`, { action: "cancel" });
  }

  get(id: string): Promise<Answered> {
    return this.call("GET", `/v1/api/negotiations/${id}`);
  }

  view(id: string): NegotiationView {
    const found = this.mock.negotiations().find((one) => one.negotiation_id === id);
    if (found === undefined) throw new Error(`no negotiation ${id}`);
    return found;
  }

  async reach(id: string, state: State): Promise<void> {
    await this.clock.until(() => this.view(id).state === state, { stepMs: 5, limitMs: 400_000 });
  }

  /** A negotiation in the given state; confirmed by the user when that lies behind `formulated`. */
  async negotiationAt(state: State, sceneId: string, intent = INTENT, more: object = {}): Promise<string> {
    const id = await this.submit(sceneId, intent, more);
    if (["created", "formulating", "formulated"].includes(state)) {
      await this.reach(id, state);
      return id;
    }
    await this.reach(id, "formulated");
    await this.confirm(id);
    await this.reach(id, state);
    return id;
  }
}
