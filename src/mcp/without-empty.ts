import { isEmpty } from "../json.ts";

/** What a request may leave out, and clients that fill in every field send empty of any kind. */
const OPTIONAL = new Set(["cursor", "arguments"]);

/** A message without its empty `params`, and without what of them is `null` or empty and need not be given. */
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
