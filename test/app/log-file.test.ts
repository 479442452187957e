import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ownIo } from "../../src/app/io.ts";
import { createLog } from "../../src/app/log-file.ts";
import { temporaryHome } from "../support/home.ts";
import { soon } from "../support/soon.ts";

it("a link in the place of the log is not followed: what it leads to keeps its content and its mode", async () => {
  const home = await temporaryHome();
  const victim = join(home, "victim");
  writeFileSync(victim, "mine", { mode: 0o644 });
  mkdirSync(join(home, "logs"));
  symlinkSync(victim, join(home, "logs", "towow.log"));
  createLog({ io: ownIo, stderrLevel: "silent", dir: join(home, "logs") }).error("test");
  expect([readFileSync(victim, "utf8"), statSync(victim).mode & 0o777]).toEqual(["mine", 0o644]);
});

it("no secret reaches it, however deep or by whatever name", async () => {
  const dir = join(await temporaryHome(), "logs");
  const secret = "towow_a1B2c3D4e5F6g7H8i9";
  const log = createLog({ io: ownIo, stderrLevel: "silent", dir });
  log.error("plain", { reason: `sent Bearer ${secret}`, url: `https://x.test/?code=${secret}` });
  log.error("deep", { cause: { headers: [{ authorization: secret }], text: `key ${secret} refused` } });
  log.error("named", { api_token: "short", attempts: 3, gone: null });
  const written = readFileSync(join(dir, "towow.log"), "utf8");
  expect(written.match(/"event":"\w+"/g)).toEqual(['"event":"plain"', '"event":"deep"', '"event":"named"']);
  expect(written).not.toContain(secret);
  expect(written).not.toContain("short");
  expect(written).toContain('"attempts":3,"gone":null');
});

it("lines are written together after a moment; a warning is not kept back, and nothing is at the end", async () => {
  const dir = join(await temporaryHome(), "logs");
  const events = () => readFileSync(join(dir, "towow.log"), "utf8").match(/(?<="event":")\w+/g);
  const log = createLog({ io: ownIo, stderrLevel: "silent", dir });
  log.info("first");
  log.info("second");
  expect(events()).toBeNull();
  await soon(events).toEqual(["first", "second"]);
  log.info("third");
  log.warn("fourth");
  expect(events()).toEqual(["first", "second", "third", "fourth"]);
  for (let i = 0; i < 300; i++) log.info("flood");
  expect(events()?.length).toBeGreaterThan(200);
});

it("what is no JSON costs its fields, and neither the line nor the program", async () => {
  const dir = join(await temporaryHome(), "logs");
  createLog({ io: ownIo, stderrLevel: "silent", dir }).error("odd", { count: 1n });
  expect(readFileSync(join(dir, "towow.log"), "utf8")).toMatch(/^\{"level":50,"time":\d+,"pid":\d+,"event":"odd"\}\n$/);
});

it("is rotated while programs go on writing: the newest lines of each stand in it, and no file grows for good", async () => {
  const dir = join(await temporaryHome(), "logs");
  const [one, other] = [1, 2].map(() => createLog({ io: ownIo, stderrLevel: "silent", dir }));
  const text = "word ".repeat(1_600);
  for (let line = 0; line < 900; line++) {
    one?.warn("one", { line, text });
    if (line % 3 === 0) other?.warn("other", { line, text });
  }
  one?.warn("one", { line: "last" });
  other?.warn("other", { line: "last" });
  const newest = readFileSync(join(dir, "towow.log"), "utf8");
  expect(newest.match(/"event":"(\w+)","line":"last"/g)).toHaveLength(2);
  for (const name of ["towow.log", "towow.log.1"])
    expect(statSync(join(dir, name)).size).toBeLessThan(5.5 * 1024 * 1024);
});

it("a quiet program's lines stand in the newest file, however often another has rotated it", async () => {
  const dir = join(await temporaryHome(), "logs");
  const [quiet, busy] = [1, 2].map(() => createLog({ io: ownIo, stderrLevel: "silent", dir }));
  quiet?.warn("early");
  const text = "word ".repeat(1_600);
  for (let line = 0; line < 1_500; line++) busy?.warn("busy", { text });
  quiet?.warn("late");
  expect(readFileSync(join(dir, "towow.log"), "utf8")).toContain('"event":"late"');
});

it("a log that was taken away is not made again by a program that still runs", async () => {
  const dir = join(await temporaryHome(), "logs");
  const log = createLog({ io: ownIo, stderrLevel: "silent", dir });
  log.warn("before");
  rmSync(dir, { recursive: true });
  log.warn("after");
  expect(existsSync(dir)).toBe(false);
});
