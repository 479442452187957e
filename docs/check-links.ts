// Asks every outside address that the pages link to, once: npm run check:links. Ends with 1 when one does not answer.
import { linksOf, pages } from "./pages.ts";

const PATIENCE_MS = 15_000;

const addresses = [...new Set(pages().flatMap(linksOf))].filter((href) => /^https?:/.test(href)).sort();
if (addresses.length === 0) process.stdout.write("The pages link to nothing outside.\n");
for (const address of addresses) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    ({ ok, status }) => ({ ok, said: String(status) }),
    (error: Error) => ({ ok: false, said: String(error.cause ?? error.message) }),
  );
  process.stdout.write(`${answer.ok ? "✓" : "✗"} ${address} ${answer.said}\n`);
  if (!answer.ok) process.exitCode = 1;
}
