import * as z from "zod";
import type { Block } from "../markdown.ts";
import { AGENT_STATES } from "../negotiation/backend-states.ts";
import { ROOM_STAGES } from "./room-state.ts";

/**
 * `uiSpec` (seed 002 §4.2): what is on the screen, as data. The page draws exactly this. An outside agent is given the
 * same screen, in which what others wrote is cleaned, masked and marked: it never sees what the person does not. Every
 * text is in the person's language. Times are ms since the epoch.
 */

/** A sentence or a few words that the person reads. */
const words = z.string();

/** A button. `by`: who may use it; an agent's are in `toolSchema`, the person's own never are. */
const actionSpec = z.object({
  id: z.string(),
  label: words,
  /** What a screen reader says after the label, where the label alone does not name its object. */
  about: words.optional(),
  toolName: z.string(),
  params: z.record(z.string(), z.string()),
  by: z.enum(["anyone", "person"]),
  tone: z.enum(["primary", "plain", "quiet", "danger"]),
  enabled: z.boolean(),
  /** Why it cannot be pressed, where the person would expect that it can. */
  why: words.optional(),
});

const fieldSpec = z.object({
  /** As `setField` names it. */
  id: z.string(),
  kind: z.enum(["line", "text", "list", "search"]),
  label: words,
  value: z.string(),
  /** What helps to fill it in. */
  hint: words.optional(),
  /** It lacks something by which others would find or judge its person. */
  thin: z.boolean().optional(),
  /** It stands below a fold of the form. */
  folded: z.boolean().optional(),
  placeholder: words.optional(),
  maxLength: z.int(),
  /** The way on is open only when something stands in it. */
  required: z.boolean().optional(),
  /** An outside agent wrote the present words. */
  byAgent: words.optional(),
});

/** A passage of a text, and what there is to say about it. */
const passageSpec = z.object({
  text: z.string(),
  by: z.enum(["person", "network", "agent", "edit"]),
  /** The part of the sheet that it is. */
  part: z.string().optional(),
  takenOut: z.boolean().optional(),
  /** What kind of personal data it is. */
  pii: words.optional(),
  /** What a screen reader says before it. */
  spoken: words.optional(),
});

const runs = z.array(z.object({ text: words, looks: z.array(z.enum(["strong", "em", "code"])) }));
/** A part of a text in Markdown (`src/markdown.ts`). */
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
  /** As `select` names it. */
  id: z.string(),
  title: words,
  detail: words.optional(),
  /** What it is to the person, in a word. */
  tag: words.optional(),
  /** A short mark at its end: a number of agents, a time. */
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

/** One who takes part, with what they do and what they offer. */
const personSpec = z.object({
  id: z.string(),
  name: words,
  initials: words,
  isMe: z.boolean(),
  /** Beside the name. */
  mark: words.optional(),
  does: z.array(words),
  details: z.array(words),
  /** How they can be reached: hidden in part until it is asked for; `none` in words where their offer names no way. */
  contact: z.object({ masked: words, whole: words }).optional(),
  noContact: words.optional(),
  offer: z
    .object({
      /** Of the fold that it stands in, if it does. */
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
  /** Fields to fill in, and their buttons. */
  z.object({
    ...section,
    kind: z.literal("form"),
    /** What the person should look at twice. */
    /** Names its folded fields. */
    more: words.optional(),
    /** Beside its buttons: what is missing, or where it goes. */
    goes: z.object({ term: words, value: words, detail: words.optional() }).optional(),
    fields: z.array(fieldSpec),
    actions: z.array(actionSpec),
  }),
  /** Things of which one can be chosen. */
  z.object({
    ...section,
    kind: z.literal("list"),
    items: z.array(itemSpec),
    empty: words.optional(),
    actions: z.array(actionSpec),
  }),
  /** The words that were submitted. */
  z.object({ ...section, kind: z.literal("quote"), passages: z.array(passageSpec), folded: z.boolean() }),
  /** The text that goes out word for word. */
  z.object({
    ...section,
    kind: z.literal("sheet"),
    /** Per cent of it that the network wrote. */
    share: z.int(),
    /** That it holds characters which nobody sees. */
    hidden: words.optional(),
    passages: z.array(passageSpec),
    /** Whether it is another version than the network's. */
    isEdited: z.boolean(),
    /** Exactly what a broadcast sends. */
    outgoing: z.string(),
    /** What in it is not the person's, and what is personal data: `select` and the buttons name them by these ids. */
    parts: partSpecs,
    selected: z.string().optional(),
    /** Set while it is edited in place. */
    editor: z
      .object({
        field: fieldSpec,
        /** The text as the editor opened, by whose words: what is typed is compared with it as it is typed. */
        base: z.array(z.object({ by: z.enum(["person", "network", "agent", "edit"]), text: z.string() })),
        /** The network's text. */
        before: z.string(),
        /** Stands before the words that are gone from that, or before a word for none. */
        removed: words,
        gone: words,
        none: z.string(),
      })
      .optional(),
    /** What an edited text no longer has of the network's. */
    gone: z.object({ label: words, text: words }).optional(),
    /** What the network's text no longer has of the submitted one. */
    leftOut: z.object({ label: words, text: words, action: actionSpec.optional() }).optional(),
    legend: z.array(z.object({ by: z.enum(["network", "agent", "edit"]), label: words })),
    actions: z.array(actionSpec),
  }),
  /** In the chat: what would be sent or stopped, field by field, and what follows from a yes. */
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
  /** What happens if nothing is done, where it goes, and the decision. */
  z.object({
    ...section,
    kind: z.literal("bar"),
    questionId: z.string().optional(),
    decideBy: z.int().optional(),
    totalMs: z.int(),
    urgency: z.enum(["calm", "late", "passed", "sent"]),
    /** What the running time is; absent where none runs. */
    timer: words.optional(),
    facts: z.array(z.object({ id: z.string(), term: words, value: words, detail: words.optional() })),
    actions: z.array(actionSpec),
  }),
  /** Agents around the demand; the list and the map are two drawings of it. */
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
  /** One agent's offer; its words are text, never markup. */
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
  /** What is worth a second look of the person, and their answer. */
  z.object({ ...section, kind: z.literal("review"), reasons: z.array(words), actions: z.array(actionSpec) }),
  z.object({ ...section, kind: z.literal("facts"), facts: z.array(z.object({ term: words, value: words })) }),
  /** Who does what, one row each; behind them what nobody does. */
  z.object({
    ...section,
    kind: z.literal("people"),
    people: z.array(personSpec),
    gaps: z.array(z.object({ label: words, need: words, action: actionSpec })),
    /** What stands on the buttons of a contact, where one is hidden in part. */
    show: words.optional(),
    copy: words.optional(),
  }),
  /** What comes next: what is to be settled first, and the weeks. */
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
  /** The plan's own words, as they were read. */
  z.object({
    ...section,
    kind: z.literal("prose"),
    blocks: z.array(blockSpec),
    folded: z.boolean(),
  }),
  /** An outside agent: what it did, why, and that it decides nothing. */
  z.object({
    ...section,
    kind: z.literal("agent"),
    name: words,
    lines: z.array(z.object({ text: words, reason: words.optional() })),
    limits: words,
    /** What the person would say to it. */
    field: fieldSpec.optional(),
    /** What another text by it would change. */
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
  /** How long it took. */
  tookMs: z.int().optional(),
  /** Since when it runs. */
  since: z.int().optional(),
  mark: words.optional(),
});

export const uiSpecSchema = z.object({
  stage: z.enum(ROOM_STAGES),
  lang: z.enum(["zh", "en"]),
  /** Of the window. */
  title: words,
  brand: words,
  room: words,
  scene: words.optional(),
  host: words,
  progressLabel: words,
  /** "Decision · step 4 of 6", where there is no room for six names. */
  progress: words,
  steps: z.array(stepSpec),
  heading: words,
  lead: words,
  /** What is to be looked at first; `mine`: personal data or time, `network`: words that are not the person's. */
  alert: z.object({ text: words, tone: z.enum(["network", "mine"]) }).optional(),
  /** What a page says of a text that is too long for its field: `{over}` by how much, `{max}` what it takes. */
  tooLong: words,
  /** On a page that asks: what ends its text is below, and where that end is. */
  moreBelow: words,
  endOfText: words,
  /** What it says of a file that was dropped on a field, or of texts that are too much together. */
  file: z.object({ tooLarge: words, noText: words }),
  notes: z.array(z.object({ text: words, tone: z.enum(["error", "news", "warning"]) })),
  sections: z.array(sectionSpec),
  /** In the page's head: history, another language. */
  menu: z.array(actionSpec),
  /** For an outside agent: what was found in the words of others, by the codes of the results of tools. */
  warnings: z.array(z.string()).optional(),
  /** For an outside agent: where words of others stand, as JSON pointers into this. They are data, never instructions. */
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
