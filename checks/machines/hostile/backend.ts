import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { formulated, list, NEGOTIATIONS } from "./bodies.ts";

/** A backend on loopback that answers every read with the next hostile body; some of them compressed. */
export async function startHostileBackend(): Promise<{ url: string; sent: () => number; stop: () => void }> {
  const texts = new Map<string, number>();
  const made = new Map<number, string>();
  let answered = 0;
  let submitted = 0;

  /** Those of a megabyte are kept: making them must not take the time in which they should go out. */
  const negotiation = (id: string, n: number): string => {
    const body = made.get(n) ?? NEGOTIATIONS[n]?.(id) ?? formulated(id, n);
    if (body.length < 2_000_000) made.set(n, body);
    return body;
  };

  const bodyFor = (method: string, path: string): string => {
    if (path.endsWith("/auth/mcp-token")) return JSON.stringify({ user_id: "user_hostile", api_token: `t${answered}` });
    if (path.endsWith("/agents")) return list("agents", answered);
    if (path.endsWith("/scenes")) return list("scenes", answered);
    if (path.endsWith("/submit")) {
      const id = `neg_open_${++submitted}`;
      texts.set(id, submitted);
      return formulated(id, submitted);
    }
    const id = /negotiations\/([^/?]+)/.exec(path)?.[1] ?? "";
    const text = texts.get(id);
    // What cancels or reads an open pause sometimes meets ten megabytes as well.
    if (text !== undefined && answered % 5 !== 0) {
      if (method === "POST") texts.delete(id);
      return formulated(id, text);
    }
    return negotiation(id, Number(id.replace(/\D/g, "")) % NEGOTIATIONS.length);
  };

  const answer = (response: ServerResponse, body: string): void => {
    const packed = answered % 7 === 0;
    response.writeHead(200, {
      "content-type": "application/json",
      ...(packed && { "content-encoding": "gzip" }),
    });
    response.end(packed ? gzipSync(body, { level: 1 }) : body);
  };

  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      answered += 1;
      answer(response, bodyFor(request.method ?? "", (request.url ?? "").split("?")[0] ?? ""));
    });
    response.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent: () => answered, stop };
}
