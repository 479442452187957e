import { type FieldPart, piecesIn } from "../../ask/asked.ts";
import { type PermissionQuestion, questionOf } from "../../ask/permission-question.ts";
import type { TicketAbout } from "../../mcp/server-deps.ts";
import { showInvisible } from "../../safety/invisible.ts";
import type { PermissionAnswer } from "../../session/permissions.ts";
import { sha256 } from "../../sha256.ts";
import { textsForRoom } from "../../text/index.ts";
import { questionTexts } from "../../text/question.ts";
import { roomTexts } from "../../text/room.ts";
import type { ActionSpec, Section, SectionSpec, UiSpec } from "../ui-spec-schema.ts";
import { inChat } from "./decision.ts";
import { passageSpecs, piiKind } from "./sheet.ts";

export type ChatPermission = Extract<TicketAbout, { permission: unknown }>["permission"];

interface PermissionState {
  asked: ChatPermission;
  /** The ids of the pieces of personal data that the person has taken out. */
  takenOut: readonly string[];
  /** The person's answer, undefined while the question is open, or `gone` once it can no longer be answered. */
  verdict: PermissionAnswer["verdict"] | "gone" | undefined;
  isStrict: boolean;
  lang: "zh" | "en";
}

/**
 * Returns the screen of the page in the chat that asks whether something may be sent or stopped. The yes is the tool
 * `broadcast`, which names by a hash everything that it sends, and the no is `withdraw`. Pure.
 */
export function permissionSpec(state: PermissionState): UiSpec {
  const { asked, lang, verdict } = state;
  const say = roomTexts(lang);
  const texts = textsForRoom(lang);
  const question = questionOf(asked.asked, asked.until, texts);
  const ended = { ...question.ended, gone: texts.page.refused.gone.lead };
  const heading =
    verdict === undefined ? question.heading : verdict === "gone" ? texts.page.refused.gone.title : texts.page.decided;
  const alert = verdict === undefined ? question.alert : undefined;
  return {
    stage: verdict === undefined ? "profile" : "done",
    lang,
    title: say.title(heading),
    brand: say.brand,
    room: say.room,
    host: asked.host,
    progressLabel: "",
    progress: "",
    steps: [],
    heading,
    lead: verdict === undefined ? question.lead : ended[verdict],
    ...(alert !== undefined && { alert: { text: alert, tone: "mine" } }),
    tooLong: say.tooLong,
    moreBelow: say.moreBelow,
    endOfText: questionTexts(lang).end,
    file: say.file,
    notes: [],
    sections: verdict === undefined ? sectionsOf(question, state) : [{ kind: "facts", id: "happened", facts: [] }],
    menu: [],
  };
}

/**
 * Returns a hash of the question and of everything that a yes would send now. The page shows exactly this, and its yes
 * names the hash.
 */
export const hashOfAsked = ({ asked: { id, asked }, takenOut }: Pick<PermissionState, "asked" | "takenOut">): string =>
  sha256(JSON.stringify([id, asked, takenOut]));

function sectionsOf(question: PermissionQuestion, state: PermissionState): SectionSpec[] {
  const { asked, isStrict, lang } = state;
  const say = roomTexts(lang);
  const { nothing } = questionTexts(lang);
  const { goesTo, fate, no, yes } = question;
  const { why } = inChat({ state: { chat: { isStrict } }, say }, asked.question);
  const shown = hashOfAsked(state);
  const scene = goesTo?.scene;
  return [
    askedSection(question, state),
    {
      kind: "bar",
      id: "bar",
      totalMs: 0,
      urgency: "calm",
      facts: [
        { id: "deadline", term: nothing, value: fate },
        ...(goesTo === undefined
          ? []
          : [
              {
                id: "to",
                term: goesTo.term,
                value: scene?.name ?? asked.host,
                ...(scene !== undefined && { detail: `${scene.id} ${asked.host}` }),
              },
            ]),
      ],
      actions: [
        { ...action("withdraw", no), tone: "plain" },
        {
          ...action("broadcast", yes, { textHash: shown, seen: shown }),
          tone: "primary",
          enabled: why === undefined,
          ...(why !== undefined && { why }),
        },
      ],
    },
  ];
}

const action = (toolName: string, label: string, params: Record<string, string> = {}): ActionSpec => ({
  id: [toolName, params.itemId].join(":"),
  label,
  toolName,
  params,
  by: "person",
  tone: "quiet",
  enabled: true,
});

function askedSection(
  { sheet, text = [], fields, follows }: PermissionQuestion,
  { asked: { asked }, takenOut, lang }: PermissionState,
): Section<"asked"> {
  const say = roomTexts(lang);
  const drawing = { say, texts: textsForRoom(lang) };
  const pieces = asked.about === "profile" ? piecesIn(asked) : [];
  const isTakenOut = ({ piece }: FieldPart): boolean => piece !== undefined && takenOut.includes(piece);
  return {
    kind: "asked",
    id: "asked",
    heading: sheet,
    text: passageSpecs(text, isTakenOut, drawing),
    rows: fields.map(({ label, parts }) => ({ label, value: passageSpecs(parts, isTakenOut, drawing) })),
    parts: pieces.map(({ id, text: personal, kind }) => {
      const isTakenOut = takenOut.includes(id);
      const shown = showInvisible(personal.trim());
      const { putBack, takeOut } = say.decision;
      const label = isTakenOut ? putBack : takeOut;
      return {
        id,
        kind: "personal",
        text: shown,
        origin: say.decision.kind(piiKind(kind, drawing.texts)),
        takenOut: isTakenOut,
        action: { ...action(isTakenOut ? "putBack" : "takeOut", label, { itemId: id }), about: shown },
      };
    }),
    ...(follows && { follows: { heading: follows.heading, what: follows.what.map(consequence), note: follows.note } }),
  };
}

const consequence = ({ text, isGrave = false }: { text: string; isGrave?: boolean }) => ({ text, isGrave });
