// The MCP library's own handler with one empty tool, one that gives a result that is handed in, or one that does a GET:
// what the protocol costs before anything of ours.
import { serve } from "@hono/node-server";
import { type CallToolResult, createMcpHandler, Server } from "@modelcontextprotocol/server";
import { Hono } from "hono";
import { Agent } from "undici";

/** Nothing; a result as JSON; or an address to read, with the header for it. */
const [given, authorization] = process.argv.slice(2);
const agent = new Agent();
/** The address that is read, as text. */
async function read(address: string, authorization: string): Promise<string> {
  const { origin, pathname: path } = new URL(address);
  const { body } = await agent.request({ origin, path, method: "GET", headers: { authorization } });
  return JSON.stringify(await body.json());
}

const resultWith = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });

function toolFor(given: string | undefined, authorization: string | undefined): () => Promise<CallToolResult> {
  if (given !== undefined && authorization !== undefined)
    return async () => resultWith(await read(given, authorization));
  const result = given === undefined ? resultWith("ok") : (JSON.parse(given) as CallToolResult);
  return async () => result;
}

const tool = toolFor(given, authorization);
const handler = createMcpHandler(() => {
  const server = new Server({ name: "empty", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: [{ name: "empty", inputSchema: { type: "object" } }] }));
  server.setRequestHandler("tools/call", tool);
  return server;
});
const app = new Hono();
app.all("/mcp", (c) => handler.fetch(c.req.raw));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(`http://127.0.0.1:${port}/mcp`));
