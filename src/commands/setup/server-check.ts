import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, stopwatch } from "../../clock.ts";
import type { Launch } from "../../setup/launch.ts";
import { entryOf } from "../demo/client.ts";

const PATIENCE_MS = 15_000;

/** Starts the server once, as a client does, and asks for its tools; how long that took, or why it did not come to it. */
export async function startsOnce(
  launch: Pick<Launch, "command" | "args" | "from">,
  root: URL,
  clock: Clock,
): Promise<{ tools: number; ms: number } | { reason: string }> {
  const [{ Client }, { StdioClientTransport, getDefaultEnvironment }] = await Promise.all([
    import("@modelcontextprotocol/client"),
    import("@modelcontextprotocol/client/stdio"),
  ]);
  const elapsedMs = stopwatch(clock);
  const client = new Client({ name: "towow-mcp-setup", version: "1" }, { capabilities: {} });
  // A home of its own: this server is only to show that it starts, and looks after nobody's negotiations.
  const home = await mkdtemp(join(tmpdir(), "towow-setup-"));
  // Whether a project's own `towow-mcp` is on the PATH is not for this folder to say.
  const [command, args] =
    launch.from === "copy" ? [launch.command, [...launch.args]] : [process.execPath, [entryOf(root)]];
  const transport = new StdioClientTransport({
    command,
    args,
    env: { ...getDefaultEnvironment(), TOWOW_HOME: home },
    stderr: "ignore",
  });
  try {
    await client.connect(transport, { timeout: PATIENCE_MS });
    const { tools } = await client.listTools({}, { timeout: PATIENCE_MS });
    return { tools: tools.length, ms: elapsedMs() };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  } finally {
    await client.close().catch(() => {});
    await rm(home, { recursive: true, force: true }).catch(() => {});
  }
}
