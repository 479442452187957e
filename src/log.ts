/** Structured logging as a dependency. Fields never hold tokens, profile bodies, demand texts or personal data. */
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

/** Matches ids and codes, which contain nothing that is masked. */
const WORD = /^[\w-]*$/;

/** Masks a text for the log. Bearers, secret query parameters and passwords in addresses become `***` (seed 003 §6.3). */
export const maskForLog = (text: string): string =>
  WORD.test(text)
    ? text
    : text.replace(BEARER, "$1 ***").replace(SECRET_PARAMETER, "$1***").replace(USER_INFO, "$1***@");

const CODE = /^[\w.-]{1,80}$/;
const MAX_CAUSES = 5;

/**
 * Describes a failure for the log by its class, code and place, and by those of its causes. The message is left out, because a
 * parser quotes what it could not read, and this program's own errors name what they refuse.
 */
export function failureOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  const known = typeof code === "number" || (typeof code === "string" && CODE.test(code)) ? ` ${code}` : "";
  const hasCause = error.cause !== undefined && depth < MAX_CAUSES; // A chain of causes may lead back to itself.
  const cause = hasCause ? `; cause: ${failureOf(error.cause, depth + 1)}` : "";
  return `${error.name}${known}${placeOf(error)}${cause}`;
}

/** Returns the first line of the stack behind the message. */
function placeOf({ message, stack = "" }: Error): string {
  const end = stack.indexOf(message) + message.length;
  const line = stack.slice(end).split("\n")[1]?.trim();
  return line?.startsWith("at ") === true && stack.includes(message) ? ` ${line}` : "";
}
