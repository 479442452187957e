// Asks every outside address that the pages link to, once.

import { linksOf, pages } from "../../docs/pages.ts";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { counted, type Found } from "../harness.ts";

const PATIENCE_MS = 15_000;

export default async function links(): Promise<Found> {
  const addresses = [...new Set(pages().flatMap(linksOf))].filter((href) => /^https?:/.test(href)).sort(byCodeUnits);
  const silent: string[] = [];
  for (const address of addresses) {
    const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
      ({ ok, status }) => ({ ok, said: String(status) }),
      (error: Error) => ({ ok: false, said: String(error.cause ?? error.message) }),
    );
    if (!answer.ok) silent.push(`${address} ${answer.said}`);
  }
  return {
    ok: silent.length === 0,
    line: `${counted(addresses.length, "address", "addresses")}, no answer: ${silent.join(", ") || "none"}`,
  };
}
