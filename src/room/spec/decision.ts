import { segmentsOf } from "../authorship.ts";
import type { RoomDemand } from "../room-state.ts";
import type { PassageSpec, Section, SectionSpec } from "../ui-spec-schema.ts";
import { button, type Drawing } from "./drawing.ts";
import { type Draft, draftOf, passageSpecs, sheetSection, spansOf } from "./sheet.ts";

/** From here on the bar says that time runs short. */
export const LATE_MS = 60_000;

export function decisionSections(drawing: Drawing, demand: RoomDemand): SectionSpec[] {
  const draft = draftOf(drawing.state);
  return [
    quoteSection(drawing, demand),
    ...(draft === undefined ? [] : [sheetSection(drawing, demand, draft)]),
    barSection(drawing, demand, draft),
  ];
}

/** The submitted words, headed by whose they are. */
function quoteSection(drawing: Drawing, { negotiation, writtenBy }: RoomDemand): Section<"quote"> {
  const { say } = drawing;
  const heading = { person: say.decision.youWrote, ai: say.decision.aiWrote, unknown: say.decision.submitted }[
    writtenBy
  ];
  const raw = negotiation?.demand_raw ?? "";
  return { kind: "quote", id: "quote", heading, passages: ownWords(raw, drawing), folded: false };
}

/** A text of one's own, with the personal data in it. */
export const ownWords = (text: string, drawing: Drawing): PassageSpec[] =>
  passageSpecs(segmentsOf([{ by: "person", text }], spansOf(text)), [], drawing).map(({ part: _, ...rest }) => rest);

/** How near the deadline is. */
export function urgencyOf({ state, now }: Pick<Drawing, "state" | "now">): Section<"bar">["urgency"] {
  const { demand, busy } = state;
  if (busy === "broadcasting" || busy === "withdrawing") return "sent";
  if (demand?.stage.name === "confirming" || demand?.stage.name === "cancelling") return "sent";
  const decideBy = demand?.question?.decideBy;
  if (decideBy === undefined) return "calm";
  if (decideBy <= now) return "passed";
  return decideBy - now <= LATE_MS ? "late" : "calm";
}

function barSection(drawing: Drawing, demand: RoomDemand, draft: Draft | undefined): Section<"bar"> {
  const { state, say, hash, timeOfDay } = drawing;
  const { question, sceneName } = demand;
  const urgency = urgencyOf(drawing);
  const isOpen =
    demand.stage.name === "asking" && draft !== undefined && question !== undefined && urgency !== "passed";
  const term = {
    calm: say.decision.nothing,
    late: say.decision.late,
    passed: say.decision.passed,
    sent: say.decision.nothing,
  }[urgency];
  const decideBy = question?.decideBy;
  const consequence =
    urgency === "passed"
      ? say.decision.seeWhatHappened
      : decideBy === undefined
        ? say.decision.noDeadline
        : question?.runsOut
          ? say.decision.broadcastAt(timeOfDay(decideBy))
          : say.decision.withdrawnAt(timeOfDay(decideBy));
  const isMine = draft !== undefined && draft.outgoing !== draft.formulated;
  const sending = state.busy === "broadcasting" || demand.stage.name === "confirming";
  const withdrawing = state.busy === "withdrawing" || demand.stage.name === "cancelling";
  return {
    kind: "bar",
    id: "bar",
    ...(question !== undefined && { questionId: question.id }),
    ...(decideBy !== undefined && { decideBy }),
    totalMs: question?.totalMs ?? 0,
    urgency,
    timer: say.decision.timer,
    facts: [
      ...(urgency === "sent" ? [] : [{ id: "deadline", term, value: consequence }]),
      {
        id: "to",
        term: urgency === "sent" ? say.decision.goesOut : say.decision.goesTo,
        value: sceneName === undefined ? say.decision.everyAgentHere : say.decision.everyAgent(sceneName),
        detail: state.host,
      },
    ],
    actions: [
      button(drawing, "withdraw", withdrawing ? say.decision.withdrawingButton : say.decision.withdraw, {
        tone: "danger",
        enabled: !sending && !withdrawing,
      }),
      ...(draft === undefined
        ? []
        : [
            button(drawing, "edit", state.form.isEditing ? say.decision.done : say.decision.change, {
              enabled: isOpen,
            }),
            button(
              drawing,
              "broadcast",
              sending ? say.decision.sendingButton : isMine ? say.decision.broadcastMine : say.decision.broadcast,
              {
                id: "broadcast",
                tone: "primary",
                params: { questionId: question?.id ?? "", textHash: hash(draft.outgoing) },
                enabled: isOpen && draft.outgoing.trim() !== "",
              },
            ),
          ]),
    ],
  };
}
