// What real clients refuse their file of settings for, beside what `src/setup/clients.ts` says of each: a file is written
// as setup writes it, bent in one way, and the client is asked for its servers. Fails where the table is wrong.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CLIENTS, type Client, type Refusal } from "../../src/setup/clients.ts";
import { counted, type Found, options } from "../harness.ts";
import { claude } from "./journeys/clients/claude.ts";
import { gemini } from "./journeys/clients/gemini.ts";
import { opencode } from "./journeys/clients/opencode.ts";
import { clientPrograms } from "./journeys/programs.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

/** Of the clients that have a command which lists their servers: the command, and what it says of a file it refuses. */
const ASKED: Readonly<Record<string, { program: string; refused: RegExp }>> = {
  "claude-code": { program: "claude", refused: /corrupted/ },
  gemini: { program: "gemini", refused: /Error in/ },
  opencode: { program: "opencode", refused: /not valid JSON/ },
};

const BENDS: Readonly<Record<Refusal, (json: string) => string>> = {
  bom: (json) => `\uFEFF${json}`,
  comments: (json) => `// a comment\n${json}`,
  trailing_commas: (json) => json.replace(/\}\s*$/, ",}\n"),
  blank: () => "\n",
  empty: () => "",
};

async function isRefused(sandbox: Sandbox, client: Client, text: string): Promise<boolean> {
  const { program, refused } = ASKED[client.id]!;
  const home = mkdtempSync(join(sandbox.base, "home-")); // what a client keeps of an earlier file changes its answer
  const at = { platform: process.platform, env: {}, home, cwd: sandbox.project };
  const file = client.files.user(at).at(-1)!;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const env = { HOME: home, GEMINI_CLI_TRUST_WORKSPACE: "true" };
  const { out, err } = await sandbox.run(program, ["mcp", "list"], { env });
  return refused.test(out + err);
}

export default async function reads(args: string[]): Promise<Found> {
  const { bin } = options(args, { bin: "" });
  const { bin: folder } = await clientPrograms([claude.npm, gemini.npm, opencode.npm], bin || undefined);
  const sandbox = await createSandbox();
  sandbox.addToPath(folder);
  const wrong: string[] = [];
  let asked = 0;
  try {
    for (const client of CLIENTS.filter(({ id }) => id in ASKED)) {
      const entry = client.entry({ command: "/bin/false", args: [], from: "path" });
      const json = `${JSON.stringify({ [client.key]: { towow: entry } }, null, 2)}\n`;
      if (await isRefused(sandbox, client, json)) wrong.push(`${client.id} refuses what setup writes`);
      for (const [what, bend] of Object.entries(BENDS) as [Refusal, (json: string) => string][]) {
        const refuses = await isRefused(sandbox, client, bend(json));
        asked++;
        if (refuses !== client.refuses.includes(what))
          wrong.push(`${client.id} ${refuses ? "refuses" : "reads"} ${what}`);
      }
    }
  } finally {
    await sandbox.close();
  }
  return {
    ok: wrong.length === 0,
    line: `${counted(asked, "file")}; otherwise than written: ${wrong.join("; ") || "none"}`,
  };
}
