import type { Agent } from "./agents.ts";
import { gapsIn, type Outline, type Task } from "./plan.ts";

/** This file works out who does what in a plan, in one row for each, for the room, the report and its Markdown. Pure. */

type Person = Pick<Agent, "id" | "state" | "score">;

interface Member<A> {
  agent: A;
  /** The titles of the member's tasks, or else what the words of the plan say about the member. May be empty. */
  does: readonly string[];
  /** The descriptions of the member's tasks. */
  details: readonly string[];
}

export interface Team<A> {
  /** The number of rows: one for the person and one for each member, or 0 if the plan names nobody. */
  people: number;
  /** What the person does: their tasks, or else the plan's lines about them that belong to no week. May be empty. */
  own: readonly string[];
  /** The agents to whom the plan gives a task, or else those whom its words name, in the plan's order. */
  members: readonly Member<A>[];
  /** The agents that made an offer but are no members, in the order of the agents. */
  others: readonly A[];
  /** The tasks that nobody takes. */
  gaps: readonly Task[];
  /** The last week that the plan names, or 0 if it names none. */
  weeks: number;
  /** True if there is anything to draw. Otherwise the plan is shown in its own words. */
  isDrawn: boolean;
}

/** Works out who does what in a plan. `ownId` is the id of the person's own agent, which is not listed as a member. Pure. */
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
