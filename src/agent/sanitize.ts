import type { Negotiation } from "../backend/contract.ts";
import { stripInvisible } from "./visible.ts";

/** Any JSON that others wrote, with the invisible characters of every string in it removed. */
export function cleanForeign<T>(value: T): T {
  if (typeof value === "string") return stripInvisible(value) as T;
  if (Array.isArray(value)) return value.map(cleanForeign) as T;
  if (value !== null && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [stripInvisible(k), cleanForeign(v)])) as T;
  return value;
}

/** A negotiation as tools hand it on: what other agents and the Center wrote is cleaned, the demand is left alone. */
export const cleanNegotiation = (n: Negotiation): Negotiation => ({
  ...n,
  participants: cleanForeign(n.participants),
  plan_output: cleanForeign(n.plan_output),
});
