import { TowowError } from "../errors.ts";

/**
 * These errors are everything that can go wrong between this program and the backend (contract section 4). Each error has its
 * own code, and a class if anything tests for it. `params.operation` names the client method that failed, and `detail` holds
 * the backend's own words, untrusted and cut.
 */

abstract class BackendError<P extends Record<string, string | number>> extends TowowError {
  declare readonly params: Readonly<P>;
  override readonly foreignParams = ["field", "target", "content_type", "state", "reason"];

  constructor(params: P, extra?: ConstructorParameters<typeof TowowError>[1]) {
    super(params, extra);
  }
}

/** An error that no code looks for by its class, because its code says everything. */
export class BackendFailure extends BackendError<Params> {
  readonly code: string;
  constructor(code: string, params: Params, extra?: ConstructorParameters<typeof TowowError>[1]) {
    super(params, extra);
    this.code = code;
  }
}
type Params = { operation: string } & Record<string, string | number>;

/**
 * The request certainly did not reach the backend, because the connection was refused, there is no such host, the connection
 * timed out, or a proxy stopped it.
 */
export class Unreachable extends BackendError<{ operation: string; origin: string; reason: string }> {
  readonly code = "tool.backend.unavailable.unreachable";
}

/**
 * `params.variable` names a variable that holds no usable proxy. Its value may hold a password and is never repeated.
 */
export class ProxyInvalid extends TowowError {
  readonly code = "tool.config.invalid.proxy";
}

/**
 * An environment variable makes Node or OpenSSL read a file by a relative path, which would lead into whatever project
 * is open. Nothing was sent. The params are `variable`, and `value`, which is the path.
 */
export class RelativePath extends TowowError {
  readonly code = "tool.config.invalid.relative_path";
}

/** A read was not answered within its time (`params.timeout_ms`). */
export class ReadTimeout extends BackendError<{ operation: string; timeout_ms: number }> {
  readonly code = "tool.backend.timeout.read";
}

/** A write may have happened. `reason` and `cause` say what hid its outcome. */
export class OutcomeUnknown extends BackendError<{ operation: string; reason: string }> {
  readonly code = "tool.backend.timeout.outcome_unknown";
}

/** The backend does not have this route, and answered 405, or a 404 that names no scene and no negotiation. */
export class RouteMissing extends BackendError<{ operation: string; status: number }> {
  readonly code = "tool.backend.unavailable.route_missing";
}

/**
 * A page came as the answer to a missing route, for which the backend answers in JSON, so something else answers at `address`.
 */
export class NotTowow extends BackendError<{ operation: string; status: number; address: string }> {
  readonly code = "tool.backend.invalid.not_towow";
}

export class ServerError extends BackendError<{ operation: string; status: number }> {
  readonly code = "tool.backend.unavailable.server_error";
}

/**
 * The backend answered with 429, or with 503 and Retry-After. `retryAfterSeconds` is set if the backend named a time.
 */
export class RateLimited extends BackendError<{ operation: string; status: number }> {
  readonly code = "tool.backend.unavailable.rate_limited";
}

/** This program is already trying too many tokens that the backend has not accepted yet. Nothing was sent. */
export class TooManyNewTokens extends BackendError<{ operation: string }> {
  readonly code = "tool.backend.unavailable.new_tokens";
}

/** A success that holds no JSON, but HTML from a proxy or an empty body. */
export class NotJson extends BackendError<{ operation: string; status: number; content_type: string }> {
  readonly code = "tool.backend.invalid.not_json";
}

/** What answers at the address speaks another protocol than HTTP. */
export class NotHttp extends BackendError<{ operation: string; origin: string }> {
  readonly code = "tool.backend.invalid.not_http";
}

/** The answer broke off, before its first byte (`stage: "head"`) or inside its body. */
export class CutBody extends BackendError<{ operation: string; stage: "head" | "body"; reason: string }> {
  readonly code = "tool.backend.invalid.cut_body";
}

/** Returns whether the backend gave no answer at all. */
export const isOutage = (error: TowowError): boolean =>
  /\.(unavailable|timeout)\./.test(error.code) || (error instanceof CutBody && error.params.stage === "head");

/** The JSON is not what this route answers. `field` is the first place that does not fit. */
export class WrongShape extends BackendError<{ operation: string; field: string }> {
  readonly code = "tool.backend.invalid.wrong_shape";
}

/** The answer has more than `limit_bytes` after decompression. */
export class TooLarge extends BackendError<{ operation: string; limit_bytes: number }> {
  readonly code = "tool.backend.invalid.too_large";
}

/** The backend answered with 401, and a renewed token did not help. */
export class TokenRejected extends BackendError<{ operation: string }> {
  readonly code = "tool.auth.unauthorized.token_rejected";
}

/** No token could be obtained in time, so the request that needed a token was not sent. */
export class TokenUnavailable extends BackendError<{ operation: string; reason: string }> {
  readonly code = "tool.auth.unavailable.token";
}

export class Forbidden extends BackendError<{ operation: string }> {
  readonly code = "tool.auth.blocked.forbidden";
}

export class UnknownScene extends BackendError<{ operation: string; scene_id: string }> {
  readonly code = "tool.scene.not_found.unknown_scene";
}

export class UnknownNegotiation extends BackendError<{ operation: string; negotiation_id: string }> {
  readonly code = "tool.negotiation.not_found.unknown_negotiation";
}

/** The agent is already in this scene, and its stored profile did not change. */
export class AlreadyRegistered extends BackendError<{ operation: string; scene_id: string; agent_id: string }> {
  readonly code = "tool.agent.conflict.already_registered";
}

/**
 * The agent is already in this scene after a registration whose answer was lost, so it is not known which profile is
 * stored.
 */
export class RegistrationUnclear extends BackendError<{ operation: string; scene_id: string; agent_id: string }> {
  readonly code = "tool.agent.conflict.registration_unclear";
}

/** The backend answered a confirm with 409. `state` is the negotiation's state, in lower case. */
export class NotFormulated extends BackendError<{ operation: string; negotiation_id: string; state: string }> {
  readonly code = "tool.negotiation.conflict.not_formulated";
}

/**
 * The backend answered a confirm with 409 although the state reads `formulated`, because the engine is not listening at
 * this moment.
 */
export class EngineNotWaiting extends BackendError<{ operation: string; negotiation_id: string }> {
  readonly code = "tool.negotiation.conflict.engine_not_waiting";
}

export class AlreadyCompleted extends BackendError<{ operation: string; negotiation_id: string }> {
  readonly code = "tool.negotiation.conflict.already_completed";
}
