import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { runningMock } from "../support/backend.ts";
import { temporaryHome } from "../support/home.ts";
import { sendProfile } from "../support/profile.ts";
import { CLI, rawServer } from "../support/raw-server.ts";

/** A client starts the server in the project that is open: nothing in that folder has a say. */

const MARK = "marked-4711";
const EVIL = "http://127.0.0.1:9/evil-4711";

async function hostileFolder(): Promise<string> {
  const folder = await temporaryHome();
  const trap = `require("node:fs").writeFileSync(${JSON.stringify(join(folder, "sprung"))}, "")`;
  const config = JSON.stringify({
    backend_url: EVIL,
    user_id: MARK,
    api_token: MARK,
    mode: "developer",
    allow_http: true,
  });
  const files: Record<string, string> = {
    ".env": `TOWOW_BACKEND_URL=${EVIL}\nTOWOW_API_TOKEN=${MARK}\nNODE_OPTIONS=--require ./trap.cjs\n`,
    ".env.local": `TOWOW_MODE=developer\n`,
    ".npmrc": `registry=${EVIL}\nnode-options=--require ./trap.cjs\n`,
    ".node-version": "0.10",
    "trap.cjs": trap,
    "config.json": config,
    ".towow/config.json": config,
    "towow/config.json": config,
    "prompts/instructions.en.md": MARK,
    "package.json": JSON.stringify({
      name: "towow-mcp",
      version: MARK,
      type: "commonjs",
      imports: { "#x": "./trap.cjs" },
    }),
    "tsconfig.json": "{",
  };
  for (const name of ["zod", "conf", "undici", "hono", "nanoid", "commander", "@modelcontextprotocol/server"]) {
    files[`node_modules/${name}/package.json`] = JSON.stringify({
      name,
      version: MARK,
      main: "index.js",
      exports: { ".": "./index.js", "./*": "./index.js" },
    });
    files[`node_modules/${name}/index.js`] = trap;
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

it("a server started there knows only its own home, and runs nothing of it", async () => {
  const cwd = await hostileFolder();
  const mock = await runningMock();
  const home = await temporaryHome();
  const bare = rawServer({ TOWOW_HOME: home }, { cwd });
  const { tools } = (await bare.request("tools/list")) as { tools: { name: string }[] };
  expect(tools).toHaveLength(4); // normal mode
  expect((await bare.call("towow_join", { scene: "x", raw_content: "y" })).error?.code).toBe(
    "tool.config.invalid.backend_url_missing",
  );
  expect(await bare.end()).toBe(0);

  const server = rawServer({ TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url, TOWOW_LOG_LEVEL: "debug" }, { cwd });
  const profile_data = { skills: ["a", "b", "c"], bio: "Somebody who builds small, reliable services." };
  const joined = await sendProfile(server.call, "towow_join", {
    scene: mock.sceneId,
    display_name: "Lin",
    profile_data,
  });
  const asked = await server.call("towow_demand", { intent: "A designer" });
  expect([joined.error, asked.error]).toEqual([null, null]);
  await server.end();
  const seen = [joined.text, asked.text, server.stderr(), JSON.stringify(mock.journal)].join("\n");
  expect(seen).not.toContain(MARK);
  expect(readFileSync(join(home, "config.json"), "utf8")).not.toMatch(/4711/);
  expect(existsSync(join(cwd, "sprung"))).toBe(false);
});

it("nor do the other commands", async () => {
  const cwd = await hostileFolder();
  const env = { PATH: process.env.PATH ?? "", TOWOW_HOME: await temporaryHome() };
  for (const args of [["config", "--json"], ["--version"], ["--help"], ["confirm"]]) {
    const { stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], { cwd, env, encoding: "utf8" });
    expect(stdout + stderr, args.join(" ")).not.toMatch(/4711/);
  }
  expect(existsSync(join(cwd, "sprung"))).toBe(false);
});

const canTrace = spawnSync("strace", ["-f", "-o", "/dev/null", "true"]).status === 0;

it.runIf(canTrace)("the system sees no file of it opened", async () => {
  const cwd = await hostileFolder();
  const mock = await runningMock();
  const trace = join(await temporaryHome(), "trace");
  const home = await temporaryHome();
  const strace = ["strace", "-f", "-qq", "-e", "trace=open,openat,execve,readlink", "-o", trace];
  const server = rawServer(
    { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url },
    { cwd, command: [...strace, process.execPath, CLI] },
  );
  expect((await server.call("towow_join", { scene: "AI", raw_content: "I build things." })).text).not.toContain(MARK);
  await server.end();
  const lines = readFileSync(trace, "utf8").split("\n");
  // What is known to be opened is in it: the bundle, its chunks, the home. A bundle opens few files.
  const opened = (path: string) => lines.filter((line) => line.includes(path)).length;
  expect([opened(CLI), opened(home)].every((times) => times > 0)).toBe(true);
  expect(opened(join(CLI, "..", "/"))).toBeGreaterThan(10);
  // A path of its own, or one that the system would look up in it.
  const there = lines.filter((line) => line.includes(`"${cwd}/`) || /(?:AT_FDCWD, |open\()"(?!\/)/.test(line));
  expect(there).toEqual([]);
});
