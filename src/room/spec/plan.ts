import { markdownBlocks } from "../../markdown.ts";
import { joinList } from "../../text/join.ts";
import type { RoomTexts } from "../../text/room.ts";
import { type Agent, initialsOf } from "../../view/agents.ts";
import { gapsIn, type Outline, outlineOf } from "../../view/plan.ts";
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
  const outline = outlineIn(demand);
  const people = peopleOf(demand, outline);
  return [
    exportSection(drawing, "primary"),
    peopleSection(drawing, demand, people, outline),
    ...coverageSection(drawing, people, outline),
    ...mineSection(drawing, outline),
    ...openSection(drawing, outline.open),
    ...weeksSection(drawing, outline),
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

/** Who made an offer, and whom the plan gives a task; the person stands beside them. */
const peopleOf = (demand: RoomDemand, { tasks }: Outline): Agent[] =>
  agentsIn(demand).filter(
    ({ id, offer }) => id !== demand.ownId && (offer !== null || tasks.some(({ assignee }) => assignee === id)),
  );

const outlineIn = (demand: RoomDemand): Outline =>
  outlineOf({
    plan: demand.negotiation?.plan_output ?? null,
    tasks: demand.tasks ?? [],
    agents: agentsIn(demand),
    ownId: demand.ownId,
    ownName: ownName(demand),
  });

/** How many of the plan's tasks nobody takes. */
export const gapsOf = (demand: RoomDemand): number => gapsIn(outlineIn(demand)).length;

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

function peopleSection(
  drawing: Drawing,
  demand: RoomDemand,
  people: readonly Agent[],
  { tasks }: Outline,
): Section<"people"> {
  const { say, texts } = drawing;
  const inOneLine = (words: readonly string[]) => joinList(words, texts.lang);
  const others = people.map((person): Person => {
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
  const own = tasks.some(({ cover }) => cover === "own") ? [say.done.you] : [];
  const byTask = tasks.length > 0;
  const label = byTask ? say.done.leads : say.done.offersIt;
  const rows = byTask ? taskRows(drawing, people, tasks) : skillRows(drawing, people);
  const note = byTask ? say.done.planSays : say.done.offersSay;
  if (columns.length + own.length === 0 || rows.length === 0) return [];
  return [
    {
      kind: "coverage",
      id: "coverage",
      heading: say.done.covers,
      note: columns.length === people.length ? note : `${note} · ${say.done.shownOf(columns.length, people.length)}`,
      corner: byTask ? say.done.need : say.done.skill,
      columns: [...columns.map(({ name }) => name), ...own],
      rows,
      legend: [{ level: "lead", label }],
    },
  ];
}

type Rows = Coverage["rows"];

function taskRows(drawing: Drawing, people: readonly Agent[], tasks: Outline["tasks"]): Rows {
  const { say } = drawing;
  const hasOwn = tasks.some(({ cover }) => cover === "own");
  return tasks.map(({ title, assignee, cover }) => {
    const { cells, ...others } = cellsOf(people, ({ id }) => id === assignee, say.done.leads, drawing);
    return {
      need: title,
      cells: [...cells, ...(hasOwn ? [cellOf(cover === "own", say.done.leads, drawing)] : [])],
      ...others,
      ...(cover === "gap" && {
        gap: say.done.gap,
        action: button(drawing, "ask", say.done.askFor, { params: { text: title }, about: title }),
      }),
    };
  });
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
  drawing: Drawing,
): Pick<Rows[number], "cells" | "others"> {
  const { say, texts } = drawing;
  const others = people.slice(MAX_COLUMNS).filter(isTheirs);
  const names = joinList(
    others.map(({ name }) => name),
    texts.lang,
  );
  return {
    cells: people.slice(0, MAX_COLUMNS).map((person) => cellOf(isTheirs(person), label, drawing)),
    ...(others.length > 0 && { others: say.done.othersDo(label, names) }),
  };
}

const cellOf = (isTheirs: boolean, label: string, { say }: Drawing): Rows[number]["cells"][number] =>
  isTheirs ? { level: "lead", label } : { level: "none", label: say.done.no };

function mineSection({ say }: Drawing, { own }: Outline): Section<"mine">[] {
  const steps = own.map(({ line, week }) =>
    week === undefined ? { term: "", value: line } : { term: say.done.week(week.from, week.to), value: week.text },
  );
  return steps.length === 0 ? [] : [{ kind: "mine", id: "mine", heading: say.done.mine, steps }];
}

function weeksSection({ say }: Drawing, { weeks }: Outline): Section<"weeks">[] {
  if (weeks.length === 0) return [];
  const steps = weeks.map(({ from, to, text, isOwn }) => ({
    title: say.done.week(from, to),
    detail: text,
    isMine: isOwn,
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
