// Takes the place of src/mcp/server.ts at the endpoint of the 2026 era, in the suite's own build: the server with the
// fixtures, and an McpServer in front that knows their schemas. The SDK compares an argument with the header that mirrors
// it before a call reaches any server, but only for tools that an McpServer registered: the program's own server is the
// low-level one, whose tools take no argument from a header.
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { FIXTURES, type ServerDeps, buildServer as serverWithFixtures } from "./server-with-fixtures.ts";

export function buildServer(deps: ServerDeps): McpServer {
  const known = new McpServer({ name: "fixtures", version: deps.version });
  for (const [name, { inputSchema }] of Object.entries(FIXTURES))
    if (inputSchema !== undefined)
      known.registerTool(name, { inputSchema: fromJsonSchema(inputSchema) }, () => ({ content: [] }));
  return Object.assign(known, { server: serverWithFixtures(deps) });
}
