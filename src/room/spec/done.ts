import { hasPlan } from "../../negotiation/backend-states.ts";
import { reviewReasons } from "../../negotiation/describe.ts";
import { ALONE } from "../../negotiation/says.ts";
import { findPii } from "../../safety/pii/pii.ts";
import type { Texts } from "../../text/index.ts";
import { joinList } from "../../text/join.ts";
import { reviewTexts } from "../../text/reviews.ts";
import { type EndingGroup, groupOf } from "../../view/course.ts";
import type { RoomDemand } from "../room-state.ts";
import type { Section, SectionSpec } from "../ui-spec-schema.ts";
import { authorsOf, wordsOfSubmitted } from "../whose-words.ts";
import { MAX_INTENT_LENGTH } from "./demand.ts";
import { button, type Drawing } from "./drawing.ts";
import { agentsSection, offerSections, sentSection } from "./negotiating.ts";
import { exportSection, planSections, planText } from "./plan.ts";
import { askedScene } from "./scene.ts";
import { isAwaited, isUnread } from "./unread.ts";

export const endingOf = ({ said }: Pick<RoomDemand, "said">): EndingGroup => groupOf(said.ending ?? "ended");

export function doneSections(drawing: Drawing, demand: RoomDemand): SectionSpec[] {
  const ending = endingOf(demand);
  const review = reviewSections(drawing, demand);
  if (ending === "plan") return [...planSections(drawing, demand), ...review, ...sentSection(drawing, demand)];
  const { negotiation, stage } = demand;
  const hasAgents = (negotiation?.participants.length ?? 0) > 0;
  // Without participants, a plan says nothing that this screen does not show anyway.
  const isWritten = hasAgents && negotiation !== undefined && hasPlan(negotiation);
  return [
    happenedSection(drawing, demand, ending),
    ...review,
    // Without a scene there is nobody to ask again.
    ...(drawing.state.form.sceneId === "" || isUnread(demand) ? [] : [againSection(drawing, demand, ending)]),
    scenesSection(drawing),
    // Offers that came before the end stay on the screen.
    ...(hasAgents ? [agentsSection(drawing, demand, false), ...offerSections(drawing, demand)] : []),
    ...(isWritten ? [exportSection(drawing, "plain"), planText(drawing, demand, false)] : []),
    ...(negotiation !== undefined && stage.reach === "broadcast" ? sentSection(drawing, demand) : []),
  ];
}

function happenedSection(drawing: Drawing, demand: RoomDemand, ending: EndingGroup): Section<"facts"> {
  const { say, timeOfDay } = drawing;
  const { stage, said, sceneId } = demand;
  const broadcastAt = said.broadcast === "person" ? stage.standingYes?.at : undefined;
  const { received, total } = said.offers;
  const wasBroadcast = stage.reach === "broadcast";
  const everybody =
    sceneId === undefined ? say.decision.resonatingHere : say.decision.resonatingIn(askedScene(sceneId, drawing));
  const fate = {
    broadcast: broadcastAt === undefined ? say.done.broadcast : say.done.broadcastAt(timeOfDay(broadcastAt)),
    not_broadcast: say.done.notBroadcast,
    nobody_asked: say.done.nobodyAsked,
    not_known: say.done.notKnown,
  }[stage.reach];
  return {
    kind: "facts",
    id: "happened",
    heading: say.done.happened,
    facts: [
      ...(wasBroadcast
        ? [
            { term: say.done.asked, value: everybody },
            // If no participants are known, the backend may have ended before it looked for any.
            ...(total > 0 || ending === "nobody"
              ? [{ term: say.done.resonated, value: total === 0 ? say.done.none : say.done.people(total) }]
              : []),
          ]
        : []),
      ...(wasBroadcast && total > 0
        ? [{ term: say.done.offered, value: received === 0 ? say.done.none : say.done.people(received) }]
        : []),
      { term: say.done.yourText, value: fate },
    ],
  };
}

/** Returns the person's own version of a text that was not broadcast, so that their work on it is not lost. */
const ownVersion = ({ form }: Drawing["state"], { stage }: RoomDemand): string | undefined =>
  stage.reach === "broadcast" || form.edited === form.proposed?.text ? undefined : form.edited;

/** Returns the text in the field for a new demand, which is what was typed there or else a suggestion. */
export function againText(
  { state, texts }: Pick<Drawing, "state" | "texts">,
  demand: RoomDemand,
  ending: EndingGroup,
): string {
  const raw = demand.negotiation?.demand_raw ?? "";
  if (state.form.intent !== "") return state.form.intent;
  const own = ownVersion(state, demand);
  if (own !== undefined && own.trim() !== "") return own;
  return (ending === "nobody" ? shorter(raw, texts)?.text : undefined) ?? raw;
}

/**
 * Offers the submitted words again, or the person's own version of the text. If nobody resonated, the section offers a
 * shorter demand. No words are ever added.
 */
function againSection(drawing: Drawing, demand: RoomDemand, ending: EndingGroup): Section<"form"> {
  const { say, state, stage, texts } = drawing;
  const raw = demand.negotiation?.demand_raw ?? "";
  const short = ending === "nobody" ? shorter(raw, texts) : undefined;
  const leftOut = short && joinList(short.leftOut, texts.lang);
  const value = againText(drawing, demand, ending);
  const own = ownVersion(state, demand);
  const isPersons = authorsOf(wordsOfSubmitted(demand)).writtenBy === "person";
  const whole = isPersons ? say.done.againNote : say.done.againSubmitted;
  const shortened = isPersons ? say.done.onceNote : say.done.onceSubmitted;
  const ofSubmitted = short === undefined ? whole : shortened;
  const unread = isAwaited(demand) ? say.done.againUnread : say.done.againUnknown;
  const note = value === own ? say.done.againVersion : raw === "" ? unread : ofSubmitted;
  return {
    kind: "form",
    id: "again",
    heading: short === undefined ? say.done.again : say.done.once,
    note,
    fields: [
      {
        id: "intent",
        kind: "text",
        label: short === undefined ? say.done.again : say.done.once,
        value,
        placeholder: say.demand.placeholder,
        ...(leftOut !== undefined && leftOut !== "" && value === short?.text && { hint: say.done.leftOut(leftOut) }),
        maxLength: MAX_INTENT_LENGTH,
        required: true,
      },
    ],
    actions: [
      button(drawing, "next", state.busy === "submitting" ? say.demand.submitting : say.done.submit, {
        tone: "primary",
        enabled: value.trim() !== "",
        params: { from: stage, demandId: demand.id },
        id: "next",
      }),
      ...((short !== undefined || own !== undefined) && raw !== "" && value !== raw
        ? [
            button(drawing, "setField", isPersons ? say.done.restore : say.done.restoreSubmitted, {
              params: { fieldId: "intent", value: raw },
              id: "restore",
            }),
          ]
        : []),
    ],
  };
}

const MAX_SCENES = 3;

function scenesSection(drawing: Drawing): Section<"list"> {
  const { state, say } = drawing;
  const others = state.scenes.items.filter(
    ({ id, name }) => id !== state.form.sceneId && name !== state.demand?.sceneName,
  );
  return {
    kind: "list",
    id: "scenes",
    heading: say.done.scenes,
    items: others.slice(0, MAX_SCENES).map(({ id, name, description, agents }) => ({
      id,
      title: name || id,
      ...(description !== "" && { detail: description }),
      mark: say.scene.agents(agents),
      selected: false,
      actions: [
        button(drawing, "restart", say.done.look, { params: { itemId: id, words: "kept" }, about: name || id }),
      ],
    })),
    actions: [
      button(drawing, "restart", state.scenes.state === "cannot_list" ? say.done.sceneById : say.done.allScenes, {
        params: { words: "kept" },
      }),
    ],
  };
}

/** Asks the person to look again at what may be wrong with the result, and says why (seed 003 §5). */
function reviewSections(drawing: Drawing, demand: RoomDemand): Section<"review">[] {
  const { negotiation, said, review, id: demandId } = demand;
  if (negotiation === undefined || review === undefined) return [];
  // Everybody can see that nobody takes part, so no verdict is asked for if that is the only reason.
  if (review.codes.every((code) => ALONE.some((one) => one === code))) return [];
  const say = reviewTexts(drawing.texts.lang);
  const codes = review.codes.join();
  const answer = (verdict: "fine" | "concern") =>
    button(drawing, "review", say[verdict], { params: { demandId, codes, verdict }, id: verdict });
  return [
    {
      kind: "review",
      id: "review",
      heading: say.heading,
      reasons: reviewReasons(review.codes, review.found, { ...said, negotiation }, drawing.texts),
      actions: [answer("fine"), answer("concern")],
    },
  ];
}

/** A first sentence of fewer characters than this asks for one thing only. For Chinese, a third of this number applies. */
const SHORT = 60;
const SENTENCE = /[^.!?。！？\n]+[.!?。！？]*/gu;

/**
 * Shortens a demand to its first sentence without personal data, and cuts that sentence where a list goes on. Every
 * word comes from the demand, in the same order. Returns undefined if nothing can be left out.
 */
function shorter(demand: string, texts: Texts): { text: string; leftOut: string[] } | undefined {
  const sentences = (demand.match(SENTENCE) ?? []).map((sentence) => sentence.trim()).filter((s) => s !== "");
  const isPersonal = (sentence: string) => findPii(sentence).length > 0;
  const first = sentences.find((sentence) => !isPersonal(sentence));
  if (first === undefined || first.length < (texts.lang === "zh" ? SHORT / 3 : SHORT)) return undefined;
  const cut = firstThing(first);
  const others = sentences.filter((sentence) => sentence !== first);
  const leftOut = [
    ...(cut === first
      ? []
      : [first.slice(cut.length).replace(/^(?:[\s,，、;；和与及]|(?:and|or)\s)+|[\s.。!！?？]+$/g, "")]),
    ...others.map((sentence) => {
      const kind = findPii(sentence)[0]?.kind;
      return kind === undefined ? sentence.replace(/[.。!！?？]+$/, "") : texts.pii.kinds[kind];
    }),
  ].filter((part) => part !== "");
  if (leftOut.length === 0) return undefined;
  const stop = /[。！？]/.test(first) || texts.lang === "zh" ? "。" : ".";
  return { text: /[.!?。！？]$/.test(cut) ? cut : `${cut}${stop}`, leftOut };
}

/** Cuts a sentence at the first comma, semicolon or "and" in its second half, where a list probably goes on. */
function firstThing(sentence: string): string {
  const half = sentence.length / 2;
  const cut = [...sentence.matchAll(/\s+(?:and|or)\s+|\s*[,，;；]\s*|[和、与及]/gu)].find(({ index }) => index >= half);
  return cut === undefined ? sentence : sentence.slice(0, cut.index);
}
