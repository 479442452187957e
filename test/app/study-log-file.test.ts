import { readdirSync, rmSync, statSync } from "node:fs";
import { mkdir, readFile, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createStudyLogs } from "../../src/app/study-log-file.ts";
import { silentLog } from "../../src/log.ts";
import { temporaryHome } from "../support/home.ts";
import { openedRoom } from "../support/open-room.ts";
import { agentAt } from "../support/relay.ts";
import { soon } from "../support/soon.ts";

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

it("a session that its person has erased is not written anew", async () => {
  const home = await temporaryHome();
  const warned: string[] = [];
  const { name, append } = createStudyLogs(home, { ...silentLog, warn: (event) => void warned.push(event) })("s-1");
  append("{}");
  rmSync(join(home, name));
  append("{}");
  expect(readdirSync(join(home, "logs/study"))).toEqual([]);
  rmSync(join(home, "logs"), { recursive: true });
  append("{}");
  expect(readdirSync(home)).toEqual([]);
  expect(warned).toEqual([]);
});

it("an agent that begins session after session fills no disk either: the oldest files make way, and no others", async () => {
  const { home, said } = await openedRoom({}, {}, ["--agent"]);
  const folder = join(home, "logs/study");
  await mkdir(folder, { recursive: true });
  const MB = 1024 * 1024;
  for (let n = 0; n < 600; n++) {
    const path = join(folder, `s-old-${n}.jsonl`);
    await writeFile(path, "{}\n");
    if (n < 10) await truncate(path, 60 * MB); // the newest are large
    await utimes(path, 1_700_000_000 - n, 1_700_000_000 - n);
  }
  await writeFile(join(folder, "notes.txt"), "mine");
  await soon(said).toMatch(/ws:\/\/\S+token=\S+/);
  const agent = await agentAt(/ws:\/\/\S+/.exec(said())?.[0] ?? "");
  await agent.ask("relay.join", { role: "agent", sessionId: "default", name: "Bot" });
  const { sessionId } = (await agent.ask("session.start", {})).payload;
  const left = readdirSync(folder);
  expect(left).toEqual(expect.arrayContaining(["notes.txt", `${sessionId}.jsonl`, "s-old-0.jsonl"]));
  expect(left).not.toContain("s-old-599.jsonl");
  expect(left.length).toBeLessThanOrEqual(501);
  const total = left.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  expect(total).toBeLessThanOrEqual(512 * MB);
});
