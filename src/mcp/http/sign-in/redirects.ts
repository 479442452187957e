import { isLoopback } from "../../../home/origin.ts";

/** The schemes whose content a browser runs or shows itself, or that send data unencrypted. */
const REFUSED =
  /^(?:https?|javascript|data|file|blob|about|vbscript|view-source|wss?|ftp|filesystem|intent|mailto|tel|sms):/i;
/**
 * An address whose host is written as a parser would write it, so that a browser, a person and a content security
 * policy read the same host.
 */
const WEB = /^https?:\/\/(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?(?:[/?]|$)/i;
const PRIVATE_USE = /^[a-z][a-z0-9+.-]*:\/\//i;
const MAX_REDIRECT = 2_000;

/**
 * Returns whether a client may be led back to this address: by https, by http to a program on the same computer, or by
 * a scheme of the program's own.
 */
export function isRedirect(text: unknown): text is string {
  if (typeof text !== "string" || text.length > MAX_REDIRECT || !/^[\x21-\x7e]+$/.test(text)) return false;
  const url = URL.parse(text);
  if (url === null || text.includes("#") || url.username !== "" || url.password !== "") return false;
  if (WEB.test(text)) return url.protocol === "https:" || isOnThisComputer(url);
  return PRIVATE_USE.test(text) && !REFUSED.test(text);
}

const isOnThisComputer = (url: URL): boolean => url.protocol === "http:" && isLoopback(url);

/**
 * Returns whether two addresses are the same. A program on this computer takes whatever port is free (RFC 8252 §7.3),
 * and everything else is compared by the letter.
 */
export function isSameRedirect(registered: string, asked: string): boolean {
  if (registered === asked) return true;
  const [one, other] = [URL.parse(registered), URL.parse(asked)];
  if (one === null || other === null || !isOnThisComputer(one) || !isOnThisComputer(other)) return false;
  return one.hostname === other.hostname && one.pathname === other.pathname && one.search === other.search;
}

/** The part of an address that a person is shown. */
export type Destination = { kind: "host"; host: string } | { kind: "computer" } | { kind: "scheme"; scheme: string };

export function destinationOf(redirect: string): Destination {
  const url = new URL(redirect);
  if (isOnThisComputer(url)) return { kind: "computer" };
  return url.protocol === "https:" ? { kind: "host", host: url.host } : { kind: "scheme", scheme: `${url.protocol}//` };
}

/**
 * Returns the source that stands for an address in a content security policy. Without it, a browser blocks a form whose
 * answer leads to that address.
 */
export const sourceOf = (redirect: string): string => {
  const { protocol, host } = new URL(redirect);
  return protocol === "https:" || protocol === "http:" ? `${protocol}//${host}` : protocol;
};

/** Returns an address with an answer added to its query. The rest of the address stays as it was. */
export function ledBack(redirect: string, answer: Readonly<Record<string, string | undefined>>): string {
  const added = Object.entries(answer).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const query = new URLSearchParams(added).toString();
  return `${redirect}${redirect.includes("?") ? (/[?&]$/.test(redirect) ? "" : "&") : "?"}${query}`;
}
