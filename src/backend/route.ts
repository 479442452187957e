import { remembering } from "../remember.ts";

/** The most UTF-16 units of an id. */
export const MAX_ID_LENGTH = 128;

/**
 * Returns whether an id may stand in a path. Such an id is short, and contains no separator, no `..`, no white space and no
 * invisible character.
 */
export const isPathId = (id: string): boolean =>
  id !== "" && id !== "." && id.length <= MAX_ID_LENGTH && !/[/\\?#%\p{C}\s]|\.\./u.test(id);

/**
 * Matches letters and digits of any script, with the characters that join ids. A shell takes such a text as one word without
 * any special meaning.
 */
const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_.:@-]*$/u;
/** Matches invisible marks and letters. An id made of them could carry any text. */
const UNSEEN = /[\p{DI}\u{16FE4}]/u;

/** Returns whether an id is plain, so that it can be shown and copied into a command as it is. */
export const isPlainId = (id: string): boolean => id.length <= MAX_ID_LENGTH && PLAIN.test(id) && !UNSEEN.test(id);

/**
 * Returns whether a text can be the id of a negotiation. An id must be plain, because commands are printed with it, which a
 * person copies and a model with a shell runs.
 */
export const isNegotiationId = (id: string): boolean => isPathId(id) && isPlainId(id);

export interface Routes {
  readonly origin: string;
  /**
   * Returns the URL of `/v1/api/<segments>`, or `undefined` if a segment cannot be an id and so names nothing on any
   * backend.
   */
  at(segments: readonly string[], query?: Record<string, string | undefined>): URL | undefined;
}

/**
 * Returns the routes of a backend. `baseUrl` may have a path prefix and a trailing slash. User, query and fragment in
 * it are ignored.
 */
export function routes(baseUrl: string): Routes {
  const { origin, pathname } = new URL(baseUrl);
  const base = `${origin}${pathname.replace(/\/+$/, "")}/v1/api`;
  const urlOf = remembering((path) => new URL(path), 50, 500);
  return {
    origin,
    at(segments, query = {}) {
      if (!segments.every(isSegment)) return undefined;
      const url = urlOf([base, ...segments.map(encodeURIComponent)].join("/"));
      const asked = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
      if (asked.length === 0) return url;
      const withQuery = new URL(url);
      for (const [key, value] of asked) withQuery.searchParams.set(key, value);
      return withQuery;
    },
  };
}

/** Returns the address of the backend to which a URL of `routes` belongs, as a person has given it. */
export const baseOf = ({ origin, pathname }: URL): string =>
  `${origin}${pathname.slice(0, Math.max(0, pathname.lastIndexOf("/v1/api")))}`;

/** Returns the address of the upgrade request for one negotiation's feed. `baseUrl` is as for `routes`. */
export function feedUrl(baseUrl: string, negotiationId: string): URL {
  const { origin, pathname } = new URL(baseUrl);
  return new URL(`${origin}${pathname.replace(/\/+$/, "")}/v1/ws/negotiation/${encodeURIComponent(negotiationId)}`);
}

/**
 * Returns whether a text can be a segment of a path. `.` and `..` climb even if they are percent-encoded, and half of a
 * surrogate pair cannot be encoded.
 */
function isSegment(segment: string): boolean {
  return !["", ".", ".."].includes(segment) && segment.isWellFormed();
}
