import { expect, it } from "vitest";
import { textsForPerson, textsForRoom, textsOf, textsReadBy } from "../../src/text/index.ts";
import { byReader, command, say } from "../../src/text/reader.ts";

const LANGS = ["en", "zh"] as const;
const ROOM = "https://towow.example/room";
const atEndpoint = textsReadBy({ who: "endpoint", room: ROOM });

/** Every sentence, with the path of its name; what is made of something is made of samples. */
function sentencesIn(value: unknown, path = ""): [path: string, text: string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") {
    // Of the pages, two take an object and one a list; none of them names a way to anywhere.
    if (/^page\.|^join\.profile|^state\.resonance/.test(path)) return [];
    return sentencesIn(value("neg_1", "two", "three", "four"), path);
  }
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, one]) => sentencesIn(one, path === "" ? name : `${path}.${name}`));
}
/** What is found in the sentences of a language, a line each. */
const found = (texts: object, what: RegExp, except = /^$/) =>
  sentencesIn(texts)
    .filter(([path, text]) => what.test(text) && !except.test(path))
    .map(([path, text]) => `${path}: ${text}`);

it("every command in a sentence is written as this program is started", () => {
  for (const lang of LANGS) {
    const started = textsReadBy({ who: "model", start: () => "npx -y towow@1" })(lang);
    expect(found(started, /towow-mcp (?=[a-z]|\{(?:args|command|listener))/)).toEqual([]);
    expect(found(started, /npx -y towow@1 [a-z{]/).length).toBeGreaterThan(50);
    expect(started.errors["tool.config.invalid.backend_url_missing"].recovery).toContain("npx -y towow@1 setup");
    expect(started.pageQuestion.terminal("neg_1")).toContain("npx -y towow@1 confirm neg_1");
  }
});

it("a line for an endpoint or a page that names a command does not compile, and no other one reaches them", () => {
  const doctor = say`Look there: ${command("doctor")}`;
  // @ts-expect-error Nobody at an endpoint has a terminal of this program.
  byReader({ model: doctor, endpoint: doctor });
  // @ts-expect-error A page has none either.
  byReader({ model: doctor, room: doctor });
  // @ts-expect-error The same of a line that is made of something.
  byReader({ model: (id: string) => say`${command("confirm", id)}`, endpoint: (id) => say`${command("confirm", id)}` });
  for (const lang of LANGS)
    for (const texts of [atEndpoint(lang), textsForRoom(lang)])
      expect(found(texts, /towow-mcp [a-z{]/, /\.newer_copy\.message/)).toEqual([]);
});

/** What only a terminal, a client of one's own machine or its settings has. */
const ELSEWHERE = /TOWOW_|--\w|终端|\bterminal\b/;
/** Of a server that a client started, of the command line alone, and of pages that only a machine of one's own has. */
const NOT_THERE =
  /^page\.|^pageQuestion\.title|^pause\.(?:keptBy|keptHere|noCommand|commandEnds)|yes_missing|terminal_needed|working_folder|report_file|report_link/;

it("nobody at an endpoint is sent to a terminal: they have their room there", () => {
  for (const lang of LANGS) {
    expect(found(atEndpoint(lang), ELSEWHERE, NOT_THERE)).toEqual([]);
    expect(found(atEndpoint(lang), new RegExp(ROOM)).length).toBeGreaterThan(10);
  }
});

it("where an endpoint has no room, their own program decides, by the same token", () => {
  expect(textsReadBy({ who: "endpoint" })("en").pause.inTerminal("neg_1")).toBe(
    "with their own towow-mcp, in the same network and with the same token: towow-mcp confirm neg_1",
  );
});

/** What no person at a terminal is shown: their own surfaces, and what a client's AI is asked to do with a pause. */
const NOT_FOR_THEM =
  /^(form|pageQuestion|task|tools|page|pause\.(ask|again|inBackground|notInForm|editNotInForm|strict|signIn|tainted|notOwn|tooLong|onPage|pageAgain|inTerminal|noTool|readsOnly)|permission\.showFirst)/;
/** The second is an AI's word for the person; "在终端里运行" and the like are theirs. */
const OF_A_THIRD = /\bthe person\b|\btheir own terminal\b|\bAsk (?:them|him|her)\b|当事人/;

it("a person at a terminal is spoken to themselves, by every error and every result", () => {
  for (const lang of LANGS) {
    expect(found(textsForPerson(lang), OF_A_THIRD, NOT_FOR_THEM)).toEqual([]);
    // The words that it looks for are those that an AI gets.
    expect(found(textsOf(lang), OF_A_THIRD).length).toBeGreaterThan(20);
  }
});

it("in the room no error or warning sends its person to a terminal, and no other word is theirs to type", () => {
  for (const lang of LANGS) {
    const { errors, note, state, unshown } = textsForRoom(lang);
    const recoveries = { note, state, open: unshown.open, errors };
    expect(found(recoveries, /TOWOW_|towow_\w|--\w|allow_duplicate|\bconfig\b/, /\.message$|recoveryLater/)).toEqual(
      [],
    );
  }
});

it("each reader's sentence of a code has the blanks of the model's", () => {
  for (const lang of LANGS)
    for (const texts of [textsForPerson(lang), textsForRoom(lang), atEndpoint(lang)])
      for (const [code, { message, recovery }] of Object.entries(texts.errors)) {
        const models = Object.values(textsOf(lang).errors[code as keyof typeof texts.errors]).join(" ");
        const blanks = `${message} ${recovery}`.match(/\{\w+\}/g) ?? [];
        expect([code, blanks.filter((blank) => !models.includes(blank))]).toEqual([code, []]);
      }
});
