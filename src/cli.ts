#!/usr/bin/env node
// The only executable uses nothing that an old Node lacks, so that it can report an old Node in one sentence.
const [major, minor] = process.versions.node.split(".").map(Number) as [number, number];
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(
    `towow-mcp needs Node 22.12 or newer; this is ${process.versions.node}. / towow-mcp 需要 Node 22.12 或更新版本。\n`,
  );
  process.exit(1);
}
// src/ and dist/ are both one level below the package's folder.
const root = new URL("..", import.meta.url);
const { start } = await import("./commands/start.ts");
await start(process.argv.slice(2), root);
