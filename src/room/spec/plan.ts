import type { Participant } from "../../backend/contract.ts";
import { readPlan } from "../plan-text.ts";
import type { PlanTask, RoomDemand } from "../room-state.ts";
import type { Section, SectionSpec } from "../ui-spec-schema.ts";
import { button, type Drawing, initialsOf } from "./drawing.ts";
import { scoreText } from "./negotiating.ts";

const MAX_SKILLS = 8;
/** A table with more columns can be read by nobody. */
const MAX_COLUMNS = 6;

/** The plan, as far as its own words, the offers and the feed show it: what cannot be derived is not drawn. */
export function planSections(drawing: Drawing, demand: RoomDemand): SectionSpec[] {
  const { negotiation, tasks } = demand;
  const plan = readPlan(negotiation?.plan_output ?? "");
  const people = (negotiation?.participants ?? []).filter(
    ({ state, offer_content }) => state === "replied" || offer_content !== null,
  );
  return [
    actionsSection(drawing),
    peopleSection(drawing, people, tasks),
    ...coverageSection(drawing, people, tasks),
    ...mineSection(drawing, plan.weeks),
    ...openSection(drawing, plan.open),
    ...weeksSection(drawing, plan.weeks),
    { kind: "prose", id: "plan", heading: drawing.say.done.text, blocks: plan.blocks },
  ];
}

function actionsSection(drawing: Drawing): Section<"form"> {
  const { say } = drawing;
  const as = (kind: string, label: string, tone: "plain" | "primary" = "plain") =>
    button(drawing, "export", label, { params: { as: kind }, tone });
  return {
    kind: "form",
    id: "export",
    fields: [],
    actions: [as("markdown", say.done.copyPlan), as("print", say.done.print), as("report", say.done.report, "primary")],
  };
}

function peopleSection(
  { say }: Drawing,
  people: readonly Participant[],
  tasks: readonly PlanTask[] = [],
): Section<"people"> {
  const separator = say.brand === "通爻" ? "、" : ", ";
  return {
    kind: "people",
    id: "team",
    heading: say.done.team,
    people: people.map((person) => {
      const own = tasks.filter(({ agentId }) => agentId === person.agent_id).map(({ title }) => title);
      const skills = (person.offer_capabilities ?? []).slice(0, MAX_SKILLS);
      return {
        id: person.agent_id,
        name: person.display_name,
        initials: initialsOf(person.display_name),
        mark: say.negotiating.resonanceOf(scoreText(person)),
        detail: (own.length > 0 ? own : skills).join(separator),
        isMe: false,
      };
    }),
  };
}

/** Rows are the plan's tasks where the feed carried them, else the skills that offers name. */
function coverageSection(
  drawing: Drawing,
  people: readonly Participant[],
  tasks: readonly PlanTask[] = [],
): Section<"coverage">[] {
  const { say } = drawing;
  const columns = people.slice(0, MAX_COLUMNS);
  const rows = tasks.length > 0 ? taskRows(drawing, columns, tasks) : skillRows(drawing, columns);
  if (columns.length === 0 || rows.length === 0) return [];
  return [
    {
      kind: "coverage",
      id: "coverage",
      heading: say.done.covers,
      note: tasks.length > 0 ? say.done.planSays : say.done.offersSay,
      corner: tasks.length > 0 ? say.done.need : say.done.skill,
      columns: columns.map(({ display_name }) => display_name),
      rows,
      legend: [{ level: "lead", label: say.done.leads }],
    },
  ];
}

type Rows = Section<"coverage">["rows"];

function taskRows(drawing: Drawing, people: readonly Participant[], tasks: readonly PlanTask[]): Rows {
  const { say } = drawing;
  return tasks.map(({ title, agentId }) => {
    const isGap = !people.some(({ agent_id }) => agent_id === agentId);
    return {
      need: title,
      cells: people.map(({ agent_id }) => cell(agent_id === agentId, drawing)),
      ...(isGap && {
        gap: say.done.gap,
        action: button(drawing, "ask", say.done.askFor, { params: { text: title }, about: title }),
      }),
    };
  });
}

function skillRows(drawing: Drawing, people: readonly Participant[]): Rows {
  const skills = [
    ...new Set(people.flatMap(({ offer_capabilities }) => (offer_capabilities ?? []).slice(0, MAX_SKILLS))),
  ];
  return skills.map((skill) => ({
    need: skill,
    cells: people.map(({ offer_capabilities }) => cell(offer_capabilities?.includes(skill) ?? false, drawing)),
  }));
}

const cell = (leads: boolean, { say }: Drawing): Rows[number]["cells"][number] =>
  leads ? { level: "lead", label: say.done.leads } : { level: "none", label: say.done.no };

type Weeks = ReturnType<typeof readPlan>["weeks"];

const MINE = /\b(?:you|everybody|everyone|all of (?:you|us)|the submitter)\b|所有人|大家|发起人|你/iu;

/** Steps that name the person, or everybody. */
const isMine = ({ text }: Weeks[number], { state }: Drawing): boolean => {
  const name = state.form.profile.display_name.trim();
  return MINE.test(text) || (name !== "" && text.includes(name));
};

function mineSection(drawing: Drawing, weeks: Weeks): Section<"mine">[] {
  const steps = weeks.filter((week) => isMine(week, drawing)).map(({ week, text }) => ({ term: week, value: text }));
  return steps.length === 0 ? [] : [{ kind: "mine", id: "mine", heading: drawing.say.done.mine, steps }];
}

function weeksSection(drawing: Drawing, weeks: Weeks): Section<"weeks">[] {
  if (weeks.length === 0) return [];
  const steps = weeks.map((week) => ({ title: week.text, detail: week.week, isMine: isMine(week, drawing) }));
  return [{ kind: "weeks", id: "weeks", heading: drawing.say.done.weeks, steps }];
}

function openSection(drawing: Drawing, open: readonly string[]): Section<"checklist">[] {
  if (open.length === 0) return [];
  const { state, say } = drawing;
  return [
    {
      kind: "checklist",
      id: "open",
      heading: say.done.open,
      items: open.map((label, index) => ({
        id: `q${index + 1}`,
        label,
        checked: state.form.checked.includes(`q${index + 1}`),
        action: button(drawing, "check", label, { params: { itemId: `q${index + 1}` } }),
      })),
    },
  ];
}
