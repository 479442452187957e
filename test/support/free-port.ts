import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Systems give these to nobody who asks for any port, so a program that is started again finds its own still free. */
const RANGE = [20_000, 32_000] as const;

/** Whoever asked for one may not listen at it yet. */
const given = new Set<number>();

/** A loopback port that nobody listens at, and that nobody here was given before. */
export async function freePort(): Promise<number> {
  const port = randomInt(...RANGE);
  if (given.has(port)) return freePort();
  given.add(port);
  const probe = createServer();
  const isFree = once(probe, "listening").then(
    () => true,
    () => false,
  );
  probe.listen(port, "127.0.0.1");
  if (!(await isFree)) return freePort();
  probe.close();
  await once(probe, "close");
  return port;
}
