import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Dirent, lstatSync, readdirSync, statSync } from "node:fs";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runningMock } from "../support/backend.ts";
import { temporaryHome } from "../support/home.ts";
import { NODE_ENV } from "../support/node-env.ts";
import { sendProfile } from "../support/profile.ts";
import { CLI, rawServer } from "../support/raw-server.ts";

/** What is below the home at this moment, and open to others. Locks are empty folders that live for a moment. */
function exposed(home: string): string[] {
  const modeOf = (entry: Dirent) => {
    try {
      return statSync(join(entry.parentPath, entry.name)).mode & 0o777;
    } catch {
      return 0o600; // gone by now
    }
  };
  try {
    return readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.name.endsWith(".lock") && (modeOf(entry) & 0o077) !== 0)
      .map((entry) => `${entry.name} ${modeOf(entry).toString(8)}`);
  } catch {
    return [];
  }
}

it("nothing below the home is open to others at any moment of a session, whatever the umask and whatever was there", async () => {
  const mock = await runningMock();
  const home = join(await temporaryHome(), "home");
  await mkdir(join(home, "history"), { recursive: true });
  await mkdir(join(home, "logs"));
  await writeFile(join(home, "config.json"), "{}");
  for (const path of ["", "history", "logs", "config.json"]) await chmod(join(home, path), 0o777);

  const command = ["sh", "-c", 'umask 000 && exec "$0" "$@"', process.execPath, CLI];
  const server = rawServer({ TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url, TOWOW_LOG_LEVEL: "debug" }, { command });
  const found = new Set<string>();
  const look = () => {
    // Folders that were open before are closed by the first write into them, within a home that is closed by then.
    for (const each of exposed(home)) if (!/^(history|logs) /.test(each)) found.add(each);
  };
  const profile_data = { skills: ["a", "b", "c"], bio: "Somebody who builds small, reliable services." };
  await server.call("towow_set_mode", { mode: "normal" }); // closes the config file
  const looking = setInterval(look, 1);
  await sendProfile(server.call, "towow_join", { scene: mock.sceneId, display_name: "Lin", profile_data });
  const asked = await server.call("towow_demand", { intent: "A designer" });
  const { params } = asked.data.resume_with!;
  await server.call("towow_demand", { ...params, decision: "accept" });
  await server.call("towow_status", { wait: "done" });
  await server.call("towow_set_mode", { mode: "developer" });
  await server.call("towow_demand", { intent: "Another designer" });
  await server.end();
  clearInterval(looking);
  expect([...found]).toEqual([]);
  expect(exposed(home)).toEqual([]);
  expect((statSync(home).mode & 0o777).toString(8)).toBe("700");
  expect(readdirSync(join(home, "history")).length).toBeGreaterThan(1);
  expect(readdirSync(join(home, "logs"))).toEqual(["towow.log"]);
});

it("the compiled program is kept where nobody else can write, and read from nowhere else", async () => {
  const { PATH } = NODE_ENV;
  const run = async (home: string) => {
    const child = spawn("sh", ["-c", 'umask 000 && exec "$0" "$@"', process.execPath, CLI, "stdio"], {
      env: { PATH, TOWOW_HOME: home, TOWOW_BACKEND_URL: "http://127.0.0.1:9" },
    });
    child.stdin.end();
    expect((await once(child, "exit"))[0]).toBe(0);
  };
  const elsewhere = await temporaryHome();
  const before = {
    nothing: async () => {},
    "a folder that is open to others": async (cache: string) => {
      await mkdir(cache);
      await writeFile(join(cache, "planted"), "");
      await chmod(cache, 0o777);
    },
    "a link": (cache: string) => symlink(elsewhere, cache),
  };
  for (const [kind, make] of Object.entries(before)) {
    const home = await temporaryHome();
    await make(join(home, "cache"));
    await run(home);
    expect([kind, (lstatSync(join(home, "cache")).mode & 0o777).toString(8)]).toEqual([kind, "700"]);
    expect([kind, readdirSync(join(home, "cache"))]).toEqual([kind, [expect.stringMatching(/^v\d/)]]);
  }
  expect(readdirSync(elsewhere)).toEqual([]);
});
