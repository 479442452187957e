import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataOf, openNegotiation } from "./calls/calls.ts";
import { CLI, startMock } from "./calls/mock.ts";
import { startServer } from "./calls/server.ts";

const bytes = (value: unknown): number => Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value));

interface ListedTool {
  name: string;
  description: string;
  inputSchema: object;
}

/** What a model pays for: the tools of each mode, and a status that says nothing new. In bytes. */
export async function measureBytes() {
  const mock = await startMock();
  const home = mkdtempSync(join(tmpdir(), "towow-bytes-"));
  const env = { HOME: home, TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url };
  try {
    const [normal, developer] = await Promise.all(
      ["normal", "developer"].map((mode) => startServer(process.execPath, [CLI], { ...env, TOWOW_MODE: mode })),
    );
    if (normal === undefined || developer === undefined) throw new Error("no server");
    const visible = async (server: typeof normal) => {
      const { tools } = (await server.request("tools/list", {})) as unknown as { tools: ListedTool[] };
      return tools.reduce((sum, it) => sum + bytes(it.name) + bytes(it.description) + bytes(it.inputSchema), 0);
    };
    const negotiation_id = await openNegotiation(developer);
    const status = () => developer.callTool("towow_status", { negotiation_id });
    await dataOf(developer, "towow_status", { negotiation_id });
    const { structuredContent, content } = await status();
    const [{ text }] = content as [{ text: string }];
    const figures = {
      normal: await visible(normal),
      developer: await visible(developer),
      repeatedStatus: { structured: bytes(structuredContent), text: bytes(text) },
    };
    await Promise.all([normal.stop(), developer.stop()]);
    return figures;
  } finally {
    await mock.stop();
    rmSync(home, { recursive: true, force: true });
  }
}
