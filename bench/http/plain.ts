// A bare Hono endpoint that parses one JSON message and answers another: what the machine itself can do.
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const app = new Hono();
app.post("/mcp", async (c) => {
  const { id } = await c.req.json<{ id: number }>();
  return c.json({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "ok" }] } });
});
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(`http://127.0.0.1:${port}/mcp`));
