const AGREES = { agrees: true } as const;

/**
 * Sends a profile as an AI does whose person agrees: in the client's forms, where it shows them; else by the call that
 * returns it to be shown, and the one that names the hash of what was returned. `call` may give its result in any shape.
 */
export async function sendProfile<Result>(
  call: (tool: string, args: Record<string, unknown>, options: { agrees: true }) => Promise<Result>,
  tool: string,
  args: Record<string, unknown>,
): Promise<Result> {
  const shown = await call(tool, args, AGREES);
  const hash = /profile_hash\\*":\s*\\*"([0-9a-f]{16})/.exec(JSON.stringify(shown))?.[1];
  return hash === undefined ? shown : call(tool, { ...args, profile_hash: hash }, AGREES);
}
