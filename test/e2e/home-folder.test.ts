import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { temporaryHome } from "../support/home.ts";
import { CLI } from "../support/raw-server.ts";

/** Nothing of this program may land in, or be read from, the folder that somebody happens to stand in. */
describe.each<[string, Record<string, string>, string]>([
  ["an empty HOME", { HOME: "" }, "HOME"],
  ["a relative HOME", { HOME: "me" }, "HOME"],
  ["an empty TOWOW_HOME", { TOWOW_HOME: "" }, "TOWOW_HOME"],
  ["a relative TOWOW_HOME", { TOWOW_HOME: "towow" }, "TOWOW_HOME"],
  ["a TOWOW_HOME that no shell has read", { TOWOW_HOME: "~/.towow" }, "TOWOW_HOME"],
])("%s", (_, env, variable) => {
  it.each([
    [[]],
    [["config", "set", "mode", "developer"]],
    [["doctor"]],
    [["whoami"]],
    [["logs"]],
    [["forget", "--all", "--yes"]],
    [["setup", "cursor"]],
    [["call", "towow_status"]],
  ])("%j: tool.config.invalid.home, and no file anywhere", async (args) => {
    const cwd = await temporaryHome();
    const home = await temporaryHome();
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
      cwd,
      env: { HOME: home, LANG: "en_US.UTF-8", ...env },
      encoding: "utf8",
      input: "",
    });
    expect(stderr).toContain(`${variable} must be a full path, and is “${env[variable]}”.`);
    expect(stderr).toContain("(tool.config.invalid.home)");
    expect([status, stdout]).toEqual([1, ""]);
    expect([readdirSync(cwd), readdirSync(home)]).toEqual([[], []]);
  });
});
