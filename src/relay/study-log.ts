import { toIso } from "../home/iso-time.ts";
import { maskPii } from "../safety/pii/pii.ts";
import { maskSecretField } from "../safety/secrets.ts";

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
/** Of a field's name, where it tells what its text is. */
const MAX_LABEL = 200;

/** Any JSON: an agent's parameters are written down before they are checked. */
function redacted(value: unknown, name = "", depth = 0): unknown {
  if (depth > MAX_DEPTH) return "…";
  if (typeof value === "string") return masked(value, name);
  if (typeof value === "number") return number(value, name);
  if (typeof value !== "object" || value === null) return value;
  const within = (one: unknown, label = name) => redacted(one, label, depth + 1);
  if (Array.isArray(value)) {
    if (name === "messageHistory") return value.length; // each was an event of its own
    return value.map((one) => within(name === "toolSchema" ? one?.toolName : one));
  }
  if (name === "uiSpec") return { stage: within((value as { stage?: unknown }).stage) };
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [masked(key), within(one, key.slice(0, MAX_LABEL))]),
  );
}

/** A telephone number is one also where it stands without quotes. */
function number(value: number, name: string): number | string {
  const written = masked(String(value), name);
  return written === String(value) ? value : written;
}

/** Cut last: half a secret is not found as one. */
const masked = (text: string, label = ""): string => maskPii(maskSecretField(label, text), label).slice(0, MAX_TEXT);
