import type { MockBackend } from "../../mock-backend/main.ts";
import type { Said } from "../faults/said.ts";
import type { Called } from "../support/clients.ts";
import type { ManualClock } from "../support/manual-clock.ts";
import type { Decision } from "./table.ts";

/** What a person meets at one door, and does there. */
export interface Door {
  clock: ManualClock;
  mock: MockBackend;
  join(): Promise<Said>;
  /** A demand, until its question stands before the person. Told of one that does not come so far. */
  demand(intent: string): Promise<Met>;
  /** The question about this one, as they find it. */
  ask(id: string): Promise<Met>;
  decide(decision: Decision): Promise<Said>;
  leave(): Promise<void>;
  /** What they read of it now. */
  look(): Promise<Said>;
  cancel(): Promise<Said>;
  restart(): Promise<void>;
  /** The same person decides in another session. */
  elsewhere(decision: Decision): Promise<void>;
  /** A demand of another person at the same backend. */
  strangers(): Promise<string>;
  /** What the other surfaces of the same home say. */
  beside(): Promise<readonly (Said & { surface: string })[]>;
}

/** What was met; without a question, why. */
export interface Met {
  id?: string | undefined;
  said: Said;
}

export const OWN_TEXT = "My python";
export const PROFILE = { skills: ["python", "kilns"], bio: "A potter who looks for cafés." };
export const NAME = "Lin";

export const saidIn = ({ result: { data, error, summary, status, warnings } }: Called): Said => ({
  text: [summary, error?.message, error?.recovery_suggestion].filter(Boolean).join("\n"),
  codes: warnings,
  state: data?.state,
  isSuccess: error === null && status === "ok" && data?.state === "completed",
  isWhole: error === null,
});
