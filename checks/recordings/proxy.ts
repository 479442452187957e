import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { jsonIn } from "../../src/json.ts";
import { cleaned, type Recording, recordingSchema } from "./recording.ts";

/** What is not handed on: it is about this connection, or the answer has been read already. */
const OWN = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "content-encoding",
  "accept-encoding",
]);

/**
 * Stands before a backend on loopback, hands every exchange on, and writes it down without secrets and personal data: what
 * is not clean never reaches the disk.
 */
export async function recordingProxy({
  of,
  to,
  name: stem,
  port = 0,
}: {
  of: string;
  to: string;
  name: string;
  port?: number;
}) {
  recordingSchema.shape.name.parse(stem); // a name of files
  const { origin } = new URL(of);
  await mkdir(to, { recursive: true });
  let count = 0;
  const server = createServer(async (incoming, outgoing) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const { method = "GET", url: path = "/" } = incoming;
      const body = Buffer.concat(chunks);
      const headers = headsOf(incoming.headers);
      const answer = await fetch(`${origin}${path}`, {
        ...{ method, headers, redirect: "manual" as const },
        ...(body.length > 0 && { body }),
      });
      const text = await answer.text();
      const response = { status: answer.status, headers: Object.fromEntries(answer.headers), body: jsonOr(text) };
      const name = `${stem}-${String(++count).padStart(4, "0")}-${method.toLowerCase()}-${answer.status}`;
      const recording: Recording = {
        name,
        request: { method, path, headers, body: jsonOr(body.toString()) },
        response,
      };
      await writeFile(join(to, `${name}.json`), `${JSON.stringify(cleaned(recording), null, 2)}\n`);
      outgoing.writeHead(answer.status, headsOf(response.headers)).end(text);
    } catch {
      outgoing.destroy(); // as a backend that has gone
    }
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

const headsOf = (all: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) =>
      value === undefined || OWN.has(name) ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );

const jsonOr = (text: string): unknown => (text === "" ? null : (jsonIn(text) ?? text));
