// A new user's path, timed: from the packed tarball in an empty folder and an empty home to the first plan in the real
// Claude Code. Run: npm run check:first-plan [-- <the claude program>] [--save]; without a program, the client is
// installed from npm. --save puts the table into docs/clients.md.
import { readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { between } from "../docs/generate.ts";
import { converse, hasPlan, toThePlan } from "./clients/claude-session.ts";
import { createSandbox, installed, packed, type Ran, runningMock } from "./clients/sandbox.ts";

const CLAUDE = "@anthropic-ai/claude-code@2.1.329";
const [program] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));

const sandbox = await createSandbox();
const rows: [step: string, seconds: number, by: "person" | "check"][] = [];
const must = (what: string, { status, out, err }: Ran) => {
  if (status !== 0) throw new Error(`${what}: ${err || out}`);
};
async function timed(step: string, work: () => Promise<Ran>, by: "person" | "check" = "person"): Promise<Ran> {
  const ran = await work();
  must(step, ran);
  rows.push([step, ran.ms / 1000, by]);
  return ran;
}

try {
  if (program === undefined) await timed("Claude Code from npm", () => installed(sandbox, CLAUDE), "check");
  else sandbox.addToPath(dirname(resolve(program)));
  const { out: version } = await sandbox.run("claude", ["--version"]);
  const tarball = await packed(sandbox);

  await timed("npm install -g towow-mcp (the tarball, no cache)", () => installed(sandbox, tarball));
  const backend = await runningMock(sandbox);
  await timed("towow-mcp setup claude-code", () =>
    sandbox.run("towow-mcp", ["setup", "claude-code", "--backend-url", backend]),
  );
  const list = await timed("claude mcp list", () => sandbox.run("claude", ["mcp", "list"]));
  if (!/towow: .*Connected/.test(list.out)) throw new Error(`not connected: ${list.out}`);

  const { results, seconds, err } = await converse(sandbox, toThePlan("AI 创业合伙人"));
  const last = results.at(-1);
  if (results.length !== 4 || results.some(({ isError }) => isError) || !hasPlan(last?.text))
    throw new Error(`no plan: ${JSON.stringify(results, null, 1).slice(0, 3_000)} ${err}`);
  rows.push(["Claude Code: join, profile, demand, decision, plan", seconds, "person"]);

  const total = rows.filter(([, , by]) => by === "person").reduce((sum, [, seconds]) => sum + seconds, 0);
  const line = (cells: (string | number)[]) => `| ${cells.join(" | ")} |`;
  const table = [
    line(["step", "seconds"]),
    line(["---", "---"]),
    ...rows.map(([step, seconds, by]) => line([by === "check" ? `(${step})` : step, seconds.toFixed(1)])),
    line(["from the tarball to the first plan", total.toFixed(1)]),
  ].join("\n");
  process.stdout.write(`Claude Code ${version.trim()}\n\n${table}\n`);
  if (process.argv.includes("--save")) {
    const page = new URL("../docs/clients.md", import.meta.url);
    await writeFile(page, between(await readFile(page, "utf8"), "first-plan", `\n${table}\n`));
  }
} finally {
  await sandbox.close();
}
