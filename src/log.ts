/** Structured log as a dependency. Fields never hold tokens, profile bodies, demand texts or personal data. */
export interface Log {
  debug(event: string, fields?: Record<string, unknown>): void;
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

const BEARER = /\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi;
const SECRET_PARAMETER = /([?&#\s"'](?:access_)?(?:token|sig|signature|key|secret|password|code)=)[^&\s"']+/gi;
const USER_INFO = /(\w+:\/\/)[^\s/@]+@/g;

/** A text for the log: bearers, secret query parameters and passwords in addresses read `***` (seed 003 §6.3). */
export const maskSecrets = (text: string): string =>
  text.replace(BEARER, "$1 ***").replace(SECRET_PARAMETER, "$1***").replace(USER_INFO, "$1***@");
