import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join as path } from "node:path";
import { describe, expect, it } from "vitest";
import { runningMock, submits } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import { legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { toolsOf } from "../support/tools-of.ts";
import { INTENT, join, serving } from "./bad-backend-support.ts";
import { expectFailure, STACK } from "./failure.ts";

describe("settings and the home", () => {
  const look = { scene: "AI 创业合伙人", raw_content: "I build things." };

  it("no backend: the server lists its tools, and says how to get one", async () => {
    const session = await legacyClient({ env: { TOWOW_HOME: await temporaryHome() } });
    const called = await session.call("towow_join", look);
    expectFailure(called, "tool.config.invalid.backend_url_missing");
    expect(called.text).toMatch(/ setup\..* network sandbox\./s);
    expect((await session.call("towow_set_mode", { mode: "developer" })).result.status).toBe("ok");
    expect(await session.tools()).toHaveLength(toolsOf("developer").length);
  });

  it("a corrupt config file that named the network: it is named, nobody is sent to choose another, repairing it is enough", async () => {
    const mock = await runningMock();
    const home = await temporaryHome();
    const file = path(home, "config.json");
    const broken = `{ "backend_url": "${mock.url}", "confirmation_policy": "strict", `;
    await writeFile(file, broken);
    const env = { TOWOW_HOME: home };
    for (const command of ["list", "scenes", "confirm", "watch", "cancel", "reviews", "report"]) {
      const { status, stderr } = await cli([command], { env });
      expect(status, command).toBe(1);
      expect(stderr, command).toContain(`${file} cannot be used (not JSON)`);
      expect(stderr, command).not.toMatch(/No network has been chosen|towow-mcp setup/);
    }
    const session = await legacyClient({ env });
    const called = await session.call("towow_join", look);
    expectFailure(called, "tool.config.invalid.file");
    expect(called.text).toContain(`${file} cannot be used (not JSON)`);
    expect(await readFile(file, "utf8")).toBe(broken);
    expect(mock.journal).toEqual([]);
    await writeFile(file, `${broken.replace(/, $/, "")} }`);
    await expect.poll(async () => (await session.call("towow_join", look)).result.status).toBe("ok");
  });

  it("a config file of JSON that holds no object: it is not called something else than JSON", async () => {
    const home = await temporaryHome();
    const file = path(home, "config.json");
    for (const [lang, says] of [
      ["en", "(JSON, but not an object of settings)"],
      ["zh", "（是 JSON，但不是由设置组成的对象）"],
    ] as const) {
      await writeFile(file, '["a"]');
      const env = { TOWOW_HOME: home, TOWOW_LANG: lang };
      expect((await cli(["scenes"], { env })).stderr).toContain(says);
      expect((await cli(["doctor", "--json"], { env })).stdout).toContain(says);
      expect((await cli(["config"], { env })).stderr).toContain(says);
      const { stdout, stderr } = await cli(["config", "set", "mode", "developer"], { env });
      expect(stdout + stderr).toContain(says);
      expect(stdout + stderr).toContain("config.corrupt-");
    }
  });

  it("a config file that is cut to nothing while a server runs: the same person under the same policy, and it is said", async () => {
    const mock = await runningMock();
    const home = await temporaryHome();
    const file = path(home, "config.json");
    await writeFile(file, '{"confirmation_policy": "strict"}');
    const session = await legacyClient({ env: { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url } });
    expect((await session.call("towow_join", look)).result.status).toBe("ok");
    const { user_id } = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, "");
    const { result, text } = await session.call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
    expect(text).toContain("was not a JSON object. Only its restrictions apply");
    const { negotiation_id, ...how } = result.data.resume_with.params;
    expect(how).toEqual({}); // strict: no AI passes a yes on
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ user_id, confirmation_policy: "strict" });
    expect(submits(mock)).toHaveLength(1);
  });

  it("a broken config file that says strict: no AI passes a yes on, and the first result says what is the matter", async () => {
    const mock = await runningMock();
    const home = await temporaryHome();
    await writeFile(path(home, "config.json"), '{"confirmation_policy": "strict", "lang":');
    const session = await legacyClient({ env: { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url } });
    const listed = await session.call("towow_join", look);
    expect(listed.text).toContain("was not a JSON object. Only its restrictions apply");
    const { result } = await session.call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
    const { negotiation_id, ...how } = result.data.resume_with.params;
    expect(how).toEqual({});
    const decided = await session.call("towow_demand", { negotiation_id, decision: "accept" });
    expect(decided.result.data?.decision ?? null).toBeNull();
    expect(mock.negotiations()).toMatchObject([{ confirmCount: 0 }]);
  });

  it("a bad value: the server starts, its tools name the key and where it stands, and fixing it is enough", async () => {
    const mock = await runningMock();
    const home = await temporaryHome();
    const file = path(home, "config.json");
    await writeFile(file, JSON.stringify({ backend_url: mock.url, wait_budget_s: "soon" }));
    const session = await legacyClient({ env: { TOWOW_HOME: home } });
    const called = await session.call("towow_join", look);
    expectFailure(called, "tool.config.invalid.value");
    expect(called.text).toMatch(/wait_budget_s.*config\.json/s);
    expect(called.text).not.toContain("soon");
    expect(mock.journal).toEqual([]);
    await writeFile(file, JSON.stringify({ backend_url: mock.url, wait_budget_s: 30 }));
    await expect.poll(async () => (await session.call("towow_join", look)).result.status).toBe("ok");
  });

  it("a home that cannot be: everything that needs no memory works, the rest says which folder", async () => {
    const mock = await runningMock({ auth: false });
    const file = path(await temporaryHome(), "file");
    await writeFile(file, "");
    const TOWOW_HOME = path(file, "home");
    const env = { TOWOW_HOME, TOWOW_BACKEND_URL: mock.url };
    const nameless = await legacyClient({ env });
    const first = await nameless.call("towow_join", look);
    expectFailure(first, "tool.config.unavailable.home_unwritable");
    expect(first.text).toContain(TOWOW_HOME);

    const session = await legacyClient({ env: { ...env, TOWOW_USER_ID: "u1", TOWOW_API_TOKEN: "t1" } });
    expect((await session.call("towow_set_mode", { mode: "developer", persist: false })).result.status).toBe("ok");
    expectFailure(await session.call("towow_set_mode", { mode: "normal" }), "tool.config.unavailable.home_unwritable");
    expect((await session.call("towow_join", look)).result.status).toBe("ok");
    expect((await join(session, mock.sceneId)).result.data).toMatchObject({ already_joined: false });
    const submitted = await session.call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
    expect(submitted.isError).toBe(true);
    expect(submits(mock)).toEqual([]); // without a history nobody would guard it
  });

  it.each(["70000", "-1", "http", "taken"])("a mock on the port %s says why it cannot run", async (port) => {
    const { url } = await serving(() => {});
    const cli = new URL("../../dist/cli.js", import.meta.url).pathname;
    const wanted = port === "taken" ? new URL(url).port : port;
    const env = { PATH: process.env.PATH ?? "", TOWOW_HOME: await temporaryHome() };
    const { status, stderr } = spawnSync(process.execPath, [cli, "mock", `--port=${wanted}`], {
      env,
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining("(tool.config.unavailable.port)")]);
    expect(stderr).not.toMatch(STACK);
  });
});
