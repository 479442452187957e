// The MCP library's own handler with one empty tool, one that gives a result that is handed in, or one that does a GET:
// what the protocol costs before anything of ours.
import { serve } from "@hono/node-server";
import { type CallToolResult, createMcpHandler, Server } from "@modelcontextprotocol/server";
import { Hono } from "hono";
import { Agent } from "undici";

/** The result as JSON; or an address to read, with the header for it. */
const [given, authorization] = process.argv.slice(2);
const kept = given !== undefined && authorization === undefined ? (JSON.parse(given) as CallToolResult) : undefined;
const agent = new Agent();
/** The address that is read, as text. */
async function textOf(address: string, authorization: string): Promise<string> {
  const { origin, pathname: path } = new URL(address);
  const { body } = await agent.request({ origin, path, method: "GET", headers: { authorization } });
  return JSON.stringify(await body.json());
}

const handler = createMcpHandler(() => {
  const server = new Server({ name: "empty", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: [{ name: "empty", inputSchema: { type: "object" } }] }));
  server.setRequestHandler("tools/call", async () => {
    if (kept !== undefined) return kept;
    const isEmpty = given === undefined || authorization === undefined;
    return { content: [{ type: "text", text: isEmpty ? "ok" : await textOf(given, authorization) }] };
  });
  return server;
});
const app = new Hono();
app.all("/mcp", (c) => handler.fetch(c.req.raw));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(`http://127.0.0.1:${port}/mcp`));
