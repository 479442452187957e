import type { Agent } from "./agents.ts";

/** This file reads a plan from its tasks or its words: who does what, what nobody does, and what the person does. Pure. */

/** One task of a plan, as the backend's live events carry it. The texts are cleaned. */
export interface PlanTask {
  id: string;
  title: string;
  description: string;
  assignee_id: string;
  prerequisites: readonly string[];
}

export interface Task {
  id: string;
  title: string;
  description: string;
  /** Who does the task: another agent, the person (`own`), or nobody (`gap`), which includes agents that have left. */
  cover: "agent" | "own" | "gap";
  /** The id of the agent who does the task. Undefined for a gap. */
  assignee?: string;
  after: readonly string[];
  /** The task's place in the longest chain of tasks that lead to it, from 1. */
  step: number;
}

export interface DatedWeek extends Week {
  /** The ids of the agents that the line names, without agents that have left. */
  who: readonly string[];
  isOwn: boolean;
}

interface OwnPart {
  /** The task's title, or the plan's line. */
  line: string;
  week?: DatedWeek;
}

/** What a plan says, as far as its tasks or its words show it. */
export interface Outline {
  /** The source of the outline: the plan's tasks, its words, or nothing. */
  basis: "tasks" | "words" | "none";
  tasks: readonly Task[];
  weeks: readonly DatedWeek[];
  /** The numbered lines, in order. Empty if the plan names weeks. */
  steps: readonly { text: string; isOwn: boolean }[];
  open: readonly string[];
  /** The person's tasks, or else lines of the plan about them, about the submitter, or about everybody. */
  own: readonly OwnPart[];
  /** What the lines of the plan say about participants, such as "Ada: design", in the plan's order. */
  roles: readonly { id: string; text: string }[];
}

export interface OutlineInput {
  /** The cleaned text of the plan. Null if there is none. */
  plan: string | null;
  tasks: readonly PlanTask[];
  agents: readonly Pick<Agent, "id" | "name" | "state">[];
  /** The id of the person's own agent. Undefined if it is not known. */
  ownId: string | undefined;
  /** The name of the person in the scene, if it is known. */
  ownName?: string;
}

const MAX_TASKS = 100;

/**
 * Returns whether the engine put this task into a plan that had none. The title, "to be assigned", says nothing about
 * the work.
 */
const isPlaceholder = ({ title, description, assignee_id }: PlanTask): boolean =>
  title === "待分配" && description === "" && assignee_id === "unknown";

/** Outlines a plan without guessing. A task counts as a gap if its assignee takes no part. */
export function outlineOf({ plan, tasks, agents, ownId, ownName = "" }: OutlineInput): Outline {
  const present = agents.filter(({ state }) => state !== "left");
  const ids = new Set(present.map(({ id }) => id));
  const coverOf = (id: string) => (id === ownId ? "own" : ids.has(id) ? "agent" : "gap");
  const listed = stepsOf(tasks.filter((task) => !isPlaceholder(task)).slice(0, MAX_TASKS), coverOf);
  const lines = readPlanLines(plan ?? "");
  const isNamed = (name: string, text: string) => name.length > 1 && text.includes(name);
  const weeks = lines.weeks.map((week) => ({
    ...week,
    who: present.filter(({ name }) => isNamed(name, week.text)).map(({ id }) => id),
    isOwn: lines.own.includes(week.line) || isNamed(ownName, week.text),
  }));
  const ownTasks = listed.filter(({ cover }) => cover === "own").map(({ title }) => ({ line: title }));
  const ownWeeks = weeks.filter(({ isOwn }) => isOwn).map((week) => ({ line: week.line, week }));
  const undated = lines.own.filter((line) => ownWeeks.every(({ week }) => week.line !== line));
  const idOf = new Map<string, string | undefined>();
  for (const { id, name } of present) idOf.set(name, idOf.has(name) ? undefined : id); // A name that several share names nobody.
  return {
    basis: listed.length > 0 ? "tasks" : plan === null || plan.trim() === "" ? "none" : "words",
    tasks: listed,
    weeks,
    steps:
      weeks.length > 0
        ? []
        : lines.steps.map((text) => ({ text, isOwn: lines.own.includes(text) || isNamed(ownName, text) })),
    open: lines.open,
    own: ownTasks.length > 0 ? ownTasks : [...ownWeeks, ...undated.map((line) => ({ line }))],
    roles: [...lines.heads].flatMap(([head, text]) => {
      const id = idOf.get(head);
      return id === undefined ? [] : [{ id, text }];
    }),
  };
}

/** Returns the tasks that nobody takes. */
export const gapsIn = ({ tasks }: Outline): Task[] => tasks.filter(({ cover }) => cover === "gap");

/**
 * Gives each task its step and the tasks before it. Prerequisites that are unknown are dropped, and prerequisites
 * that form a cycle do not count for the step.
 */
function stepsOf(tasks: readonly PlanTask[], coverOf: (assigneeId: string) => Task["cover"]): Task[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const steps = new Map<string, number>();
  const stepOf = (id: string, above: ReadonlySet<string>): number => {
    const known = steps.get(id);
    if (known !== undefined) return known;
    const before = (byId.get(id)?.prerequisites ?? []).filter((other) => byId.has(other) && !above.has(other));
    const step = 1 + Math.max(0, ...before.map((other) => stepOf(other, new Set([...above, other]))));
    steps.set(id, step);
    return step;
  };
  return [...byId.values()].map((task) => ({
    id: task.id,
    ...worded(task),
    cover: coverOf(task.assignee_id),
    ...(coverOf(task.assignee_id) !== "gap" && { assignee: task.assignee_id }),
    after: task.prerequisites.filter((other) => byId.has(other) && other !== task.id),
    step: stepOf(task.id, new Set([task.id])),
  }));
}

/** Drops a description that repeats the title. If the title was cut short, the description replaces the title. */
function worded({ id, title, description }: PlanTask): Pick<Task, "title" | "description"> {
  if (title.trim() === "") return { title: id, description };
  const begin = title.replace(/…$/, "");
  const isWhole = description === title || (begin !== title && description.startsWith(begin));
  return isWhole ? { title: description, description: "" } : { title, description };
}

/** The rest of this file reads the words of a plan. Lines are quoted and never reworded. */

interface Week {
  from: number;
  to: number;
  /** The line without its number of weeks. */
  text: string;
  /** The whole line. */
  line: string;
}

interface PlanLines {
  weeks: Week[];
  /** Numbered lines that name no week, if they stand above all headings or below a heading about an order of work. */
  steps: string[];
  /** What the plan itself leaves open. */
  open: string[];
  /** Lines that speak of the submitter, or of everybody. */
  own: string[];
  /**
   * Maps the words before the first colon of a line to the words after it. Of several lines with the same beginning,
   * the first counts.
   */
  heads: Map<string, string>;
}

const MAX_LINES = 2_000;
const MAX_KEPT = 60;
const MAX_WEEK = 104;
const MARKER = /^\s{0,12}(?:[-*+•]|\d{1,3}[.)、])\s+|^\s{0,3}#{1,6}\s+/u;
const HEADING = /^\s{0,3}#{1,6}\s+(.*)$|^\*\*([^*]{1,80})\*\*\s*[:：]?\s*$/u;
const NUMBERED = /^\s{0,12}\d{1,3}[.)、]\s+\S/u;
const ITEM = /^\s{0,12}(?:[-*+•]|\d{1,3}[.)、])\s+(.*)$/u;
const NUMBER = String.raw`(\d{1,3}|[一二三四五六七八九十]{1,3})`;
const TO = String.raw`\s*(?:[-–—~至到]|to)\s*`;
const WEEK = new RegExp(
  String.raw`^[\s*_"“(（【]{0,6}(?:weeks?\s*${NUMBER}(?:${TO}(?:weeks?\s*)?${NUMBER})?|第\s*${NUMBER}(?:(?:\s*周)?${TO}(?:第\s*)?${NUMBER})?\s*周)[\s*_"”)）】]{0,6}[:：,，.。、–—-]*\s*`,
  "iu",
);
const OPEN =
  /still open|open (?:questions?|points?|items?|issues?)|to be (?:decided|confirmed|agreed)|not yet (?:decided|agreed)|待确认|待定|待商定|未定|尚未确定|待解决/iu;
/** Matches headings about an order of work. Below any other heading, numbers count people, risks or conditions. */
const ORDER =
  /\b(?:plan|steps?|next|order|timeline|schedule|roadmap|milestones?|phases?|actions?|how)\b|计划|方案|步骤|顺序|流程|安排|日程|进度|时间|阶段|里程碑|行动|下一步|接下来|怎么做/iu;
const OWN =
  /^(?:you|你)\s*[:：]|the submitter|the requester|everybody|everyone|all participants|发起人|提出者|需求方|所有人|全员/iu;
const HEAD = /^([^:：]{1,120})[:：]\s*(\S.*)$/u;
const DIGITS = "零一二三四五六七八九";

/** Reads at most 2,000 lines of a plan, in linear time. */
export function readPlanLines(plan: string): PlanLines {
  const found: PlanLines = { weeks: [], steps: [], open: [], own: [], heads: new Map() };
  let [isOpenPart, isInOrder] = [false, true];
  for (const line of plan.split("\n", MAX_LINES)) {
    const heading = headingOf(line);
    if (heading !== undefined) {
      isOpenPart = OPEN.test(heading);
      isInOrder = !isOpenPart && ORDER.test(heading);
      continue;
    }
    const text = line.replace(MARKER, "").trim();
    if (text === "") continue;
    const week = weekOf(text);
    if (week !== undefined) keep(found.weeks, week);
    else if (isInOrder && NUMBERED.test(line)) keep(found.steps, withoutEmphasis(text));
    const [, head = "", behind] = HEAD.exec(withoutEmphasis(text)) ?? [];
    if (behind !== undefined && !found.heads.has(head.trim())) found.heads.set(head.trim(), behind);
    if (isOpenPart && ITEM.test(line)) keep(found.open, withoutEmphasis(text));
    else if (OWN.test(text)) keep(found.own, withoutEmphasis(text));
  }
  return found;
}

function headingOf(line: string): string | undefined {
  const [, marked, bold] = HEADING.exec(line) ?? [];
  return marked ?? bold;
}

function weekOf(text: string): Week | undefined {
  const match = WEEK.exec(text);
  if (match === null) return undefined;
  const [whole, english, englishTo, chinese, chineseTo] = match;
  const from = numberOf(english ?? chinese ?? "");
  const to = numberOf(englishTo ?? chineseTo ?? "") ?? from;
  if (from === undefined || to === undefined || from < 1 || to < from || to > MAX_WEEK) return undefined;
  return { from, to, text: withoutEmphasis(text.slice(whole.length)), line: withoutEmphasis(text) };
}

/** Returns the value of a number such as 12, 十二 or 二十三. */
function numberOf(written: string): number | undefined {
  if (/^\d+$/.test(written)) return Number(written);
  const match = /^([一二三四五六七八九])?(十)?([一二三四五六七八九])?$/.exec(written);
  if (match === null || written === "") return undefined;
  const [, tens, ten, ones] = match;
  const digit = (character: string | undefined) => (character === undefined ? 0 : DIGITS.indexOf(character));
  if (ten === undefined) return tens !== undefined && ones === undefined ? digit(tens) : undefined;
  return (tens === undefined ? 1 : digit(tens)) * 10 + digit(ones);
}

const withoutEmphasis = (text: string): string => text.replaceAll(/\*\*|__/g, "").trim();

function keep<T>(list: T[], item: T): void {
  if (list.length < MAX_KEPT) list.push(item);
}
