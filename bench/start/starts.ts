import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startMock } from "../calls/mock.ts";
import { install, installOwn } from "./installed.ts";
import { type Program, type Start, startOnce } from "./session.ts";

/** Servers that people use beside this one, each with what it wants to see before it starts. */
const PEERS: [label: string, name: string, args?: string[], env?: Record<string, string>][] = [
  ["context7", "@upstash/context7-mcp"],
  ["exa", "exa-mcp-server", [], { EXA_API_KEY: "none" }],
  ["memory", "@modelcontextprotocol/server-memory"],
  ["notion", "@notionhq/notion-mcp-server", [], { NOTION_TOKEN: "ntn_none" }],
  ["sentry", "@sentry/mcp-server", ["--access-token=none"]],
  ["supabase", "@supabase/mcp-server-supabase", ["--access-token=sbp_0000000000000000000000000000000000000000"]],
];
const LOOP = fileURLToPath(new URL("loop.mjs", import.meta.url));
const LIBRARY = fileURLToPath(new URL("library.mjs", import.meta.url));

export interface StartFigures {
  label: string;
  starts: Start[];
}

/** Every server `runs` times, in turns; each has been started once before, so that what it keeps is there. */
export async function measureStarts(runs: number, withPeers: boolean) {
  const mock = await startMock();
  const home = mkdtempSync(join(tmpdir(), "towow-start-"));
  const own = installOwn();
  const peers = withPeers ? install(PEERS.map(([, name]) => name)) : undefined;
  try {
    const env = { HOME: home, TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url };
    const towow = { command: process.execPath, args: [own.program("towow-mcp")] };
    const list = join(home, "tools.json");
    writeFileSync(list, "[]");
    const programs: [string, Program][] = [
      ["a loop by hand", { command: process.execPath, args: [LOOP, list], call: { name: "any", arguments: {} } }],
      ["towow-mcp", { ...towow, env, call: { name: "towow_status", arguments: {} } }],
      [
        "towow-mcp, reading from the network",
        { ...towow, env: { ...env, TOWOW_MODE: "developer" }, call: { name: "towow_list_scenes", arguments: {} } },
      ],
      [
        "the SDK with zod and ky, the same read",
        {
          command: process.execPath,
          args: [LIBRARY, `${mock.url}/v1/api`, mock.headers.Authorization ?? ""],
          call: { name: "list_scenes", arguments: {} },
        },
      ],
      ...PEERS.filter(() => peers !== undefined).map(([label, name, args = [], more = {}]): [string, Program] => [
        label,
        { command: process.execPath, args: [peers?.program(name) ?? "", ...args], env: { HOME: home, ...more } },
      ]),
    ];
    const figures = programs.map(([label]): StartFigures => ({ label, starts: [] }));
    for (let run = -1; run < runs; run++)
      for (const [at, [, program]] of programs.entries()) {
        const start = await startOnce(program);
        if (run >= 0) figures[at]?.starts.push(start);
      }
    return { figures, bytes: own.bytes, packages: own.packages };
  } finally {
    peers?.remove();
    own.remove();
    await mock.stop();
    rmSync(home, { recursive: true, force: true });
  }
}
