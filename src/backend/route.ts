import { remembering } from "../remember.ts";

/** A longer text is no id. UTF-16 units. */
export const MAX_ID_LENGTH = 128;

/** Whether an id may travel in a path: never a separator, a climb or something invisible. */
export const isPathId = (id: string): boolean =>
  id !== "" && id !== "." && id.length <= MAX_ID_LENGTH && !/[/\\?#%\p{C}\s]|\.\./u.test(id);

/** Letters and digits of any script, with what ids are joined by: a shell takes it as one word that means itself. */
const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_.:@-]*$/u;
/** Marks and letters that nobody sees: an id of them could carry any text. */
const UNSEEN = /[\p{DI}\u{16FE4}]/u;

/** Whether an id is plain: it can be shown, and copied into a command, as it is. */
export const isPlainId = (id: string): boolean => id.length <= MAX_ID_LENGTH && PLAIN.test(id) && !UNSEEN.test(id);

/**
 * Whether a text can be the id of a negotiation. Commands are printed with it, which a person copies and a model with a
 * shell runs: what is not plain is none.
 */
export const isNegotiationId = (id: string): boolean => isPathId(id) && isPlainId(id);

/** Builds the URLs of one backend. */
export interface Routes {
  readonly origin: string;
  /** The URL of `/v1/api/<segments>`; `undefined` when a segment can be no id: no such thing exists on any backend. */
  at(segments: readonly string[], query?: Record<string, string | undefined>): URL | undefined;
}

/** `baseUrl` may have a path prefix and a trailing slash; user, query and fragment in it are ignored. */
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

/** The address of the backend to which a URL of `routes` belongs, as a person has given it. */
export const baseOf = ({ origin, pathname }: URL): string =>
  `${origin}${pathname.slice(0, Math.max(0, pathname.lastIndexOf("/v1/api")))}`;

/** The feed of one negotiation, as the address of its upgrade request. `baseUrl` as for `routes`. */
export function feedUrl(baseUrl: string, negotiationId: string): URL {
  const { origin, pathname } = new URL(baseUrl);
  return new URL(`${origin}${pathname.replace(/\/+$/, "")}/v1/ws/negotiation/${encodeURIComponent(negotiationId)}`);
}

/** `.` and `..` climb even when percent-encoded; half a surrogate pair has no encoding. */
function isSegment(segment: string): boolean {
  return !["", ".", ".."].includes(segment) && segment.isWellFormed();
}
