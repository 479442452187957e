import { execFile, spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { commandsOf, lineOf } from "../../docs/generate/commands.ts";
import { commandLinesOf, mentionsOf, pages } from "../../docs/pages.ts";
import { createMockBackend } from "../../mock-backend/main.ts";
import { ownIo } from "../../src/app/io.ts";
import { createProgram } from "../../src/commands/program.ts";
import { CLI, words } from "../support/cli.ts";
import { startProgram } from "../support/program.ts";

/** Lines that are not run here, each with the reason. Every other line of a `sh` block is. */
const NOT_RUN: readonly (readonly [line: RegExp, why: string])[] = [
  [/^npm ci( && npm (run demo|test)\b.*)?$/, "installs; CI does it, and test/e2e/demo.full.test.ts runs the demo"],
  [
    /^npm install -g --engine-strict \.\/towow-mcp-[\d.]+\.tgz$/,
    "installs; node checks/clients.ts first-plan does it with the tarball",
  ],
  [/^npm test$|^npm run test:all$|^npx vitest run test\//, "would run this test again"],
  [
    /^npm run build && node dist\/cli\.js --help$/,
    "builds what the other tests are using; test/docs/cli.full.test.ts runs it",
  ],
  [/^towow-mcp serve --host 0\.0\.0\.0 --store redis:\/\/store:/, "listens for others, and wants a store of that name"],
  [/^docker compose /, "wants a container engine"],
  [/^towow-mcp token\b/, "wants a terminal; test/e2e/token.test.ts runs it"],
  [/^towow-mcp open --agent$/, "wants a terminal or a browser; test/e2e/room.test.ts opens it"],
  [/^node examples\/agent\.mjs /, "wants a room; test/relay/example.full.test.ts runs it"],
];

/** Names in the pages that stand for what a reader has. */
const real = (line: string) => line.replaceAll("neg_5b8cf8d6ab84", negotiation).replaceAll("scene_0123456789ab", scene);

/** These go on until they are ended: run to their first line. */
const ENDLESS = /^towow-mcp (mock|serve|watch|stdio)\b/;
const LINES = pages().flatMap(commandLinesOf);
const RUN = [...new Set(LINES.map(({ line }) => line))].filter((line) => !NOT_RUN.some(([one]) => one.test(line)));

const run = promisify(execFile);
const mock = createMockBackend({ stepMs: 10, seed: 7 });
const base = mkdtempSync(join(tmpdir(), "towow-test-"));
let [backend, negotiation, scene] = ["", "", ""];

const program = (name: string, script: string) => {
  writeFileSync(join(base, "bin", name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(base, "bin", name), 0o755);
};

/** A machine on which somebody has joined a scene, and a demand of theirs waits. */
beforeAll(async () => {
  for (const name of ["bin", "home", "work"]) mkdirSync(join(base, name));
  // The usual ports may be taken on a machine that tests: where a line names none, any free one.
  program(
    "towow-mcp",
    `case "$1 $*" in mock*--port*|serve*--port*) ;; "mock "*|"serve "*) set -- "$@" --port 0 ;; esac\nexec '${process.execPath}' '${CLI}' "$@"`,
  );
  program(
    "claude",
    `case "$*" in "mcp add --scope user towow "*) printf '{"mcpServers":{"towow":{"type":"stdio","command":"%s","args":["%s"]}}}' "$7" "$8" > "$HOME/.claude.json" ;; esac`,
  );
  ({ url: backend } = await mock.listen());
  scene = mock.scenes()[0]?.scene_id ?? "";
  const env = { ...process.env, HOME: join(base, "home"), TOWOW_BACKEND_URL: backend, TOWOW_ON_UNCONFIRMED: "leave" };
  const call = (...args: string[]) => run(process.execPath, [CLI, "call", ...args], { env });
  const profile = { skills: ["design", "research", "figma"], bio: "Designs small and useful things." };
  const join_ = { scene, profile_data: profile, display_name: "Lin Yue" };
  writeFileSync(join(base, "work", "arguments.json"), JSON.stringify({ ...join_, display_name: "Lin" }));
  writeFileSync(join(base, "home", ".claude.json"), "{}");
  const shown = await call("towow_join", JSON.stringify(join_));
  const [, profile_hash] = /"profile_hash": ?"(\w+)"/.exec(shown.stdout) ?? [];
  await call("towow_join", JSON.stringify({ ...join_, profile_hash }));
  await call("towow_demand", "intent=I need an editor");
  negotiation = mock.negotiations()[0]?.negotiation_id ?? "";
});

afterAll(async () => {
  await mock.close();
  rmSync(base, { recursive: true, force: true });
});

/** What a shell hands on as it stands needs none. */
const isPlain = (line: string) =>
  /^towow-mcp(?: [\w./:=@,-]+| '[^']*')*$/.test(line) && !/--port|^towow-mcp (mock|serve)/.test(line);

/** Types a line, into a shell where it wants one, on a machine of its own. */
function typed(line: string, onTestFinished: TestContext["onTestFinished"]) {
  const own = mkdtempSync(join(base, "machine-"));
  for (const name of ["home", "work"]) cpSync(join(base, name), join(own, name), { recursive: true });
  const env = {
    HOME: join(own, "home"),
    PATH: `${join(base, "bin")}:/usr/bin:/bin`,
    LANG: "en_US.UTF-8",
    TOWOW_BACKEND_URL: backend,
    TOWOW_STATE_KEY: Buffer.alloc(32, 1).toString("base64"),
  };
  const cwd = join(own, "work");
  const inShell = () => spawn("sh", ["-c", ENDLESS.test(line) ? `exec ${line}` : line], { cwd, env });
  const child = isPlain(line) ? startProgram(words(line).slice(1), { cwd, env }) : inShell();
  child.stdin?.end();
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  const first = new Promise<void>((resolve) => {
    child.stdout!.setEncoding("utf8").on("data", (chunk: string) => {
      said += chunk;
      resolve();
    });
  });
  child.stderr!.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
  const ended = new Promise<number | string | null>((resolve) =>
    child.once("close", (status, signal) => resolve(status ?? signal)),
  );
  return { child, first, ended, said: () => said };
}

describe("every command in the pages", () => {
  it.concurrent.for(RUN.filter((line) => !ENDLESS.test(line)))("%s", async (line, { expect, onTestFinished }) => {
    const { ended, said } = typed(real(line), onTestFinished);
    expect(await ended, said()).toBe(0);
    expect(said()).not.toContain("    at ");
  });

  it.concurrent.for(RUN.filter((line) => ENDLESS.test(line)))(
    "%s, until its first line",
    async (line, { expect, onTestFinished }) => {
      const { child, first, ended, said } = typed(real(line), onTestFinished);
      await Promise.race([first, ended]);
      expect(child.exitCode, said()).toBe(null);
      child.kill("SIGINT");
      expect([0, 130, "SIGINT"], said()).toContain(await ended);
      expect(said()).not.toMatch(/^error|^ {4}at /m);
    },
  );
});

describe("what the sentences name as a command", () => {
  const root = new URL("../../", import.meta.url);
  const known = commandsOf(createProgram({ io: ownIo, root, version: "0" }));

  it("is a command, with options that it has", () => {
    const wrong = [...pages().flatMap(mentionsOf), ...LINES.filter(({ line }) => line.startsWith("towow-mcp "))].filter(
      ({ line }) => {
        const command = known
          .filter((one) => line === lineOf(one) || line.startsWith(`${lineOf(one)} `))
          .sort((a, b) => lineOf(b).length - lineOf(a).length)[0];
        const flags = [...line.matchAll(/ (--[a-z-]+)/g)].map(([, flag]) => flag);
        const has = ["--help", ...(command?.options.map(({ long }) => long) ?? [])];
        return command === undefined || flags.some((flag) => !has.includes(flag));
      },
    );
    expect(wrong).toEqual([]);
  });
});

it("finds the lines that there are", () => {
  expect(LINES.length).toBeGreaterThan(20);
  expect(RUN).toContain("towow-mcp doctor");
  expect(RUN).toContain("towow-mcp call towow_status");
});
