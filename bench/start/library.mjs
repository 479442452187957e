// The floor of a first read: the MCP SDK's own server, with zod and ky, that reads the scenes and does nothing else.
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import ky from "ky";
import * as z from "zod";

const [prefix, authorization] = process.argv.slice(2);
const scenes = z.object({ scenes: z.array(z.looseObject({ scene_id: z.string(), name: z.string() })) });
const api = ky.create({ prefix, headers: { authorization }, retry: 0, timeout: 10_000 });
const server = new McpServer({ name: "library", version: "1" });
server.registerTool("list_scenes", { inputSchema: z.object({}) }, async () => {
  const answer = await api.get("scenes").json();
  const read = scenes.parse(Array.isArray(answer) ? { scenes: answer } : answer);
  return { content: [{ type: "text", text: JSON.stringify(read) }] };
});
await server.connect(new StdioServerTransport());
