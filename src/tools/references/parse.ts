import { isNegotiationId, isPathId } from "../../backend/route.ts";
import { decodedPart } from "../../safety/resource-uris.ts";
import { isCacheKey } from "../../session/kept-results.ts";

/**
 * What a reference names. `agentId` says whose offer is meant, and `pointer` is a JSON pointer into the named value,
 * or "" for the whole value.
 */
export type Reference =
  | { kind: "result"; key: string; pointer: string }
  | { kind: "negotiation"; id: string; part: string; agentId?: string; pointer: string }
  | { kind: "scene"; id: string };

export const MAX_REFERENCE_LENGTH = 2_000;
const MAX_DEPTH = 16;
const NEGOTIATION = /^towow:\/\/negotiations\/([^/#?]+)(?:\/(?:(plan|graph|brief)|offers\/([^/#?]+)))?$/;
const SCENE = /^towow:\/\/scenes\/([^/#?]+)(?:\/agents)?$/;
const CACHE = /^(?:towow:\/\/cache\/)?([^/#?]+)$/;

const POINTER = "(?:#(?:(?:/|%2[Ff])[^#]*)?)?";
/** A pattern that matches every reference, so that a client can check one before it calls. */
export const REFERENCE_PATTERN = [
  `^towow://negotiations/[^/#?]+(?:/(?:plan|graph|brief)|/offers/[^/#?]+)?${POINTER}$`,
  `^towow://scenes/[^/#?]+(?:/agents)?${POINTER}$`,
  `^(?:towow://cache/)?towow_[a-z_]+(?::|%3A|%3a)[0-9a-f]{64}${POINTER}$`,
].join("|");

/**
 * Returns the reference that stands in place of an argument, as `{ "ref": "…" }` with nothing beside it. Undefined
 * for any other value.
 */
export function referenceIn(value: unknown): string | undefined {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  const [key, ref] = entries[0] ?? [];
  return entries.length === 1 && key === "ref" && typeof ref === "string" ? ref : undefined;
}

/**
 * Parses `towow://…` or a cache key, with an optional JSON pointer behind `#`. Undefined for everything else, such as
 * another scheme, a path that climbs, or an invalid id.
 */
export function parseReference(ref: string): Reference | undefined {
  if (ref.length > MAX_REFERENCE_LENGTH) return undefined;
  const [address = "", fragment, ...more] = ref.split("#");
  const pointer = decodedPart(fragment ?? "");
  if (more.length > 0 || pointer === undefined || (pointer !== "" && !pointer.startsWith("/"))) return undefined;
  const negotiation = NEGOTIATION.exec(address);
  if (negotiation !== null) {
    const [, encodedId = "", part = "", encodedAgent] = negotiation;
    const id = decodedPart(encodedId);
    if (id === undefined || !isNegotiationId(id)) return undefined;
    if (encodedAgent === undefined) return { kind: "negotiation", id, part, pointer };
    const agentId = decodedPart(encodedAgent); // The decoded id may hold a slash.
    return agentId === undefined ? undefined : { kind: "negotiation", id, part: "offers", agentId, pointer };
  }
  const scene = decodedPart(SCENE.exec(address)?.[1] ?? "");
  if (scene) return isPathId(scene) ? { kind: "scene", id: scene } : undefined;
  const key = decodedPart(CACHE.exec(address)?.[1] ?? "");
  return key !== undefined && isCacheKey(key) ? { kind: "result", key, pointer } : undefined;
}

/** Returns the value at a JSON pointer (RFC 6901), or undefined. Only own properties count. */
export function valueAt(value: unknown, pointer: string): unknown {
  const steps = pointer === "" ? [] : pointer.slice(1).split("/");
  if (steps.length > MAX_DEPTH) return undefined;
  let current = value;
  for (const step of steps) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (current === null || typeof current !== "object" || !Object.hasOwn(current, name)) return undefined;
    if (Array.isArray(current) && !/^(?:0|[1-9]\d*)$/.test(name)) return undefined;
    current = (current as Record<string, unknown>)[name];
  }
  return current;
}
