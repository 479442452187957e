import type * as z from "zod";
import { TowowError } from "../errors.ts";
import { illFormedIn } from "../json.ts";
import {
  AlreadyCompleted,
  AlreadyRegistered,
  BackendFailure,
  EngineNotWaiting,
  NotFormulated,
  UnknownNegotiation,
  UnknownScene,
} from "./errors.ts";

/** What a caller may set for one request. */
export interface CallOptions {
  /** Ends the call, which then rejects with the signal's own reason. */
  signal?: AbortSignal;
  /** The `X-Request-Id`, which is the same for every attempt. If absent, a fresh id is used. */
  requestId?: string;
  /** The `Idempotency-Key` of a write, which is the same for every attempt. If absent, a fresh key is used. */
  idempotencyKey?: string;
  /**
   * The longest that the call may take with its retries, once it has its token, in milliseconds. Getting the token may
   * take as long again.
   */
  timeoutMs?: number;
  /** Sends nothing, and throws DryRun with the request that would have been sent. */
  dryRun?: true;
  /** Called with every answer before its body is read. */
  onHead?: (head: { status: number; headers: Pick<Headers, "get"> }) => void;
}

/** One request, and everything that is needed to read its answer. */
export interface Operation<T> {
  /** The client method, for errors and logs. */
  name: string;
  method: "GET" | "POST";
  url: URL;
  /** The body of a POST, already checked. */
  body?: Record<string, unknown>;
  /** The shape of a success. */
  answer: z.ZodType<T>;
  readRejection?: ReadRejection;
  /** Reads what can still be known from a success that broke off or has another shape. Returns `undefined` if nothing can. */
  readBeginning?: (text: string) => T | undefined;
  /** Set if a success gives a token, which may be the very token that was sent. */
  answersToken?: true;
}

/**
 * Returns the error that a route means by a status and the backend's `detail`, or `undefined` if the route has none of
 * its own.
 */
export type ReadRejection = (status: number, detail: string) => TowowError | undefined;

/**
 * Checks a body before it is sent.
 * @throws `tool.input.invalid.rejected_by_backend` for what the backend would refuse, `tool.input.invalid.ill_formed`
 * for a text that UTF-8 cannot carry, because the engine fails at it after it has acted
 */
export function outbound<T extends Record<string, unknown>>(name: string, schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) {
    const broken = illFormedIn(parsed.data);
    if (broken === undefined) return parsed.data;
    throw new BackendFailure("tool.input.invalid.ill_formed", { operation: name, field: broken });
  }
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join(".") || "body";
  throw new BackendFailure(
    "tool.input.invalid.rejected_by_backend",
    { operation: name, field },
    { detail: `${field}: ${issue?.message}`, detailFrom: "program" },
  );
}

/**
 * The request was not sent, because the profile is `dry_run`. The error holds the exact request that would have been
 * sent (agent layer §6).
 */
export class DryRun extends TowowError {
  readonly code = "tool.policy.blocked.dry_run";
  readonly request: { method: string; url: string; body?: unknown };

  constructor({ name, method, url, body }: Operation<unknown>) {
    super({ operation: name });
    this.request = { method, url: url.href, ...(body !== undefined && { body }) };
  }
}

// The following functions say what each route means by its 400, 404 and 409, read from `detail` as the real engine words it. If
// an answer is none of the route's own rejections, they return `undefined`, and `exchange.ts` then goes by the status alone.

/**
 * Returns whether a 404 says that a scene, an agent or a negotiation is missing. The framework's own 404 says only "Not Found",
 * which means that the route is missing.
 */
const isMissingThing = (status: number, detail: string): boolean =>
  status === 404 && detail !== "" && detail.toLowerCase() !== "not found";

export const sceneRejections =
  (operation: string, scene_id: string): ReadRejection =>
  (status, detail) =>
    isMissingThing(status, detail) ? new UnknownScene({ operation, scene_id }, { detail }) : undefined;

export const negotiationRejections =
  (operation: string, negotiation_id: string): ReadRejection =>
  (status, detail) =>
    isMissingThing(status, detail) ? new UnknownNegotiation({ operation, negotiation_id }, { detail }) : undefined;

export const registrationRejections =
  (operation: string, scene_id: string, agent_id: string): ReadRejection =>
  (status, detail) =>
    status === 409 && /already/i.test(detail)
      ? new AlreadyRegistered({ operation, scene_id, agent_id }, { detail })
      : sceneRejections(operation, scene_id)(status, detail);

export const confirmRejections =
  (operation: string, negotiation_id: string): ReadRejection =>
  (status, detail): TowowError | undefined => {
    const params = { operation, negotiation_id };
    const state = /in state (\w+)/i.exec(detail)?.[1]?.toLowerCase();
    if (status === 409 && state !== undefined) return new NotFormulated({ ...params, state }, { detail });
    if (status === 409 && /not waiting/i.test(detail)) return new EngineNotWaiting(params, { detail });
    return negotiationRejections(operation, negotiation_id)(status, detail);
  };

export const actionRejections =
  (operation: string, negotiation_id: string, action: string): ReadRejection =>
  (status, detail): TowowError | undefined => {
    const params = { operation, negotiation_id };
    if (status === 400 && /unknown action/i.test(detail))
      return new BackendFailure("tool.negotiation.invalid.unknown_action", { ...params, action }, { detail });
    if (status === 409 && /already completed/i.test(detail)) return new AlreadyCompleted(params, { detail });
    return negotiationRejections(operation, negotiation_id)(status, detail);
  };
