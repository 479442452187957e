import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/clock.ts";
import { storeAt } from "../home/support.ts";
import { runningMock } from "../support/backend.ts";
import { temporaryHome } from "../support/home.ts";
import { asNobody, canSwitchUser, NOBODY, SOMEBODY } from "../support/other-users.ts";
import { CLI, rawServer } from "../support/raw-server.ts";

/** Another user of the same machine: what they can put where this program looks. */

describe.runIf(canSwitchUser)("in a folder that everybody shares", () => {
  async function sharedHome(): Promise<string> {
    const home = await temporaryHome();
    chmodSync(home, 0o1777);
    return home;
  }

  it("a config of somebody else is not believed, and not written", async () => {
    const home = await sharedHome();
    const path = join(home, "config.json");
    writeFileSync(path, JSON.stringify({ backend_url: "http://127.0.0.1:9/evil" }));
    chmodSync(path, 0o666);
    chownSync(path, SOMEBODY, SOMEBODY);
    const env = { PATH: process.env.PATH ?? "", TOWOW_HOME: home };
    const { stdout } = spawnSync(process.execPath, [CLI, "config", "--json"], { ...asNobody, env });
    expect(stdout).toContain("backend_url");
    expect(stdout).not.toContain("evil");
    const server = rawServer(env, { uid: NOBODY, gid: NOBODY, cwd: "/" });
    expect((await server.call("towow_set_mode", { mode: "developer" })).error?.code).toBe(
      "tool.config.unavailable.home_unwritable",
    );
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ backend_url: "http://127.0.0.1:9/evil" });
  });

  it("a history of somebody else takes no question, so nothing is submitted", async () => {
    const mock = await runningMock({ auth: false });
    const home = await sharedHome();
    mkdirSync(join(home, "history"));
    chmodSync(join(home, "history"), 0o777);
    chownSync(join(home, "history"), SOMEBODY, SOMEBODY);
    const env = { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url, TOWOW_USER_ID: "u1", TOWOW_API_TOKEN: "t1" };
    const server = rawServer(env, { uid: NOBODY, gid: NOBODY, cwd: "/" });
    const asked = await server.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
    expect(asked.error?.code).toBe("tool.config.unavailable.home_unwritable");
    expect(mock.negotiations()).toEqual([]);
  });

  it("one's own config there works, and stays private", async () => {
    const home = await sharedHome();
    const env = { TOWOW_HOME: home };
    const server = rawServer(env, { uid: NOBODY, gid: NOBODY, cwd: "/" });
    expect((await server.call("towow_set_mode", { mode: "developer" })).error).toBeNull();
    await server.end();
    const { mode, uid } = statSync(join(home, "config.json"));
    expect([mode & 0o777, uid]).toEqual([0o600, NOBODY]);
  });
});

describe("links and files in the place of a lock", () => {
  it.each<[string, (path: string, target: string) => void]>([
    ["a link to a folder", (path, target) => symlinkSync(target, path)],
    ["a link to nothing", (path, target) => symlinkSync(`${target}/nothing`, path)],
    ["a file", (path) => writeFileSync(path, "mine")],
  ])("%s: the write is refused in time, and nothing is removed through it", async (_, put) => {
    const home = await temporaryHome();
    const target = await temporaryHome();
    writeFileSync(join(target, "victim"), "mine");
    put(join(home, "config.json.lock"), target);
    const stop = AbortSignal.timeout(300);
    await expect(storeAt(home, systemClock).update((file) => ({ ...file, mode: "normal" }), stop)).rejects.toThrow();
    expect(readFileSync(join(target, "victim"), "utf8")).toBe("mine");
    expect(lstatSync(join(home, "config.json.lock")).isDirectory()).toBe(false);
  });
});
