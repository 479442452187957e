import type { ServerContext } from "@modelcontextprotocol/server";
import type { Settings } from "../../home/settings.ts";
import type { Platform } from "../../platform.ts";
import type { Mode } from "../../session/session.ts";
import type { Texts } from "../../text/index.ts";
import type { ResourceTexts } from "../../text/resources.ts";
import { CursorInvalid } from "../../tools/cursor.ts";
import type { Account } from "../account.ts";
import { invalidParams } from "../list-params.ts";
import type { ServerDeps } from "../server-deps.ts";

/** The dependencies of every read, which are the session's own memory and the backend as this user sees it. */
export interface ResourceDeps extends Platform, Pick<ServerDeps, "session" | "sessionless" | "prompt" | "timeOfDay"> {
  settings: () => Settings;
  /** Returns the texts of one language, worded for the reader of this server. */
  textsOf: (lang: "zh" | "en") => Texts;
  account: () => Account;
  mode: () => Mode;
  /**
   * Returns the text of a background task's result, an empty text while there is no result yet, or undefined if there
   * is no such task.
   */
  taskResult: (taskId: string, serverContext: ServerContext) => Promise<string | undefined>;
  /** Returns a random boundary for the fence. */
  boundary: () => string;
}

/** One read of a resource, with everything that the reading function needs. */
export interface Reading {
  uri: string;
  /** The parts of the URI that its template names, decoded. */
  ids: Readonly<Record<string, string>>;
  /** The number of the page, counted from 1. */
  page: number;
  /** The other parameters of the query. */
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
  /** True if the text holds more of other agents than their names. */
  holdsOthersText: boolean;
  _meta?: Record<string, unknown>;
}

/**
 * Returns the negotiations for one read. Requests for them carry the id of the read, and end when the client cancels
 * the read.
 */
export const negotiationsOf = ({ deps, signal, requestId }: Reading) =>
  deps.account().negotiations.forCall({ signal, requestId });

/** Throws the protocol's error for a cursor that does not belong to this list, and every other error unchanged. */
export function rethrowCursorError(error: unknown): never {
  if (!(error instanceof CursorInvalid)) throw error;
  throw invalidParams("cursor: it is damaged, or of a list with another filter");
}
