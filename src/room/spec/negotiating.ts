import type { Participant } from "../../backend/contract.ts";
import { jsonIn } from "../../json.ts";
import { agentStatus, countOffers } from "../../negotiation/backend-states.ts";
import { cutColumns } from "../../safety/sanitize/length.ts";
import type { RoomDemand } from "../room-state.ts";
import type { AgentSpec, Section, SectionSpec } from "../ui-spec-schema.ts";
import { ownWords } from "./decision.ts";
import { button, type Drawing, initialsOf } from "./drawing.ts";

export function negotiatingSections(drawing: Drawing, demand: RoomDemand): SectionSpec[] {
  return [agentsSection(drawing, demand, true), ...offerSections(drawing, demand), ...sentSection(drawing, demand)];
}

const STATES = { replied: "offered", exited: "left", waiting: "waiting" } as const;
const stateOf = (participant: Participant): AgentSpec["state"] => STATES[agentStatus(participant)];

/** In the order in which the backend names them: who is placed on the map never moves. */
function agentsOf({ state, say, stage }: Drawing, { negotiation }: RoomDemand): AgentSpec[] {
  const selected = selectedAgent(state.form.selected, negotiation?.participants ?? [])?.agent_id;
  return (negotiation?.participants ?? []).map((participant) => {
    const agentState = stateOf(participant);
    return {
      id: participant.agent_id,
      name: participant.display_name,
      initials: initialsOf(participant.display_name),
      state: agentState,
      status: (stage === "done" ? say.done.states : say.negotiating.states)[agentState],
      score: participant.resonance_score,
      scoreText: scoreText(participant),
      selected: participant.agent_id === selected,
    };
  });
}

export const scoreText = ({ resonance_score }: Pick<Participant, "resonance_score">): string =>
  resonance_score.toFixed(2);

/** The one that was chosen, else the strongest offer. */
function selectedAgent(selected: string | undefined, participants: readonly Participant[]): Participant | undefined {
  const chosen = participants.find(({ agent_id }) => agent_id === selected);
  const byScore = [...participants].sort((a, b) => b.resonance_score - a.resonance_score);
  return chosen ?? byScore.find((participant) => stateOf(participant) === "offered") ?? byScore[0];
}

export function agentsSection(drawing: Drawing, demand: RoomDemand, isRunning: boolean): Section<"agents"> {
  const { say, state } = drawing;
  const { received, total } = demand.negotiation ? countOffers(demand.negotiation) : { received: 0, total: 0 };
  return {
    kind: "agents",
    id: "agents",
    heading: say.negotiating.agents,
    ...(total === 0 && demand.negotiation?.state !== "synthesizing" && { note: say.negotiating.nobodyYet }),
    caption: say.negotiating.nearer,
    mapLabel: say.negotiating.map,
    ring: say.negotiating.resonance,
    ...(total > 0 && { count: say.negotiating.count(received, total) }),
    agents: agentsOf(drawing, demand),
    actions: isRunning
      ? [
          button(drawing, "cancel", say.negotiating.cancel, {
            tone: "danger",
            about: say.negotiating.about,
            params: { demandId: demand.id },
            id: "cancel",
            enabled: demand.stage.name === "moving" && state.busy === undefined,
          }),
        ]
      : [],
  };
}

/** What an offer says it can do, each at a length at which it is still a tag. */
export const tagsOf = ({ offer_capabilities }: Participant): string[] =>
  (offer_capabilities ?? []).filter((tag) => tag.trim() !== "").map((tag) => cutColumns(tag, TAG_COLUMNS).text);

const TAG_COLUMNS = 80;

/** The offer of the chosen agent, with the fields that it names beside its words. */
export function offerSections({ state, say, stage }: Drawing, { negotiation }: RoomDemand): Section<"offer">[] {
  const participant = selectedAgent(state.form.selected, negotiation?.participants ?? []);
  if (participant === undefined) return [];
  const offerState = stateOf(participant);
  const { text, facts } = offerWords(participant.offer_content);
  const isOver = stage === "done";
  const { noOffer, left } = isOver ? say.done : say.negotiating;
  const words = { offered: text, waiting: noOffer, left }[offerState];
  const states = isOver ? say.done.states : say.negotiating.states;
  return [
    {
      kind: "offer",
      id: "offer",
      heading: say.negotiating.offerOf(participant.display_name),
      name: participant.display_name,
      initials: initialsOf(participant.display_name),
      state: offerState,
      status: `${states[offerState]} · ${say.negotiating.resonanceOf(scoreText(participant))}`,
      tags: tagsOf(participant),
      text: words,
      facts: offerState === "offered" ? facts : [],
    },
  ];
}

const WORDS = ["content", "text", "offer", "message", "description"];

/** An offer is text or any JSON: its words, and its other plain values as terms. */
function offerWords(offer: unknown): { text: string; facts: { term: string; value: string }[] } {
  if (offer === null || offer === undefined) return { text: "", facts: [] };
  const parsed = typeof offer === "string" && /^\s*\{/.test(offer) ? (jsonIn(offer) ?? offer) : offer; // words may begin with a brace
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    return { text: typeof parsed === "string" ? parsed : JSON.stringify(parsed), facts: [] };
  const entries = Object.entries(parsed);
  const words = entries.find(([key, value]) => WORDS.includes(key) && typeof value === "string");
  const facts = entries
    .filter(([key, value]) => key !== words?.[0] && isPlain(value))
    .map(([key, value]) => ({ term: key, value: Array.isArray(value) ? value.join(", ") : String(value) }));
  const rest = words === undefined && facts.length < entries.length ? JSON.stringify(parsed) : "";
  return { text: (words?.[1] as string | undefined) ?? rest, facts: rest === "" ? facts : [] };
}

const isPlain = (value: unknown): boolean =>
  ["string", "number", "boolean"].includes(typeof value) || (Array.isArray(value) && value.every(isPlain));

/** The text that went out, once it has been seen there; whose word that was is said by the heading. */
export function sentSection(drawing: Drawing, { negotiation, stage, said }: RoomDemand): SectionSpec[] {
  const { say } = drawing;
  if (said.broadcast === undefined) return [];
  const quote: Section<"quote"> = {
    kind: "quote",
    id: "sent",
    heading: said.broadcast === "person" ? say.negotiating.sent : say.negotiating.sentByItself,
    ...(stage.name === "moving" && { note: say.negotiating.close }),
    passages: ownWords(negotiation?.demand_formulated ?? negotiation?.demand_raw ?? "", drawing),
    folded: true,
  };
  return [quote];
}
