import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { outlineOf, readPlanLines } from "../../src/report/outline.ts";

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
  { id: "a", name: "Alice" },
  { id: "b", name: "Bob" },
  { id: "c", name: "陈若溪" },
];

describe("the words of a plan", () => {
  test("weeks, open points and everybody's lines, in English", () => {
    const lines = readPlanLines(EN);
    expect(lines.weeks).toEqual([
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
    const { weeks, basis, own } = outlineOf({ plan: EN, tasks: [], agents });
    expect(basis).toBe("words");
    expect(weeks.map(({ who, isOwn }) => [who, isOwn])).toEqual([
      [["a"], false],
      [["b"], false],
      [[], true],
    ]);
    expect(own).toEqual(["Week 5: everybody holds a demo"]);
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
    expect(own).toEqual(["3"]);
  });

  test("ends for tasks that wait for each other", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(12), { maxLength: 4 }), { maxLength: 13 }), (waits) => {
        const tasks = waits.map((before, i) => ({
          ...{ id: String(i), title: "t", description: "", assignee_id: "a" },
          prerequisites: before.map(String),
        }));
        const steps = outlineOf({ plan: null, tasks, agents }).tasks.map(({ step }) => step);
        expect(steps.every((step) => step >= 1 && step <= tasks.length)).toBe(true);
      }),
    );
  });
});

test("the engine's placeholder for a plan without tasks is no task", () => {
  const placeholder = { id: "task_1", title: "待分配", description: "", assignee_id: "unknown", prerequisites: [] };
  expect(outlineOf({ plan: "x", tasks: [placeholder], agents })).toMatchObject({ basis: "words", tasks: [] });
  const real = { ...placeholder, description: "找人" };
  expect(outlineOf({ plan: "x", tasks: [real], agents }).tasks).toHaveLength(1);
});
