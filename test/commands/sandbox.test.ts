import { existsSync, mkdirSync } from "node:fs";
import { expect, it } from "vitest";
import { processStart } from "../../src/app/process.ts";
import { readRunning, sandboxFolder, writeRunning } from "../../src/app/sandbox/running-file.ts";
import { endSandbox } from "../../src/commands/sandbox.ts";
import { withLock } from "../../src/home/lock.ts";
import { temporaryHome } from "../support/home.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { platformWith } from "../support/platform.ts";

it("one that has gone meanwhile, or is another user's, is named no more: that ends it, and nothing is thrown", async () => {
  const [home, clock] = [await temporaryHome(), new ManualClock()];
  const started = processStart(process.ppid);
  for (const code of ["ESRCH", "EPERM"]) {
    writeRunning(home, {
      instance: "one",
      pid: process.ppid,
      url: "http://127.0.0.1:9/x",
      ...(started && { started }),
    });
    const signal = () => {
      throw Object.assign(new Error("kill"), { code });
    };
    expect(await endSandbox(home, { clock }, { signal })).toBe(true);
    expect(readRunning(home)).toBeUndefined();
  }
  expect(await endSandbox(home, { clock })).toBe(false);
  expect(await endSandbox(`${home}/none`, { clock }, { erases: true })).toBe(false);
});

it("its data is erased under the lock that each start holds: a start that is under way comes first", async () => {
  const home = await temporaryHome();
  const folder = sandboxFolder(home);
  mkdirSync(folder);
  const clock = new ManualClock();
  const start = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const work = () => {
    begun.resolve();
    return start.promise;
  };
  const starting = withLock(folder, work, { platform: platformWith(clock), waitMs: 0 });
  await begun.promise;
  const erasing = endSandbox(home, { clock }, { erases: true });
  await clock.advance(1_000);
  expect(existsSync(folder)).toBe(true);
  start.resolve();
  await starting;
  await clock.run(erasing, { stepMs: 1 }); // the lock is a real one, and looked at in real time
  expect(existsSync(folder)).toBe(false);
});
