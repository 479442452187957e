// Packs the built program as a bundle for desktop clients, bundles/towow-mcp-<version>.mcpb, with the tool that their
// makers check bundles by (it comes by npx); then unpacks it elsewhere and starts what is in it.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const TOOL = "@anthropic-ai/mcpb@2.1.2";
const PARTS = { "deploy/mcpb/manifest.json": "manifest.json", "plugin/icon.png": "icon.png" };
const OWN = ["package.json", "LICENSE", "dist", "prompts"];

const mcpb = async (...args) => (await promisify(execFile)("npx", ["-y", TOOL, ...args])).stdout.trim();
const { version } = JSON.parse(await readFile("package.json", "utf8"));
const bundle = join("bundles", `towow-mcp-${version}.mcpb`);

const folder = await mkdtemp(join(tmpdir(), "towow-mcpb-"));
try {
  const staged = join(folder, "staged");
  for (const part of OWN) await cp(part, join(staged, part), { recursive: true });
  for (const [from, to] of Object.entries(PARTS)) await cp(from, join(staged, to));
  process.stdout.write(`${await mcpb("validate", join(staged, "manifest.json"))}\n`);
  await mkdir("bundles", { recursive: true });
  await mcpb("pack", staged, bundle);
  process.stdout.write(`${await mcpb("info", bundle)}\n`);
  await mcpb("unpack", bundle, join(folder, "unpacked"));
  process.stdout.write(`starts, and lists ${(await toolsOf(join(folder, "unpacked"))).join(", ")}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Starts the server as its manifest says, with nothing configured: what it lists, and that it answers a call. */
async function toolsOf(root) {
  const { server, user_config, tools } = JSON.parse(await readFile(join(root, "manifest.json"), "utf8"));
  const { command, args, env } = server.mcp_config;
  const filled = (text) =>
    text.replace(/\$\{(?:__dirname|user_config\.(\w+))\}/, (_, name) => (name ? user_config[name].default : root));
  const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]));
  const child = spawn(command, args.map(filled), {
    env: { PATH: process.env.PATH, TOWOW_HOME: join(root, "home"), ...own },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const say = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "mcpb", version: "1" };
  say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  say({ method: "notifications/initialized" });
  say({ id: 2, method: "tools/list" });
  say({ id: 3, method: "tools/call", params: { name: "towow_status", arguments: {} } });
  const answers = {};
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, result } = JSON.parse(line);
    answers[id] = result;
    if (answers[2] && answers[3]) break;
  }
  child.stdin.end();
  await once(child, "exit");
  const names = answers[2].tools.map(({ name }) => name);
  const announced = tools.map(({ name }) => name);
  if (names.join() !== announced.join()) throw new Error(`the manifest names ${announced}, the server ${names}`);
  const { code } = answers[3].structuredContent.error;
  if (code !== "tool.config.invalid.backend_url_missing") throw new Error(`a call was answered with ${code}`);
  return names;
}
