// The official conformance suite against the running endpoint, in both protocol eras, as a Markdown table.
// Run: npm run check:conformance; with --write the table goes into docs/http.md. The suite comes by npx. It fails when a
// scenario fails that nothing here excuses.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { between } from "../docs/generate.ts";
import { startEndpoint } from "../test/support/endpoint.ts";

const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const ERAS = ["2025-11-25", "2026-07-28"] as const;
const PAGE = new URL("../docs/http.md", import.meta.url);

const TOOLS = "calls tools that only the suite's own test server has";
const RESOURCES = "reads resources that only the suite's own test server has";
const PROMPTS = "asks for prompts that only the suite's own test server has";

/** Why a scenario cannot pass here. By name, or by the beginning of it. */
const EXCUSED: Readonly<Record<string, string>> = {
  "completion-complete": "no completions are offered",
  "logging-set-level": "no MCP logging is offered; the protocol has deprecated it",
  "tools-call-": TOOLS,
  "json-schema-2020-12": TOOLS,
  "elicitation-": TOOLS,
  "server-sse-polling": `${TOOLS}; what does not need one passes`,
  "server-stateless": `${TOOLS} for two of its checks; the others pass`,
  "http-custom-header-server-validation": "no tool takes arguments from headers",
  "input-required-result-": TOOLS,
  "resources-read-": RESOURCES,
  "resources-templates-read": RESOURCES,
  "resources-subscribe": RESOURCES,
  "resources-unsubscribe": RESOURCES,
  "prompts-get-": PROMPTS,
};

/** They pass with our answer about a tool that is not there, which says little. */
const PASSES_BY_ITSELF = [
  "tools-call-simple-text",
  "tools-call-error",
  "input-required-result-missing-input-response",
  "input-required-result-ignore-extra-params",
  "input-required-result-validate-input",
];

interface Check {
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  id: string;
  errorMessage?: string;
}
interface Scenario {
  name: string;
  era: string;
  passed: number;
  failures: Check[];
}

function run(command: string, args: string[], cwd: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
    child.once("error", reject);
    child.once("exit", resolve);
  });
}

async function scenariosOf(era: string, url: string): Promise<Scenario[]> {
  const dir = mkdtempSync(join(tmpdir(), "towow-conformance-"));
  try {
    const suite = ["server", "--url", url, "--suite", "all", "--spec-version", era, "--output-dir", "out"];
    await run("npx", ["-y", SUITE, ...suite], dir); // its exit code counts what cannot pass here, too
    return readdirSync(join(dir, "out"))
      .map((folder) => {
        const checks = JSON.parse(readFileSync(join(dir, "out", folder, "checks.json"), "utf8")) as Check[];
        return {
          name: folder.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, ""),
          era,
          passed: checks.filter(({ status }) => status === "SUCCESS").length,
          failures: checks.filter(({ status }) => status === "FAILURE"),
        };
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const excuseOf = (name: string): string | undefined =>
  Object.entries(EXCUSED).find(([known]) => name === known || (known.endsWith("-") && name.startsWith(known)))?.[1];

const resultOf = (scenario: Scenario | undefined): string => {
  if (scenario === undefined) return "–";
  const { passed, failures } = scenario;
  return failures.length === 0 ? `passes (${passed})` : `${passed} of ${passed + failures.length}`;
};

function row(name: string, scenarios: Scenario[]): string {
  const ofEra = (era: string) => scenarios.find((one) => one.name === name && one.era === era);
  const fails = scenarios.some((one) => one.name === name && one.failures.length > 0);
  const vacuous = PASSES_BY_ITSELF.includes(name) ? "its tool is unknown here, so this says little" : "";
  return `| ${[name, ...ERAS.map((era) => resultOf(ofEra(era))), fails ? (excuseOf(name) ?? "**fails**") : vacuous].join(" | ")} |`;
}

/** The suite can send no token, and without one nobody is served: this says it for the suite, and passes the rest on. */
async function withKey(target: () => { port: number; homeKey(): string }): Promise<Server> {
  const server = createServer((asked, answer) => {
    const { method, url: path } = asked;
    const { port, homeKey } = target();
    const headers = { ...asked.headers, authorization: `Bearer ${homeKey()}` };
    const onward = request({ host: "127.0.0.1", port, method, path, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    asked.pipe(onward);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const front = await withKey(() => endpoint);
const { port } = front.address() as AddressInfo;
// The suite calls as a page of the endpoint's own address would, which is to be let in.
const origins = `http://127.0.0.1:${port},http://localhost:${port}`;
const endpoint = await startEndpoint({
  args: ["--rate", "1000000", "--allowed-origins", origins],
  env: { TOWOW_LOG_LEVEL: "error" },
});
try {
  const scenarios: Scenario[] = [];
  const url = `http://127.0.0.1:${port}/mcp`;
  for (const era of ERAS) scenarios.push(...(await scenariosOf(era, url)));
  const whole = scenarios.filter(({ failures }) => failures.length === 0).length;
  const table = [
    `\`${SUITE}\`: ${whole} of ${scenarios.length} scenarios pass. In brackets: checks.`,
    "",
    `| Scenario | ${ERAS.join(" | ")} | Why not all of it |`,
    "| --- | --- | --- | --- |",
    ...[...new Set(scenarios.map(({ name }) => name))].sort().map((name) => row(name, scenarios)),
  ].join("\n");
  process.stdout.write(`${table}\n`);
  if (process.argv.includes("--write"))
    writeFileSync(PAGE, between(readFileSync(PAGE, "utf8"), "conformance", `\n${table}\n`));
  const failed = scenarios.filter(({ name, failures }) => failures.length > 0 && excuseOf(name) === undefined);
  for (const { name, era, failures } of failed)
    for (const { id, errorMessage } of failures) process.stderr.write(`${era} ${name} ${id}: ${errorMessage}\n`);
  process.exitCode = scenarios.length === 0 || failed.length > 0 ? 1 : 0;
} finally {
  front.close();
  front.closeAllConnections();
  await endpoint.close();
}
