import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createStudyLogs } from "../../src/app/study-log-file.ts";
import { silentLog } from "../../src/log.ts";
import { temporaryHome } from "../support/home.ts";

it("a session of an outside agent writes 64 MB at most, and the next one has its own", async () => {
  const home = await temporaryHome();
  const warned: string[] = [];
  const open = createStudyLogs(home, { ...silentLog, warn: (event) => void warned.push(event) });
  const first = open("s-1");
  const line = "x".repeat(1024 * 1024 - 1);
  for (let i = 0; i < 70; i++) first.append(line);
  expect((await readFile(join(home, first.name))).byteLength).toBe(64 * 1024 * 1024);
  expect(warned).toEqual(["study_log_full"]);
  const second = open("s-2");
  second.append("{}");
  expect(await readFile(join(home, second.name), "utf8")).toBe("{}\n");
});
