import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare } from "../../src/report/compare.ts";
import { coverageOf, gapsOf } from "../../src/report/coverage.ts";
import { names, wordsOf } from "../../src/report/matching.ts";
import { dossier, participant } from "./sample.ts";

describe("words", () => {
  test.each([
    ["product design", "product designer for apps", true],
    ["产品设计", "资深产品设计师", true],
    ["医院信息系统对接", "医院信息系统", true],
    ["a hospital for the pilot", "machine learning", false],
    ["愿意试点的医院", "推荐系统", false],
    ["modelling", "model", true],
    ["a hospital for the pilot", "hospital IT", false],
    ["the", "the of and", false],
    ["", "anything", false],
  ])("%s in %s: %s", (need, text, isNamed) => {
    expect(names(wordsOf(text), wordsOf(need))).toBe(isNamed);
  });

  test("a text names itself, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        const words = wordsOf(text);
        expect(names(words, words)).toBe(words.all.size > 0);
      }),
    );
  });
});

describe("coverage", () => {
  test("shows who names a given need, how, and what nobody names", () => {
    const coverage = coverageOf([dossier()], ["Product design", "helpful", "a hospital", "product design"]);
    expect(coverage.basis).toBe("given");
    expect(coverage.rows).toEqual([
      {
        need: "Product design",
        by: [{ negotiation_id: "neg_1", agent_id: "bob", claim: "capability" }],
        more_agents: 0,
      },
      {
        need: "helpful",
        by: [
          { negotiation_id: "neg_1", agent_id: "alice", claim: "text" },
          { negotiation_id: "neg_1", agent_id: "bob", claim: "text" },
        ],
        more_agents: 0,
      },
      { need: "a hospital", by: [], more_agents: 0 },
    ]);
    expect(gapsOf(coverage)).toEqual(["a hospital"]);
  });

  test("takes the plan's tasks for the needs, and one that nobody has for a gap", () => {
    const task = (id: string, assignee_id: string) => ({
      id,
      title: `Task ${id}`,
      description: "",
      assignee_id,
      prerequisites: [],
    });
    const coverage = coverageOf([dossier({}, { tasks: [task("1", "alice"), task("2", "unknown")] })]);
    expect(coverage.basis).toBe("tasks");
    expect(coverage.rows.map(({ by }) => by.map(({ claim }) => claim))).toEqual([["task"], []]);
    expect(gapsOf(coverage)).toEqual(["Task 2"]);
  });

  test("a task of one who left is a gap, and one of the person's own is none", () => {
    const task = (id: string, assignee_id: string) => ({
      ...{ id, title: `Task ${id}`, description: "", assignee_id, prerequisites: [] },
    });
    const tasks = [task("1", "carol"), task("2", "me"), task("3", "alice")];
    const of = dossier({}, { tasks, ownId: "me" });
    const coverage = coverageOf([of]);
    expect(coverage.rows.map(({ by }) => by.map(({ agent_id, claim }) => [agent_id, claim]))).toEqual([
      [],
      [["me", "own"]],
      [["alice", "task"]],
    ]);
    expect(gapsOf(coverage)).toEqual(["Task 1"]);
  });

  test("lists what offers say where nobody says what is needed, and sees no gap there", () => {
    const result = compare([dossier()]);
    expect(result.coverage.basis).toBe("capabilities");
    expect(result.coverage.rows.map(({ need }) => need)).toEqual([
      "React",
      "machine learning",
      "product design",
      "python",
    ]);
    expect(result.gaps).toEqual([]);
  });
});

describe("a comparison", () => {
  test("puts offers before waiting agents, the strongest resonance first, and says what only one lists", () => {
    const { offers } = compare([dossier()]);
    expect(offers.map(({ agent_id, state }) => [agent_id, state])).toEqual([
      ["alice", "offered"],
      ["bob", "offered"],
      ["carol", "left"],
    ]);
    expect(offers[0]?.only_here).toEqual(["python", "machine learning"]);
    expect(offers[0]?.whole).toBe("towow://negotiations/neg_1/offers/alice");
  });

  test("finds the same agent, and the same capability, in several negotiations", () => {
    const other = dossier({
      negotiation_id: "neg_2",
      participants: [
        participant("alice", { resonance_score: 0.4 }),
        participant("dan", { offer_capabilities: ["Python"] }),
      ],
    });
    const { differences } = compare([dossier(), other]);
    expect(differences.shared_capabilities).toEqual(["python"]);
    expect(differences.agents_in_several).toEqual([
      {
        agent_id: "alice",
        display_name: "alice",
        in: [
          { negotiation_id: "neg_1", resonance_score: 0.8 },
          { negotiation_id: "neg_2", resonance_score: 0.4 },
        ],
      },
    ]);
  });

  test("stays small for a crowd and counts those it leaves out", () => {
    const crowd = Array.from({ length: 1000 }, (_, i) => participant(`a${i}`, { resonance_score: i / 1000 }));
    const { offers, more_offers } = compare([dossier({ participants: crowd })]);
    expect([offers.length, more_offers]).toEqual([40, 960]);
    expect(offers[0]?.agent_id).toBe("a999");
  });
});
