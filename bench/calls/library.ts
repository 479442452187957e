// The MCP library alone over stdio: an empty tool, and one that does the same GET and gives its JSON back as text. What a
// read costs before anything of ours.
import { Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import ky from "ky";

const [prefix, authorization] = process.argv.slice(2) as [string, string];
const api = ky.create({ prefix, headers: { authorization }, retry: 0, timeout: 10_000 });

function serve(): Server {
  const server = new Server({ name: "library", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/call", async ({ params }) => {
    const id = params.arguments?.negotiation_id;
    const text = id === undefined ? "ok" : JSON.stringify(await api.get(`negotiations/${id}`).json());
    return { content: [{ type: "text", text }] };
  });
  return server;
}
serveStdio(serve, { transport: new StdioServerTransport(process.stdin, process.stdout) });
