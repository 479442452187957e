import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { Redirects } from "../../src/app/redirect-files.ts";
import { textsOf } from "../../src/text/index.ts";
import { temporaryHome } from "../support/home.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { platformWith } from "../support/platform.ts";

async function redirects() {
  const home = await temporaryHome();
  const clock = new ManualClock();
  let ids = 0;
  const made = new Redirects(platformWith(clock, { newId: () => `id-${++ids}` }), { home, texts: () => textsOf("zh") });
  return { made, clock, home, left: () => readdirSync(join(home, "open")) };
}

it("a file goes after a minute, the rest when the program ends, and what a killed one left with the next", async () => {
  const { made, clock, home, left } = await redirects();
  made.write("http://127.0.0.1:1/a");
  await clock.advance(60_000);
  expect(left()).toEqual([]);
  writeFileSync(join(home, "open", "killed.html"), "");
  utimesSync(join(home, "open", "killed.html"), 1, 1);
  made.write("http://127.0.0.1:1/b");
  made.write("http://127.0.0.1:1/c");
  expect(left()).toEqual(["id-2.html", "id-3.html"]);
  made.clear();
  expect(left()).toEqual([]);
});

it("property: no address can add anything to the page", async () => {
  const { made } = await redirects();
  const shape = (html: string) => html.replaceAll(/"[^"]*"/g, '""');
  const plain = shape(readFileSync(made.write("http://127.0.0.1:1/a"), "utf8"));
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (address) => {
      const path = made.write(address);
      expect(shape(readFileSync(path, "utf8"))).toBe(plain);
      made.remove(path);
    }),
  );
});
