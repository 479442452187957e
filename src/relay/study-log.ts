import { toIso } from "../home/iso-time.ts";
import { maskPii } from "../safety/pii/pii.ts";
import { maskSecretField } from "../safety/secrets.ts";

export type Direction = "in" | "out" | "internal";

export interface StudyLogDeps {
  sessionId: string;
  now: () => number;
  /** Adds a line to the session's file, and never throws. */
  append: (line: string) => void;
  /** True if the person has started a study, so that each screen that the agent sees is kept, once for each change. */
  keepsScreens: boolean;
}

/** The longest text that is kept, because a résumé belongs in the room and not in a study. */
const MAX_TEXT = 4_000;

/**
 * Writes what happened in a session, one event a line, each as it happens (seed 002 §6). Secrets and personal data are
 * masked in texts. A screen is named only by its stage and its tools, because what it showed is the person's. In a
 * study that the person has started, each screen is an event of its own, and other events refer to the screen's number,
 * so that the session can be replayed.
 */
export class StudyLog {
  readonly #deps: StudyLogDeps;
  #index = 0;
  #screens = 0;
  #lastScreen = "";

  constructor(deps: StudyLogDeps) {
    this.#deps = deps;
  }

  add(direction: Direction, type: string, payload: object): void {
    const { uiSpec } = payload as { uiSpec?: object };
    const screen = uiSpec === undefined || !this.#deps.keepsScreens ? undefined : this.#screenOf(uiSpec);
    this.#write(direction, type, {
      ...(redacted(payload) as object),
      ...(screen !== undefined && { uiSpec: { stage: redacted((uiSpec as { stage?: unknown }).stage), screen } }),
    });
  }

  /** Returns the number of the screen, and writes the screen first if it differs from the last one. */
  #screenOf(uiSpec: object): number {
    const screen = redacted(Object.entries(uiSpec).map(([name, part]) => ({ name, part })));
    const text = JSON.stringify(screen);
    if (text !== this.#lastScreen) {
      this.#lastScreen = text;
      this.#screens++;
      const parts = (screen as { name: string; part: unknown }[]).map(({ name, part }) => [name, part]);
      this.#write("internal", "screen", { screen: this.#screens, uiSpec: Object.fromEntries(parts) });
    }
    return this.#screens;
  }

  #write(direction: Direction, type: string, payload: object): void {
    const { sessionId, now, append } = this.#deps;
    append(JSON.stringify({ sessionId, eventIndex: this.#index++, timestamp: toIso(now()), direction, type, payload }));
  }
}

/** The deepest nesting that is written. No message of the protocol is nearly that deep. */
const MAX_DEPTH = 20;
/** The longest field name that is used to find out what its text is. */
const MAX_LABEL = 200;

/**
 * Returns any JSON without secrets and personal data, because an agent's parameters are written down before they are
 * checked.
 */
function redacted(value: unknown, name = "", depth = 0): unknown {
  if (depth > MAX_DEPTH) return "…";
  if (typeof value === "string") return masked(value, name);
  if (typeof value === "number") return number(value, name);
  if (typeof value !== "object" || value === null) return value;
  const within = (one: unknown, label = name) => redacted(one, label, depth + 1);
  if (Array.isArray(value)) {
    if (name === "messageHistory") return value.length; // Each message was an event of its own.
    return value.map((one) => within(name === "toolSchema" ? one?.toolName : one));
  }
  if (name === "uiSpec") return { stage: within((value as { stage?: unknown }).stage) };
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [masked(key), within(one, key.slice(0, MAX_LABEL))]),
  );
}

/** Masks a JSON number, because a telephone number may be sent as one. */
function number(value: number, name: string): number | string {
  const written = masked(String(value), name);
  return written === String(value) ? value : written;
}

/** Masks a text before cutting it, because half a secret would not be recognised. */
const masked = (text: string, label = ""): string => maskPii(maskSecretField(label, text), label).slice(0, MAX_TEXT);
