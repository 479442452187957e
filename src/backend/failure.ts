/** What a thrown network failure says about the request: `reached: false` only where that is certain. */
export interface NetworkFailure {
  reached: boolean;
  /** Refused on this side, for good: a certificate, or a port that no web client may use. Asking again does not help. */
  blocked?: true;
  /** The system's or Node's code, for example `ECONNREFUSED`. */
  reason: string;
}

const neverSent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);

/** A port of another protocol (1, 22, 6000, …), which no web client may use. */
export class BadPort extends Error {}

/** A proxy that refuses the tunnel, or asks for a password. */
export class ProxyRefused extends Error {}

/** No connection to a proxy. */
export class ProxyUnreachable extends Error {
  constructor(cause: Error) {
    super("no connection to the proxy", { cause });
  }
}

/** The system would have waited longer. */
export class ConnectTimeout extends Error {
  readonly code = "ETIMEDOUT";
  readonly syscall = "connect";
}

/** Answered by a server that does not change the protocol. */
export class NotUpgraded extends Error {}

/** Reads the chain of causes: where an error wraps another one, it says nothing itself. */
export function networkFailure(thrown: unknown): NetworkFailure {
  const chain = causes(thrown);
  if (chain.some((error) => error instanceof ProxyRefused)) return { reached: false, reason: "proxy_refused" };
  if (chain.some((error) => error instanceof ProxyUnreachable)) return { reached: false, reason: "proxy_unreachable" };
  if (chain.some((error) => error instanceof BadPort)) return { reached: false, blocked: true, reason: "bad_port" };
  const reason = chain.map(codeOf).findLast((code) => code !== undefined) ?? "unknown";
  const blocked = isCertificate(reason) || (isTlsRefusal(reason) && chain.some(isConnecting));
  if (blocked) return { reached: false, blocked, reason };
  return { reached: !chain.some(wasNeverSent), reason };
}

/** What fails in a TLS handshake says "read", or nothing, though no request was sent yet. */
export const whileConnecting = (error: Error): Error => Object.assign(error, { syscall: "connect" });

const wasNeverSent = (error: Error): boolean => neverSent.has(codeOf(error) ?? "") || isConnecting(error);

/** Found only in a handshake, unlike the other troubles of TLS, which an attacker or a bad line brings about later too. */
const isCertificate = (reason: string): boolean =>
  /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(reason);

export const isTlsRefusal = (reason: string): boolean => isCertificate(reason) || /^ERR_(TLS|SSL)_/.test(reason);

/** Failed in `connect` or in the name look-up, whatever the code: EHOSTUNREACH, ENETUNREACH, … */
function isConnecting(error: Error): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isConnecting);
  return "syscall" in error && (error.syscall === "connect" || error.syscall === "getaddrinfo");
}

function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

function causes(thrown: unknown): Error[] {
  const chain: Error[] = [];
  for (let error = thrown; error instanceof Error && chain.length < 8; error = error.cause) chain.push(error);
  return chain;
}
