import { hidesInEditor } from "../../ask/whole.ts";
import type { Negotiation } from "../../backend/contract.ts";
import { formulatedText } from "../../negotiation/backend-states.ts";
import { showInvisible } from "../../safety/invisible.ts";
import { inOneLine, isTakenOut, isWord, missingWords, type Segment } from "../../view/authorship.ts";
import { mayGoOut } from "../../view/fate.ts";
import {
  changedText,
  headingOf,
  keptText,
  listedParts,
  networksText,
  type TextView,
  versionOf,
} from "../../view/text.ts";
import type { Proposed, RoomDemand, RoomState } from "../room-state.ts";
import type { PassageSpec, Section } from "../ui-spec-schema.ts";
import { button, type Drawing } from "./drawing.ts";
import { isSending, isWithdrawing, urgencyOf } from "./urgency.ts";

const MAX_TEXT_LENGTH = 20_000;

/** Returns how long the person's own text may be, in UTF-16 units. A text as long as the network's is always allowed. */
export const longestText = (network: string): number => Math.max(MAX_TEXT_LENGTH, network.length);

/** The text on the sheet as it stands now. */
export interface Draft {
  /** The text as it is drawn, in which the parts that the person took out are struck through. */
  sheet: TextView;
  /** The text that a broadcast sends. */
  outgoing: TextView;
  /** The network's own text, unchanged. */
  network: TextView;
}

/** Returns whether a text other than the network's would be sent. */
export const isChanged = ({ outgoing, network }: Draft): boolean => outgoing.text !== network.text;

const drafts = new WeakMap<RoomState["form"], { of: Demand; draft: Draft }>();
type Demand = Pick<Negotiation, "demand_raw" | "demand_formulated">;
const isSameDemand = (one: Demand, other: Demand): boolean =>
  one.demand_raw === other.demand_raw && one.demand_formulated === other.demand_formulated;

/**
 * Returns the text on the sheet as it stands now, or undefined if the backend has not formulated one. The page shows
 * the same draft that the server sends. One screen needs the draft several times and comparing texts is slow, so the
 * draft of each form is cached.
 */
export function draftOf({ demand, form }: Pick<RoomState, "demand" | "form">): Draft | undefined {
  const negotiation = demand?.negotiation;
  if (negotiation === undefined || negotiation.demand_formulated === null) return undefined;
  const known = drafts.get(form);
  if (known !== undefined && isSameDemand(known.of, negotiation)) return known.draft;
  const draft = draftFrom(negotiation, form, demand?.passages);
  drafts.set(form, { of: negotiation, draft });
  return draft;
}

function draftFrom(negotiation: Negotiation, form: RoomState["form"], whose: RoomDemand["passages"]): Draft {
  const network = networksText(negotiation.demand_raw, formulatedText(negotiation), whose);
  const { edited, words, proposed } = form;
  if (edited === undefined) return { sheet: network, outgoing: keptText(network, form.takenOut), network };
  const before = proposed === undefined ? network : changedText(network, proposed.text, "agent");
  const compared = edited === proposed?.text ? before : changedText(before, edited);
  const sheet = words === undefined ? compared : versionOf(network, words);
  return { sheet, outgoing: sheet, network };
}

export function sheetSection(drawing: Drawing, demand: RoomDemand, draft: Draft): Section<"sheet"> {
  const { state, say } = drawing;
  const { form } = state;
  const { sheet, outgoing, network } = draft;
  const isEdited = form.edited !== undefined;
  const takenOut = isEdited ? [] : form.takenOut;
  const { share, isCompared } = outgoing;
  const some = isEdited ? say.decision.shareMine : say.decision.share;
  const isTheirs = isEdited && outgoing.text === form.proposed?.text;
  const theirs = form.proposed?.by === "outside" ? "agents" : "byYourAi";
  const isOpen = isChangeable(drawing, demand);
  const goesOut = mayGoOut(isSending(state, demand) ? "confirming" : demand.stage.name, {
    isBeingWithdrawn: isWithdrawing(state, demand),
    decideBy: demand.question?.silence.at,
    now: drawing.now,
  });
  const version = isTheirs ? theirs : isEdited ? "yours" : undefined;
  const asShown = takenOut.length > 0 ? say.decision.withoutStruck : say.decision.asShown;
  const compared = [share > 0 ? some(share) : say.decision.nothingLeft, ...(goesOut ? [asShown] : [])].join(" · ");
  const gone = isEdited && isCompared && !form.isEditing ? goneFrom(network, outgoing.text) : "";
  return {
    kind: "sheet",
    id: "sheet",
    heading: say.decision[headingOf(outgoing, { version, goesOut })],
    note: isCompared ? compared : say.decision.notCompared,
    ...(hidesInEditor(outgoing.text) && { hidden: form.isEditing ? say.decision.hidden : say.decision.invisible }),
    share,
    passages: passageSpecs(sheet.parts, (part) => isTakenOut(part, takenOut), drawing),
    outgoing: outgoing.text,
    parts: isCompared ? partSpecs(draft, demand, drawing) : [],
    ...(form.selected !== undefined && { selected: form.selected }),
    ...(form.isEditing && isOpen && { editor: editorOf(drawing, draft) }),
    ...(gone !== "" && { gone: { label: say.decision.removed, text: showInvisible(gone) } }),
    ...(sheet.leftOut.length > 0 && !form.isEditing && { leftOut: leftOutOf(sheet, demand, drawing, isOpen) }),
    isEdited,
    legend: [
      ...(isEdited && !isTheirs ? [{ by: "edit" as const, label: say.decision.legendEdit }] : []),
      ...(isEdited && form.proposed ? [{ by: "agent" as const, label: legendOf(form.proposed, say) }] : []),
      { by: "network", label: say.decision.legendNetwork },
    ],
    actions: isOpen
      ? [
          button(drawing, "edit", form.isEditing ? say.decision.done : say.decision.change, {
            tone: "quiet",
            id: "edit:sheet",
          }),
          ...(isEdited || takenOut.length > 0 ? [button(drawing, "reset", say.decision.reset, { tone: "quiet" })] : []),
        ]
      : [],
  };
}

/** Shows what the network left out, with a button that returns to the submitted text. */
function leftOutOf({ leftOut }: TextView, { writtenBy }: RoomDemand, drawing: Drawing, isOpen: boolean) {
  const { decision } = drawing.say;
  const label = writtenBy === "person" ? decision.useMine : decision.useSubmitted;
  return {
    label: decision.leftOut,
    text: showInvisible(inOneLine(leftOut)),
    ...(isOpen && { action: button(drawing, "useSubmitted", label, { tone: "quiet" }) }),
  };
}

const legendOf = ({ by }: Proposed, { decision }: Drawing["say"]): string =>
  by === "outside" ? decision.legendAgent : decision.legendAi;

/** Returns the parts of the network's text that another text lacks. */
const goneFrom = (network: TextView, text: string): string => inOneLine(missingWords(network.text, text, "edit") ?? []);

const editorOf = ({ say, state }: Drawing, { outgoing, network }: Draft) => ({
  field: {
    id: "text",
    kind: "text" as const,
    label: say.decision.editor,
    value: outgoing.text,
    hint: say.decision.editing,
    maxLength: longestText(network.text),
  },
  base: (state.form.opened ?? outgoing.parts).map(({ by, text }) => ({ by, text })),
  before: network.text,
  removed: say.decision.removed,
  gone: goneFrom(network, outgoing.text) || say.decision.nothingGone,
  none: say.decision.nothingGone,
});

/** Returns passages as they are drawn, with invisible characters made visible. */
export function passageSpecs<Part extends Segment>(
  segments: readonly Part[],
  isTaken: (part: Part) => boolean,
  { say, texts }: Pick<Drawing, "say" | "texts">,
): PassageSpec[] {
  return segments.map((segment, index) => {
    const { by, text, addition, personal } = segment;
    const isStruck = isTaken(segment);
    const begins = addition !== segments[index - 1]?.addition || by !== segments[index - 1]?.by;
    const spoken = isStruck ? say.decision.spoken.takenOut : by === "person" ? undefined : say.decision.spoken[by];
    const part = addition !== undefined ? String(addition) : personal && `p${personal.number}`;
    return {
      text: showInvisible(text),
      by,
      ...(part !== undefined && { part }),
      ...(isStruck && { takenOut: true }),
      ...(personal && !isStruck && { pii: piiKind(personal.kind, texts) }),
      ...(spoken !== undefined && (begins || isStruck) && isWord(text) && { spoken }),
    };
  });
}

export const piiKind = (kind: string, { pii }: Drawing["texts"]): string =>
  (pii.kinds as Readonly<Record<string, string>>)[kind] ?? kind;

/** Returns whether a changed text could still be sent. */
const isChangeable = (drawing: Drawing, { stage }: RoomDemand): boolean =>
  stage.name === "asking" && urgencyOf(drawing) !== "passed";

function partSpecs({ sheet }: Draft, demand: RoomDemand, drawing: Drawing): Section<"sheet">["parts"] {
  const { say, texts, state } = drawing;
  const { takenOut, edited } = state.form;
  const { profile, writtenBy } = demand;
  const profileWords = profile && Object.values(profile).join("\n");
  return listedParts(sheet).map(({ number, text, kind, by }) => {
    const id = kind === undefined ? String(number) : `p${number}`;
    const shown = showInvisible(text.trim());
    const isStruck = edited === undefined && takenOut.includes(id);
    const label = kind && piiKind(kind, texts);
    const isOwn = by === "edit" || (by === "person" && writtenBy === "person");
    const isInProfile = profileWords?.includes(text.trim()) === true;
    const ofPersonal = label && (isOwn ? say.decision.yourKind(label) : say.decision.kind(label));
    const origin = ofPersonal ?? (isInProfile ? say.decision.inProfile : undefined);
    return {
      id,
      kind: kind === undefined ? ("addition" as const) : ("personal" as const),
      text: shown,
      ...(origin !== undefined && { origin }),
      takenOut: isStruck,
      // Parts of the person's own version are changed in the editor instead.
      ...(edited === undefined &&
        isChangeable(drawing, demand) && {
          action: button(
            drawing,
            isStruck ? "putBack" : "takeOut",
            isStruck ? say.decision.putBack : say.decision.takeOut,
            {
              params: { itemId: id },
              about: shown,
              tone: "quiet",
            },
          ),
        }),
    };
  });
}
