/** Clients that fill in every field send `null` for what they do not give: `params`, and what stands in it. */
export function withoutNulls(message: object): object {
  const { params, ...rest } = message as { params?: unknown };
  if (params === undefined || typeof params !== "object") return message;
  if (params === null) return rest;
  const given = Object.entries(params).filter(([, value]) => value !== null);
  if (Array.isArray(params) || given.length === Object.keys(params).length) return message;
  return { ...rest, params: Object.fromEntries(given) };
}
