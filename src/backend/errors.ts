import { TowowError } from "../errors.ts";

/**
 * What can go wrong between here and the backend, contract section 4: one code each, and a class where somebody tests for it. Every one carries
 * `params.operation`, the client method that failed. `detail` is the backend's own words, untrusted and cut.
 */

abstract class BackendError<P extends Record<string, string | number>> extends TowowError {
  declare readonly params: Readonly<P>;
  override readonly foreignParams = ["field", "target", "content_type", "state", "reason"];

  constructor(params: P, extra?: ConstructorParameters<typeof TowowError>[1]) {
    super(params, extra);
  }
}

/** One that nobody looks for by its class: its code says all. */
export class BackendFailure extends BackendError<Params> {
  readonly code: string;
  constructor(code: string, params: Params, extra?: ConstructorParameters<typeof TowowError>[1]) {
    super(params, extra);
    this.code = code;
  }
}
type Params = { operation: string } & Record<string, string | number>;

/** The request certainly did not reach the backend: refused, no such host, connect timeout, a proxy. */
export class Unreachable extends BackendError<{ operation: string; origin: string; reason: string }> {
  readonly code = "tool.backend.unavailable.unreachable";
}

/** `params.variable` names no proxy that can be used. Its value may hold a password, and is never repeated. */
export class ProxyInvalid extends TowowError {
  readonly code = "tool.config.invalid.proxy";
}

/**
 * Node or OpenSSL was told to read a file by a relative path, which lies in whatever project is open. Nothing was sent.
 * Params: `variable`, and the path, `value`.
 */
export class RelativePath extends TowowError {
  readonly code = "tool.config.invalid.relative_path";
}

/** No answer to a read within its time (`params.timeout_ms`). */
export class ReadTimeout extends BackendError<{ operation: string; timeout_ms: number }> {
  readonly code = "tool.backend.timeout.read";
}

/** A write that may have happened. `reason` and `cause` say what hid its outcome. */
export class OutcomeUnknown extends BackendError<{ operation: string; reason: string }> {
  readonly code = "tool.backend.timeout.outcome_unknown";
}

/** The backend does not have this route: 405, or a 404 that names no scene and no negotiation. */
export class RouteMissing extends BackendError<{ operation: string; status: number }> {
  readonly code = "tool.backend.unavailable.route_missing";
}

/** A page where the backend would say in JSON that it has no such route: what answers at `address` is something else. */
export class NotTowow extends BackendError<{ operation: string; status: number; address: string }> {
  readonly code = "tool.backend.invalid.not_towow";
}

/** A 5xx. */
export class ServerError extends BackendError<{ operation: string; status: number }> {
  readonly code = "tool.backend.unavailable.server_error";
}

/** 429, or 503 with Retry-After; `retryAfterSeconds` when the backend named a time. */
export class RateLimited extends BackendError<{ operation: string; status: number }> {
  readonly code = "tool.backend.unavailable.rate_limited";
}

/** Too many tokens that the backend has not accepted yet are tried here at once. Nothing was sent. */
export class NewTokensWait extends BackendError<{ operation: string }> {
  readonly code = "tool.backend.unavailable.new_tokens";
}

/** A success that is no JSON: HTML from a proxy, an empty body. */
export class NotJson extends BackendError<{ operation: string; status: number; content_type: string }> {
  readonly code = "tool.backend.invalid.not_json";
}

/** What answers at the address speaks another protocol than HTTP. */
export class NotHttp extends BackendError<{ operation: string; origin: string }> {
  readonly code = "tool.backend.invalid.not_http";
}

/** The answer broke off: before its first byte (`stage: "head"`) or inside its body. */
export class CutBody extends BackendError<{ operation: string; stage: "head" | "body"; reason: string }> {
  readonly code = "tool.backend.invalid.cut_body";
}

/** Whether the backend gave no answer at all. */
export const isOutage = (error: TowowError): boolean =>
  /\.(unavailable|timeout)\./.test(error.code) || (error instanceof CutBody && error.params.stage === "head");

/** JSON that is not what this route answers; `field` is the first place that does not fit. */
export class WrongShape extends BackendError<{ operation: string; field: string }> {
  readonly code = "tool.backend.invalid.wrong_shape";
}

/** More than `limit_bytes` after decompression. */
export class TooLarge extends BackendError<{ operation: string; limit_bytes: number }> {
  readonly code = "tool.backend.invalid.too_large";
}

/** 401, and a renewal did not help. */
export class TokenRejected extends BackendError<{ operation: string }> {
  readonly code = "tool.auth.unauthorized.token_rejected";
}

/** No token was to be had in time; what needed one was not sent. */
export class TokenUnavailable extends BackendError<{ operation: string; reason: string }> {
  readonly code = "tool.auth.unavailable.token";
}

/** 403. */
export class Forbidden extends BackendError<{ operation: string }> {
  readonly code = "tool.auth.blocked.forbidden";
}

export class UnknownScene extends BackendError<{ operation: string; scene_id: string }> {
  readonly code = "tool.scene.not_found.unknown_scene";
}

export class UnknownNegotiation extends BackendError<{ operation: string; negotiation_id: string }> {
  readonly code = "tool.negotiation.not_found.unknown_negotiation";
}

/** The agent is in this scene already; its stored profile did not change. */
export class AlreadyRegistered extends BackendError<{ operation: string; scene_id: string; agent_id: string }> {
  readonly code = "tool.agent.conflict.already_registered";
}

/** The same after a registration whose answer was lost: which of the profiles is stored is not known. */
export class RegistrationUnclear extends BackendError<{ operation: string; scene_id: string; agent_id: string }> {
  readonly code = "tool.agent.conflict.registration_unclear";
}

/** 409 on confirm: the negotiation is in `state`, lower-cased. */
export class NotFormulated extends BackendError<{ operation: string; negotiation_id: string; state: string }> {
  readonly code = "tool.negotiation.conflict.not_formulated";
}

/** 409 on confirm while the state reads `formulated`: the engine is not listening at this moment. */
export class EngineNotWaiting extends BackendError<{ operation: string; negotiation_id: string }> {
  readonly code = "tool.negotiation.conflict.engine_not_waiting";
}

export class AlreadyCompleted extends BackendError<{ operation: string; negotiation_id: string }> {
  readonly code = "tool.negotiation.conflict.already_completed";
}
