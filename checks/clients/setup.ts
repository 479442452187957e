// Sets this program up in real clients, installed from npm in a folder of their own, and asks each what it sees.
// --save puts the table into docs/clients.md.
import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { between } from "../../docs/generate/markdown.ts";
import { counted, type Found, options, ROOT } from "../harness.ts";
import { converse, hasPlan, toThePlan } from "./claude-session.ts";
import { claude } from "./journeys/clients/claude.ts";
import { createSandbox, installed, packed, runningMock } from "./sandbox.ts";

interface Row {
  client: string;
  version: string;
  showed: string;
  ok: boolean;
}

/** What a program wrote, without colours, in one line. */
const plain = (text: string) => stripVTControlCharacters(text).replaceAll(/\s+/g, " ").trim();

export default async function setup(args: string[]): Promise<Found> {
  const { save } = options(args, { save: false });
  const sandbox = await createSandbox();
  const { run } = sandbox;
  const rows: Row[] = [];
  let backend = "";

  const wrote = async (program: string, args: string[], env: Record<string, string> = {}): Promise<string> => {
    const { out, err } = await run(program, args, { env });
    return plain(`${out} ${err}`);
  };
  const shown = (command: string, text: string, pattern: RegExp) => {
    const [part] = pattern.exec(text) ?? [];
    const said = (part ?? text.slice(0, 160))
      .replace(/http:\/\/127\.0\.0\.1:\d+/, "…")
      .replaceAll(sandbox.home, "~")
      .replaceAll(process.execPath, "node");
    return { showed: `\`${command}\`: ${said}`, ok: part !== undefined };
  };

  /** Installs, sets up, asks, and takes out again. */
  async function check(
    client: string,
    npm: string,
    id: string | undefined,
    ask: () => Promise<{ showed: string; ok: boolean }[]>,
  ) {
    const version = npm.slice(npm.lastIndexOf("@") + 1);
    const install = await installed(sandbox, npm);
    if (install.status !== 0)
      return rows.push({ client, version, showed: `not installed: ${plain(install.err).slice(0, 120)}`, ok: false });
    const steps = [];
    if (id !== undefined) {
      const { status, err } = await run("towow-mcp", ["setup", id, "--backend-url", backend]);
      steps.push({ showed: status === 0 ? "set up" : plain(err), ok: status === 0 });
    }
    steps.push(...(await ask()));
    if (id !== undefined) {
      const { out } = await run("towow-mcp", ["setup", id, "--remove"]);
      const again = await run("towow-mcp", ["setup", id, "--remove"]);
      steps.push({ showed: "removed", ok: out.includes("Removed.") && again.out.includes("no entry") });
    }
    rows.push({
      client,
      version,
      showed: steps.map(({ showed, ok }) => (ok ? showed : `FAILED ${showed}`)).join("; "),
      ok: steps.every(({ ok }) => ok),
    });
  }

  /** Codex's list tells what is configured; its app server starts the server and tells the tools. */
  async function codexTools(): Promise<{ showed: string; ok: boolean }> {
    const child = spawn("codex", ["app-server"], {
      cwd: sandbox.project,
      env: sandbox.env,
      stdio: ["pipe", "pipe", "ignore"],
    });
    const timer = setTimeout(() => child.kill(), 60_000);
    const say = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
    say({ id: 1, method: "initialize", params: { clientInfo: { name: "check", version: "1" } } });
    let tools: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      const { id, result } = JSON.parse(line);
      if (id === 1) {
        say({ method: "initialized" });
        say({ id: 2, method: "mcpServerStatus/list", params: {} });
      }
      if (id !== 2) continue;
      tools = Object.keys(result?.data?.find(({ name }: { name: string }) => name === "towow")?.tools ?? {});
      break;
    }
    clearTimeout(timer);
    child.kill();
    return { showed: `connected, ${tools.length} tools`, ok: tools.includes("towow_demand") };
  }

  async function claudeSession(args: string[], server: string) {
    const { results, seconds, err } = await converse(sandbox, toThePlan("身边的人", server), { server, args });
    const ok = results.length === 4 && results.every(({ isError }) => !isError) && hasPlan(results.at(-1)?.text);
    const showed = "join → profile → demand → decision → plan";
    return {
      showed: ok
        ? `${showed} in ${seconds.toFixed(1)} s`
        : `${showed}: ${JSON.stringify(results).slice(0, 500)} ${err}`,
      ok,
    };
  }

  async function plugin() {
    const folder = join(ROOT, "plugin");
    const valid = await wrote("claude", ["plugin", "validate", "--strict", folder]);
    await writeFile(join(sandbox.home, ".towow", "config.json"), JSON.stringify({ backend_url: backend }), {
      mode: 0o600,
    });
    const session = await claudeSession(["--plugin-dir", folder], "plugin_towow_towow");
    const checked = shown("claude plugin validate --strict", valid, /Validation passed/);
    rows.push({
      client: "Claude Code plugin",
      version: claude.npm.slice(claude.npm.lastIndexOf("@") + 1),
      showed: `${checked.showed}; ${session.showed}`,
      ok: checked.ok && session.ok,
    });
  }

  const tarball = await packed(sandbox);
  try {
    await installed(sandbox, tarball);
    backend = await runningMock(sandbox);
    await mkdir(join(sandbox.home, ".codex"));

    await check("Claude Code", claude.npm, "claude-code", async () => [
      shown("claude mcp list", await wrote("claude", ["mcp", "list"]), /towow: .*Connected/),
      await claudeSession([], "towow"),
    ]);
    await plugin();
    await check("Codex", "@openai/codex@0.169.0", "codex", async () => [
      shown("codex mcp list", await wrote("codex", ["mcp", "list"]), /towow .*cli\.js .* enabled/),
      await codexTools(),
    ]);
    await check("Gemini CLI", "@google/gemini-cli@0.61.0", "gemini", async () => [
      shown(
        "gemini mcp list",
        await wrote("gemini", ["mcp", "list"], { GEMINI_CLI_TRUST_WORKSPACE: "true" }),
        /towow: .*Connected/,
      ),
    ]);
    await check("opencode", "opencode-ai@1.18.33", "opencode", async () => [
      shown("opencode mcp list", await wrote("opencode", ["mcp", "list"]), /✓ towow connected/),
    ]);
    const server = ["towow-mcp", "--backend-url", backend];
    await check("MCP inspector", "@modelcontextprotocol/inspector@2.12.0", undefined, async () => {
      const list = await wrote("mcp-inspector", ["--cli", ...server, "--method", "tools/list"]);
      // Not the scene that Claude Code has joined above.
      const input = ["--tool-arg", "scene=Around you", "--tool-arg", "raw_content=I build things"];
      const called = await wrote("mcp-inspector", [
        "--cli",
        ...server,
        "--method",
        "tools/call",
        "--tool-name",
        "towow_join",
        ...input,
      ]);
      return [
        shown("--cli --method tools/list", list, /towow_join/),
        shown("--method tools/call", called, /Scene found/),
      ];
    });
  } finally {
    await sandbox.close();
  }

  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const table = [
    line(["client", "version", "what it showed"]),
    line(["---", "---", "---"]),
    ...rows.map(({ client, version, showed }) => line([client, version, showed])),
  ].join("\n");
  process.stdout.write(`${table}\n`);
  if (save) {
    const page = new URL("../../docs/clients.md", import.meta.url);
    await writeFile(
      page,
      between(await readFile(page, "utf8"), "tried", `On ${new Date().toISOString().slice(0, 10)}:\n\n${table}`),
    );
  }
  const failed = rows.filter(({ ok }) => !ok).map(({ client }) => client);
  return { ok: failed.length === 0, line: `${counted(rows.length, "client")}; failed: ${failed.join(", ") || "none"}` };
}
