import { sentencesOf, summarise } from "../negotiation/describe.ts";
import { ALONE } from "../negotiation/says.ts";
import { textsForRoom } from "../text/index.ts";
import { joinSentences } from "../text/join.ts";
import { roomTexts } from "../text/room.ts";
import { STEPS, type StepName, type StepState, stepStates } from "../view/course.ts";
import { additionsIn } from "../view/text.ts";
import { ROOM_STAGES, type RoomDemand, type RoomStage, type RoomState } from "./room-state.ts";
import { agentSections } from "./spec/agent.ts";
import { chatSpec } from "./spec/chat.ts";
import { decisionSections, unreadSections } from "./spec/decision.ts";
import { demandSections } from "./spec/demand.ts";
import { doneSections, endingOf } from "./spec/done.ts";
import { button, type Drawing } from "./spec/drawing.ts";
import { historySections } from "./spec/history.ts";
import { negotiatingSections } from "./spec/negotiating.ts";
import { planLead } from "./spec/plan.ts";
import { holdsPersonal, profileSections } from "./spec/profile.ts";
import { askedScene, sceneNameOf, sceneSections } from "./spec/scene.ts";
import { draftOf, isChanged } from "./spec/sheet.ts";
import { isUnread } from "./spec/unread.ts";
import { isBeingWithdrawn, isWithdrawing, urgencyOf } from "./spec/urgency.ts";
import { stageOf } from "./stages.ts";
import type { SectionSpec, UiSpec } from "./ui-spec-schema.ts";

/** What a drawing needs besides the state. Times are ms since the epoch. */
export interface DrawingTools {
  now: number;
  timeOfDay: (atMs: number, timeZone?: string) => string;
  dayAndTime: (atMs: number, timeZone?: string) => string;
}

/**
 * Draws the screen as data, from which both the page and an outside agent's view are made. Pure, so the same state at
 * the same moment always gives the same screen.
 */
export function uiSpec(state: RoomState, { now, timeOfDay, dayAndTime }: DrawingTools): UiSpec {
  const stage = stageOf(state);
  const drawing: Drawing = {
    state,
    stage,
    say: roomTexts(state.lang),
    texts: textsForRoom(state.lang),
    now,
    timeOfDay: (atMs) => timeOfDay(atMs, state.timeZone),
    dayAndTime: (atMs) => dayAndTime(atMs, state.timeZone),
  };
  const { say } = drawing;
  const head = state.history === undefined ? headOf(drawing) : { heading: say.history.heading, lead: say.history.lead };
  const scene = stage === "scene" ? undefined : sceneNameOf(drawing);
  const steps = stepsOf(drawing);
  const last = steps.at(-1);
  const step = say.stepOf(say.steps[stage], ROOM_STAGES.indexOf(stage) + 1);
  const sections = [
    ...(state.history === undefined ? sectionsOf(drawing) : historySections(drawing)),
    ...agentSections(drawing),
  ];
  // The list of all demands is not about a single one, unless a text waits for its decision.
  const isAboutOne = state.history === undefined || sections.some(({ kind }) => kind === "bar");
  const spec: UiSpec = {
    stage,
    lang: state.lang,
    title: say.title(head.heading),
    brand: say.brand,
    room: say.room,
    ...(scene !== undefined && { scene }),
    host: state.host,
    progressLabel: isAboutOne ? say.progress : "",
    // An ending without a plan has not reached the step that the stage is named after.
    progress: stage === "done" && last?.state === "todo" ? say.over : step,
    steps: isAboutOne ? steps : [],
    ...head,
    tooLong: say.tooLong,
    moreBelow: say.moreBelow,
    endOfText: say.endOfText,
    file: say.file,
    notes: notesOf(drawing),
    sections,
    menu: [
      ...(state.history === undefined ? [button(drawing, "openHistory", say.menu.history, { tone: "quiet" })] : []),
      ...(stage === "done" ? [button(drawing, "restart", say.menu.start, { tone: "quiet" })] : []),
      button(drawing, "setLanguage", say.menu.language, {
        tone: "quiet",
        params: { lang: state.lang === "zh" ? "en" : "zh" },
      }),
    ],
  };
  return state.chat === undefined ? spec : chatSpec(spec);
}

function sectionsOf(drawing: Drawing): SectionSpec[] {
  const { state, stage } = drawing;
  const { demand } = state;
  if (demand === undefined) return beforeDemand(drawing);
  if (isUnread(demand) && stage !== "done") return unreadSections(drawing, demand);
  if (stage === "decision") return decisionSections(drawing, demand);
  return stage === "negotiating" ? negotiatingSections(drawing, demand) : doneSections(drawing, demand);
}

function beforeDemand(drawing: Drawing): SectionSpec[] {
  if (drawing.stage === "profile") return profileSections(drawing);
  return drawing.stage === "demand" ? demandSections(drawing) : sceneSections(drawing);
}

type Head = Pick<UiSpec, "heading" | "lead" | "alert">;

function headOf(drawing: Drawing): Head {
  const { stage, say, state, texts } = drawing;
  const { demand } = state;
  if (demand === undefined) {
    const scene = askedScene(state.form.sceneId, drawing);
    if (stage === "profile")
      return { heading: say.profile.heading(sceneNameOf(drawing) ?? ""), lead: say.profile.lead };
    if (stage === "demand") return { heading: say.demand.heading, lead: say.demand.lead(scene) };
    return { heading: say.scene.heading, lead: say.scene.lead };
  }
  if (isUnread(demand) && demand.stage.name === "confirming")
    return { heading: say.decision.sending, lead: texts.state.confirming };
  if (isUnread(demand))
    return { heading: stage === "done" ? say.done.ended : say.unread.heading, lead: say.unread.lead };
  const lead = leadOf(drawing, demand);
  if (stage === "decision")
    return { lead: `${lead}${ownWordsOnly(drawing, demand)}`, ...decisionHead(drawing, demand) };
  if (stage === "negotiating") return { heading: negotiatingHeading(drawing, demand), lead };
  return doneHead(drawing, demand, lead);
}

/** Says that there is nothing to check, because the person typed all of the text. */
function ownWordsOnly({ state, say }: Drawing, { writtenBy, stage }: RoomDemand): string {
  const draft = draftOf(state);
  const isTheirs = writtenBy === "person" && stage.name === "asking" && draft?.outgoing.isCompared === true;
  if (!isTheirs || draft.outgoing.leftOut.length > 0 || additionsIn(draft.outgoing) > 0) return "";
  return `${state.lang === "zh" ? "" : " "}${say.decision.allYours}`;
}

function doneHead(drawing: Drawing, demand: RoomDemand, lead: string): Head {
  const { say, texts } = drawing;
  const ending = endingOf(demand);
  const afterThat = texts.state.goneAfter[demand.said.told.as];
  if (ending === "notFound")
    return { heading: say.done.notFound, lead: joinSentences([say.done.notFoundLead, afterThat]) };
  const plan = ending === "plan" ? planLead(drawing, demand) : undefined;
  const alert = plan?.alert === undefined ? {} : { alert: { text: plan.alert, tone: "mine" as const } };
  return { heading: say.done[ending], lead: plan?.lead ?? lead, ...alert };
}

/** Returns the one sentence on where the demand stands, which is the same on every surface. */
const leadOf = ({ texts }: Drawing, { said }: RoomDemand): string => summarise(said, texts);

function decisionHead(drawing: Drawing, demand: RoomDemand): Omit<Head, "lead"> & Partial<Head> {
  const { say, state } = drawing;
  const draft = draftOf(state);
  if (isWithdrawing(state, demand)) return { heading: say.decision.withdrawing, lead: say.decision.withdrawingLead };
  const urgency = urgencyOf(drawing);
  if (urgency === "sent") {
    const isStruck = state.form.edited === undefined && state.form.takenOut.length > 0;
    const { sending: heading, sendingLead, sendingWithoutStruck } = say.decision;
    return { heading, lead: isStruck ? sendingWithoutStruck : sendingLead };
  }
  if (urgency === "passed") return { heading: say.decision.passed, lead: say.decision.passedLead };
  if (draft === undefined) return { heading: say.decision.waiting };
  const { outgoing } = draft;
  if (!outgoing.isCompared)
    return { heading: say.decision.heading, alert: { text: say.decision.notCompared, tone: "network" } };
  const foreign = additionsIn(outgoing);
  const isPersons = demand.writtenBy === "person";
  const text = joinSentences([
    foreign === 0 ? undefined : isPersons ? say.decision.notYours(foreign) : say.decision.notTheirs(foreign),
    outgoing.leftOut.length === 0 ? undefined : isPersons ? say.decision.yoursMissing : say.decision.submittedMissing,
  ]);
  return { heading: say.decision.heading, ...(text !== "" && { alert: { text, tone: "network" } }) };
}

function negotiatingHeading({ say }: Drawing, demand: RoomDemand): string {
  const { negotiation } = demand;
  if (isBeingWithdrawn(demand)) return say.negotiating.cancelling;
  const isNobody = (negotiation?.participants.length ?? 0) === 0;
  if (negotiation?.state === "synthesizing") return isNobody ? say.negotiating.finishing : say.negotiating.making;
  return isNobody ? say.negotiating.looking : say.negotiating.heading;
}

/** The demand's steps that make up each stage. A plan is made while the demand negotiates, and shown at the end. */
const STEPS_IN: Readonly<Partial<Record<RoomStage, readonly StepName[]>>> = {
  decision: ["submit", "writeUp", "decide"],
  negotiating: ["resonance", "offers", "plan"],
  done: ["plan"],
};

/**
 * Returns the state of each stage. The room's place decides before there is a demand, and the demand's own steps decide
 * afterwards.
 */
function statesOf({ state, stage }: Drawing): StepState[] {
  const now = ROOM_STAGES.indexOf(stage);
  const passing = (at: number): StepState => (at < now ? "done" : at === now ? "now" : "later");
  if (state.demand === undefined) return ROOM_STAGES.map((_, at) => passing(at));
  const steps = stepStates(state.demand.said, stage === "done");
  return ROOM_STAGES.map((name) => {
    if (name === "done" && stage !== "done") return "later";
    const states = (STEPS_IN[name] ?? []).map((step) => steps[STEPS.indexOf(step)]!);
    // If nothing is known of the demand, it counts as being at the stage that the page shows.
    if (name === stage && stage !== "done" && states.every((one) => one === "later")) return "now";
    return states.find((one) => one !== "done" && one !== "later") ?? states.at(-1) ?? "done";
  });
}

function stepsOf(drawing: Drawing): UiSpec["steps"] {
  const { state, stage, say } = drawing;
  const ending = stage === "done" && state.demand !== undefined ? endingOf(state.demand) : undefined;
  const states = statesOf(drawing);
  return ROOM_STAGES.map((name, index) => {
    const [from, to] = [state.entered[name], nextEntered(state, index)];
    const at = states[index]!;
    const isEnd = name === "done" && ending !== undefined && ending !== "plan";
    const word = at === "later" && ending !== undefined ? "unreached" : at;
    return {
      stage: name,
      label: say.steps[name],
      // After an end without a plan, the lines of the stages that were not completed stay broken.
      state: at === "done" || at === "now" ? at : "todo",
      status: isEnd ? say.done[ending] : say.stepState[word],
      ...((at === "done" || at === "failed") &&
        name !== "done" &&
        from !== undefined &&
        to !== undefined && { tookMs: Math.max(0, to - from) }),
      ...(at === "now" && from !== undefined && { since: from }),
      ...(isEnd && ending === "nobody" && { mark: say.nobody }),
    };
  });
}

/** Returns when the first of the later stages was entered. */
const nextEntered = ({ entered }: RoomState, index: number): number | undefined =>
  ROOM_STAGES.slice(index + 1)
    .map((name) => entered[name])
    .find((at) => at !== undefined);

/** Returns what else the person must know: warnings, what failed, and the latest notice. */
function notesOf(drawing: Drawing): UiSpec["notes"] {
  const { state, stage, say, texts, timeOfDay } = drawing;
  const { demand, notice } = state;
  const isOver = demand?.said.ending !== undefined;
  const draft = stage === "decision" ? draftOf(state) : undefined;
  const unsaid: readonly string[] = [
    ...(isOver ? [...ALONE, "agents_exited"] : []),
    // This warning is about the network's text, and the sheet shows another text.
    ...(draft !== undefined && isChanged(draft) ? ["degraded_formulation"] : []),
  ];
  const outageOf = ({ negotiation }: RoomDemand) =>
    negotiation === undefined ? say.decision.outageUnread : say.decision.outage;
  const codes = (demand?.said.warnings ?? []).filter((code) => !unsaid.includes(code));
  return [
    ...(notice === undefined ? [] : [{ text: notice.text, tone: notice.tone }]),
    ...(demand?.question?.readsOnly ? [{ text: say.decision.readsOnly, tone: "warning" as const }] : []),
    ...[...holdsPersonal(drawing), ...sentencesOf(codes, texts)].map((text) => ({ text, tone: "warning" as const })),
    // If the backend refuses to answer about the person's own demand that is over, the lead already says what is known.
    ...(demand?.outageSince === undefined ||
    (demand.stage.isOwn && demand.said.ending !== undefined && demand.refusal !== undefined)
      ? []
      : [{ text: demand.refusal ?? outageOf(demand)(timeOfDay(demand.outageSince)), tone: "error" as const }]),
  ];
}
