import type { Negotiation } from "../../backend/contract.ts";
import { formulatedText } from "../../negotiation/backend-states.ts";
import { showInvisible } from "../../safety/invisible.ts";
import { findPii } from "../../safety/pii/pii.ts";
import {
  attribute,
  attributeEdit,
  isTakenOut,
  isWord,
  leftOutWords,
  type Passage,
  removedWords,
  type Segment,
  segmentsOf,
  shareOf,
  withoutTakenOut,
} from "../../view/authorship.ts";
import type { Proposed, RoomDemand, RoomState } from "../room-state.ts";
import type { PassageSpec, Section } from "../ui-spec-schema.ts";
import { button, type Drawing } from "./drawing.ts";
import { isSending, isWithdrawing, urgencyOf } from "./urgency.ts";

const MAX_TEXT_LENGTH = 20_000;

/** The text on the sheet as it stands now: in parts, and exactly what would go out. */
export interface Draft {
  segments: Segment[];
  /** Word for word what a broadcast sends. */
  outgoing: string;
  /** The network's own, raw. */
  formulated: string;
  /** The same by whose words it is. */
  network: readonly Passage[];
  /** What an edit is compared with: the network's text, or the agent's version that was taken up. */
  base: readonly Passage[];
  /** Submitted words that the network's text lacks, unless the edit has all of them again. */
  leftOut: string;
  isCompared: boolean;
}

const drafts = new WeakMap<RoomState["form"], { of: Demand; draft: Draft }>();
type Demand = Pick<Negotiation, "demand_raw" | "demand_formulated">;
const isSameDemand = (one: Demand, other: Demand): boolean =>
  one.demand_raw === other.demand_raw && one.demand_formulated === other.demand_formulated;

/**
 * Pure; the server sends the outgoing text of the same function that the page was drawn from. One screen asks for it
 * several times, and comparing takes its time: the newest of each form is kept.
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
  const formulated = formulatedText(negotiation);
  const submitted = negotiation.demand_raw;
  const kept = attribute(submitted, formulated);
  const base = whose === undefined ? kept : attributeEdit(whose, formulated, "network");
  const leftOut = base && kept && leftOutWords(submitted, kept);
  const passages = base ?? [{ by: "network", text: formulated } satisfies Passage];
  if (form.edited === undefined) {
    const segments = segmentsOf(passages, spansOf(formulated));
    return {
      segments,
      outgoing: withoutTakenOut(segments, form.takenOut),
      formulated,
      network: passages,
      base: passages,
      leftOut: leftOut ?? "",
      isCompared: leftOut !== undefined,
    };
  }
  const { proposed } = form;
  const before = proposed === undefined ? passages : attributeEdit(passages, proposed.text, "agent");
  const isTheirs = form.edited === proposed?.text;
  const edited = isTheirs ? before : before && attributeEdit(before, form.edited);
  const whole: Passage = { by: isTheirs ? "agent" : "edit", text: form.edited };
  const segments = segmentsOf(edited ?? [whole], spansOf(form.edited));
  const again = attribute(submitted, form.edited);
  const isWhole = again !== undefined && leftOutWords(submitted, again) === "";
  return {
    segments,
    outgoing: form.edited,
    formulated,
    network: passages,
    base: before ?? passages,
    leftOut: isWhole ? "" : (leftOut ?? ""),
    isCompared: leftOut !== undefined && edited !== undefined,
  };
}

/** Personal data in a text, by where it stands. */
export const spansOf = (text: string) => findPii(text).map(({ start, end, kind }) => ({ start, end, kind }));

/** Whether a text holds what is written out on the sheet, and what nobody sees in an editor. */
export const hidesInEditor = (text: string): boolean => showInvisible(text) !== text;

/** How many passages of what would go out are the network's. */
export const foreignPassages = ({ segments }: Draft, takenOut: readonly string[]): number =>
  new Set(segments.filter((segment) => !isTakenOut(segment, takenOut)).flatMap(({ addition }) => addition ?? [])).size;

export function sheetSection(drawing: Drawing, demand: RoomDemand, draft: Draft): Section<"sheet"> {
  const { state, say } = drawing;
  const { form } = state;
  const { segments, outgoing } = draft;
  const isEdited = form.edited !== undefined;
  const takenOut = isEdited ? [] : form.takenOut;
  const share = draft.isCompared ? shareOf(segments.filter((segment) => !isTakenOut(segment, takenOut))) : 100;
  const some = isEdited ? say.decision.shareMine : say.decision.share;
  const none = isEdited ? say.decision.nothingLeft : say.decision.nothingAdded;
  const isTheirs = isEdited && outgoing === form.proposed?.text;
  const theirs = form.proposed?.by === "outside" ? say.decision.agents : say.decision.byYourAi;
  const isOpen = isChangeable(drawing, demand);
  const goesOut = isSending(state, demand) || (isOpen && !isWithdrawing(state, demand));
  const compared = [share > 0 ? some(share) : none, ...(goesOut ? [say.decision.asShown] : [])].join(" · ");
  const gone = isEdited && draft.isCompared && !form.isEditing ? removedWords(draft.network, segments) : "";
  return {
    kind: "sheet",
    id: "sheet",
    heading: isTheirs ? theirs : isEdited ? say.decision.yours : say.decision.added,
    note: draft.isCompared ? compared : say.decision.notCompared,
    ...(hidesInEditor(outgoing) && { hidden: form.isEditing ? say.decision.hidden : say.decision.invisible }),
    share,
    passages: passageSpecs(segments, takenOut, drawing),
    outgoing,
    parts: isEdited || !draft.isCompared ? [] : partsOf(segments, takenOut, demand, drawing),
    ...(form.selected !== undefined && { selected: form.selected }),
    ...(form.isEditing && isOpen && { editor: editorOf(drawing, draft) }),
    ...(gone !== "" && { gone: { label: say.decision.removed, text: showInvisible(gone) } }),
    ...(draft.leftOut !== "" && !form.isEditing && { leftOut: leftOutOf(draft, demand, drawing, isOpen) }),
    legend: isEdited
      ? [
          ...(isTheirs ? [] : [{ by: "edit" as const, label: say.decision.legendEdit }]),
          ...(form.proposed === undefined ? [] : [{ by: "agent" as const, label: legendOf(form.proposed, say) }]),
          { by: "network", label: say.decision.legendNetwork },
        ]
      : [],
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

/** What the network left out, and the way back to the text that was submitted. */
function leftOutOf({ leftOut }: Draft, { writtenBy }: RoomDemand, drawing: Drawing, isOpen: boolean) {
  const { decision } = drawing.say;
  const label = writtenBy === "person" ? decision.useMine : decision.useSubmitted;
  return {
    label: decision.leftOut,
    text: showInvisible(leftOut),
    ...(isOpen && { action: button(drawing, "useSubmitted", label, { tone: "quiet" }) }),
  };
}

const legendOf = ({ by }: Proposed, { decision }: Drawing["say"]): string =>
  by === "outside" ? decision.legendAgent : decision.legendAi;

const editorOf = ({ say }: Drawing, { segments, outgoing, formulated, base }: Draft) => ({
  field: {
    id: "text",
    kind: "text" as const,
    label: say.decision.editor,
    value: outgoing,
    hint: say.decision.editing,
    maxLength: Math.max(MAX_TEXT_LENGTH, formulated.length),
  },
  base: [...base],
  removed: say.decision.removed,
  gone: removedWords(base, segments) || say.decision.nothingGone,
  none: say.decision.nothingGone,
});

/** Passages as they are drawn; what nobody would see is written out. */
export function passageSpecs(
  segments: readonly Segment[],
  takenOut: readonly string[],
  { say, texts }: Pick<Drawing, "say" | "texts">,
): PassageSpec[] {
  return segments.map((segment, index) => {
    const { by, text, addition, personal } = segment;
    const isOut = isTakenOut(segment, takenOut);
    const begins = addition !== segments[index - 1]?.addition || by !== segments[index - 1]?.by;
    const spoken = isOut ? say.decision.spoken.takenOut : by === "person" ? undefined : say.decision.spoken[by];
    const part = addition !== undefined ? String(addition) : personal && `p${personal.number}`;
    return {
      text: showInvisible(text),
      by,
      ...(part !== undefined && { part }),
      ...(isOut && { takenOut: true }),
      ...(personal && !isOut && { pii: piiKind(personal.kind, texts) }),
      ...(spoken !== undefined && (begins || isOut) && isWord(text) && { spoken }),
    };
  });
}

const piiKind = (kind: string, { pii }: Drawing["texts"]): string =>
  (pii.kinds as Readonly<Record<string, string>>)[kind] ?? kind;

/** Whether a change of the text can still go out. */
const isChangeable = (drawing: Drawing, { stage }: RoomDemand): boolean =>
  stage.name === "asking" && urgencyOf(drawing) !== "passed";

function partsOf(
  segments: readonly Segment[],
  takenOut: readonly string[],
  demand: RoomDemand,
  drawing: Drawing,
): Section<"sheet">["parts"] {
  const { say, texts } = drawing;
  const { profile, writtenBy } = demand;
  const profileWords = profile && Object.values(profile).join("\n");
  const parts = new Map<string, { kind: "addition" | "personal"; text: string; pii?: string; own: boolean }>();
  for (const { text, addition, personal, by } of segments) {
    if (addition !== undefined) {
      const id = String(addition);
      const before = parts.get(id)?.text ?? "";
      parts.set(id, { kind: "addition", text: before + text, own: false });
    }
    if (personal !== undefined) {
      const id = `p${personal.number}`;
      const before = parts.get(id)?.text ?? "";
      parts.set(id, { kind: "personal", text: before + text, pii: personal.kind, own: by === "person" });
    }
  }
  const inOrder = [...parts].sort(([, a], [, b]) => Number(a.kind === "personal") - Number(b.kind === "personal"));
  return inOrder.map(([id, { kind, text, pii, own }]) => {
    const shown = showInvisible(text.trim());
    const isOut = takenOut.includes(id);
    const label = pii && piiKind(pii, texts);
    const origin =
      label === undefined
        ? profileWords?.includes(text.trim())
          ? say.decision.inProfile
          : undefined
        : own && writtenBy === "person"
          ? say.decision.yourKind(label)
          : say.decision.kind(label);
    return {
      id,
      kind,
      text: shown,
      ...(origin !== undefined && { origin }),
      takenOut: isOut,
      ...(isChangeable(drawing, demand) && {
        action: button(drawing, isOut ? "putBack" : "takeOut", isOut ? say.decision.putBack : say.decision.takeOut, {
          params: { itemId: id },
          about: shown,
          tone: "quiet",
        }),
      }),
    };
  });
}
