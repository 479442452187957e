import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gapsIn, outlineOf, readPlanLines } from "../../src/view/plan.ts";

const EN = `## Plan

### Steps
1. Week 1: Alice calls a kick-off
2. **Weeks 2–4**: Bob builds the first version
3. Week 5: everybody holds a demo

### Still open
- budget and how it is paid
- one fixed hour a week

### Team
- Alice: python`;

const ZH = `## 协商方案

### 步骤
1. 第 1 周，陈若溪：牵头开一次线上会
2. 第二周到第四周：完成初版
3. 第 5 周，所有人：做一次演示

### 待确认
- 预算与报酬方式`;

const agents = [
  { id: "a", name: "Alice", state: "offered" },
  { id: "b", name: "Bob", state: "none" },
  { id: "c", name: "陈若溪", state: "offered" },
  { id: "gone", name: "Tom", state: "left" },
] as const;
const ownId = undefined;

describe("the words of a plan", () => {
  test("weeks, open points and everybody's lines, in English", () => {
    const lines = readPlanLines(EN);
    expect(lines.weeks).toMatchObject([
      { from: 1, to: 1, text: "Alice calls a kick-off" },
      { from: 2, to: 4, text: "Bob builds the first version" },
      { from: 5, to: 5, text: "everybody holds a demo" },
    ]);
    expect(lines.open).toEqual(["budget and how it is paid", "one fixed hour a week"]);
    expect(lines.own).toEqual(["Week 5: everybody holds a demo"]);
  });

  test("the same in Chinese, with Chinese numbers", () => {
    const lines = readPlanLines(ZH);
    expect(lines.weeks.map(({ from, to }) => [from, to])).toEqual([
      [1, 1],
      [2, 4],
      [5, 5],
    ]);
    expect(lines.open).toEqual(["预算与报酬方式"]);
    expect(lines.own).toHaveLength(1);
  });

  test("nonsense is no week", () => {
    const odd = "Week 0: a\nWeek 9999: b\nWeek 5-2: c\n第零周：d\nWeekend: e\nThe week after";
    expect(readPlanLines(odd).weeks).toEqual([]);
  });

  test("any text is read, and every line is quoted from it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (text) => {
        const { weeks, open, own } = readPlanLines(text);
        for (const line of [...weeks.map((week) => week.text), ...open, ...own])
          expect(text.replaceAll(/\*\*|__/g, "")).toContain(line);
      }),
    );
  });
});

describe("an outline", () => {
  test("says who is named in a week, and which weeks are everybody's", () => {
    const { weeks, basis, own } = outlineOf({ plan: EN, tasks: [], agents, ownId });
    expect(basis).toBe("words");
    expect(weeks.map(({ who, isOwn }) => [who, isOwn])).toEqual([
      [["a"], false],
      [["b"], false],
      [[], true],
    ]);
    expect(own).toEqual([{ line: "Week 5: everybody holds a demo", week: weeks[2] }]);
  });

  test("one's own part without a task: the weeks that name the person, and what is everybody's", () => {
    const plan = "1. Week 1: Ada and Tom visit\n2. Week 2: Tom builds\n\nAll participants sign.";
    const { own, weeks } = outlineOf({ plan, tasks: [], agents, ownId: "me", ownName: "Ada" });
    expect(own.map(({ line, week }) => [line, week?.from])).toEqual([
      ["Week 1: Ada and Tom visit", 1],
      ["All participants sign.", undefined],
    ]);
    expect(weeks.map(({ who }) => who)).toEqual([[], []]);
  });

  test("a plan that names no week is followed step by step, and a step that begins with you is one's own", () => {
    const plan = [
      "### Steps",
      "1. You: answer Ada: “Which model?”",
      "2. Ada: **look** at it",
      "### Still open",
      "1. what it costs",
    ];
    const { steps, own, open } = outlineOf({ plan: plan.join("\n"), tasks: [], agents, ownId });
    expect(steps).toEqual([
      { text: "You: answer Ada: “Which model?”", isOwn: true },
      { text: "Ada: look at it", isOwn: false },
    ]);
    expect([own.map(({ line }) => line), open]).toEqual([["You: answer Ada: “Which model?”"], ["what it costs"]]);
    const chinese = outlineOf({ plan: "1. 你：回答问题\n2. 修百通：先看看", tasks: [], agents, ownId });
    expect(chinese.steps.map(({ isOwn }) => isOwn)).toEqual([true, false]);
    expect(outlineOf({ plan: EN, tasks: [], agents, ownId }).steps).toEqual([]);
  });

  test.each([
    ["### Team\n1. Ada: the roof\n2. Tom: the gutter\n\n### Steps\n1. Ask for a date\n2. Repair it"],
    ["**Who:**\n1. Ada\n2. Tom\n\n## What happens next\n1. Ask for a date\n2. Repair it\n\n## Risks\n1. rain"],
    ["1. Ask for a date\n2. Repair it\n\n### Budget\n1. 200 for the roof"],
  ])("numbers under a heading that speaks of no order count something else: %s", (plan) => {
    const { steps } = outlineOf({ plan, tasks: [], agents, ownId });
    expect(steps.map(({ text }) => text)).toEqual(["Ask for a date", "Repair it"]);
  });

  test("the same in Chinese", () => {
    const plan = "### 谁来\n1. 修百通：修屋顶\n\n### 步骤\n1. 约时间\n2. 修好\n\n### 风险\n1. 下雨";
    const { steps } = outlineOf({ plan, tasks: [], agents, ownId });
    expect(steps.map(({ text }) => text)).toEqual(["约时间", "修好"]);
  });

  test("a description that says its title again is no second line, and where the title was cut it is the title", () => {
    const task = { id: "t", assignee_id: "a", prerequisites: [] };
    const drawn = (title: string, description: string) => {
      const [one] = outlineOf({ plan: "x", tasks: [{ ...task, title, description }], agents, ownId }).tasks;
      return [one?.title, one?.description];
    };
    expect(drawn("Repair it", "Repair it")).toEqual(["Repair it", ""]);
    const whole = "Answer her: which make and model?";
    expect(drawn("Answer her: which…", whole)).toEqual([whole, ""]);
    expect(drawn("Repair it", "Before Saturday.")).toEqual(["Repair it", "Before Saturday."]);
  });

  test("orders tasks by what they wait for, and gives a task to nobody who takes no part", () => {
    const task = (id: string, assignee_id: string, ...prerequisites: string[]) => ({
      ...{ id, title: id, description: "", assignee_id, prerequisites },
    });
    const { tasks, own } = outlineOf({
      plan: "x",
      tasks: [task("3", "me", "2"), task("1", "a"), task("2", "stranger", "1", "2", "none")],
      agents,
      ownId: "me",
    });
    expect(tasks.map(({ id, step, assignee, after }) => [id, step, assignee, after])).toEqual([
      ["3", 3, "me", ["2"]],
      ["1", 1, "a", []],
      ["2", 2, undefined, ["1"]],
    ]);
    expect(own).toEqual([{ line: "3" }]);
  });

  test("each task is an agent's who takes part, the person's own, or a gap: exactly one of them", () => {
    const someone = fc.constantFrom("me", "a", "b", "gone", "stranger", "", "unknown");
    fc.assert(
      fc.property(fc.array(someone, { maxLength: 12 }), fc.option(someone, { nil: undefined }), (assignees, ownId) => {
        const tasks = assignees.map((assignee_id, i) => ({
          ...{ id: `t${i}`, title: i % 2 === 0 ? `Task ${i}` : " ", description: "", assignee_id, prerequisites: [] },
        }));
        const outline = outlineOf({ plan: "x", tasks, agents, ownId });
        expect(outline.tasks).toHaveLength(assignees.length);
        for (const [i, { cover, assignee, title }] of outline.tasks.entries()) {
          const named = assignees[i] ?? "";
          const isAgents = ["a", "b"].includes(named) && named !== ownId;
          expect(cover).toBe(named === ownId ? "own" : isAgents ? "agent" : "gap");
          expect(assignee).toBe(cover === "gap" ? undefined : named);
          expect(title).toBe(i % 2 === 0 ? `Task ${i}` : `t${i}`);
        }
        const own = outline.tasks.filter(({ cover }) => cover === "own");
        if (own.length > 0) expect(outline.own.map(({ line }) => line)).toEqual(own.map(({ title }) => title));
        expect(gapsIn(outline)).toHaveLength(outline.tasks.filter(({ cover }) => cover === "gap").length);
      }),
    );
  });

  test("an empty plan has no course, and 2,000 agents of one name are all in it", () => {
    const crowd = Array.from({ length: 2_000 }, (_, i) => ({ id: `a${i}`, name: "Lin", state: "offered" as const }));
    expect(outlineOf({ plan: " ", tasks: [], agents: crowd, ownId })).toMatchObject({
      basis: "none",
      tasks: [],
      own: [],
    });
    const task = { id: "t", title: "Visit", description: "", assignee_id: "a1999", prerequisites: [] };
    const { tasks } = outlineOf({ plan: "", tasks: [task], agents: crowd, ownId });
    expect(tasks).toMatchObject([{ cover: "agent", assignee: "a1999" }]);
  });

  test("ends for tasks that wait for each other", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(12), { maxLength: 4 }), { maxLength: 13 }), (waits) => {
        const tasks = waits.map((before, i) => ({
          ...{ id: String(i), title: "t", description: "", assignee_id: "a" },
          prerequisites: before.map(String),
        }));
        const steps = outlineOf({ plan: null, tasks, agents, ownId }).tasks.map(({ step }) => step);
        expect(steps.every((step) => step >= 1 && step <= tasks.length)).toBe(true);
      }),
    );
  });
});

test("the engine's placeholder for a plan without tasks is no task", () => {
  const placeholder = { id: "task_1", title: "待分配", description: "", assignee_id: "unknown", prerequisites: [] };
  expect(outlineOf({ plan: "x", tasks: [placeholder], agents, ownId })).toMatchObject({ basis: "words", tasks: [] });
  const real = { ...placeholder, description: "找人" };
  expect(outlineOf({ plan: "x", tasks: [real], agents, ownId }).tasks).toHaveLength(1);
});
