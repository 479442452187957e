import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { confirms, runningMock, submits } from "../support/backend.ts";
import { cli, inTerminal } from "../support/cli.ts";
import { legacyClient } from "../support/clients.ts";
import { startEndpoint } from "../support/endpoint.ts";
import { temporaryHome } from "../support/home.ts";
import { QuietClock } from "../support/quiet-clock.ts";
import { soon } from "../support/soon.ts";
import { examined } from "./doctor-support.ts";

/** What `config.json` restricts, and what a project's variables or a client's flags try to make of it. */

async function restricted(file: object | string, options: Parameters<typeof runningMock>[0] = {}) {
  const mock = await runningMock(options);
  const home = await temporaryHome();
  const path = join(home, "config.json");
  await writeFile(path, typeof file === "string" ? file : JSON.stringify(file), { mode: 0o600 });
  const saved = async () => JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
  return { mock, home, env: { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url }, saved };
}

it("a strict demand that nobody decides on is withdrawn, whatever variables say of leave and of the deadline", async () => {
  const clock = new QuietClock(Date.now());
  const { mock, env } = await restricted({ confirmation_policy: "strict", confirm_deadline_s: 300 }, { clock });
  const loosened = { TOWOW_ON_UNCONFIRMED: "leave", TOWOW_CONFIRM_DEADLINE_S: "86400", TOWOW_WAIT_BUDGET_S: "0" };
  const session = await legacyClient({ env: { ...env, ...loosened }, clock });
  const { result } = await session.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
  await clock.pass(300_000);
  expect(mock.negotiations()).toMatchObject([{ confirmCount: 0, cancelled: true }]);
  const told = await session.call("towow_status", { negotiation_id: result.data.negotiation_id });
  expect(told.text).toMatch(/withdrawn/i);
});

describe("profile read_only in the file", () => {
  const file = { profile: "read_only" };
  const LIVE = { TOWOW_PROFILE: "live", TOWOW_MODE: "developer" };

  it.each([
    ["a variable", LIVE, []],
    ["a flag", { TOWOW_MODE: "developer" }, ["stdio", "--profile", "live"]],
  ])("no server over stdio writes for %s", async (_, more, args) => {
    const { mock, env } = await restricted(file);
    const session = await legacyClient({ env: { ...env, ...more }, args });
    const { result } = await session.call("towow_submit_demand", { scene_id: mock.sceneId, intent: "A designer" });
    expect(result.error?.code).toBe("tool.policy.blocked.profile");
    expect(submits(mock)).toEqual([]);
  });

  it("nor does an endpoint, for its variables, its flags, or a client's address", async () => {
    const { mock, env } = await restricted(file);
    const args = ["--profile", "live"];
    const endpoint = await startEndpoint({ args, env: { ...env, ...LIVE }, backend: { mock, url: mock.url } });
    onTestFinished(() => endpoint.close());
    const headers = { Authorization: `Bearer ${await endpoint.token()}` };
    const session = await legacyClient({ url: endpoint.url, headers });
    const { result } = await session.call("towow_submit_demand", { scene_id: mock.sceneId, intent: "A designer" });
    expect(result.error?.code).toBe("tool.policy.blocked.profile");
    await expect(legacyClient({ url: `${endpoint.url}?profile=live`, headers })).rejects.toThrow("operator's");
    expect(submits(mock)).toEqual([]);
  });

  it("nor does a call without a terminal, which says that its flag is not followed", async () => {
    const { mock, env } = await restricted(file);
    const args = ["call", "towow_submit_demand", `scene_id=${mock.sceneId}`, "intent=A designer"];
    const { stdout, stderr } = await cli([...args, "--profile", "live", "--mode", "developer"], { env });
    expect(JSON.parse(stdout).error.code).toBe("tool.policy.blocked.profile");
    expect(stderr).toContain("--profile live is ignored: only config.json can allow more than read_only.");
    expect(submits(mock)).toEqual([]);
  });

  it("a person's flag at a terminal is followed, a variable there is not", async () => {
    const { mock, env } = await restricted(file);
    const args = ["call", "towow_create_scene", "name=n", "description=d", "--mode", "developer"];
    const refused = inTerminal(args, { ...env, TOWOW_PROFILE: "live" });
    await refused.sees(/read_only/);
    expect(await refused.ended).toBe(1);
    const scenes = mock.scenes().length;
    const sent = inTerminal([...args, "--profile", "dry_run"], env);
    await sent.sees(/scenes/);
    await sent.ended;
    expect(mock.scenes()).toHaveLength(scenes);
    const live = inTerminal([...args, "--profile", "live"], env);
    await live.sees(/organizer|scene/i);
    live.types("yes");
    await live.ended;
    await soon(() => mock.scenes().length).toBe(scenes + 1);
  });
});

describe("config set", () => {
  const LOOSER = [
    "set profile live",
    "unset profile",
    "set allow_tools towow_status,towow_demand",
    "unset allow_tools",
    "set exclude_tools towow_status",
    "set redact_pii false",
    "set allow_http true",
    "set budget_max_negotiations 3",
  ];
  const file = {
    profile: "read_only",
    allow_tools: "towow_status",
    exclude_tools: "towow_join",
    redact_pii: true,
    allow_http: false,
    budget_max_negotiations: 2,
  };

  it.each(LOOSER)("%s: not by a script, where the file restricts it", async (line) => {
    const { env, saved } = await restricted(file);
    const tried = await cli(["config", ...line.split(" ")], { env, input: "yes\n" });
    expect(tried).toMatchObject({ status: 1, stderr: expect.stringContaining("run this in a terminal") });
    expect(await saved()).toEqual(file);
  });

  it("what restricts more, and what the file does not restrict, is anybody's to set", async () => {
    const { env, saved } = await restricted({});
    for (const line of ["set profile live", "set profile read_only", "set profile dry_run", "set redact_pii false"])
      expect(await cli(["config", ...line.split(" ")], { env }), line).toMatchObject({ status: 0 });
    expect(await saved()).toMatchObject({ profile: "dry_run", redact_pii: false });
  });

  it("a person in a terminal is asked nothing, but for what strict stands on", async () => {
    const { env, saved } = await restricted(file);
    expect(await inTerminal(["config", "set", "profile", "live"], env).ended).toBe(0);
    expect(await saved()).toMatchObject({ profile: "live" });
  });

  it("a limit that is misspelt is no permission either", async () => {
    const { env, saved } = await restricted({ confirmation_policy: "Strict", profile: "readonly" });
    for (const [key, value] of [
      ["confirmation_policy", "auto"],
      ["profile", "live"],
    ] as const)
      expect(await cli(["config", "set", key, value], { env })).toMatchObject({ status: 1 });
    expect(await saved()).toEqual({ confirmation_policy: "Strict", profile: "readonly" });
  });
});

describe("what was not followed is named", () => {
  const env = { TOWOW_PROFILE: "live", TOWOW_ON_UNCONFIRMED: "leave", TOWOW_ALLOW_HTTP: "true" };

  it("by config and the doctor", async () => {
    const { home } = await restricted({ confirmation_policy: "strict", profile: "read_only" });
    const all = { ...env, TOWOW_HOME: home };
    const { stdout } = await cli(["config"], { env: all });
    expect(stdout).toMatch(/^profile +read_only .*TOWOW_PROFILE: live is looser and is ignored/m);
    expect(stdout).toMatch(/^on_unconfirmed +cancel .*TOWOW_ON_UNCONFIRMED: leave is looser/m);
    expect(stdout).toMatch(/^allow_http +true +environment$/m); // the file is silent: nothing was restricted
    const { of } = await examined(all);
    expect(of("settings.profile.ignored")).toMatchObject({
      level: "warning",
      message: "TOWOW_PROFILE=live is ignored: only config.json can allow more than profile read_only.",
      fix: "unset TOWOW_PROFILE",
    });
    expect(of("settings.on_unconfirmed.ignored")?.message).toContain("TOWOW_ON_UNCONFIRMED=leave is ignored");
    expect((await cli(["doctor"], { env: { ...all, TOWOW_LANG: "zh" } })).stdout).toContain(
      "未采用 TOWOW_PROFILE=live",
    );
  });

  it("another home is one with other limits, and the doctor names those that are left behind", async () => {
    const person = await temporaryHome();
    await mkdir(join(person, ".towow"), { mode: 0o700 });
    const usual = join(person, ".towow", "config.json");
    await writeFile(usual, JSON.stringify({ confirmation_policy: "strict", profile: "read_only" }), { mode: 0o600 });
    const { home } = await restricted({ profile: "dry_run" });
    const { of } = await examined({ HOME: person, TOWOW_HOME: home });
    expect(of("home.limits")).toMatchObject({
      level: "warning",
      message: expect.stringMatching(/limits of .*\.towow do not apply: confirmation_policy strict\.$/),
      fix: "unset TOWOW_HOME",
    });
    const alone = await examined({ HOME: home, TOWOW_HOME: home });
    expect(alone.of("home.limits")).toMatchObject({ level: "ok", message: expect.stringContaining("TOWOW_HOME") });
    expect((await examined({ HOME: person })).of("home.limits")).toBeUndefined();
  });

  it("one key twice: the stricter holds in a server, and everybody is told", async () => {
    const { mock, env } = await restricted('{"confirmation_policy":"strict","confirmation_policy":"auto"}');
    const session = await legacyClient({ env }, () => ({ action: "accept", content: { decision: "accept" } }));
    const { result, text } = await session.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
    expect([session.forms, confirms(mock)]).toEqual([[], []]);
    expect(result.warnings).toContain("config_key_twice");
    expect(text).toContain("has one key twice");
    await writeFile(join(env.TOWOW_HOME, "config.json"), '{"profile":"read_only","profile":"live"}');
    const { stdout, stderr } = await cli(["config", "get", "profile"], { env });
    expect(stdout).toBe("read_only\n");
    expect(stderr).toContain('holds "profile" twice: the stricter value counts');
    expect((await examined(env)).of("config.twice")?.message).toContain('holds "profile" twice');
  });
});
