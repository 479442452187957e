import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { memoryMachine } from "./memory-machine.ts";
import { SHAPES } from "./shapes.ts";

const [OLDER, NOW] = ["0.0.1", "0.1.0"];

/** A shape's file as one of its states. */
const stateOf = (shape: string, version: string, pick: (parts: string[]) => string | undefined): string =>
  shape.replaceAll(/«([^»]*)»/g, (_, parts: string) => pick(parts.split("|")) ?? "").replaceAll("§", version);

describe("setup by an older version, again, by this one, and --remove", () => {
  it("of forty shapes and more", () => expect(SHAPES.length).toBeGreaterThanOrEqual(40));

  it.each(SHAPES)("%s: %s", (client, _, shape) => {
    const before = stateOf(shape, OLDER, ([first]) => first);
    const written = (version: string) => stateOf(shape, version, ([first, second]) => second ?? first);
    const removed = stateOf(shape, NOW, (parts) => (parts.length === 2 ? parts[0] : parts[2]));
    const parse =
      client === "codex"
        ? (text: string) => parseToml(text.replace("\uFEFF", ""), { integersAsBigInt: "asNeeded" })
        : parseJson;
    expect(parse(written(NOW)), "the shape itself").toBeTypeOf("object");

    const { files, file, setup } = memoryMachine(client, before);
    const read = () => files.get(file);
    const isThere = setup(false, OLDER) === "same"; // it may be written in another way
    expect(read()).toBe(isThere ? before : written(OLDER));
    expect([setup(false, OLDER), read()]).toEqual(["same", isThere ? before : written(OLDER)]);
    expect([setup(false), read()]).toEqual(["update", written(NOW)]);
    expect([setup(false), read()]).toEqual(["same", written(NOW)]);
    expect([setup(true), read()]).toEqual(["remove", removed]);
    expect([setup(true), read()]).toEqual(["absent", removed]);
  });
});
