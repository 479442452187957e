// node:http alone, one JSON message in and another out: the floor.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const server = createServer(async (request, response) => {
  const { id } = JSON.parse(await text(request)) as { id: number };
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "ok" }] } }));
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}/mcp`));
