import { markdownBlocks } from "../../markdown.ts";
import { type DatedWeek, type Outline, outlineOf } from "../../report/outline.ts";
import { joinList } from "../../text/join.ts";
import type { RoomTexts } from "../../text/room.ts";
import { type Agent, initialsOf } from "../../view/agents.ts";
import type { RoomDemand } from "../room-state.ts";
import type { Section, SectionSpec } from "../ui-spec-schema.ts";
import { button, type Drawing } from "./drawing.ts";
import { agentsIn, tagsOf } from "./negotiating.ts";
import { linesOf } from "./profile.ts";

const MAX_SKILLS = 8;
/** A table with more columns can be read by nobody. */
const MAX_COLUMNS = 6;

/** The plan, as far as its own words, the offers and the feed show it: what cannot be derived is not drawn. */
export function planSections(drawing: Drawing, demand: RoomDemand): SectionSpec[] {
  const people = peopleOf(demand);
  const outline = outlineIn(demand);
  return [
    exportSection(drawing, "primary"),
    peopleSection(drawing, demand, outline),
    ...coverageSection(drawing, people, outline),
    ...mineSection(drawing, demand, outline),
    ...openSection(drawing, outline.open),
    ...weeksSection(drawing, demand, outline),
    planText(drawing, demand),
  ];
}

/** The plan's own words. */
export const planText = ({ say }: Drawing, { negotiation }: RoomDemand): Section<"prose"> => ({
  kind: "prose",
  id: "plan",
  heading: say.done.text,
  blocks: markdownBlocks(negotiation?.plan_output ?? ""),
});

const peopleOf = (demand: RoomDemand): Agent[] => agentsIn(demand).filter(({ offer }) => offer !== null);

function outlineIn(demand: RoomDemand): Outline {
  const agents = peopleOf(demand);
  return outlineOf({ plan: demand.negotiation?.plan_output ?? null, tasks: demand.tasks ?? [], agents });
}

/** How many of the plan's tasks nobody takes. */
export const gapsOf = (demand: RoomDemand): number =>
  outlineIn(demand).tasks.filter(({ assignee }) => assignee === undefined).length;

/** What is done with a plan; `tone`: of the report, which is the first thing to do with a plan that has people in it. */
export function exportSection(drawing: Drawing, tone: "plain" | "primary"): Section<"form"> {
  const { say } = drawing;
  const as = (kind: string, label: string, itsTone: "plain" | "primary" = "plain") =>
    button(drawing, "export", label, { params: { as: kind }, tone: itsTone });
  return {
    kind: "form",
    id: "export",
    fields: [],
    actions: [as("markdown", say.done.copyPlan), as("print", say.done.print), as("report", say.done.report, tone)],
  };
}

type Person = Section<"people">["people"][number];

function peopleSection(drawing: Drawing, demand: RoomDemand, { tasks }: Outline): Section<"people"> {
  const { say, texts } = drawing;
  const inOneLine = (words: readonly string[]) => joinList(words, texts.lang);
  const others = peopleOf(demand).map((person): Person => {
    const own = tasks.filter(({ assignee }) => assignee === person.id).map(({ title }) => title);
    const skills = tagsOf(person).slice(0, MAX_SKILLS);
    return {
      id: person.id,
      name: person.name,
      initials: person.initials,
      mark: say.negotiating.resonanceOf(person.scoreText),
      detail: inOneLine(own.length > 0 ? own : skills),
      isMe: false,
    };
  });
  return { kind: "people", id: "team", heading: say.done.team, people: [...me(say, demand, inOneLine), ...others] };
}

/** How the person is called there, where this room knows it: what stands in a form now may be for another scene. */
const ownName = ({ profile }: RoomDemand): string => profile?.display_name.trim() ?? "";

function me({ done: say }: RoomTexts, demand: RoomDemand, inOneLine: (words: readonly string[]) => string): Person[] {
  const name = ownName(demand);
  if (name === "") return [];
  const detail = inOneLine(linesOf(demand.profile?.skills ?? "").slice(0, MAX_SKILLS));
  return [{ id: "me", name, initials: initialsOf(name), mark: say.you, detail, isMe: true }];
}

type Coverage = Section<"coverage">;

/** Rows are the plan's tasks where the feed carried them, else the skills that offers name. */
function coverageSection(drawing: Drawing, people: readonly Agent[], { tasks }: Outline): Coverage[] {
  const { say } = drawing;
  const columns = people.slice(0, MAX_COLUMNS);
  const byTask = tasks.length > 0;
  const label = byTask ? say.done.leads : say.done.offersIt;
  const rows = byTask ? taskRows(drawing, people, tasks) : skillRows(drawing, people);
  const note = byTask ? say.done.planSays : say.done.offersSay;
  if (columns.length === 0 || rows.length === 0) return [];
  return [
    {
      kind: "coverage",
      id: "coverage",
      heading: say.done.covers,
      note: columns.length === people.length ? note : `${note} · ${say.done.shownOf(columns.length, people.length)}`,
      corner: byTask ? say.done.need : say.done.skill,
      columns: columns.map(({ name }) => name),
      rows,
      legend: [{ level: "lead", label }],
    },
  ];
}

type Rows = Coverage["rows"];

function taskRows(drawing: Drawing, people: readonly Agent[], tasks: Outline["tasks"]): Rows {
  const { say } = drawing;
  return tasks.map(({ title, assignee }) => ({
    need: title,
    ...cellsOf(people, ({ id }) => id === assignee, say.done.leads, drawing),
    ...(assignee === undefined && {
      gap: say.done.gap,
      action: button(drawing, "ask", say.done.askFor, { params: { text: title }, about: title }),
    }),
  }));
}

function skillRows(drawing: Drawing, people: readonly Agent[]): Rows {
  const listed = new Map(people.map((person) => [person, tagsOf(person).slice(0, MAX_SKILLS)]));
  return [...new Set([...listed.values()].flat())].map((skill) => ({
    need: skill,
    ...cellsOf(people, (person) => listed.get(person)?.includes(skill) === true, drawing.say.done.offersIt, drawing),
  }));
}

/** A cell for each column, and the names of those who have none. */
function cellsOf(
  people: readonly Agent[],
  isTheirs: (person: Agent) => boolean,
  label: string,
  { say, texts }: Drawing,
): Pick<Rows[number], "cells" | "others"> {
  const others = people.slice(MAX_COLUMNS).filter(isTheirs);
  const names = joinList(
    others.map(({ name }) => name),
    texts.lang,
  );
  return {
    cells: people
      .slice(0, MAX_COLUMNS)
      .map((person) => (isTheirs(person) ? { level: "lead", label } : { level: "none", label: say.done.no })),
    ...(others.length > 0 && { others: say.done.othersDo(label, names) }),
  };
}

/** Whether a week's line speaks of the person, of everybody, or of their name. */
function isMine({ text, isOwn }: DatedWeek, demand: RoomDemand): boolean {
  const name = ownName(demand);
  return isOwn || (name.length > 1 && text.includes(name));
}

function mineSection({ say }: Drawing, demand: RoomDemand, { weeks }: Outline): Section<"mine">[] {
  const steps = weeks
    .filter((week) => isMine(week, demand))
    .map(({ from, to, text }) => ({ term: say.done.week(from, to), value: text }));
  return steps.length === 0 ? [] : [{ kind: "mine", id: "mine", heading: say.done.mine, steps }];
}

function weeksSection({ say }: Drawing, demand: RoomDemand, { weeks }: Outline): Section<"weeks">[] {
  if (weeks.length === 0) return [];
  const steps = weeks.map((week) => ({
    title: say.done.week(week.from, week.to),
    detail: week.text,
    isMine: isMine(week, demand),
  }));
  return [{ kind: "weeks", id: "weeks", heading: say.done.weeks, steps }];
}

function openSection(drawing: Drawing, open: readonly string[]): Section<"checklist">[] {
  if (open.length === 0) return [];
  const { state, say } = drawing;
  const items = open.map((label, index) => {
    const id = `q${index + 1}`;
    const action = button(drawing, "check", label, { params: { itemId: id } });
    return { id, label, checked: state.form.checked.includes(id), action };
  });
  return [{ kind: "checklist", id: "open", heading: say.done.open, items }];
}
