/**
 * A process of its own that uses the config as the program does: `child.ts <home> <backend url> <job> [n]`.
 * It says `ready`, starts when its standard input ends, and prints one line of JSON.
 */
import { randomUUID } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { systemClock } from "../../src/clock.ts";
import { ConfigStore } from "../../src/home/config-store.ts";
import { createIdentity } from "../../src/home/identity.ts";
import type { RequestToken } from "../../src/home/token-requests.ts";
import { platformWith } from "../support/platform.ts";
import { resolveSettings } from "../support/resolve-settings.ts";

const [home = "", url = "", job = "", n = "1"] = process.argv.slice(2);
const platform = platformWith(systemClock, { random: Math.random });
const store = new ConfigStore(platform, home);
const settings = resolveSettings({ flags: { backend_url: url }, file: store.read().values });

const requestToken: RequestToken = async (request, bearer, signal) => {
  const response = await fetch(`${url}/v1/api/auth/mcp-token`, {
    method: "POST",
    body: JSON.stringify(request),
    headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
    ...(signal && { signal }),
  });
  if (response.status === 404) return { unsupported: true };
  return (await response.json()) as { user_id: string; api_token: string; expires_at?: string };
};
const identity = createIdentity({
  platform,
  store,
  settings: () => settings,
  requestToken,
  newUserId: randomUUID,
});

console.log("ready");
await text(process.stdin);
if (job === "update") {
  for (let i = 0; i < Number(n); i++) {
    await store.update((current) => ({
      ...current,
      count: Number(current.count ?? 0) + 1,
      [`${process.pid}-${i}`]: i,
    }));
  }
  console.log(JSON.stringify({ pid: process.pid }));
} else if (job === "identity") {
  const [user_id, api_token] = await Promise.all([identity.userId(), identity.bearer()]);
  console.log(JSON.stringify({ user_id, api_token }));
} else if (job === "out of descriptors") {
  const fresh = new ConfigStore(platform, home);
  const held = everyDescriptor();
  const during = fresh.read();
  for (const descriptor of held) closeSync(descriptor);
  console.log(JSON.stringify({ during, after: fresh.read() }));
} else {
  console.log(JSON.stringify({ user_id: await identity.userId(), api_token: await identity.renew(n) }));
}

/** All that this process may still open. */
function everyDescriptor(): number[] {
  const held: number[] = [];
  try {
    for (;;) held.push(openSync("/dev/null", "r"));
  } catch {
    return held;
  }
}
