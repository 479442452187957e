import type { ServerContext } from "@modelcontextprotocol/server";
import type { Settings } from "../../home/settings.ts";
import type { Log } from "../../log.ts";
import type { Mode, Session } from "../../session/session.ts";
import type { Texts } from "../../text/index.ts";
import type { ResourceTexts } from "../../text/resources.ts";
import { CursorInvalid } from "../../tools/cursor.ts";
import type { Account } from "../account.ts";
import { invalidParams } from "../list-params.ts";

/** What resources are read from: the session's own memory, and the backend as this user sees it. */
export interface ResourceDeps {
  settings: () => Settings;
  /** The sentences of one language, for who reads here. */
  textsOf: (lang: "zh" | "en") => Texts;
  account: () => Account;
  mode: () => Mode;
  /** See {@link ServerDeps.sessionless}. */
  sessionless?: boolean;
  /** The text of `prompts/<name>.<lang>.md`. */
  prompt: (name: string, lang: "zh" | "en") => Promise<string>;
  session: Session;
  log: Log;
  newId: () => string;
  now: () => number;
  timeOfDay: (atMs: number) => string;
  /** The text of a background task's result; empty while it has none, undefined where there is no such task. */
  taskResult: (taskId: string, serverContext: ServerContext) => Promise<string | undefined>;
  /** A random boundary for the fence. */
  boundary: () => string;
}

/** What one read works with. */
export interface Reading {
  uri: string;
  /** The parts of the URI that its template names, decoded. */
  ids: Readonly<Record<string, string>>;
  /** From 1. */
  page: number;
  /** What else its query says. */
  filters: Readonly<Record<string, string>>;
  settings: Settings;
  texts: ResourceTexts;
  signal: AbortSignal;
  requestId: string;
  now: () => number;
  deps: ResourceDeps;
  serverContext: ServerContext;
}

export interface Contents {
  text: string;
  /** Whether it holds text of other agents, rather than names and the person's own words. */
  holdsOthersText: boolean;
  _meta?: Record<string, unknown>;
}

/** The negotiations as one read asks for them: under its id, and until its client withdraws it. */
export const negotiationsOf = ({ deps, signal, requestId }: Reading) =>
  deps.account().negotiations.forCall({ signal, requestId });

/** Throws a cursor that is none of this list as the protocol's refusal, everything else as it is. */
export function refuseCursor(error: unknown): never {
  if (!(error instanceof CursorInvalid)) throw error;
  throw invalidParams("cursor: it is damaged, or of a list with another filter");
}
