// What the real Claude Code hands its model of every tool, prompt, resource and template of `--toolset all`: it runs alone,
// with a script for its model, and somebody who says yes to what it asks. Fails where one of them comes to no outcome.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLI, counted, type Found, options } from "../harness.ts";
import { addressesOf, CALLS, type Known } from "../quality/every-call.ts";
import { bytesOf, createWorld, modern } from "../quality/program.ts";
import { converse } from "./claude-session.ts";
import type { Told } from "./dialects/dialect.ts";
import { claude } from "./journeys/clients/claude.ts";
import { clientPrograms } from "./journeys/programs.ts";
import { createSandbox } from "./sandbox.ts";
import type { Step } from "./scripted-model.ts";

/** What nobody has decided on is no outcome. */
const UNDECIDED = /"status":"empty"|"decision":null/;

/** What the person's side of the conversation holds, without the client's own reminders. */
function promptIn(request: unknown): string {
  const { messages = [] } = (request ?? {}) as { messages?: { role: string; content: string | { text?: string }[] }[] };
  const texts = messages.flatMap(({ role, content }) =>
    role !== "user" ? [] : typeof content === "string" ? [content] : content.map(({ text = "" }) => text),
  );
  return texts.filter((text) => !text.startsWith("<system-reminder>")).join("\n");
}

export default async function calls(args: string[]): Promise<Found> {
  const { bin } = options(args, { bin: "" });
  const programs = await clientPrograms([claude.npm], bin || undefined);
  const world = await createWorld();
  const sandbox = await createSandbox();
  sandbox.addToPath(programs.bin);
  const bytes: Record<string, number> = {};
  const failed: string[] = [];

  function noted(name: string, { isError, text }: Told): void {
    bytes[name] = bytesOf(text);
    if (isError || (name.startsWith("tool ") && UNDECIDED.test(text))) failed.push(`${name}: ${text}`);
  }

  /** Claude Code with our server, which has everything listed. */
  async function session(steps: readonly Step[], prompt?: string) {
    const home = join(sandbox.home, ".towow");
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(
      join(home, "config.json"),
      JSON.stringify({ backend_url: world.url, lang: "en", mode: "developer" }),
      {
        mode: 0o600,
      },
    );
    const config = join(sandbox.base, "mcp.json");
    const args = [CLI, "--toolset", "all"];
    writeFileSync(config, JSON.stringify({ mcpServers: { towow: { command: process.execPath, args } } }));
    return converse(sandbox, steps, {
      tools: ["*"],
      ...(prompt !== undefined && { prompt }),
      args: ["--mcp-config", config, "--strict-mcp-config"],
    });
  }

  try {
    const lister = await modern(world, ["--toolset", "all", "--mode", "developer"]);
    const [{ tools }, { prompts }] = [await lister.listTools(), await lister.listPrompts()];
    const addresses = await addressesOf(lister);
    await lister.close();

    const known: Known = { scene: world.mock.scenes()[2]?.scene_id ?? "", origin: new URL(world.url).origin };
    const calls = CALLS.map(
      ([tool, args]): Step =>
        (results) => ({ tool, input: args(results, known) }),
    );
    const reads = addresses.map(
      ({ uri }): Step =>
        (results) => ({ tool: "ReadMcpResourceTool", input: { server: "towow", uri: uri(results, known) } }),
    );
    const { results, err } = await session([...calls, ...reads, { say: "Done." }]);
    if (results.length < calls.length + reads.length) failed.push(`only ${results.length} calls: ${err}`);
    const names = [...CALLS.map(([tool]) => `tool ${tool}`), ...addresses.map(({ name }) => name)];
    for (const [i, name] of names.entries()) noted(name, results[i] ?? { isError: true, text: "never called" });
    for (const { name } of tools) if (!(`tool ${name}` in bytes)) failed.push(`${name}: no call for it`);

    for (const { name } of prompts) {
      const { last } = await session([{ say: "Done." }], `/mcp__towow__${name}`);
      const text = promptIn(last);
      noted(`prompt ${name}`, { isError: !text.includes("towow_"), text });
    }
  } finally {
    await sandbox.close();
    await world.close();
  }
  const client = `Claude Code ${programs.versionOf(claude.npm)}`;
  await programs.close();
  for (const failure of failed) process.stderr.write(`FAILED ${failure}\n`);
  const all = Object.values(bytes).reduce((sum, n) => sum + n, 0);
  return {
    ok: failed.length === 0,
    line: `${client}: ${Object.keys(bytes).length} tools, prompts and resources, ${all} bytes, ${counted(failed.length, "failure")}`,
  };
}
