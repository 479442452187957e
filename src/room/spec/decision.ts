import { unusualRouteSentences } from "../../ask/consequences.ts";
import { hidesInEditor } from "../../ask/whole.ts";
import { type QuestionName, whyNotInChat } from "../../question/who.ts";
import { sha256 } from "../../sha256.ts";
import type { Passage } from "../../view/authorship.ts";
import { partsOf } from "../../view/text.ts";
import type { RoomDemand, RoomState } from "../room-state.ts";
import type { ActionSpec, PassageSpec, Section, SectionSpec } from "../ui-spec-schema.ts";
import { button, type Drawing } from "./drawing.ts";
import { askedScene } from "./scene.ts";
import { type Draft, draftOf, passageSpecs, sheetSection } from "./sheet.ts";
import { isSending, isWithdrawing, LAST_MS, type Urgency, urgencyOf } from "./urgency.ts";

export function decisionSections(drawing: Drawing, demand: RoomDemand): SectionSpec[] {
  const draft = draftOf(drawing.state);
  return [
    quoteSection(drawing, demand),
    ...(draft === undefined ? [] : [sheetSection(drawing, demand, draft)]),
    barSection(drawing, demand, draft),
  ];
}

/** Draws only the bar, with no button but the one to withdraw, for a demand whose text the backend has not returned yet. */
export const unreadSections = (drawing: Drawing, demand: RoomDemand): SectionSpec[] =>
  drawing.stage === "decision" ? [barSection(drawing, demand, undefined)] : [];

/** Shows the submitted words and says who wrote them. If the demand was submitted elsewhere, its author is unknown. */
function quoteSection(drawing: Drawing, { negotiation, stage, writtenBy, passages }: RoomDemand): Section<"quote"> {
  const { say } = drawing;
  const headings = { person: say.decision.youWrote, ai: say.decision.aiWrote, unknown: say.decision.submitted };
  const heading = headings[stage.isOwn ? writtenBy : "unknown"];
  const raw = negotiation?.demand_raw ?? "";
  return { kind: "quote", id: "quote", heading, passages: ownWords(raw, drawing, passages), folded: false };
}

/**
 * Returns the passages of a text with their personal data marked. Without `passages`, all of the text counts as the
 * person's.
 */
export const ownWords = (
  text: string,
  drawing: Drawing,
  passages: readonly Passage[] = [{ by: "person", text }],
): PassageSpec[] => passageSpecs(partsOf(passages), () => false, drawing).map(({ part: _, ...rest }) => rest);

/** Shows how much time is left on a screen that does not show the text and therefore allows no decision. */
export function deadlineWithoutDecision(drawing: Drawing, demand: RoomDemand): Section<"bar">[] {
  const bar = barSection(drawing, demand, draftOf(drawing.state));
  return bar.timer === undefined ? [] : [{ ...bar, facts: bar.facts.filter(({ id }) => id !== "to"), actions: [] }];
}

function barSection(drawing: Drawing, demand: RoomDemand, draft: Draft | undefined): Section<"bar"> {
  const { state, say } = drawing;
  const { question, sceneId } = demand;
  const decideBy = question?.silence.at;
  const urgency = urgencyOf(drawing);
  const isSent = urgency === "sent";
  return {
    kind: "bar",
    id: "bar",
    ...(question !== undefined && { questionId: question.id }),
    ...(decideBy !== undefined && { decideBy }),
    totalMs: question?.totalMs ?? 0,
    urgency,
    // A countdown may not run towards something that may never happen.
    ...(decideBy !== undefined && demand.refusal === undefined && !isSent && { timer: say.decision.timer }),
    facts: [
      ...(isSent || draft === undefined ? [] : [deadlineFact(drawing, demand, urgency)]),
      ...unreachedFact(drawing, demand),
      ...(urgency === "passed" || isWithdrawing(drawing.state, demand)
        ? [] // nothing more leaves from here after the deadline or during a withdrawal
        : [
            ...unusualFacts(drawing, demand),
            {
              id: "to",
              term: isSent ? say.decision.goesOut : say.decision.goesTo,
              value:
                sceneId === undefined
                  ? say.decision.resonatingHere
                  : say.decision.resonatingIn(askedScene(sceneId, drawing)),
              detail: state.host,
            },
          ]),
    ],
    actions: [withdrawButton(drawing, demand), ...(draft === undefined ? [] : draftButtons(drawing, demand, draft))],
  };
}

/** Says how long there is to decide, and what happens to the demand after that. */
function deadlineFact({ say, timeOfDay, now }: Drawing, demand: RoomDemand, urgency: Urgency) {
  const { question, outageSince, refusal, stage } = demand;
  const decideBy = question?.silence.at;
  const isBroadcast = isBroadcastIn(question);
  const withdrawnAt = outageSince === undefined ? say.decision.withdrawnAt : say.decision.withdrawsAt;
  const isLast = decideBy !== undefined && decideBy - now <= LAST_MS;
  const late = isLast ? say.decision.last : say.decision.late;
  const terms = { calm: say.decision.nothing, late, passed: say.decision.passed, sent: say.decision.nothing };
  const fate = (at: number) => (isBroadcast ? say.decision.broadcastAt : withdrawnAt)(timeOfDay(at));
  const known = decideBy === undefined ? say.decision.noDeadline : fate(decideBy);
  const itsTime = stage.deadlineAt ?? decideBy;
  const isRefused = refusal !== undefined && itsTime !== undefined;
  const value = isRefused ? say.decision.mayGoOn(timeOfDay(itsTime)) : known;
  return {
    id: isBroadcast ? "deadline runs-out" : "deadline",
    term: terms[urgency],
    value: urgency === "passed" ? say.decision.seeWhatHappened : value,
  };
}

/** Returns whether the backend broadcasts at a known time if nobody decides. */
const isBroadcastIn = (question: RoomDemand["question"]): boolean =>
  question?.silence.at !== undefined && question.silence.as !== "withdrawn";

/** Warns during an outage that the backend may broadcast the demand by itself, because no withdrawal can reach the backend. */
function unreachedFact(drawing: Drawing, demand: RoomDemand): Section<"bar">["facts"] {
  const { say, timeOfDay, now } = drawing;
  const { stage, question, outageSince, refusal, negotiation } = demand;
  const isWaiting = stage.name === "asking" || stage.name === "cancelling";
  const isSaid = (isBroadcastIn(question) || refusal !== undefined) && !isWithdrawing(drawing.state, demand);
  if (outageSince === undefined || !isWaiting || isSaid || isSending(drawing.state, demand)) return [];
  // If the backend has not been read since the no, the stage that this machine has written down decides.
  const isHanging = negotiation === undefined ? stage.name === "cancelling" : negotiation.state === "formulated";
  if (!isHanging || stage.deadlineAt === undefined) return [];
  const at = timeOfDay(stage.deadlineAt);
  const ahead = refusal === undefined ? say.decision.broadcastAt(at) : say.decision.mayGoOn(at);
  const value = stage.deadlineAt > now ? ahead : say.decision.mayBeOut(at);
  return [{ id: "unreached runs-out", term: say.decision.unreached, value }];
}

/** Says to whom and as whom the text goes if the person might not expect that. */
function unusualFacts(drawing: Drawing, { unusual = {} }: RoomDemand): Section<"bar">["facts"] {
  const { say, texts } = drawing;
  const sentences = unusualRouteSentences(unusual, texts, (id) => askedScene(id, drawing));
  return sentences.map((value, at) => ({ id: `unusual-${at} runs-out`, term: say.decision.unusual, value }));
}

function withdrawButton(drawing: Drawing, demand: RoomDemand): ActionSpec {
  const { say } = drawing;
  const isOnItsWay = isWithdrawing(drawing.state, demand);
  return button(drawing, "withdraw", isOnItsWay ? say.decision.withdrawingButton : say.decision.withdraw, {
    tone: "danger",
    params: { demandId: demand.id },
    id: "withdraw",
    enabled: !isOnItsWay && !isSending(drawing.state, demand),
  });
}

/**
 * Says why a click in the chat's page would not count. Returns an empty object if it would count or if no chat draws
 * the room.
 */
export function inChat(
  { state: { chat }, say }: Pick<Drawing, "say"> & { state: Pick<RoomState, "chat"> },
  question: QuestionName,
): Pick<ActionSpec, "why"> {
  const why = chat && whyNotInChat(question, chat.isStrict);
  return why === undefined ? {} : { why: why === "not_own" ? say.decision.notOwnInChat : say.decision.notInChat };
}

/**
 * Offers to change and to broadcast the text. Both buttons work only while the question is open. If the editor cannot
 * show all of the text, the person must close it and read the text on the sheet before they can broadcast.
 */
function draftButtons(drawing: Drawing, demand: RoomDemand, { outgoing }: Draft): ActionSpec[] {
  const { state, say } = drawing;
  const { stage, question } = demand;
  const isOpen = stage.name === "asking" && question !== undefined && urgencyOf(drawing) !== "passed";
  const { text } = outgoing;
  const isAnswered = demand.refusal === undefined && question?.readsOnly === undefined;
  const isSeen = !state.form.isEditing || !hidesInEditor(text);
  return [
    button(drawing, "edit", state.form.isEditing ? say.decision.done : say.decision.change, { enabled: isOpen }),
    // The label never changes, because the sheet's heading already says whose version the text is.
    button(drawing, "broadcast", say.decision.broadcast, {
      id: "broadcast",
      tone: "primary",
      params: { questionId: question?.id ?? "", textHash: sha256(text) },
      enabled: isOpen && isSeen && isAnswered && text.trim() !== "",
      ...(isOpen && inChat(drawing, stage.isOwn ? "text" : "others_text")),
    }),
  ];
}
