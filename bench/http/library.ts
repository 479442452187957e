// The MCP library's own handler with one empty tool, one that gives a result that is handed in, or one that does a GET by
// ky: what the protocol costs before anything of ours.
import { serve } from "@hono/node-server";
import { type CallToolResult, createMcpHandler, Server } from "@modelcontextprotocol/server";
import { Hono } from "hono";
import ky from "ky";

type Tool = (args: { negotiation_id?: string }) => Promise<CallToolResult>;

/** Nothing; a result as JSON; or the backend's address to read a negotiation from, with the header for it. */
const [given, authorization] = process.argv.slice(2);
const resultWith = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });

function toolFor(given: string | undefined, authorization: string | undefined): Tool {
  if (given !== undefined && authorization !== undefined) {
    const api = ky.create({ prefix: given, headers: { authorization }, retry: 0, timeout: 10_000 });
    return async ({ negotiation_id }) =>
      resultWith(JSON.stringify(await api.get(`negotiations/${negotiation_id}`).json()));
  }
  const result = given === undefined ? resultWith("ok") : (JSON.parse(given) as CallToolResult);
  return async () => result;
}

const tool = toolFor(given, authorization);
const handler = createMcpHandler(() => {
  const server = new Server({ name: "empty", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: [{ name: "empty", inputSchema: { type: "object" } }] }));
  server.setRequestHandler("tools/call", ({ params }) => tool(params.arguments ?? {}));
  return server;
});
const app = new Hono();
app.all("/mcp", (c) => handler.fetch(c.req.raw));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(`http://127.0.0.1:${port}/mcp`));
