import * as z from "zod";
import { VERDICTS } from "../negotiation/risks.ts";
import type { RoomStage } from "./room-state.ts";
import type { ActionSpec, FieldSpec, SectionSpec, UiSpec } from "./ui-spec-schema.ts";

const id = z.string().min(1).max(200);
const text = (max: number) => z.string().max(max);
/** Accepts only a text with words in it, because somebody will read it. */
const words = (max: number) => text(max).regex(/\S/, "no words in it");
/** The longest value of anything in a room, in UTF-16 units. A résumé is the longest. */
const MAX_VALUE_LENGTH = 200_000;

/** Everything that can be done in a room, by tool name and parameters. */
export const ROOM_TOOLS = {
  select: {
    description: "Point at an item of the screen: a scene, an addition, an agent.",
    params: z.strictObject({ itemId: id }),
  },
  setField: {
    description: "Fill in a field of the screen. The person sees who wrote it and can change it.",
    params: z.strictObject({ fieldId: id, value: text(MAX_VALUE_LENGTH) }),
  },
  next: { description: "Go on to the next stage.", params: z.strictObject({}) },
  prev: { description: "Go back to the stage before.", params: z.strictObject({}) },
  postMessage: {
    description: "Say something in the room. It is shown and changes nothing.",
    params: z.strictObject({ text: words(4_000) }),
  },
  proposeText: {
    description: "Propose another text for the broadcast. The person sees the difference and decides.",
    params: z.strictObject({ text: words(20_000) }),
  },
  say: { description: "Send the message that was typed to the agent.", params: z.strictObject({}) },
  refresh: { description: "Look at the backend now.", params: z.strictObject({}) },
  // The tools below are only for the person, because they change the text, send, decide, or lead away from the screen.
  takeOut: { description: "Take an addition, or personal data, out.", params: z.strictObject({ itemId: id }) },
  putBack: { description: "Put it back.", params: z.strictObject({ itemId: id }) },
  edit: { description: "Begin to change the text, or end it.", params: z.strictObject({}) },
  reset: { description: "Back to the network's text.", params: z.strictObject({}) },
  useSubmitted: { description: "Back to the text that was submitted.", params: z.strictObject({}) },
  broadcast: {
    description: "Confirm the text that is shown.",
    params: z.strictObject({ questionId: id, textHash: id }),
  },
  withdraw: { description: "Withdraw the demand.", params: z.strictObject({ demandId: id }) },
  cancel: { description: "Cancel the negotiation.", params: z.strictObject({ demandId: id }) },
  useProposal: { description: "Take the agent's text as a draft.", params: z.strictObject({}) },
  dismiss: { description: "Put the agent's proposal away.", params: z.strictObject({}) },
  letIn: { description: "Let the agent into the room.", params: z.strictObject({ agentId: id }) },
  removeAgent: { description: "End the agent's visit.", params: z.strictObject({ agentId: id }) },
  check: { description: "Tick an open question of the plan.", params: z.strictObject({ itemId: id }) },
  ask: {
    description: "Begin a new demand in the same scene, with these words.",
    params: z.strictObject({ text: text(20_000) }),
  },
  restart: {
    description: "Begin again at the scenes: with an empty demand, or with the words of an ending.",
    params: z.strictObject({ itemId: id.optional(), words: z.literal("kept").optional() }),
  },
  review: {
    description: "Answer what is worth a second look: it is fine, or it is of concern.",
    params: z.strictObject({ demandId: id, codes: text(1_000), verdict: z.enum(VERDICTS) }),
  },
  export: { description: "Save, copy or print what is shown.", params: z.strictObject({ as: id }) },
  openHistory: { description: "List the demands of this machine's person.", params: z.strictObject({}) },
  openDemand: { description: "Show one of them.", params: z.strictObject({ itemId: id }) },
  closeHistory: { description: "Back to the room.", params: z.strictObject({}) },
  setLanguage: { description: "Show the page in the other language.", params: z.strictObject({ lang: id }) },
} as const;

/**
 * The parameters as the person's buttons carry them. `next` names the stage that it sends from, the scene or demand
 * that it is about, and how many of an agent's changes its page had shown.
 */
export const PERSON_PARAMS = {
  ...ROOM_TOOLS,
  next: {
    params: z.strictObject({
      from: id.optional(),
      sceneId: id.optional(),
      demandId: id.optional(),
      seen: id.optional(),
    }),
  },
} as const;

export type RoomToolName = keyof typeof ROOM_TOOLS;
export type By = ActionSpec["by"];

const ANYWHERE = {
  postMessage: "anyone",
  refresh: "anyone",
  letIn: "person",
  removeAgent: "person",
  say: "person",
  openHistory: "person",
  openDemand: "person",
  closeHistory: "person",
  setLanguage: "person",
  restart: "person",
} as const satisfies Partial<Record<RoomToolName, By>>;

/**
 * The one table of what can be done at which stage, and by whom. Buttons are drawn from it, and an agent's `toolSchema` is
 * read from it. Whatever sends, decides or ends belongs to the person at every stage.
 */
export const STAGE_TOOLS: Readonly<Record<RoomStage, Readonly<Partial<Record<RoomToolName, By>>>>> = {
  scene: { ...ANYWHERE, select: "anyone", setField: "anyone", next: "anyone" },
  profile: { ...ANYWHERE, setField: "anyone", next: "person", prev: "anyone" },
  demand: { ...ANYWHERE, setField: "anyone", next: "person", prev: "anyone" },
  decision: {
    ...ANYWHERE,
    select: "anyone",
    proposeText: "anyone",
    setField: "person",
    takeOut: "person",
    putBack: "person",
    edit: "person",
    reset: "person",
    useSubmitted: "person",
    useProposal: "person",
    dismiss: "person",
    broadcast: "person",
    withdraw: "person",
  },
  negotiating: { ...ANYWHERE, select: "anyone", setField: "person", cancel: "person" },
  done: {
    ...ANYWHERE,
    select: "anyone",
    setField: "person",
    next: "person",
    check: "person",
    ask: "person",
    review: "person",
    export: "person",
  },
};

/**
 * The tools that the page in the chat may use. Its ticket is for one question, so the page may change that text, decide
 * on it, stop its negotiation and answer for its end. No tool leads to another demand, a profile, an agent or a file.
 */
const CHAT_TOOLS: Readonly<Partial<Record<RoomStage, readonly RoomToolName[]>>> = {
  decision: [
    "select",
    "setField",
    "takeOut",
    "putBack",
    "edit",
    "reset",
    "useSubmitted",
    "refresh",
    "broadcast",
    "withdraw",
    "setLanguage",
  ],
  negotiating: ["select", "refresh", "cancel", "setLanguage"],
  done: ["select", "refresh", "review", "setLanguage"],
};
/** Returns whether a page in the chat may call this tool at this stage. */
export const isForChat = (stage: RoomStage, tool: string): boolean =>
  CHAT_TOOLS[stage]?.some((name) => name === tool) === true;

/** One entry of `toolSchema` (seed 002 §4.2): the parameters as JSON Schema, with what is on the screen as choices. */
export interface ToolSchemaEntry {
  toolName: string;
  description: string;
  params: Record<string, unknown>;
}

/** Lists what an outside agent may call now. Nothing that sends or decides is ever in the list. */
export function toolSchema(spec: UiSpec): ToolSchemaEntry[] {
  return Object.entries(STAGE_TOOLS[spec.stage])
    .filter(([, by]) => by === "anyone")
    .map(([name]) => name as RoomToolName)
    .filter((name) => isPossible(name, spec))
    .map((toolName) => {
      const { description } = ROOM_TOOLS[toolName];
      return { toolName, description, params: withChoices(toolName, paramsOf(toolName), spec) };
    });
}

const known = new Map<RoomToolName, Record<string, unknown>>();
/** Returns a tool's parameters as JSON Schema. They are cached, because they are sent with every change of a screen. */
function paramsOf(name: RoomToolName): Record<string, unknown> {
  const { $schema: _, ...json } = known.get(name) ?? z.toJSONSchema(ROOM_TOOLS[name].params);
  known.set(name, json);
  return json;
}

/** Returns the ids of what can be selected on a screen. */
export const itemIdsOf = ({ sections }: UiSpec): string[] =>
  sections.flatMap((section) => {
    if (section.kind === "list") return section.items.map(({ id }) => id);
    if (section.kind === "agents") return section.agents.map(({ id }) => id);
    return section.kind === "sheet" ? section.parts.map(({ id }) => id) : [];
  });

/** Returns every field of a screen. */
export const fieldsOf = ({ sections }: UiSpec): FieldSpec[] =>
  sections.flatMap((section) => {
    if (section.kind === "form") return section.fields;
    if (section.kind === "agent") return section.field ?? [];
    return section.kind === "sheet" && section.editor !== undefined ? [section.editor.field] : [];
  });

/** Returns whether only the person may read and write a section. The page promises this for the résumé. */
export const isPersonOnlySection = (section: SectionSpec): boolean =>
  section.kind === "form" && section.id === "resume";

/** Returns the ids of the fields that can be filled in. The message to an agent is only the person's. */
export const fieldIdsOf = ({ sections }: UiSpec, by: "person" | "agent"): string[] =>
  sections.flatMap((section) => {
    if (by === "agent" && isPersonOnlySection(section)) return [];
    if (section.kind === "form") return section.fields.map(({ id }) => id);
    if (section.kind === "agent") return section.field === undefined || by === "agent" ? [] : [section.field.id];
    return section.kind === "sheet" && section.editor !== undefined ? [section.editor.field.id] : [];
  });

function isPossible(name: RoomToolName, spec: UiSpec): boolean {
  if (name === "select") return itemIdsOf(spec).length > 0;
  if (name === "setField") return fieldIdsOf(spec, "agent").length > 0;
  if (name === "next" || name === "prev")
    return buttonsOn(spec).some((a) => a.toolName === name && a.enabled && a.by === "anyone");
  if (name === "proposeText") return spec.sections.some(({ kind }) => kind === "sheet");
  return true;
}

/** Returns every button of a screen. */
export const buttonsOn = ({ sections, menu }: UiSpec): ActionSpec[] => [
  ...menu,
  ...sections.flatMap((section) => [
    ...("actions" in section ? section.actions : []),
    ...(section.kind === "list" ? section.items.flatMap(({ actions }) => actions) : []),
    ...(section.kind === "sheet" ? [...section.parts, section.leftOut].flatMap((part) => part?.action ?? []) : []),
    ...(section.kind === "course" ? (section.open?.items ?? []).map(({ action }) => action) : []),
    ...(section.kind === "people" ? section.gaps.map(({ action }) => action) : []),
  ]),
];

function withChoices(name: RoomToolName, json: Record<string, unknown>, spec: UiSpec): Record<string, unknown> {
  const choices = name === "select" ? itemIdsOf(spec) : name === "setField" ? fieldIdsOf(spec, "agent") : undefined;
  if (choices === undefined) return json;
  const key = name === "select" ? "itemId" : "fieldId";
  const properties = json.properties as Record<string, object>;
  return { ...json, properties: { ...properties, [key]: { ...properties[key], enum: [...new Set(choices)] } } };
}
