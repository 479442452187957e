import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Answers as a server that has just started, in a tenth of the time that the whole program takes for it. */
const SERVER = `import { createInterface } from "node:readline";
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const serverInfo = { name: "towow", version: "1" };
  const results = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo },
    "tools/list": { tools: [{ name: "towow_join", inputSchema: { type: "object" } }] },
  };
  if (id === undefined) return;
  if (results[method] === undefined) say({ id, error: { code: -32601, message: "Method not found" } });
  else say({ id, result: results[method] });
});
`;

const WHOLE = new URL("../../", import.meta.url);

/** A package of this version, of the same parts as the whole one: what setup copies, and starts once. */
export function smallPackage(folder: string): URL {
  for (const name of ["dist/cli.js", "src/cli.ts"]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), SERVER);
  }
  mkdirSync(join(folder, "prompts"));
  for (const name of ["package.json", "LICENSE"]) copyFileSync(fileURLToPath(new URL(name, WHOLE)), join(folder, name));
  return pathToFileURL(`${folder}/`);
}
