import { toIso } from "../home/iso-time.ts";
import { maskPii } from "../safety/pii/pii.ts";
import { maskSecrets } from "../safety/secrets.ts";

export type Direction = "in" | "out" | "internal";

export interface StudyLogDeps {
  sessionId: string;
  now: () => number;
  /** Adds a line to the session's file; never throws. */
  append: (line: string) => void;
}

/** A résumé belongs into the room, not into a study. */
const MAX_TEXT = 4_000;

/**
 * What happened in a session, one event a line, each written as it happens (seed 002 §6). Texts have no secret and no
 * personal data, and a screen is named by its stage and its tools: what it showed is the person's.
 */
export class StudyLog {
  readonly #deps: StudyLogDeps;
  #index = 0;

  constructor(deps: StudyLogDeps) {
    this.#deps = deps;
  }

  add(direction: Direction, type: string, payload: object): void {
    const { sessionId, now, append } = this.#deps;
    const timestamp = toIso(now());
    append(
      JSON.stringify({ sessionId, eventIndex: this.#index++, timestamp, direction, type, payload: redacted(payload) }),
    );
  }
}

/** No message of the protocol is nearly so deep. */
const MAX_DEPTH = 20;

function redacted(value: unknown, name = "", depth = 0): unknown {
  if (depth > MAX_DEPTH) return "…";
  if (typeof value === "string") return maskPii(maskSecrets(value.slice(0, MAX_TEXT)), name);
  if (name === "messageHistory" && Array.isArray(value)) return value.length; // each was an event of its own
  if (Array.isArray(value))
    return name === "toolSchema"
      ? value.map((tool) => tool.toolName)
      : value.map((one) => redacted(one, name, depth + 1));
  if (typeof value !== "object" || value === null) return value;
  if (name === "uiSpec") return { stage: (value as { stage?: unknown }).stage };
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, redacted(one, key, depth + 1)]));
}
