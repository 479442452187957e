import { isEmpty } from "../json.ts";

/**
 * The parameters that a request may leave out. Clients that fill in every field send these as an empty text, list or
 * object.
 */
const OPTIONAL = new Set(["cursor", "arguments"]);

/** Returns the message without empty `params`, without `null` parameters, and without optional ones that are empty. */
export function withoutEmpty(message: object): object {
  const { params, ...rest } = message as { params?: unknown };
  if (params === undefined) return message;
  if (params === null || isEmpty(params)) return rest;
  if (typeof params !== "object" || Array.isArray(params)) return message;
  const isGiven = ([name, value]: [string, unknown]) => value !== null && !(OPTIONAL.has(name) && isEmpty(value));
  const given = Object.entries(params).filter(isGiven);
  if (given.length === Object.keys(params).length) return message;
  return { ...rest, params: Object.fromEntries(given) };
}
