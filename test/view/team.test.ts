import { expect, test } from "vitest";
import { outlineOf } from "../../src/view/plan.ts";
import { teamOf } from "../../src/view/team.ts";

const agents = (["offered", "offered", "none", "left", "offered"] as const).map((state, i) => ({
  id: `a${i}`,
  name: ["Ada", "陈若溪", "Tom", "Gone", "Mei"][i]!,
  state,
  score: 1 - i / 10,
}));
const task = (title: string, assignee_id: string, description = "") => ({
  ...{ id: title, title, assignee_id, description, prerequisites: [] },
});
const teamIn = (plan: string, tasks: ReturnType<typeof task>[] = [], ownId = "me") =>
  teamOf(outlineOf({ plan, tasks, agents, ownId }), agents, ownId);
const rows = ({ members }: ReturnType<typeof teamIn>) => members.map(({ agent, does }) => [agent.name, ...does]);

test("tasks: whose they are in the plan's order, one's own, what nobody does, and who offered for nothing", () => {
  const team = teamIn("Week 3: all of it", [
    task("design", "a1"),
    task("model", "me"),
    task("link", "a0", "to the queue"),
    task("page", "a1"),
    task("hospital", "a3"),
  ]);
  expect(rows(team)).toEqual([
    ["陈若溪", "design", "page"],
    ["Ada", "link"],
  ]);
  expect(team.members[1]?.details).toEqual(["to the queue"]);
  expect(team.own).toEqual(["model"]);
  expect(team.gaps.map(({ title }) => title)).toEqual(["hospital"]);
  expect(team.others.map(({ name }) => name)).toEqual(["Mei"]);
  expect([team.weeks, team.isDrawn]).toEqual([3, true]);
  expect([team.people, teamIn("", [task("design", "a1")]).people, teamIn("").people]).toEqual([3, 2, 0]);
});

test("words: what the plan says of each, in its order; who is named in a week only has no words of their own", () => {
  const team = teamIn(
    "### Team\n- **陈若溪**：产品设计\n- Ada: back end\n- Nobody: x\n\n1. Week 2: Tom calls\n\nAll participants sign.",
  );
  expect(rows(team)).toEqual([["陈若溪", "产品设计"], ["Ada", "back end"], ["Tom"]]);
  expect(team.own).toEqual(["All participants sign."]);
  expect(team.others.map(({ name }) => name)).toEqual(["Mei"]);
});

test("a plan that names a person and no task, week or open point is read in its own words", () => {
  const team = teamIn("Ada: everything");
  expect([team.isDrawn, rows(team)]).toEqual([false, [["Ada", "everything"]]]);
  expect(teamIn("").members).toEqual([]);
});

test("of two with one name nothing is said", () => {
  const twins = agents.map((agent) => ({ ...agent, name: "Ada" }));
  const outline = outlineOf({ plan: "- Ada: back end\n\nWeek 1: go", tasks: [], agents: twins, ownId: "me" });
  expect(teamOf(outline, twins).members).toEqual([]);
});
