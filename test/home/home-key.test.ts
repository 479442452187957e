import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isHomeKey, openHomeKey } from "../../src/home/home-key.ts";
import { temporaryHome } from "../support/home.ts";

let made = 0;
const random32 = () => Buffer.alloc(32, ++made);

async function home() {
  const path = await temporaryHome();
  const file = join(path, "home.key");
  return { path, file, text: () => readFileSync(file, "utf8").trim() };
}

describe("the home's key", () => {
  it("is made once, for its owner alone, and is the same for the next program", async () => {
    const { path, file, text } = await home();
    const first = openHomeKey(path, random32);
    const key = text();
    expect(openHomeKey(path, random32).matches(key)).toBe(true);
    expect(text()).toBe(key);
    expect(first.matches(key)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(path)).toEqual(["home.key"]);
    expect(isHomeKey(key)).toBe(true);
  });

  it.each([
    [
      "a file that others can read",
      (file: string, key: string) => {
        writeFileSync(file, key);
        chmodSync(file, 0o644);
      },
    ],
    ["a text that is no key", (file: string) => writeFileSync(file, "letmein\n", { mode: 0o600 })],
    ["an empty file", (file: string) => writeFileSync(file, "", { mode: 0o600 })],
    [
      "a link to somebody's file",
      (file: string, key: string) => {
        writeFileSync(`${file}.planted`, key, { mode: 0o600 });
        symlinkSync(`${file}.planted`, file);
      },
    ],
  ])("%s opens nothing, and makes way for a key", async (_, plant) => {
    const { path, file, text } = await home();
    const planted = `towow-home-${"A".repeat(43)}`;
    plant(file, planted);
    const key = openHomeKey(path, random32);
    expect(key.matches(planted)).toBe(false);
    expect(key.matches("letmein")).toBe(false);
    expect(key.matches("")).toBe(false);
    expect(key.matches(text())).toBe(true);
    expect(text()).not.toBe(planted);
  });

  it("is matched by itself and by nothing else", async () => {
    const { path, text } = await home();
    const key = openHomeKey(path, random32);
    const near = fc.integer({ min: 0, max: text().length }).map((at) => text().slice(0, at));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          near,
          near.map((it) => `${it}x`),
        ),
        (bearer) => {
          expect(key.matches(bearer)).toBe(bearer === text());
        },
      ),
    );
  });
});
