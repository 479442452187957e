import { showInvisible } from "../../safety/invisible.ts";
import { attribute, isWord } from "../../view/authorship.ts";
import type { Section } from "../ui-spec-schema.ts";
import { button, type Drawing } from "./drawing.ts";
import { draftOf } from "./sheet.ts";

const MAX_LINES = 5;
const MAX_MESSAGE_LENGTH = 4_000;

/** Draws what an outside agent did and why, and what no agent can do here. Returns no section if no agent takes part. */
export function agentSections(drawing: Drawing): Section<"agent">[] {
  const { state, say, stage } = drawing;
  const { agent, messages } = state;
  if (agent === undefined) return [];
  const heading = say.agent.heading(agent.name);
  // Another agent may be waiting by the time a click arrives, so the button names the agent that it means.
  const params = { agentId: agent.id };
  if (agent.isWaiting)
    return [
      {
        kind: "agent",
        id: "agent",
        heading,
        name: agent.name,
        lines: [{ text: say.agent.waits }],
        limits: say.agent.limits,
        actions: [
          button(drawing, "letIn", say.agent.letIn, { params, id: "letIn" }),
          button(drawing, "removeAgent", say.agent.refuse, { tone: "quiet", params, id: "removeAgent" }),
        ],
      },
    ];
  const proposal = stage === "decision" ? proposed(drawing) : undefined;
  const said = messages.filter(({ from }) => from === "agent").slice(-MAX_LINES);
  return [
    {
      kind: "agent",
      id: "agent",
      heading,
      name: agent.name,
      lines: [
        ...didLines(drawing, proposal !== undefined),
        ...said.map(({ text }) => ({ text })),
        ...(proposal && agent.proposal
          ? [{ text: say.agent.proposes, reason: say.agent.reason(agent.proposal.reason) }]
          : []),
      ],
      limits: say.agent.limits,
      ...(proposal && { proposal }),
      field: {
        id: "message",
        kind: "line",
        label: say.agent.message,
        value: state.form.message,
        maxLength: MAX_MESSAGE_LENGTH,
      },
      actions: [
        button(drawing, "say", say.agent.send, { enabled: state.form.message.trim() !== "" }),
        ...(proposal
          ? [
              button(drawing, "useProposal", say.agent.use),
              button(drawing, "dismiss", say.agent.dismiss, { tone: "quiet" }),
            ]
          : []),
        button(drawing, "removeAgent", say.agent.remove, { tone: "quiet", params, id: "removeAgent" }),
      ],
    },
  ];
}

/** Says what the agent did last. Above a proposal this line is left out, because the proposal itself says so. */
function didLines({ state, say }: Drawing, isProposing: boolean): Section<"agent">["lines"] {
  const { toolName = "", reason = "" } = state.agent?.lastCall ?? {};
  const text = say.agent.did[toolName];
  if (text === undefined || (isProposing && toolName === "proposeText")) return [];
  return [{ text, reason: say.agent.reason(reason) }];
}

/** Lists the passages that the proposed text removes from the text on the sheet, and those that it adds. */
function proposed({ state, say }: Drawing): Section<"agent">["proposal"] {
  const text = state.agent?.proposal?.text;
  const draft = draftOf(state);
  if (text === undefined || draft === undefined) return undefined;
  const changes = (from: string, to: string, kind: "adds" | "takesOut") =>
    (attribute(from, to) ?? [{ by: "network" as const, text: to }])
      .filter((passage) => passage.by === "network" && isWord(passage.text))
      .map((passage) => ({ kind, label: say.agent[kind], text: showInvisible(passage.text.trim()) }));
  return [...changes(text, draft.outgoing.text, "takesOut"), ...changes(draft.outgoing.text, text, "adds")];
}
