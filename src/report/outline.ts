import { readPlanLines, type Week } from "./outline-text.ts";

/** One task of a plan, as the backend's feed gives it; its texts are cleaned. */
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
  /** Undefined where the plan names nobody who takes part. */
  assignee?: string;
  after: readonly string[];
  /** How many tasks stand before it in the longest row; from 1. */
  step: number;
}

export interface DatedWeek extends Week {
  /** Agents whose name the line holds. */
  who: readonly string[];
  isOwn: boolean;
}

/** A plan's course, as far as its data or its words show one. */
export interface Outline {
  /** Where the tasks come from: the plan's own data, its words, or nowhere. */
  basis: "tasks" | "words" | "none";
  tasks: readonly Task[];
  weeks: readonly DatedWeek[];
  open: readonly string[];
  /** Tasks of the person, or else lines of the plan that speak of who asked, or of everybody. */
  own: readonly string[];
}

export interface OutlineInput {
  /** Cleaned text of the plan; null without one. */
  plan: string | null;
  tasks: readonly PlanTask[];
  agents: readonly { id: string; name: string }[];
  /** The person's own agent. */
  ownId?: string | undefined;
}

const MAX_TASKS = 100;

/** What the engine puts into a plan that has no task ("to be assigned"): it says nothing about the work. */
const isPlaceholder = ({ title, description, assignee_id }: PlanTask): boolean =>
  title === "待分配" && description === "" && assignee_id === "unknown";

/** Pure. Nothing is guessed: an assignee that takes no part is nobody. */
export function outlineOf({ plan, tasks, agents, ownId }: OutlineInput): Outline {
  const ids = new Set(agents.map(({ id }) => id));
  const listed = stepsOf(
    tasks.filter((task) => !isPlaceholder(task)).slice(0, MAX_TASKS),
    (id) => ids.has(id) || id === ownId,
  );
  const lines = readPlanLines(plan ?? "");
  const ownLines = new Set(lines.own);
  const weeks = lines.weeks.map((week) => ({
    ...week,
    who: agents.filter(({ name }) => name.length > 1 && week.text.includes(name)).map(({ id }) => id),
    isOwn: ownLines.has(week.text) || lines.own.some((line) => week.text !== "" && line.endsWith(week.text)),
  }));
  const ownTasks = ownId === undefined ? [] : listed.filter(({ assignee }) => assignee === ownId);
  return {
    basis: listed.length > 0 ? "tasks" : plan === null || plan.trim() === "" ? "none" : "words",
    tasks: listed,
    weeks,
    open: lines.open,
    own: ownTasks.length > 0 ? ownTasks.map(({ title }) => title) : lines.own,
  };
}

/** Tasks with what stands before them. What waits for itself, or for what does not exist, waits for nothing. */
function stepsOf(tasks: readonly PlanTask[], takesPart: (id: string) => boolean): Task[] {
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
    title: task.title,
    description: task.description,
    ...(takesPart(task.assignee_id) && { assignee: task.assignee_id }),
    after: task.prerequisites.filter((other) => byId.has(other) && other !== task.id),
    step: stepOf(task.id, new Set([task.id])),
  }));
}
