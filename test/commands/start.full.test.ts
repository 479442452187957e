import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { temporaryHome } from "../support/home.ts";
import { CLI } from "../support/raw-server.ts";

/** Found by the fuzzer: without any argument, as clients start it, the refusal of a variable was a stack. */
it.each([[], ["stdio"]])("a variable that stops the start is told in two lines (arguments: %j)", async (...args) => {
  const env = { PATH: process.env.PATH ?? "", TOWOW_HOME: await temporaryHome(), TOWOW_EXCLUDE_TOOLS: "towow_joyn" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], { env, input: "", encoding: "utf8" });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^.*towow_joyn.*\n\(tool\.config\.invalid\.unknown_tool_name\)\n$/);
});
