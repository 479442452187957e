import { remembering } from "../remember.ts";
import { sha256 } from "../sha256.ts";

/**
 * The address and the origin of this home's sandbox, which is the mock backend in a process of its own. Its port
 * changes but this name does not, so that what is kept for it stays valid.
 */
export const SANDBOX = "sandbox";

/**
 * The network's production environment, the default of seed 004. This address is offered but never used unless the person
 * chooses it, because a name on a shared hosting domain can change hands.
 */
export const PRODUCTION = "https://towow-production.up.railway.app";

/**
 * Returns the origin (`https://host:port`, or `sandbox`) of a backend's address, or undefined for anything else. Never
 * throws.
 */
export const originOf = (url: unknown): string | undefined => (typeof url === "string" ? originIn(url) : undefined);

const originIn = remembering(
  (url) => {
    if (url === SANDBOX) return SANDBOX;
    const { protocol, origin } = URL.parse(url) ?? {};
    return protocol === "http:" || protocol === "https:" ? origin : undefined;
  },
  20,
  500,
);

/** Returns the host of an address or an origin, as a person reads it: `towow.example:8443`, or `sandbox`. */
export const hostOf = (address: string): string => (address === SANDBOX ? SANDBOX : new URL(address).host);

/** Returns the host as it is shown beside what came from there. For the sandbox the text says that nobody there is real. */
export const hostLabel = (origin: string, { sandbox }: { sandbox: { host: string } }): string =>
  origin === SANDBOX ? sandbox.host : hostOf(origin);

/** Returns the host that answers at an origin, or null for the origin of an account without a backend. */
export const providerOf = (origin: string): string | null => (originOf(origin) === undefined ? null : hostOf(origin));

/** Returns whether a backend's address is on this machine: the sandbox, or a loopback host. */
export const isHere = (address: string): boolean => address === SANDBOX || isLoopback(new URL(address));

/**
 * Returns whether a URL's host is this machine: `localhost`, 127.0.0.0/8 or `::1`. A name that DNS resolves does not
 * count.
 */
export function isLoopback(url: URL): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}

/**
 * Returns whether a Host header names this machine, at any port. Browsers on this machine send such a header, even through a
 * tunnel.
 */
export const isLoopbackHost = (host: string): boolean => /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/.test(host);

/**
 * Returns a backend's URL in normal form, without a trailing slash. Returns undefined unless it is http(s) without
 * credentials, query and fragment. Never throws, and never repeats its input.
 */
export function normalBackendUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const plain = url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (!plain || url.hostname === "" || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url;
}

/**
 * Returns the hash under which the file records a token's origin, so that the token itself is stored in one place only.
 */
export const tokenHash = (token: string): string => sha256(token).slice(0, 32);
