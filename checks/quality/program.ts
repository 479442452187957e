import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createMockBackend, type MockBackend } from "../../mock-backend/main.ts";
import type { ToolResult } from "../../src/result/tool-result.ts";
import { CLI } from "../harness.ts";

/** The built program beside a mock backend, as the checks drive it: on a home of its own, by the two official clients. */

const YES = { action: "accept" as const, content: { decision: "accept" } };

export interface World {
  mock: MockBackend;
  url: string;
  home: string;
  close(): Promise<void>;
}

export async function createWorld(stepMs = 40): Promise<World> {
  const mock = createMockBackend({ stepMs, seed: 3 });
  const { url } = await mock.listen(0);
  const home = await mkdtemp(join(tmpdir(), "towow-quality-"));
  return {
    mock,
    url,
    home,
    async close() {
      await mock.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

const commandOf = ({ home, url }: Pick<World, "home" | "url">, args: readonly string[]) => ({
  command: process.execPath,
  args: [CLI, ...args],
  env: { PATH: process.env.PATH ?? "", TOWOW_HOME: home, TOWOW_BACKEND_URL: url, TOWOW_LANG: "en" },
  stderr: "ignore" as const,
});

/** A client of the 2026 revision, with a person who says yes. */
export async function modern(world: World, args: readonly string[]): Promise<Client> {
  const client = new Client(
    { name: "quality", version: "1" },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  client.setRequestHandler("elicitation/create", async () => YES);
  await client.connect(new StdioClientTransport(commandOf(world, args)));
  return client;
}

/** A client of the 2025 revisions, which checks each result against the schema that the tool declares. */
export async function legacy(world: Pick<World, "home" | "url">, args: readonly string[]): Promise<LegacyClient> {
  const client = new LegacyClient({ name: "quality", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => YES);
  await client.connect(new LegacyTransport(commandOf(world, args)));
  return client;
}

/** One call's result as a model has it, and what it costs. */
export interface Called {
  result: ToolResult<never>;
  bytes: number;
  tokens: number;
}

export async function call(
  client: Client | LegacyClient,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Called> {
  const { structuredContent } = await client.callTool({ name, arguments: args });
  const text = JSON.stringify(structuredContent);
  return { result: structuredContent as never, bytes: bytesOf(text), tokens: tokensOf(text) };
}

export const bytesOf = (text: string): number => Buffer.byteLength(text);

/** On the high side for every tokenizer that we know: three plain characters a token, others one each. */
export function tokensOf(text: string): number {
  const plain = text.length - text.replace(/[ -~\n]+/g, "").length;
  return Math.ceil(plain / 3 + (text.length - plain));
}
