/** Settings that hold back what is sent or who may decide; of several profiles the last here holds back most. */
const CAREFUL = [
  ["confirmation_policy", "strict"],
  ["profile", "offline"],
  ["profile", "dry_run"],
  ["profile", "read_only"],
] as const;

/**
 * What a config file that is no JSON, cut off or mistyped, still says to hold back: a typing error must not send what its
 * person had kept from being sent. Everything else of it counts as absent.
 */
export const carefulValues = (bytes: Buffer): Record<string, unknown> => {
  const text = bytes.toString("utf8");
  return Object.fromEntries(CAREFUL.filter(([key, value]) => new RegExp(`"${key}"\\s*:\\s*"${value}"`).test(text)));
};
