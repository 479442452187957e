import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { answersName } from "../../src/app/handshake-answers.ts";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { createLiveSettings } from "../../src/home/live-settings.ts";
import { DRAWS } from "../support/chat.ts";
import { CLI } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { NODE_ENV } from "../support/node-env.ts";
import { program, ROOT } from "../support/program.ts";
import { Reached } from "../support/reached.ts";

const META = "io.modelcontextprotocol";
const clientInfo = { name: "test", version: "1" };
const envelope = {
  [`${META}/protocolVersion`]: "2026-07-28",
  [`${META}/clientInfo`]: clientInfo,
  [`${META}/clientCapabilities`]: {},
};

type Message = Record<string, unknown>;
const request = (id: number | string, method: string, params?: object): Message => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params && { params }),
});
/** Of the 2025 era, the newest first. */
const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const initialize = (id: number | string, protocolVersion = VERSIONS[0], capabilities = {}) =>
  request(id, "initialize", { protocolVersion, capabilities, clientInfo });
const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };
const LISTS = ["tools/list", "prompts/list", "resources/templates/list"];

type Started = (env: Env) => ChildProcess;
/** As clients start it, what is kept is given while the server is loading; one that is called by name keeps nothing. */
const KEPT: Started = (env) => program([], { env });
const REAL: Started = (env) => program(["stdio"], { env });
const BUILT: Started = (env) => {
  const child = spawn(process.execPath, [CLI], { env, stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
};

/** One whose answers were kept from an older server. */
async function old(): Promise<Started> {
  const folder = await mkdtemp(join(tmpdir(), "towow-handshake-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const part of ["package.json", "dist/handshake", "prompts"])
    await cp(new URL(part, ROOT), join(folder, part), { recursive: true });
  const file = join(folder, "dist/handshake/answers.json");
  await writeFile(file, (await readFile(file, "utf8")).replaceAll("Join a scene of", "Enter a scene of"));
  return (env) => program([], { env, root: pathToFileURL(`${folder}/`) });
}

/** What a server writes, line by line, once it has written so many of them; and whether it writes any more then. */
async function written(start: Started, lines: readonly (Message | string)[], count: number, more: Env = {}) {
  const child = start({ ...NODE_ENV, TOWOW_HOME: await temporaryHome(), TOWOW_LANG: "en", ...more });
  const closed = new Promise((resolve) => child.once("close", resolve));
  const out: string[] = [];
  const enough = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout! }).on("line", (line) => {
      out.push(line);
      if (out.length === count) resolve();
    });
  });
  for (const line of lines) child.stdin!.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  await Promise.race([enough, closed]);
  child.stdin!.end();
  await closed;
  return out;
}

type Env = Record<string, string>;

/** Handshake and lists, as a client of an era asks for them. */
const opening = (version: string | undefined, capabilities: object): Message[] => {
  const _meta = { ...envelope, [`${META}/clientCapabilities`]: capabilities };
  return version === undefined
    ? [request(0, "server/discover", { _meta }), ...LISTS.map((list, id) => request(id + 1, list, { _meta }))]
    : [initialize(0, version, capabilities), INITIALIZED, ...LISTS.map((list, id) => request(id + 1, list, {}))];
};
/** What the interactive Claude Code declares, and `claude -p` does not. */
const WITH_PERSON = { extensions: { [`${META}/tasks`]: {} } };

const WITH_BOTH = { extensions: { ...WITH_PERSON.extensions, ...DRAWS.extensions } };

describe("what is answered while the server is loading is what the server answers, to the byte:", () => {
  for (const mode of ["normal", "developer"])
    for (const lang of ["zh", "en"])
      it(`${mode}, ${lang}`, async () => {
        const env = { TOWOW_MODE: mode, TOWOW_LANG: lang };
        const versions = mode === "normal" && lang === "en" ? VERSIONS : VERSIONS.slice(0, 1);
        for (const version of [...versions, undefined])
          for (const capabilities of [{}, WITH_PERSON, DRAWS, WITH_BOTH]) {
            const ask = (start: Started) => written(start, opening(version, capabilities), 4, env);
            const [kept, its] = await Promise.all([ask(KEPT), ask(REAL)]);
            expect(kept).toEqual(its);
            expect(its).toHaveLength(4);
          }
      });
});

describe("what is not usual is answered by the server, and everything once:", () => {
  const list = request(2, "tools/list", {});
  const sessions: Record<string, (Message | string)[]> = {
    "a call right behind the handshake": [
      initialize(1),
      INITIALIZED,
      request(2, "tools/call", { name: "towow_status", arguments: {} }),
      request(3, "tools/list", {}),
    ],
    "a list before the handshake": [list, initialize(3)],
    "a revision that nobody knows": [initialize(1, "2020-01-01"), INITIALIZED, list],
    "two handshakes": [initialize(1), initialize("two"), list],
    "a request id used twice": [initialize(1), INITIALIZED, list, list],
    "lists with a page and with a token": [
      initialize(1),
      INITIALIZED,
      request(2, "tools/list", { cursor: "x" }),
      request(3, "tools/list", { _meta: { progressToken: 1 } }),
      request(4, "ping"),
    ],
    "half an envelope": [
      request(1, "server/discover", { _meta: envelope }),
      request(2, "tools/list", { _meta: { [`${META}/protocolVersion`]: "2026-07-28" } }),
      request(3, "tools/list", {}),
      request(4, "tools/list", { _meta: { ...envelope, [`${META}/protocolVersion`]: "2030-01-01" } }),
    ],
    "no client, no capabilities": [
      request(1, "initialize", { protocolVersion: VERSIONS[0] }),
      request(2, "initialize", { protocolVersion: VERSIONS[0], capabilities: [], clientInfo: {} }),
    ],
    "ids that are no ids": [
      { ...initialize(1), id: null },
      { ...initialize(1), id: 1.5 },
      { ...initialize(1), id: { a: 1 } },
      initialize(2),
      request(3, "ping"),
    ],
    "a long line": [initialize(1), INITIALIZED, request(2, "tools/call", { name: "x".repeat(100_000) })],
  };
  it.each(Object.entries(sessions))("%s", async (_, lines) => {
    const count = lines.filter(
      (line) => typeof line !== "string" && (typeof line.id === "string" || Number.isInteger(line.id)),
    ).length;
    const stable = (line: string) =>
      line.replace(/"towow\/request_id":"[^"]+","towow\/duration_ms":\d+/, "").replaceAll(/TOWOW_HOME=\S+/g, "");
    const ask = async (start: Started) => (await written(start, lines, count)).map(stable).sort(byCodeUnits);
    expect(await ask(KEPT)).toEqual(await ask(REAL));
  });

  it("a line that is cut, and the rest of it later", async () => {
    const [first, second] = [JSON.stringify(initialize(1)), JSON.stringify(INITIALIZED)];
    const out = await written(BUILT, [first, second, JSON.stringify(request(2, "tools/list"))], 2);
    expect(out.map((line) => JSON.parse(line).id)).toEqual([1, 2]);
  });
});

it("a list that was kept from an older server is announced as changed, and the call that came with it is answered", async () => {
  const call = request(3, "tools/call", { name: "towow_status", arguments: {} });
  const out = await written(await old(), [initialize(1), INITIALIZED, request(2, "tools/list", {}), call], 4);
  expect(out[1]).toContain("Enter a scene of");
  // The call comes first, unless the machine is slow.
  const [answered, announced] = out.slice(2).sort((a) => (a.includes('"id"') ? -1 : 1));
  expect(JSON.parse(answered ?? "{}").id).toBe(3);
  expect(announced).toBe(JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }));
});

it("property: the kept answers are those of the settings, wherever these come from", async () => {
  const home = await temporaryHome();
  // Mostly nothing is set: what is kept answers for few settings.
  const some = (...values: unknown[]) =>
    fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...values) });
  const names = {
    mode: some("normal", "developer", " developer ", "", "other", 1, null),
    lang: some("zh", "en", "", "fr", null),
    language: some("zh", "en"),
    toolset: some("readonly", "", null),
    allow_tools: some("towow_join", ""),
    profile: some("read_only", "live", ""),
    backend_url: some("http://127.0.0.1:9", "nonsense"),
  };
  const text = fc.record({ LANG: some("zh_CN.UTF-8", "C", ""), LC_ALL: some("zh", "en_US", "zhx") });
  const reached = new Reached();
  await fc.assert(
    fc.asyncProperty(fc.record(names), fc.record(names), text, async (file, environment, locale) => {
      await writeFile(join(home, "config.json"), JSON.stringify(file));
      const env: Env = { TOWOW_HOME: home };
      for (const [name, value] of Object.entries(environment))
        if (value != null) env[`TOWOW_${name.toUpperCase()}`] = String(value);
      for (const [name, value] of Object.entries(locale)) if (value !== undefined) env[name] = String(value);
      const name = answersName(env);
      if (!reached.when(name !== undefined)) return;
      const values = JSON.parse(await readFile(join(home, "config.json"), "utf8"));
      const source = { read: () => ({ values }), update: async () => values, watch: () => () => {} };
      const settings = createLiveSettings(source, { env, locale: env.LC_ALL || env.LANG }).current();
      expect(name).toBe(`${settings.mode}.${settings.lang}`);
      const { toolset, allow_tools, exclude_tools, profile } = settings;
      expect({ toolset, allow_tools, exclude_tools, profile }).toEqual({ profile: "live" });
    }),
  );
  reached.atLeast(5);
});
