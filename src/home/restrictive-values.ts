/** Settings that restrict what is sent or who may decide; of several profiles the last here restricts most. */
const RESTRICTIVE = [
  ["confirmation_policy", "strict"],
  ["profile", "offline"],
  ["profile", "dry_run"],
  ["profile", "read_only"],
] as const;

/**
 * The restrictions in a config file that is not JSON, cut off or mistyped: a slip must not send what its person had kept
 * from being sent. Everything else in it counts as absent.
 */
export const restrictiveValues = (bytes: Buffer): Record<string, unknown> => {
  const text = bytes.toString("utf8");
  return Object.fromEntries(RESTRICTIVE.filter(([key, value]) => new RegExp(`"${key}"\\s*:\\s*"${value}"`).test(text)));
};
