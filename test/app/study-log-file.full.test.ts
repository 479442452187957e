import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryHome } from "../support/home.ts";

const SOURCES = new URL("../../src/", import.meta.url).href;

/** A limit to the size of a file stands for the disk: what is written beyond it is written in part, and then refused. */
it.runIf(existsSync("/usr/bin/prlimit"))("a disk that is full for a while costs no line and cuts none", async () => {
  const home = await temporaryHome();
  const code = `import { execFileSync } from "node:child_process";
    import { createStudyLogs } from ${JSON.stringify(`${SOURCES}app/study-log-file.ts`)};
    import { silentLog } from ${JSON.stringify(`${SOURCES}log.ts`)};
    const { append } = createStudyLogs(${JSON.stringify(home)}, silentLog)("s-1");
    const line = (eventIndex) => append(JSON.stringify({ eventIndex, text: "x".repeat(300) }));
    for (let i = 0; i < 6; i++) line(i);
    execFileSync("/usr/bin/prlimit", ["--pid", String(process.pid), "--fsize=unlimited:"]);
    for (let i = 6; i < 8; i++) line(i);`;
  const args = ["-c", 'ulimit -S -f 1; exec "$@"', "sh", process.execPath, "--input-type=module", "-e", code];
  const { status, stderr } = spawnSync("bash", args, { encoding: "utf8" });
  expect(status, stderr).toBe(0);
  const lines = readFileSync(join(home, "logs/study/s-1.jsonl"), "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).eventIndex)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});
