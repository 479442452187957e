import { spawn, spawnSync } from "node:child_process";
import { existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { temporaryHome } from "../support/home.ts";

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;

it("a program that ends in the same turn has written its last line", async () => {
  const dir = join(await temporaryHome(), "logs");
  const module = new URL("../../src/app/log-file.ts", import.meta.url).href;
  const code = `import { createLog } from ${JSON.stringify(module)};
    import { ownIo } from ${JSON.stringify(new URL("io.ts", module).href)};
    createLog({ io: ownIo, stderrLevel: "silent", dir: ${JSON.stringify(dir)} }).info("last");
    process.exit(0);`;
  expect(spawnSync(process.execPath, ["--input-type=module", "-e", code]).status).toBe(0);
  expect(readFileSync(join(dir, "towow.log"), "utf8")).toContain('"event":"last"');
});

/** `/dev/full` is a disk without room. */
it.runIf(existsSync("/dev/full"))("a full disk ends no server that only wanted to log", async () => {
  const child = spawn(process.execPath, [CLI], {
    env: { PATH: process.env.PATH ?? "", TOWOW_HOME: await temporaryHome(), TOWOW_LOG_LEVEL: "debug" },
    stdio: ["pipe", "pipe", openSync("/dev/full", "w")],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const answers = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  for (let id = 1; id <= 5; id++) {
    const params = { name: "towow_status", arguments: {} };
    child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`);
    expect(JSON.parse(String((await answers.next()).value))).toMatchObject({ id });
  }
});
