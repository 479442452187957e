import { expect, it } from "vitest";
import { textsForPerson } from "../../src/text/for-person.ts";
import { textsForRoom } from "../../src/text/for-room.ts";

/** What only a terminal, a client or a file of settings has. */
const ELSEWHERE = /towow-mcp|TOWOW_|towow_\w|--\w|allow_duplicate|\bconfig\b/;

it("in the room no sentence sends its person to a terminal, and no other word is theirs to type", () => {
  for (const lang of ["en", "zh"] as const) {
    const texts = textsForRoom(lang);
    const ways = Object.entries(texts.errors).flatMap(([code, { recovery, recoveryOfWrite }]) => [
      [code, recovery],
      ...(recoveryOfWrite === undefined ? [] : [[code, recoveryOfWrite]]),
    ]);
    const said = [texts.note, texts.state].flatMap((part) =>
      Object.entries(part).map(([name, text]) => [name, String(text)]),
    );
    const unshown = texts.unshown.open("neg_1");
    expect([...ways, ...said, ["unshown", unshown]].filter(([, text]) => ELSEWHERE.test(text!))).toEqual([]);
    // The words that it looks for are those that a terminal gets.
    expect(
      Object.values(textsForPerson(lang).errors).filter((one) => ELSEWHERE.test(one.recovery)).length,
    ).toBeGreaterThan(40);
  }
});

it("what differs is a sentence of the same code, with the same params", () => {
  for (const lang of ["en", "zh"] as const) {
    const [ours, theirs] = [textsForRoom(lang).errors, textsForPerson(lang).errors];
    expect(Object.keys(ours)).toEqual(Object.keys(theirs));
    for (const [code, { recovery }] of Object.entries(ours)) {
      const known = Object.values(theirs[code as keyof typeof theirs]).join(" ");
      expect(
        (recovery.match(/\{\w+\}/g) ?? []).filter((param) => !known.includes(param)),
        code,
      ).toEqual([]);
    }
  }
});
