import fc from "fast-check";
import { expect, it } from "vitest";
import { ownEntry, versionsIn } from "../../src/setup/own-entry.ts";

const at = { copies: "/home/me/.towow/app" };
const file = "/home/me/.towow/app/0.1.0/dist/cli.js";

it.each<[object, object | undefined]>([
  [
    { command: "/n/node", args: [file, "--mode", "normal"] },
    { from: "copy", version: "0.1.0", flags: ["--mode", "normal"] },
  ],
  [
    { command: ["/n/node", file], type: "local" },
    { from: "copy", version: "0.1.0", flags: [] },
  ],
  [
    { command: "towow-mcp", args: ["--lang", "zh"] },
    { from: "path", flags: ["--lang", "zh"] },
  ],
  [{ command: "towow-mcp" }, { from: "path", flags: [] }],
  [
    { command: "cmd", args: ["/c", "towow-mcp", "--mode", "normal"] },
    { from: "path", flags: ["--mode", "normal"] },
  ],
  [
    { command: "npx", args: ["-y", "towow-mcp@0.1.0", "--lang", "zh"] },
    { from: "npx", flags: ["--lang", "zh"] },
  ],
  [
    { command: "cmd", args: ["/c", "npx", "-y", "towow-mcp"] },
    { from: "npx", flags: [] },
  ],
  [{ command: "npx", args: ["-y", "towow-mcp-of-another"] }, undefined],
  [{ command: "/n/node", args: ["/home/me/.towow/app/0.1.0/evil.js"] }, undefined],
  [{ command: "/n/node", args: [`/elsewhere${file}.old`] }, undefined],
  [{ command: "old" }, undefined],
  [{ url: "https://towow.example" }, undefined],
  [{ url: "https://towow.example/mcp" }, { from: "endpoint", url: "https://towow.example/mcp", flags: [] }],
  [
    { type: "http", url: "http://127.0.0.1:8765/mcp", headers: {} },
    { from: "endpoint", url: "http://127.0.0.1:8765/mcp", flags: [] },
  ],
  [
    { httpUrl: "https://a.example/mcp", trust: true },
    { from: "endpoint", url: "https://a.example/mcp", flags: [] },
  ],
  [{ httpUrl: "https://a.example/mcp", url: "https://b.example/mcp" }, undefined],
  [{ type: "sse", url: "https://towow.example/mcp" }, undefined],
  [{ url: "https://towow.example/mcp?mode=developer" }, undefined],
  [{ url: "http://towow.example/mcp" }, undefined],
  [{ url: "https://towow.example/mcp", headers: { Authorization: "Bearer x" } }, undefined],
  [{ url: "https://towow.example/mcp", bearer_token_env_var: "TOWOW_TOKEN" }, undefined],
  [{ url: "https://towow.example/mcp", command: "other" }, undefined],
])("whose entry is it: %j", (entry, own) => {
  expect(ownEntry(entry, at)).toEqual(own);
});

it("Windows' paths, as they are and as JSON writes them", () => {
  const windows = { copies: "C:\\Users\\me\\.towow\\app" };
  const path = "C:\\Users\\me\\.towow\\app\\0.1.0\\dist\\cli.js";
  expect(ownEntry({ command: "C:\\n\\node.exe", args: [path] }, windows)).toMatchObject({ version: "0.1.0" });
  expect(versionsIn(JSON.stringify({ args: [path, path.replace("0.1.0", "0.2.0")] }), windows)).toEqual([
    "0.1.0",
    "0.2.0",
  ]);
});

it("property: whatever a client's file holds, it is read without a throw, and names only versions", () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.record({ command: fc.anything(), args: fc.anything() })), (entry) => {
      const own = ownEntry(entry, at);
      if (own?.version !== undefined) expect(own.version).toMatch(/^[\w.+-]+$/);
    }),
  );
  fc.assert(
    fc.property(fc.string(), fc.stringMatching(/^\d\.\d\.\d$/), fc.string(), (before, version, after) => {
      expect(versionsIn(`${before} "${at.copies}/${version}/dist/cli.js" ${after}`, at)).toContain(version);
    }),
  );
});
