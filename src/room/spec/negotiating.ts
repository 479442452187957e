import { cutColumns } from "../../safety/sanitize/length.ts";
import { type Agent, agentsOf, offersFirst } from "../../view/agents.ts";
import type { RoomDemand } from "../room-state.ts";
import type { AgentSpec, Section, SectionSpec } from "../ui-spec-schema.ts";
import { ownWords } from "./decision.ts";
import { button, type Drawing } from "./drawing.ts";

export function negotiatingSections(drawing: Drawing, demand: RoomDemand): SectionSpec[] {
  return [agentsSection(drawing, demand, true), ...offerSections(drawing, demand), ...sentSection(drawing, demand)];
}

/** In the order in which the backend names them: who is placed on the map never moves. */
export const agentsIn = ({ negotiation, said }: Pick<RoomDemand, "negotiation" | "said">): Agent[] =>
  negotiation === undefined ? [] : agentsOf(negotiation, said.ending !== undefined);

function specsOf({ state, say }: Drawing, agents: readonly Agent[]): AgentSpec[] {
  const selected = selectedAgent(state.form.selected, agents);
  return agents.map((agent) => {
    const { id, name, initials, score, scoreText } = agent;
    const status = say.negotiating.states[agent.state];
    return { id, name, initials, state: agent.state, status, score, scoreText, selected: agent === selected };
  });
}

/** The one that was chosen, else the strongest offer. */
const selectedAgent = (selected: string | undefined, agents: readonly Agent[]): Agent | undefined =>
  agents.find(({ id }) => id === selected) ?? offersFirst(agents)[0];

export function agentsSection(drawing: Drawing, demand: RoomDemand, isRunning: boolean): Section<"agents"> {
  const { say, state } = drawing;
  const { received, total } = demand.said.offers;
  return {
    kind: "agents",
    id: "agents",
    heading: say.negotiating.agents,
    ...noteOf(drawing, demand),
    caption: say.negotiating.nearer,
    mapLabel: say.negotiating.map,
    ring: say.negotiating.resonance,
    ...(total > 0 && { count: say.negotiating.count(received, total) }),
    agents: specsOf(drawing, agentsIn(demand)),
    actions: isRunning
      ? [
          button(drawing, "cancel", say.negotiating.cancel, {
            tone: "danger",
            about: say.negotiating.about,
            params: { demandId: demand.id },
            id: "cancel",
            enabled: demand.stage.name === "moving" && state.busy === undefined,
            ...(state.chat?.decides === false && { why: say.decision.notInChat }),
          }),
        ]
      : [],
  };
}

/** That there is nobody, or that there are more than are listed. */
function noteOf({ say }: Drawing, demand: RoomDemand): { note?: string } {
  const { total } = demand.said.offers;
  if (total === 0) return demand.negotiation?.state === "synthesizing" ? {} : { note: say.negotiating.nobodyYet };
  const hidden = total - agentsIn(demand).length;
  return hidden === 0 ? {} : { note: say.negotiating.more(hidden) };
}

/** What an offer says it can do, each at a length at which it is still a tag. */
export const tagsOf = ({ capabilities }: Agent): string[] =>
  capabilities.map((tag) => cutColumns(tag, TAG_COLUMNS).text);

const TAG_COLUMNS = 80;

/** The offer of the chosen agent, with the fields that it names beside its words. */
export function offerSections({ state, say }: Drawing, demand: RoomDemand): Section<"offer">[] {
  const agent = selectedAgent(state.form.selected, agentsIn(demand));
  if (agent === undefined) return [];
  const { name, initials, scoreText, offer } = agent;
  const { states, without, resonanceOf } = say.negotiating;
  const { text, facts } = offer ?? { text: "", facts: [] };
  const isBlank = text.trim() === "" && facts.length === 0;
  return [
    {
      kind: "offer",
      id: "offer",
      heading: say.negotiating.offerOf(name),
      name,
      initials,
      state: agent.state,
      status: `${states[agent.state]} · ${resonanceOf(scoreText)}`,
      tags: tagsOf(agent),
      text: isBlank ? without[agent.state] : text,
      facts: [...facts],
    },
  ];
}

/** When the person sent it, and that it was their version; of what went out without them nobody here knows. */
function whenSent({ say, dayAndTime }: Drawing, { stage, broadcast }: RoomDemand["said"]): { note?: string } {
  if (broadcast !== "person" || stage.yes === undefined) return {};
  const { at, kind } = stage.yes;
  return { note: [dayAndTime(at), ...(kind === "edit" ? [say.negotiating.yourVersion] : [])].join(" · ") };
}

/** The text that went out, once it has been seen there; whose word that was is said by the heading. */
export function sentSection(drawing: Drawing, { negotiation, stage, said }: RoomDemand): SectionSpec[] {
  const { say } = drawing;
  if (said.broadcast === undefined) return [];
  const quote: Section<"quote"> = {
    kind: "quote",
    id: "sent",
    heading: said.broadcast === "person" ? say.negotiating.sent : say.negotiating.sentByItself,
    ...(stage.name === "moving" ? { note: say.negotiating.close } : whenSent(drawing, said)),
    passages: ownWords(negotiation?.demand_formulated ?? negotiation?.demand_raw ?? "", drawing),
    folded: true,
  };
  return [quote];
}
