import type { Agent } from "./agents.ts";
import { gapsIn, type Outline, type Task } from "./plan.ts";

/** Who does what in a plan, one row each: what the room, the report and its Markdown draw. Pure. */

type Person = Pick<Agent, "id" | "state" | "score">;

interface Member<A> {
  agent: A;
  /** The tasks that are theirs, or what the plan's own words say of them. May be empty. */
  does: readonly string[];
  /** What the tasks say beside their titles. */
  details: readonly string[];
}

export interface Team<A> {
  /** How many the rows are for: the person, who always has one, and the members; 0 where the plan names nobody. */
  people: number;
  /** What the person does: their tasks, else the plan's lines about them that stand in no week. May be empty. */
  own: readonly string[];
  /** Whom the plan gives a task, or else whom its words name, in its order. */
  members: readonly Member<A>[];
  /** Who made an offer and is no member, in the order of the agents. */
  others: readonly A[];
  /** The tasks that nobody takes. */
  gaps: readonly Task[];
  /** The last week that the plan names; 0 where it names none. */
  weeks: number;
  /** Whether there is anything to draw: else the plan is read in its own words. */
  isDrawn: boolean;
}

export function teamOf<A extends Person>(outline: Outline, agents: readonly A[], ownId?: string): Team<A> {
  const { tasks, weeks, open, roles, own } = outline;
  const others = new Map(
    agents.filter(({ id, state }) => id !== ownId && state !== "left").map((one) => [one.id, one]),
  );
  const named =
    tasks.length > 0
      ? tasks.flatMap(({ cover, assignee }) => (cover === "agent" && assignee !== undefined ? [assignee] : []))
      : [...roles.map(({ id }) => id), ...weeks.flatMap(({ who }) => who)];
  const members = [...new Set(named)].flatMap((id) => {
    const agent = others.get(id);
    if (agent === undefined) return [];
    others.delete(id);
    const theirs = tasks.filter(({ assignee }) => assignee === id);
    const role = roles.find((one) => one.id === id)?.text;
    return [
      {
        agent,
        does: tasks.length > 0 ? theirs.map(({ title }) => title) : role === undefined ? [] : [role],
        details: theirs.map(({ description }) => description).filter((text) => text !== ""),
      },
    ];
  });
  const undated = own.filter(({ week }) => week === undefined).map(({ line }) => line);
  return {
    people: members.length + undated.length === 0 ? 0 : members.length + 1,
    own: undated,
    members,
    others: [...others.values()].filter(({ state }) => state === "offered"),
    gaps: gapsIn(outline),
    weeks: Math.max(0, ...weeks.map(({ to }) => to)),
    isDrawn: tasks.length + weeks.length + open.length > 0,
  };
}
