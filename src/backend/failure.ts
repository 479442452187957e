/** What a thrown network failure says about the request: `reached: false` only where that is certain. */
export interface NetworkFailure {
  reached: boolean;
  /** Refused on this side, for good: a certificate, or a port that no web client may use. Asking again does not help. */
  blocked?: true;
  /** The system's or undici's code, for example `ECONNREFUSED`. */
  reason: string;
}

const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_PRX_TLS"]);

/** What answers speaks another protocol. */
export const NOT_HTTP = "not_http";

/** Why a request ends at its bound. */
export class TimedOut extends Error {
  /** False only where certainly nothing went out: it was still connecting. */
  readonly wasSent: boolean;

  constructor({ wasSent }: { wasSent: boolean }) {
    super();
    this.wasSent = wasSent;
  }
}

/** A proxy ended the connection instead of opening the tunnel that it was asked for. */
export class TunnelClosed extends Error {}

/** What is to be a SOCKS5 proxy speaks another protocol. */
export class NotSocks extends Error {}

/** Reads the chain of causes: where an error wraps another one, it says nothing itself. */
export function networkFailure(thrown: unknown): NetworkFailure {
  const chain = causes(thrown);
  if (chain.some(isProxyRefusal)) return { reached: false, reason: "proxy_refused" };
  if (chain.some((error) => error instanceof NotSocks)) return { reached: false, reason: "proxy_not_socks" };
  if (chain.some((error) => error instanceof TimedOut && !error.wasSent)) return { reached: false, reason: "timeout" };
  if (chain.some(isBadPort)) return { reached: false, blocked: true, reason: "bad_port" };
  // While connecting, it is the proxy that does not speak it.
  if (chain.some(isOtherProtocol))
    return chain.some(isConnecting)
      ? { reached: false, reason: "proxy_not_http" }
      : { reached: true, reason: NOT_HTTP };
  const reason = chain.map(codeOf).findLast((code) => code !== undefined) ?? "unknown";
  const blocked = isCertificate(reason) || (isTlsRefusal(reason) && chain.some(isConnecting));
  if (blocked) return { reached: false, blocked, reason };
  return { reached: !chain.some(wasNeverSent), reason };
}

/** For the pool: what fails in a TLS handshake says "read", or nothing, though no request was sent yet. */
export const whileConnecting = (error: Error): Error => Object.assign(error, { syscall: "connect" });

/** fetch has words, but no code, for a port of another protocol (1, 22, 6000, …), which no web client may use. */
const isBadPort = ({ message }: Error): boolean => message === "bad port";

const wasNeverSent = (error: Error): boolean => NEVER_SENT.has(codeOf(error) ?? "") || isConnecting(error);

/** Found only in a handshake, unlike the other troubles of TLS, which an attacker or a bad line brings about later too. */
const isCertificate = (reason: string): boolean =>
  /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(reason);

const isTlsRefusal = (reason: string): boolean => isCertificate(reason) || /^ERR_(TLS|SSL)_/.test(reason);

/** A certificate that an authority has signed which nobody here knows: its file is what is missing. */
export const isUnknownAuthority = (reason: string): boolean =>
  /^(CERT_UNTRUSTED$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(reason);

/** undici has words, but no code, for a proxy that refuses the tunnel or asks for a password. */
const isProxyRefusal = (error: Error): boolean =>
  error instanceof TunnelClosed || /HTTP Tunneling|Proxy Authentication Required/.test(error.message);

/** The same for an answer whose first bytes are no status line: that of ssh, of a database, of TLS. */
const isOtherProtocol = ({ name, message }: Error): boolean =>
  name === "HTTPParserError" && message.includes("Expected HTTP/");

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
