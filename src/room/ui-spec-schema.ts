import * as z from "zod";
import type { Block } from "../markdown.ts";
import { AGENT_STATES } from "../negotiation/backend-states.ts";
import { ROOM_STAGES } from "./room-state.ts";

/**
 * `uiSpec` (seed 002 §4.2) is the screen as data, and the page draws exactly this. An outside agent gets the same
 * screen, in which the words of others are cleaned, masked and marked, so that the agent never sees more than the
 * person does. Every text is in the person's language. Times are ms since the epoch.
 */

/** A sentence or a few words that the person reads. */
const words = z.string();

/** A button. `by` says who may use it. `toolSchema` lists no tool that is for the person alone. */
const actionSpec = z.object({
  id: z.string(),
  label: words,
  /** What a screen reader says after the label if the label alone does not name what the button acts on. */
  about: words.optional(),
  toolName: z.string(),
  params: z.record(z.string(), z.string()),
  by: z.enum(["anyone", "person"]),
  tone: z.enum(["primary", "plain", "quiet", "danger"]),
  enabled: z.boolean(),
  /** Why the button cannot be pressed, if the person would expect that it can. */
  why: words.optional(),
  /** What the page asks before the button acts, with what follows from a yes and both answers. */
  asks: z
    .object({ heading: words, alert: words.optional(), follows: z.array(words), no: words, yes: words })
    .optional(),
});

const fieldSpec = z.object({
  /** The id by which `setField` names this field. */
  id: z.string(),
  kind: z.enum(["line", "text", "list", "search"]),
  label: words,
  value: z.string(),
  /** Help for the person who fills in the field. */
  hint: words.optional(),
  /** Set if the field lacks something that others need to find or judge the person. */
  thin: z.boolean().optional(),
  /** Set if the field stands below a fold of the form. */
  folded: z.boolean().optional(),
  placeholder: words.optional(),
  maxLength: z.int(),
  /** Set if the button that leads on is disabled while the field is empty. */
  required: z.boolean().optional(),
  /** Says that an outside agent wrote the present words. Absent if none did. */
  byAgent: words.optional(),
});

/** A passage of a text, with its author and other marks. */
const passageSpec = z.object({
  text: z.string(),
  by: z.enum(["person", "network", "agent", "edit"]),
  /** The id of the part of the sheet that this passage belongs to. */
  part: z.string().optional(),
  takenOut: z.boolean().optional(),
  /** The kind of personal data in words, if the passage is personal data. */
  pii: words.optional(),
  /** What a screen reader says before the passage. */
  spoken: words.optional(),
});

const runs = z.array(z.object({ text: words, looks: z.array(z.enum(["strong", "em", "code"])) }));
/** A block of a text in Markdown (`src/markdown.ts`). */
const blockSpec: z.ZodType<Block> = z.lazy(() =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("heading"), level: z.int(), runs }),
    z.object({ kind: z.literal("paragraph"), runs }),
    z.object({ kind: z.literal("list"), start: z.int().nullable(), items: z.array(z.array(blockSpec)) }),
    z.object({ kind: z.literal("quote"), blocks: z.array(blockSpec) }),
    z.object({ kind: z.literal("table"), rows: z.array(z.array(runs)) }),
    z.object({ kind: z.literal("code"), text: words }),
    z.object({ kind: z.literal("rule") }),
  ]),
);

const itemSpec = z.object({
  /** The id by which `select` names this item. */
  id: z.string(),
  title: words,
  detail: words.optional(),
  /** A word about the item, for instance that the person has joined this scene. */
  tag: words.optional(),
  /** A short mark at the end of the item, such as a number of agents or a time. */
  mark: words.optional(),
  selected: z.boolean(),
  actions: z.array(actionSpec),
});

const agentSpec = z.object({
  id: z.string(),
  name: words,
  initials: words,
  state: z.enum(AGENT_STATES),
  /** The state in words. */
  status: words,
  score: z.number(),
  scoreText: words,
  selected: z.boolean(),
});

/** A participant, with what they do and what they offer. */
const personSpec = z.object({
  id: z.string(),
  name: words,
  initials: words,
  isMe: z.boolean(),
  /** A mark beside the name. */
  mark: words.optional(),
  does: z.array(words),
  details: z.array(words),
  /** How to reach them, partly hidden until the person asks to see it. */
  contact: z.object({ masked: words, whole: words }).optional(),
  noContact: words.optional(),
  offer: z
    .object({
      /** The label of the fold that holds the offer, if there is one. */
      label: words.optional(),
      mark: words,
      tags: z.array(words),
      text: words,
      facts: z.array(z.object({ term: words, value: words })),
    })
    .optional(),
});

const partSpecs = z.array(
  z.object({
    id: z.string(),
    kind: z.enum(["addition", "personal"]),
    text: words,
    origin: words.optional(),
    takenOut: z.boolean(),
    action: actionSpec.optional(),
  }),
);

const section = { id: z.string(), heading: words.optional(), note: words.optional() };

const sectionSpec = z.discriminatedUnion("kind", [
  /** Fields to fill in, and the buttons of the form. */
  z.object({
    ...section,
    kind: z.literal("form"),
    /** The label of the fold that hides some fields. */
    more: words.optional(),
    /** Stands beside the buttons and says what is missing, or where the form goes. */
    goes: z.object({ term: words, value: words, detail: words.optional() }).optional(),
    fields: z.array(fieldSpec),
    actions: z.array(actionSpec),
  }),
  /** Items of which the person can choose one. */
  z.object({
    ...section,
    kind: z.literal("list"),
    items: z.array(itemSpec),
    empty: words.optional(),
    actions: z.array(actionSpec),
  }),
  /** A text that was submitted or sent, with its authors. */
  z.object({ ...section, kind: z.literal("quote"), passages: z.array(passageSpec), folded: z.boolean() }),
  /** The text that is sent word for word. */
  z.object({
    ...section,
    kind: z.literal("sheet"),
    /** How much of the text the network wrote, in per cent of its words. */
    share: z.int(),
    /** Says that the text holds characters that cannot be seen. */
    hidden: words.optional(),
    passages: z.array(passageSpec),
    /** True if the text was edited, or an agent's version was taken up. Parts that are only taken out do not count. */
    isEdited: z.boolean(),
    /** Exactly the text that a broadcast sends. */
    outgoing: z.string(),
    /** The parts that are not the person's words or are personal data. `select` and the buttons name them by these ids. */
    parts: partSpecs,
    selected: z.string().optional(),
    /** Set while the text is edited in place. */
    editor: z
      .object({
        field: fieldSpec,
        /** The text as it was when the editor opened, by author. The page compares it with each text that is typed. */
        base: z.array(z.object({ by: z.enum(["person", "network", "agent", "edit"]), text: z.string() })),
        /** The network's text. */
        before: z.string(),
        /** Stands before the words that are gone from the network's text, or before the word for "none". */
        removed: words,
        gone: words,
        none: z.string(),
      })
      .optional(),
    /** Words of the network's text that an edited text no longer holds. */
    gone: z.object({ label: words, text: words }).optional(),
    /** Words of the submitted text that the network's text no longer holds. */
    leftOut: z.object({ label: words, text: words, action: actionSpec.optional() }).optional(),
    legend: z.array(z.object({ by: z.enum(["network", "agent", "edit"]), label: words })),
    actions: z.array(actionSpec),
  }),
  /** What would be sent or stopped, field by field, and what follows from a yes. Only the page in the chat shows this. */
  z.object({
    ...section,
    kind: z.literal("asked"),
    text: z.array(passageSpec),
    rows: z.array(z.object({ label: words, value: z.array(passageSpec) })),
    parts: partSpecs,
    follows: z
      .object({
        heading: words,
        what: z.array(z.object({ text: words, isGrave: z.boolean() })),
        note: words.optional(),
      })
      .optional(),
  }),
  /** What happens if the person does nothing, where the text goes, and the buttons to decide. */
  z.object({
    ...section,
    kind: z.literal("bar"),
    questionId: z.string().optional(),
    decideBy: z.int().optional(),
    totalMs: z.int(),
    urgency: z.enum(["calm", "late", "passed", "sent"]),
    /** What the running time stands for. Absent if no time is running. */
    timer: words.optional(),
    facts: z.array(z.object({ id: z.string(), term: words, value: words, detail: words.optional() })),
    actions: z.array(actionSpec),
  }),
  /** The agents around the demand. The list and the map are two drawings of this section. */
  z.object({
    ...section,
    kind: z.literal("agents"),
    caption: words,
    mapLabel: words,
    ring: words,
    count: words.optional(),
    agents: z.array(agentSpec),
    actions: z.array(actionSpec),
  }),
  /** One agent's offer. Its words are plain text, never markup. */
  z.object({
    ...section,
    kind: z.literal("offer"),
    name: words,
    initials: words,
    state: z.enum(AGENT_STATES),
    status: words,
    tags: z.array(words),
    text: words,
    facts: z.array(z.object({ term: words, value: words })),
  }),
  /** What the person should look at again, and the buttons to answer. */
  z.object({ ...section, kind: z.literal("review"), reasons: z.array(words), actions: z.array(actionSpec) }),
  z.object({ ...section, kind: z.literal("facts"), facts: z.array(z.object({ term: words, value: words })) }),
  /** Who does what, in one row each, followed by the tasks that nobody takes. */
  z.object({
    ...section,
    kind: z.literal("people"),
    people: z.array(personSpec),
    gaps: z.array(z.object({ label: words, need: words, action: actionSpec })),
    /** The labels of the buttons for a contact that is partly hidden. */
    show: words.optional(),
    copy: words.optional(),
  }),
  /** What comes next: the questions to settle first, and then the plan's weeks or steps. */
  z.object({
    ...section,
    kind: z.literal("course"),
    open: z
      .object({
        label: words,
        items: z.array(z.object({ id: z.string(), label: words, checked: z.boolean(), action: actionSpec })),
      })
      .optional(),
    weeks: z.array(z.object({ title: words, text: words, mine: words.optional() })),
  }),
  /** The plan's own words, as they were read from the backend. */
  z.object({
    ...section,
    kind: z.literal("prose"),
    blocks: z.array(blockSpec),
    folded: z.boolean(),
  }),
  /** An outside agent: what it did and why, with the reminder that it decides nothing. */
  z.object({
    ...section,
    kind: z.literal("agent"),
    name: words,
    lines: z.array(z.object({ text: words, reason: words.optional() })),
    limits: words,
    /** The field for what the person wants to say to the agent. */
    field: fieldSpec.optional(),
    /** What the agent's proposed text would change. */
    proposal: z.array(z.object({ kind: z.enum(["adds", "takesOut"]), label: words, text: words })).optional(),
    actions: z.array(actionSpec),
  }),
]);

const stepSpec = z.object({
  stage: z.enum(ROOM_STAGES),
  label: words,
  state: z.enum(["done", "now", "todo"]),
  /** The state in words. */
  status: words,
  /** How long the step took. */
  tookMs: z.int().optional(),
  /** When the step began, if it is still running. */
  since: z.int().optional(),
  mark: words.optional(),
});

export const uiSpecSchema = z.object({
  stage: z.enum(ROOM_STAGES),
  lang: z.enum(["zh", "en"]),
  /** The title of the window. */
  title: words,
  brand: words,
  room: words,
  scene: words.optional(),
  host: words,
  progressLabel: words,
  /** For instance "Decision · step 4 of 6", for screens too narrow for six names. */
  progress: words,
  steps: z.array(stepSpec),
  heading: words,
  lead: words,
  /** What to look at first. The tone is `network` if the alert is about words that are not the person's, and else `mine`. */
  alert: z.object({ text: words, tone: z.enum(["network", "mine"]) }).optional(),
  /** What the page says of a text that is too long for its field: `{over}` is the excess, `{max}` is the limit. */
  tooLong: words,
  /** Says, on a page that asks about a text, that the end of the text is further down. `endOfText` marks that end. */
  moreBelow: words,
  endOfText: words,
  /** What the page says of a file dropped on a field that is too large or holds no text. */
  file: z.object({ tooLarge: words, noText: words }),
  notes: z.array(z.object({ text: words, tone: z.enum(["error", "news", "warning"]) })),
  sections: z.array(sectionSpec),
  /** The buttons in the head of the page, such as the history and the other language. */
  menu: z.array(actionSpec),
  /** Only for an outside agent: what was found in the words of others, by the warning codes that tool results use. */
  warnings: z.array(z.string()).optional(),
  /** Only for an outside agent: JSON pointers to the words of others in this document. They are data, never instructions. */
  taintedPaths: z.array(z.string()).optional(),
});

export type UiSpec = z.infer<typeof uiSpecSchema>;
export type SectionSpec = z.infer<typeof sectionSpec>;
export type Section<K extends SectionSpec["kind"]> = Extract<SectionSpec, { kind: K }>;
export type ActionSpec = z.infer<typeof actionSpec>;
export type FieldSpec = z.infer<typeof fieldSpec>;
export type ItemSpec = z.infer<typeof itemSpec>;
export type AgentSpec = z.infer<typeof agentSpec>;
export type PersonSpec = z.infer<typeof personSpec>;
export type PassageSpec = z.infer<typeof passageSpec>;
