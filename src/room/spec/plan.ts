import { markdownBlocks } from "../../markdown.ts";
import { riskOf } from "../../negotiation/describe.ts";
import { initialsOf, offerText } from "../../view/agents.ts";
import { type Outline, outlineOf } from "../../view/plan.ts";
import { type Team, teamOf } from "../../view/team.ts";
import type { RoomDemand } from "../room-state.ts";
import type { PersonSpec, Section, SectionSpec } from "../ui-spec-schema.ts";
import { contactIn } from "./contact.ts";
import { button, type Drawing } from "./drawing.ts";
import { agentsIn, tagsOf } from "./negotiating.ts";

type Agent = ReturnType<typeof agentsIn>[number];

/** The most tags that stand beside a folded offer. */
const MAX_TAGS = 3;

/**
 * Draws the plan as far as its own text, its tasks and the offers show it. Nothing is drawn that cannot be derived from
 * these.
 */
export function planSections(drawing: Drawing, demand: RoomDemand): SectionSpec[] {
  const { outline, team } = planOf(demand);
  const { say } = drawing;
  const heading = team.isDrawn ? say.done.otherOffers : say.done.allOffers;
  const others = team.isDrawn ? team.others : [...team.members.map(({ agent }) => agent), ...team.others];
  const note = say.done.came(team.members.filter(({ agent }) => agent.offer !== null).length, others.length);
  return [
    exportSection(drawing, team.gaps.length > 0 ? "plain" : "primary"),
    ...(team.isDrawn
      ? [peopleSection(drawing, demand, outline, team), ...courseSection(drawing, demand, outline)]
      : []),
    planText(drawing, demand, team.isDrawn),
    ...(others.length === 0 ? [] : [offersSection(drawing, others, heading, team.isDrawn ? note : undefined)]),
  ];
}

/**
 * Shows the plan's own text. `isFolded` is set if the plan is already drawn above, so that the text only serves to look
 * things up.
 */
export function planText({ say }: Drawing, { negotiation }: RoomDemand, isFolded: boolean): Section<"prose"> {
  const rounds = negotiation?.center_rounds ?? 0;
  return {
    kind: "prose",
    id: "plan",
    heading: say.done.text,
    ...(rounds > 0 && { note: say.done.rounds(rounds) }),
    blocks: markdownBlocks(negotiation?.plan_output ?? ""),
    folded: isFolded,
  };
}

function planOf(demand: RoomDemand): { outline: Outline; team: Team<Agent> } {
  const agents = agentsIn(demand);
  const outline = outlineOf({
    plan: demand.negotiation?.plan_output ?? null,
    tasks: demand.tasks ?? [],
    agents,
    ownId: demand.ownId,
    ownName: ownName(demand),
  });
  return { outline, team: teamOf(outline, agents, demand.ownId) };
}

/**
 * Says how many people take part, how many weeks they need and how many tasks nobody takes. Returns undefined for a
 * plan that is not drawn.
 */
export function planLead({ say }: Drawing, demand: RoomDemand): { lead: string; alert?: string } | undefined {
  const { gaps, weeks, people, isDrawn } = planOf(demand).team;
  if (!isDrawn || people === 0) return undefined;
  return {
    lead: say.done.peopleAndWeeks(people, weeks),
    ...(gaps.length > 0 && { alert: say.done.uncovered(gaps.length) }),
  };
}

/**
 * Offers to copy and to print a plan, and to make a report of it. `tone` is the tone of the report's button, which is
 * the next step if every task is taken.
 */
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

/** Returns the person's name in this scene, if this room knows it. The form may already hold a name for another scene. */
const ownName = ({ profile }: RoomDemand): string => profile?.display_name.trim() ?? "";

function peopleSection(drawing: Drawing, demand: RoomDemand, { weeks }: Outline, team: Team<Agent>): Section<"people"> {
  const { say, texts } = drawing;
  const members = team.members.map(({ agent, does, details }): PersonSpec => {
    const offer = offerSpec(drawing, agent, details.length > 0);
    const contact = agent.offer === null ? undefined : contactIn(offerText(agent.offer), texts.pii.kinds);
    return {
      ...personOf(agent),
      does: [...does],
      details: [...details],
      ...(contact === undefined ? { noContact: say.done.noContact } : { contact }),
      ...(offer !== undefined && { offer: { label: say.done.offer, ...offer } }),
    };
  });
  const hasHidden = members.some(({ contact }) => contact !== undefined && contact.whole !== "");
  const gaps = team.gaps.map(({ title: need }, index) => ({
    label: say.done.gap,
    need,
    action: button(drawing, "ask", say.done.askFor, {
      params: { text: need },
      about: need,
      tone: index === 0 ? "primary" : "plain",
    }),
  }));
  return {
    kind: "people",
    id: "team",
    heading: say.done.who,
    people: [me(drawing, demand, weeks, team), ...members],
    gaps,
    ...(hasHidden && { show: say.done.show, copy: say.done.copy }),
  };
}

/** Shows the person with their own tasks, or else with the weeks in which they have work. */
function me(
  { say: { done: say } }: Drawing,
  demand: RoomDemand,
  weeks: Outline["weeks"],
  { own }: Team<Agent>,
): PersonSpec {
  const name = ownName(demand);
  const named = name === "" ? { name: say.you } : { name, mark: say.youBeside };
  const ownWeeks = weeks.flatMap(({ from, to, isOwn }) => (isOwn ? [say.week(from, to)] : [])).join(" · ");
  const details = own.length > 0 || ownWeeks === "" ? [] : [ownWeeks];
  return { id: "me", ...named, initials: initialsOf(named.name), isMe: true, does: [...own], details };
}

const personOf = ({ id, name, initials }: Agent) => ({ id, name, initials, isMe: false });

/**
 * Describes an agent's offer. If `isSaid`, the details already say what the agent does, so the folded line leaves its
 * tags out.
 */
function offerSpec({ say }: Drawing, agent: Agent, isSaid = false): PersonSpec["offer"] {
  if (agent.offer === null) return undefined;
  const tags = tagsOf(agent);
  const { text, facts } = agent.offer;
  const isBlank = text.trim() === "" && facts.length === 0;
  return {
    mark: [say.negotiating.resonanceOf(agent.scoreText), ...(isSaid ? [] : tags.slice(0, MAX_TAGS))].join(" · "),
    tags,
    text: isBlank ? say.negotiating.without.offered : text,
    facts: [...facts],
  };
}

/** Shows offers that appear nowhere else on the page. */
function offersSection(
  drawing: Drawing,
  agents: readonly Agent[],
  heading: string,
  note: string | undefined,
): Section<"people"> {
  const people = agents.map((agent) => {
    const offer = offerSpec(drawing, agent);
    return { ...personOf(agent), does: [], details: [], ...(offer !== undefined && { offer }) };
  });
  return { kind: "people", id: "offers", heading, ...(note !== undefined && { note }), people, gaps: [] };
}

/** Says, as every other surface does, that a single offer cannot be compared with another. */
function loneOffer({ texts }: Drawing, { risks = [], said, negotiation }: RoomDemand): { id: string; label: string }[] {
  const found = risks.find(({ code }) => code === "single_offer");
  if (found === undefined || negotiation === undefined) return [];
  return [{ id: found.code, label: riskOf(found, { ...said, negotiation }, texts).reason }];
}

/** Shows the points to settle, followed by the plan's weeks or its steps. */
function courseSection(drawing: Drawing, demand: RoomDemand, { open, weeks, steps }: Outline): Section<"course">[] {
  if (open.length + weeks.length + steps.length === 0) return [];
  const { state, say } = drawing;
  const points = open.map((label, index) => ({ id: `q${index + 1}`, label }));
  const items = [...points, ...loneOffer(drawing, demand)].map(({ id, label }) => {
    const action = button(drawing, "check", label, { params: { itemId: id } });
    return { id, label, checked: state.form.checked.includes(id), action };
  });
  const first = weeks[0]?.from;
  return [
    {
      kind: "course",
      id: "next",
      heading: say.done.next,
      ...(items.length > 0 && { open: { label: say.done.settle(first), items } }),
      weeks: [
        ...weeks.map(({ from, to, ...rest }) => ({ title: say.done.week(from, to), ...rest })),
        ...steps.map((step, index) => ({ title: say.done.step(index + 1), ...step })),
      ].map(({ title, text, isOwn }) => ({ title, text, ...(isOwn && { mine: say.done.withYou }) })),
    },
  ];
}
