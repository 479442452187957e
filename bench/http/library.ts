// The MCP library's own handler with one empty tool: what the protocol costs before anything of ours.
import { serve } from "@hono/node-server";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { Hono } from "hono";

const handler = createMcpHandler(() => {
  const server = new Server({ name: "empty", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: [{ name: "empty", inputSchema: { type: "object" } }] }));
  server.setRequestHandler("tools/call", () => ({ content: [{ type: "text", text: "ok" }] }));
  return server;
});
const app = new Hono();
app.all("/mcp", (c) => handler.fetch(c.req.raw));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(`http://127.0.0.1:${port}/mcp`));
