// The MCP library's own handler with one empty tool, or one that does a GET: what the protocol costs before anything of
// ours.
import { Agent, get, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { serve } from "@hono/node-server";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { Hono } from "hono";

const [read, authorization = ""] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
/** The address that is read, as text. */
async function textOf(address: string): Promise<string> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { agent, headers: { authorization } }, resolve).on("error", reject);
  });
  return JSON.stringify(await json(answer));
}

const handler = createMcpHandler(() => {
  const server = new Server({ name: "empty", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: [{ name: "empty", inputSchema: { type: "object" } }] }));
  server.setRequestHandler("tools/call", async () => ({
    content: [{ type: "text", text: read === undefined ? "ok" : await textOf(read) }],
  }));
  return server;
});
const app = new Hono();
app.all("/mcp", (c) => handler.fetch(c.req.raw));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(`http://127.0.0.1:${port}/mcp`));
