import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { createFactFiles } from "../../src/negotiation/stores/home-facts.ts";
import { sha256 } from "../support/facts.ts";
import { homeWith, storeAt } from "./support.ts";

/** As killed programs leave them: the history's own name, and conf's, which ends in hexadecimal digits. */
const LEFT = [".VqzGqPqU0yG1.tmp", "config.json.tmp-1732183200a1b2c3", "config.json.tmp-1732183200123456"];
const KEPT = ["config.json.template", "notes.tmp", "config.json.tmp-old"];

function leave(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of [...LEFT, ...KEPT]) {
    writeFileSync(join(folder, name), "{}");
    utimesSync(join(folder, name), 1, 1);
  }
  writeFileSync(join(folder, ".fresh.tmp"), "{}");
  symlinkSync(join(folder, "notes.tmp"), join(folder, ".link.tmp"));
}
const tidy = [...KEPT, ".fresh.tmp", ".link.tmp"];

it("a write of the config removes what a killed one left, and nothing else", async () => {
  const home = homeWith({ lang: "en" });
  leave(home);
  await storeAt(home).update((file) => ({ ...file, mode: "developer" }));
  expect(readdirSync(home).sort(byCodeUnits)).toEqual([...tidy, "config.json"].sort(byCodeUnits));
});

it("so does a write of a fact, which leaves no temporary file of its own", async () => {
  const dir = join(homeWith({}), "history");
  leave(dir);
  const mark = sha256("http").slice(0, 12);
  let ids = 0;
  const facts = createFactFiles({ dir, newId: () => `own${++ids}`, now: Date.now });
  await facts.create({ origin: "http", id: "neg_1" }, "submitted", { at: 1 }, "open");
  await facts.create({ origin: "http", id: "neg_1" }, "submitted", { at: 2 }, "open");
  expect(readdirSync(dir).sort(byCodeUnits)).toEqual([...tidy, `neg_1~${mark}`, "open"].sort(byCodeUnits));
  expect(readdirSync(join(dir, `neg_1~${mark}`))).toEqual(["submitted.json"]);
  expect(readdirSync(join(dir, "open"))).toEqual([`neg_1~${mark}.json`]);
});
