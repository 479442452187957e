import { stopInShort } from "../../ask/permission-question.ts";
import { askedStop } from "../../ask/stop.ts";
import { cutColumns } from "../../safety/sanitize/length.ts";
import { type Agent, agentsOf, offersFirst } from "../../view/agents.ts";
import type { RoomDemand } from "../room-state.ts";
import type { ActionSpec, AgentSpec, Section, SectionSpec } from "../ui-spec-schema.ts";
import { inChat, ownWords } from "./decision.ts";
import { button, type Drawing } from "./drawing.ts";

export function negotiatingSections(drawing: Drawing, demand: RoomDemand): SectionSpec[] {
  return [agentsSection(drawing, demand, true), ...offerSections(drawing, demand), ...sentSection(drawing, demand)];
}

/** Returns the agents in the backend's order, so that each keeps its place on the map when others arrive. */
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

/** Returns the agent that the person chose, or else the agent with the strongest offer. */
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
            asks: stopAsks(drawing, demand),
            params: { demandId: demand.id },
            id: "cancel",
            enabled: demand.stage.name === "moving" && state.busy === undefined,
            ...inChat(drawing, demand.stage.isOwn ? "stop" : "others_stop"),
          }),
        ]
      : [],
  };
}

/** Returns the question that the button asks before it ends a broadcast negotiation, in the words that every surface uses. */
function stopAsks({ texts }: Drawing, { id, stage, negotiation: seen }: RoomDemand): ActionSpec["asks"] {
  const { follows, ...asks } = stopInShort(askedStop(id, { stage, seen }), texts);
  return { ...asks, follows: follows.what.map(({ text }) => text) };
}

/** Says that nobody takes part yet, or how many participants are not listed. */
function noteOf({ say }: Drawing, demand: RoomDemand): { note?: string } {
  const { total } = demand.said.offers;
  if (total === 0) return demand.negotiation?.state === "synthesizing" ? {} : { note: say.negotiating.nobodyYet };
  const hidden = total - agentsIn(demand).length;
  return hidden === 0 ? {} : { note: say.negotiating.more(hidden) };
}

/** Returns an agent's capabilities, each cut to the width of a tag. */
export const tagsOf = ({ capabilities }: Agent): string[] =>
  capabilities.map((tag) => cutColumns(tag, TAG_COLUMNS).text);

const TAG_COLUMNS = 80;

/** Shows the text and the other fields of the chosen agent's offer. */
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

/**
 * Says when the person sent the text, and whether it was their own version. If the backend sent the text without the
 * person, its time is not known here and nothing is said.
 */
function whenSent({ say, dayAndTime }: Drawing, { stage, broadcast }: RoomDemand["said"]): { note?: string } {
  if (broadcast !== "person" || stage.standingYes === undefined) return {};
  const { at, kind } = stage.standingYes;
  return { note: [dayAndTime(at), ...(kind === "edit" ? [say.negotiating.yourVersion] : [])].join(" · ") };
}

/** Shows the text that was broadcast, once a broadcast is known. The heading says whose decision sent the text. */
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
