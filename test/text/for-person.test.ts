import { expect, it } from "vitest";
import { textsForPerson } from "../../src/text/for-person.ts";
import { textsOf } from "../../src/text/index.ts";

/** What no person at a terminal is shown: their own surfaces, and what a client's AI is asked to do with a pause. */
const NOT_FOR_THEM =
  /^(form|pageQuestion|task|tools|page|pause\.(ask|again|inBackground|notInForm|editNotInForm|strict|signIn|tainted|notOwn|tooLong|onPage|pageAgain|inTerminal|noTool|readsOnly)|permission\.showFirst)/;
/** The second is an AI's word for the person; "在终端里运行" and the like are theirs. */
const OF_A_THIRD = /\bthe person\b|\btheir own terminal\b|\bAsk (?:them|him|her)\b|当事人/;

function sentences(texts: object, path = ""): [string, string][] {
  return Object.entries(texts).flatMap(([name, value]): [string, string][] => {
    const at = path === "" ? name : `${path}.${name}`;
    if (typeof value === "object" && value !== null) return sentences(value, at);
    return [[at, String(value)]];
  });
}

it("a person at a terminal is spoken to themselves, by every error and every result", () => {
  for (const lang of ["en", "zh"] as const) {
    const said = sentences(textsForPerson(lang)).filter(([at]) => !NOT_FOR_THEM.test(at));
    expect(said.filter(([, text]) => OF_A_THIRD.test(text))).toEqual([]);
    // The words that it looks for are those that an AI gets.
    expect(sentences(textsOf(lang)).filter(([, text]) => OF_A_THIRD.test(text)).length).toBeGreaterThan(20);
  }
});

it("what differs is a sentence of the same code, with the same params", () => {
  for (const lang of ["en", "zh"] as const) {
    const [ours, theirs] = [textsForPerson(lang).errors, textsOf(lang).errors];
    expect(Object.keys(ours)).toEqual(Object.keys(theirs));
    for (const [code, { message, recovery }] of Object.entries(ours)) {
      const known = Object.values(theirs[code as keyof typeof theirs]).join(" ");
      const params = `${message} ${recovery}`.match(/\{\w+\}/g) ?? [];
      expect(
        params.filter((param) => !known.includes(param)),
        code,
      ).toEqual([]);
    }
  }
});
