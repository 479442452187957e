/** What a network failure says about the request. `reached` is false only if the request certainly did not arrive. */
export interface NetworkFailure {
  reached: boolean;
  /**
   * Set if this side refused for good, because of a certificate or of a port that no web client may use. Asking again
   * does not help.
   */
  blocked?: true;
  /** The system's or undici's code, for example `ECONNREFUSED`. */
  reason: string;
}

const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_PRX_TLS"]);

/** The reason of a failure if the other side speaks another protocol. */
export const NOT_HTTP = "not_http";

/** The reason with which a request ends at its time limit. */
export class TimedOut extends Error {
  /** False only if certainly nothing went out, because the request was still connecting. */
  readonly wasSent: boolean;

  constructor({ wasSent }: { wasSent: boolean }) {
    super();
    this.wasSent = wasSent;
  }
}

/** A proxy ended the connection instead of opening the tunnel that it was asked for. */
export class TunnelClosed extends Error {}

/** The supposed SOCKS5 proxy speaks another protocol. */
export class NotSocks extends Error {}

/** Reads a failure from the chain of its causes, because an error that wraps another error says nothing itself. */
export function networkFailure(thrown: unknown): NetworkFailure {
  const chain = causes(thrown);
  if (chain.some(isProxyRefusal)) return { reached: false, reason: "proxy_refused" };
  if (chain.some((error) => error instanceof NotSocks)) return { reached: false, reason: "proxy_not_socks" };
  if (chain.some((error) => error instanceof TimedOut && !error.wasSent)) return { reached: false, reason: "timeout" };
  if (chain.some(isBadPort)) return { reached: false, blocked: true, reason: "bad_port" };
  // If this happens while connecting, the proxy speaks another protocol.
  if (chain.some(isOtherProtocol))
    return chain.some(isConnecting)
      ? { reached: false, reason: "proxy_not_http" }
      : { reached: true, reason: NOT_HTTP };
  const reason = chain.map(codeOf).findLast((code) => code !== undefined) ?? "unknown";
  const blocked = isCertificate(reason) || (isTlsRefusal(reason) && chain.some(isConnecting));
  if (blocked) return { reached: false, blocked, reason };
  return { reached: !chain.some(wasNeverSent), reason };
}

/**
 * Marks an error of the pool as an error of connecting. A failure in a TLS handshake says "read", or nothing, although no
 * request was sent yet.
 */
export const whileConnecting = (error: Error): Error => Object.assign(error, { syscall: "connect" });

/**
 * Returns whether a port belongs to another protocol (1, 22, 6000, …), so that no web client may use it. fetch names this
 * failure in words only, without a code.
 */
const isBadPort = ({ message }: Error): boolean => message === "bad port";

const wasNeverSent = (error: Error): boolean => NEVER_SENT.has(codeOf(error) ?? "") || isConnecting(error);

/**
 * Returns whether a certificate was refused. A certificate is refused only in a handshake, whereas an attacker or a bad line
 * can cause other TLS errors later too.
 */
const isCertificate = (reason: string): boolean =>
  /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(reason);

const isTlsRefusal = (reason: string): boolean => isCertificate(reason) || /^ERR_(TLS|SSL)_/.test(reason);

/**
 * Returns whether a certificate was signed by an authority that is not known here, so that only the authority's file is
 * missing.
 */
export const isUnknownAuthority = (reason: string): boolean =>
  /^(CERT_UNTRUSTED$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(reason);

/**
 * Returns whether a proxy refused the tunnel or asks for a password. undici names these failures in words only, without a code.
 */
const isProxyRefusal = (error: Error): boolean =>
  error instanceof TunnelClosed || /HTTP Tunneling|Proxy Authentication Required/.test(error.message);

/**
 * Returns whether the first bytes of an answer are no status line, but come from ssh, a database or TLS, for example. undici
 * has no code for this either.
 */
const isOtherProtocol = ({ name, message }: Error): boolean =>
  name === "HTTPParserError" && message.includes("Expected HTTP/");

/**
 * Returns whether an error happened in `connect` or in the name look-up, whatever its code (EHOSTUNREACH, ENETUNREACH,
 * …).
 */
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
