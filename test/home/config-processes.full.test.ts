import { mkdirSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runTogether } from "./processes.ts";
import { emptyHome, homeWith } from "./support.ts";

const contentOf = (home: string) => JSON.parse(readFileSync(join(home, "config.json"), "utf8"));

test("50 from several processes at once lose nothing", async () => {
  const home = emptyHome();
  await runTogether(5, [home, "http://127.0.0.1:1", "update", "10"]);
  const { count, ...marks } = contentOf(home);
  expect(count).toBe(50);
  expect(Object.keys(marks)).toHaveLength(50);
  expect(readdirSync(home)).toEqual(["config.json"]);
});

test("a lock whose holder died is recovered, by one process only", async () => {
  const home = homeWith({});
  const lock = join(home, "config.json.lock");
  mkdirSync(lock);
  utimesSync(lock, 1, 1);
  await runTogether(5, [home, "http://127.0.0.1:1", "update", "4"]);
  expect(contentOf(home).count).toBe(20);
  expect(readdirSync(home)).toEqual(["config.json"]);
});

test("a file that could not be read once is read again, though nothing has changed it", async () => {
  const [read] = await runTogether(1, [homeWith({ mode: "developer" }), "http://127.0.0.1:1", "out of descriptors"]);
  expect(read).toEqual({
    during: {
      values: {},
      warnings: [{ code: "config_unreadable", params: expect.objectContaining({ reason: "EMFILE" }) }],
    },
    after: { values: { mode: "developer" }, warnings: [] },
  });
});
