import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { requests, runningMock } from "../support/backend.ts";
import { temporaryHome } from "../support/home.ts";
import { NODE_ENV } from "../support/node-env.ts";
import { CLI } from "../support/raw-server.ts";

const LISTS = 12;

/** A list is 40 KB, and a pipe holds 64. */
test.each(["the end of stdin", "SIGTERM"])("at %s, what was answered and not read yet comes whole", async (why) => {
  const mock = await runningMock();
  const env = { ...NODE_ENV, TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url, TOWOW_MODE: "developer" };
  const child = spawn(process.execPath, [CLI], { env, stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "test", version: "1" };
  send({ id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  send({ method: "notifications/initialized" });
  for (let id = 1; id <= LISTS; id++) send({ id, method: "tools/list", params: {} });
  send({ id: LISTS + 1, method: "tools/call", params: { name: "towow_list_scenes", arguments: {} } });
  await expect.poll(() => requests(mock, "GET", /\/scenes/)).toHaveLength(1);
  if (why === "SIGTERM") child.kill(why);
  else child.stdin.end();
  const lines = (await text(child.stdout)).trimEnd().split("\n");
  const ids = lines.map((line) => (JSON.parse(line) as { id?: number }).id);
  expect(ids.slice(0, LISTS + 1)).toEqual(Array.from({ length: LISTS + 1 }, (_, id) => id));
});
