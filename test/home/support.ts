import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { Clock } from "../../src/clock.ts";
import { ConfigStore } from "../../src/home/config-store.ts";
import type { ConfigFile } from "../../src/home/file.ts";
import type { Log } from "../../src/log.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { platformWith } from "../support/platform.ts";

/** A home that does not exist yet, gone after the test. */
export function emptyHome(): string {
  const folder = mkdtempSync(join(tmpdir(), "towow-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "home");
}

/** A home whose config file holds this text or object. */
export function homeWith(content: string | ConfigFile): string {
  const home = emptyHome();
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "config.json"), typeof content === "string" ? content : JSON.stringify(content));
  return home;
}

/** A log that keeps the names of its warnings. */
export function listeningLog(): Log & { warnings: string[] } {
  const warnings: string[] = [];
  return { warnings, debug() {}, info() {}, warn: (event) => void warnings.push(event), error() {} };
}

export function storeAt(home: string, clock: Clock = new ManualClock(), log: Log = listeningLog()): ConfigStore {
  return new ConfigStore(platformWith(clock, { log }), home);
}

export interface TokenRequest {
  user_id: string;
  device_info?: string;
  bearer: string | undefined;
}

/** A backend that issues tokens (or has no such route), and remembers who asked. */
export async function tokenServer({ issues = true } = {}): Promise<{ url: string; asked: TokenRequest[] }> {
  const asked: TokenRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as TokenRequest;
    const bearer = request.headers.authorization?.replace("Bearer ", "");
    asked.push({ ...body, bearer });
    if (!issues) return void response.writeHead(404).end();
    const user_id = body.user_id || `user-${asked.length}`;
    response.end(JSON.stringify({ user_id, api_token: `issued-${asked.length}`, expires_at: "2099-01-01T00:00:00Z" }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
