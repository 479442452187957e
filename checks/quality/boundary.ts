import { type ChildProcess, spawn } from "node:child_process";
import { CLI } from "../harness.ts";
import type { World } from "./program.ts";

/** What the endpoint answers to what it should not get (seed 001): the rows that an operator would try first. */
export interface Row {
  sent: string;
  expected: number;
  answered: number;
}

const BODY = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
const JSON_TYPE = { "content-type": "application/json", accept: "application/json, text/event-stream" };

const ROWS: readonly [sent: string, expected: number, path: string, init: RequestInit][] = [
  ["no token", 401, "/mcp", { method: "POST", headers: JSON_TYPE, body: BODY }],
  [
    "a foreign origin",
    403,
    "/mcp",
    { method: "POST", headers: { ...JSON_TYPE, origin: "https://evil.example" }, body: BODY },
  ],
  ["another path", 404, "/nothing", { method: "POST", headers: JSON_TYPE, body: BODY }],
  ["an unknown method", 405, "/mcp", { method: "PUT", headers: JSON_TYPE, body: BODY }],
  [
    "an unknown profile",
    400,
    "/mcp?profile=expert",
    { method: "POST", headers: { ...JSON_TYPE, authorization: "Bearer x-0123456789abcdef" }, body: BODY },
  ],
  ["is it alive", 200, "/healthz", { method: "GET" }],
];

export async function boundaryOf(world: World): Promise<Row[]> {
  const child = spawn(process.execPath, [CLI, "serve", "--port", "0"], {
    env: { PATH: process.env.PATH ?? "", TOWOW_HOME: world.home, TOWOW_BACKEND_URL: world.url, TOWOW_LANG: "en" },
  });
  try {
    const url = await addressOf(child);
    const rows: Row[] = [];
    for (const [sent, expected, path, init] of ROWS) {
      const { status, body } = await fetch(new URL(path, url), init);
      await body?.cancel();
      rows.push({ sent, expected, answered: status });
    }
    return rows;
  } finally {
    child.kill("SIGTERM");
  }
}

const addressOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let out = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        out += chunk;
        const found = /(http:\/\/\S+)\/mcp/.exec(out)?.[1];
        if (found !== undefined) resolve(found);
      });
    child.once("exit", () => reject(new Error(`serve ended: ${out}`)));
  });
