import * as z from "zod";
import { wordOf } from "../newer.ts";
import { DISPLAYS, type Display } from "../question/chat-wire.ts";
import { AUTHORS, BROWSER_PROOFS, type BrowserProof, DECIDERS, SURFACES, type Surface } from "../question/who.ts";

/**
 * What happened to a negotiation, as this user's programs wrote it down. Each fact is written once and never changed.
 * Facts hold ids, hashes, times and decisions, and never a text. Everything else is computed from facts and from what
 * the backend shows. A word that this version does not know was written by a newer one (`newer.ts`). The fact still
 * stands, and never counts as "no decision".
 */

/** Names a negotiation. Its id means something only at the origin that gave it. */
export interface NegotiationKey {
  origin: string;
  id: string;
}

/** Names a running program. */
export interface Owner {
  instance: string;
  pid: number;
  /** When the program began, if the system says so. Its pid may belong to another program by now. */
  started?: string;
  /** The place in which its pid means something, or that nobody can say. Version 0.2 wrote none. */
  place?: string;
}

/**
 * With `accept` the backend's text goes out, and with `edit` another one instead. `reject` is a no to the question, and
 * `cancel` stops the negotiation whether it was asked about or not. `withdraw` is the program's own no, before the
 * deadline or when the program ends.
 */
export const DECISION_KINDS = ["accept", "edit", "reject", "cancel", "withdraw"] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

/**
 * With `confirmed` a yes took effect, and with `cancelled` a no. `moved` means that the negotiation went on without
 * this user's decision, `ended` that it was over and no plan was seen, and `not_found` that the backend no longer knows
 * it.
 */
export const OUTCOMES = ["confirmed", "cancelled", "moved", "ended", "not_found"] as const;

const text = z.string().min(1);
/** A time in milliseconds since the epoch, of a date that exists. */
const at = z.number().min(0).max(8.64e15);
export const owner = z.object({
  instance: text,
  pid: z.number().int().positive(),
  started: text.exactOptional(),
  place: text.exactOptional(),
});

const submitted = z.object({
  at,
  user_id: text,
  /**
   * The account as which this program asked, whoever it named. What follows is sent as that account while its token is
   * known.
   */
  account: text.exactOptional(),
  scene_id: text.exactOptional(),
  /** The earliest time at which the backend confirms by itself. */
  deadline_at: at,
  on_unconfirmed: wordOf(["cancel", "leave"]).exactOptional(),
  /**
   * A model that had read other agents' text submitted it unasked, so neither silence nor an argument broadcasts it.
   */
  tainted: z.literal(true).exactOptional(),
  /** Whose words the demand was. It is absent if that is not known, or if several people wrote it. */
  written_by: wordOf(AUTHORS).exactOptional(),
  owner,
});
/**
 * The text was seen for the first time. The deadline counts from the last read before that, since the backend's clock
 * began no earlier.
 */
const formulated = z.object({ at, deadline_at: at });
/** A program has adopted the negotiation from one that was gone. The fact is stored as `watched`. */
const adopted = z.object({
  at,
  owner,
  /** How many decisions stood then. The program answers for those and for everything that follows. */
  decisions: z.number().int().min(0),
  /**
   * With `on` the program before has left the negotiation to this one, which had offered to take it. With `back`
   * another program's offer is over, and the owner goes on.
   */
  handed: wordOf(["on", "back"]).exactOptional(),
  /** The instance whose offer is over. The offers of others still stand. */
  by: text.exactOptional(),
});
/**
 * A program that stays watches another program's negotiation and is ready to answer for it. The next `adopted` from
 * that number on either takes the offer or takes it back, and one of the two wins.
 */
const standby = z.object({ at, owner, number: z.number().int().positive() });
/** A question that is about to be put to the person. */
const asked = z.object({
  at,
  question_id: text,
  /** The round goes up when the text of an edit was lost, because answers to older questions no longer count. */
  round: z.number().int().positive(),
  shown_hash: text,
  formulated_hash: text,
});
const display = z.object({
  surface: wordOf(SURFACES),
  /**
   * The hash of the whole text that was shown there. For `argument` it is the hash of the text that the result held.
   */
  rendered_hash: z.string().min(1),
  /**
   * Whose words the text is. If nobody here knows, `newer` is written, because every version can read a decision with
   * it and none takes it for an author.
   */
  author: wordOf(AUTHORS),
  /** Given only by the page. */
  browser: wordOf(BROWSER_PROOFS).exactOptional(),
  /**
   * What the page in the chat said about its display; no other surface writes it. `browser` is `elicited` then.
   * Versions that do not know such pages pass over this field and still read the whole decision.
   */
  drawn: wordOf(DISPLAYS).exactOptional(),
});

/**
 * How the text that is decided on was shown. Without it nothing is confirmed (contract §6, "seen means seen whole"). It
 * holds what a surface knows; the core finds out whose words a text is.
 */
export interface Rendering {
  surface: Surface;
  rendered_hash: string;
  browser?: BrowserProof;
  drawn?: Display;
}

const decided = z.object({
  at,
  kind: wordOf(DECISION_KINDS),
  by: wordOf(DECIDERS),
  owner,
  question_id: text.exactOptional(),
  /** The hash of the text that goes out. */
  text_hash: text.exactOptional(),
  /** The hash of the backend's text that was seen together with it. */
  formulated_hash: text.exactOptional(),
  /** Only a yes has it. */
  display: display.exactOptional(),
});
/**
 * The decision of the same number certainly had no effect. Either the negotiation had gone on (`too_late`), or it still
 * waits and the question is open again, and the text of an edit is gone if its program died.
 */
const undone = z.object({ at, why: wordOf(["no_effect", "too_late", "edit_lost"]) });
const outcome = z.object({
  at,
  kind: wordOf(OUTCOMES),
  /** The hash of the text that stood at the backend then. */
  text_hash: text.exactOptional(),
  /** How many agents the backend had asked by then. It is absent if the answer was lost. */
  participants: z.number().int().min(0).exactOptional(),
  /** Whether the broadcast, or anything after it, was seen. */
  seen_broadcast: z.boolean().exactOptional(),
  /** Whether the text was seen waiting a moment before, within the deadline, so that nothing can have gone out. */
  in_time: z.boolean().exactOptional(),
  /** The backend may have confirmed by itself by then, because the clock or the timer left no time. */
  late: z.literal(true).exactOptional(),
  /** The person does not know it yet, so their next result says it. */
  owed: z.literal(true).exactOptional(),
  /** No answer said this; it was inferred from what the backend showed. */
  inferred: z.literal(true).exactOptional(),
});
const reported = z.object({ at });
/** How a background task puts a question. It is a form about a text, a form for a text of one's own, or a page. */
const SHAPES = ["form", "write", "page"] as const;
export type Shape = (typeof SHAPES)[number];
/** A question of a background task is sent to the client under this key, which nobody can guess. */
const shown = z.object({ at, key: text });
/** A client has given its answer to a question of a background task; the next time it is asked under another key. */
const answered = z.object({
  at,
  /** The person is not asked again for this long, in milliseconds. */
  quiet_ms: z.number().min(0).exactOptional(),
  /** What the person wants next, which is to write a text of their own or to see the one that they typed. */
  next: wordOf(["write", "see_typed"]).exactOptional(),
});
/** The client no longer follows it as a background task. */
const unfollowed = z.object({ at });
/**
 * The person did not open the page that asks, or wants another text. That is no decision, and silence is no yes from
 * then on.
 */
const neverLeft = z.object({ at });
/** After the broadcast the backend showed a text with this hash, which is not the confirmed one. */
const otherText = z.object({ at, text_hash: text });
/**
 * The backend was seen beyond the text for the first time. `in_time` says whether that was before it could have gone on
 * by itself, by clock and timer. It is absent if no deadline is known.
 */
const out = z.object({ at, text_hash: text.exactOptional(), in_time: z.boolean().exactOptional() });

type Submitted = z.output<typeof submitted>;
type Formulated = z.output<typeof formulated>;
type Adopted = z.output<typeof adopted>;
type Standby = z.output<typeof standby>;
export type Asked = z.output<typeof asked>;
export type Decided = z.output<typeof decided>;
type Undone = z.output<typeof undone>;
export type Outcome = z.output<typeof outcome>;
export type Out = z.output<typeof out>;
/**
 * `question` is the hash of its id, `taken` how many answers it had had, and `attempt` how often it was shown since
 * then.
 */
export type Shown = z.output<typeof shown> & { question: string; taken: number; attempt: number; shape: Shape };
/** `question` is the hash of its id. `number` counts the answers to it, beginning with 1. */
export type Answered = z.output<typeof answered> & { question: string; number: number };

/**
 * All facts about one negotiation. Numbered ones stand in order, and the first has number 1. One that cannot be read
 * keeps its number, because it was written, whatever it says.
 */
export interface Facts {
  submitted?: Submitted;
  formulated?: Formulated;
  adopted: readonly (Adopted | undefined)[];
  standby: readonly (Standby | undefined)[];
  asked: readonly Asked[];
  decided: readonly (Decided | undefined)[];
  undone: ReadonlyMap<number, Undone>;
  /** The outcomes by the number of the decision that led to each, or 0 if none did. */
  outcomes: ReadonlyMap<number, Outcome>;
  /** The names of what has been reported to the person. */
  reported: ReadonlySet<string>;
  /** The answers that a background task has had; the newest stands last. */
  answers: readonly Answered[];
  /** The questions of a background task that were shown. */
  shown: readonly Shown[];
  /** A background task that was cancelled is not followed any more. */
  isUnfollowed: boolean;
  /** Whether the person has given an answer after which silence no longer counts as a yes. */
  isNeverLeft: boolean;
  /** The hash of another text than the confirmed one, where the backend has shown one. */
  otherText?: string;
  /** When anything beyond the text was seen for the first time. */
  firstOut?: Out;
}

export const NO_FACTS: Facts = {
  adopted: [],
  standby: [],
  asked: [],
  decided: [],
  undone: new Map(),
  outcomes: new Map(),
  reported: new Set(),
  answers: [],
  shown: [],
  isUnfollowed: false,
  isNeverLeft: false,
};

/** Stored values by name. */
export type Entries = ReadonlyMap<string, unknown>;

/** Names under which facts are stored. Of two programs that write the same name, one wins. */
export const factName = {
  submitted: "submitted",
  formulated: "formulated",
  adopted: (number: number) => `watched.${number}`,
  standby: (number: number) => `standby.${number}`,
  /** Gives the same name for the same text in the same round, because that is the same question. */
  asked: (round: number, textsHash: string) => `asked.${round}.${textsHash}`,
  decided: (number: number) => `decided.${number}`,
  undone: (number: number) => `undone.${number}`,
  /** There is one outcome for each decision, and number 0 is for what happened without one. */
  outcome: (decision: number) => `outcome.${decision}`,
  reported: (what: string) => `reported.${what}`,
  /** What is shown once has one key, whichever program shows it. */
  shown: ({ taken, attempt, shape, question }: Pick<Shown, "taken" | "attempt" | "shape" | "question">) =>
    `shown.${taken}.${attempt}.${shape}.${question}`,
  /** The question stands here by the hash of its id, because a name holds no capital letters. */
  answered: (questionHash: string, number: number) => `answered.${number}.${questionHash}`,
  unfollowed: "unfollowed",
  neverLeft: "never_left",
  otherText: "other_text",
  out: "out",
};

/** Reads stored values. A value that is no fact, or that a newer version wrote in another shape, counts as absent. */
export function factsOf(entries: Entries): Facts {
  const one = <T>(name: string, schema: z.ZodType<T>) => schema.safeParse(entries.get(name)).data;
  const submittedFact = one(factName.submitted, submitted);
  const formulatedFact = one(factName.formulated, formulated);
  const otherTextFact = one(factName.otherText, otherText);
  const outFact = one(factName.out, out);
  const undoneFacts = new Map<number, Undone>();
  const outcomes = new Map<number, Outcome>();
  const askedFacts: Asked[] = [];
  const reportedNames = new Set<string>();
  const answers: Answered[] = [];
  const shownFacts: Shown[] = [];
  for (const [name, value] of entries) {
    const [kind, ...rest] = name.split(".");
    if (kind === "asked") push(askedFacts, asked.safeParse(value).data);
    if (kind === "reported" && reported.safeParse(value).success) reportedNames.add(rest.join("."));
    if (kind === "answered") push(answers, answerOf(rest, value));
    if (kind === "shown") push(shownFacts, shownOf(rest, value));
    if (kind === "undone") set(undoneFacts, numberOf(rest[0]), undone.safeParse(value).data);
    if (kind === "outcome") set(outcomes, numberOf(rest[0]), outcome.safeParse(value).data);
  }
  return {
    ...(submittedFact && { submitted: submittedFact }),
    ...(formulatedFact && { formulated: formulatedFact }),
    adopted: numbered(entries, factName.adopted, adopted),
    standby: numbered(entries, factName.standby, standby),
    asked: askedFacts.sort((a, b) => a.at - b.at || (a.question_id < b.question_id ? -1 : 1)),
    decided: numbered(entries, factName.decided, decided),
    undone: undoneFacts,
    outcomes,
    reported: reportedNames,
    answers: answers.sort((a, b) => a.at - b.at || a.number - b.number),
    shown: shownFacts,
    isUnfollowed: one(factName.unfollowed, unfollowed) !== undefined,
    isNeverLeft: one(factName.neverLeft, neverLeft) !== undefined,
    ...(otherTextFact && { otherText: otherTextFact.text_hash }),
    ...(outFact && { firstOut: outFact }),
  };
}

const read = new WeakMap<Entries, Facts>();

/**
 * Reads them as {@link factsOf} does, but only once for each object, since a store may give the same object while
 * nothing is new.
 */
export function cachedFactsOf(entries: Entries): Facts {
  const facts = read.get(entries) ?? factsOf(entries);
  read.set(entries, facts);
  return facts;
}

function push<T>(list: T[], value: T | undefined): void {
  if (value !== undefined) list.push(value);
}

function set<K, T>(map: Map<K, T>, key: K | undefined, value: T | undefined): void {
  if (key !== undefined && value !== undefined) map.set(key, value);
}

const numberOf = (name: string | undefined): number | undefined =>
  /^\d{1,6}$/.test(name ?? "") ? Number(name) : undefined;

/** Gives the key in a stored `shown`, or undefined if it cannot be read. */
export const keyIn = (value: unknown): string | undefined => shown.safeParse(value).data?.key;

function shownOf([taken, attempt, shape, question]: string[], value: unknown): Shown | undefined {
  const fact = shown.safeParse(value).data;
  const [before, tries] = [numberOf(taken), numberOf(attempt)];
  const known = SHAPES.find((one) => one === shape);
  if (fact === undefined || before === undefined || tries === undefined || known === undefined) return undefined;
  return question === undefined ? undefined : { ...fact, taken: before, attempt: tries, shape: known, question };
}

function answerOf([name, question]: string[], value: unknown): Answered | undefined {
  const fact = answered.safeParse(value).data;
  const number = numberOf(name);
  return fact && question !== undefined && number !== undefined ? { ...fact, question, number } : undefined;
}

function numbered<T>(entries: Entries, nameOf: (number: number) => string, schema: z.ZodType<T>): (T | undefined)[] {
  const found: (T | undefined)[] = [];
  for (let number = 1; entries.has(nameOf(number)); number++)
    found.push(schema.safeParse(entries.get(nameOf(number))).data);
  return found;
}

/** Whether two facts with the same number are the same decision. */
export const isSameDecision = (
  a: Partial<Pick<Decided, "at" | "owner">>,
  b: Pick<Decided, "at" | "owner"> | undefined,
) => a.at === b?.at && a.owner?.instance === b?.owner.instance;

/** Where facts are kept, which is in the home's files, in a store that replicas share, or in memory. */
export interface FactStore {
  /** Reads all that is written about one negotiation, into an object that never changes. */
  read(key: NegotiationKey): Promise<Entries>;
  /**
   * Writes a fact if nothing of that name stands, and gives what stands now. In the same step `index` lists the
   * negotiation as open, or as open no longer.
   */
  create(key: NegotiationKey, name: string, value: unknown, index?: "open" | "close"): Promise<Created>;
  /** Lists it as open no longer, because nobody has to answer for it any more. */
  close(key: NegotiationKey): Promise<void>;
  /** Gives those that somebody may still have to answer for. */
  listOpen(): Promise<NegotiationKey[]>;
  /**
   * Gives all of them, or those of an id or a backend; the ones that were written to last stand first. They are found
   * by name, whatever is in them.
   */
  list(about?: Partial<NegotiationKey>): Promise<Written[]>;
}

/** `writtenAt` is when something was last written about it, in ms since the epoch, so nothing in it is newer. */
export interface Written extends NegotiationKey {
  writtenAt: number;
}

export interface Created {
  created: boolean;
  current: unknown;
}

/**
 * The id under which the attempts to submit one demand are written. It is made from the demand's hash and is no
 * negotiation's.
 */
export const attemptsId = (demandHash: string): string => `demand-${demandHash}`;
/** A backend may call a negotiation `demand-7`, so the prefix alone does not tell the two apart. */
export const isAttemptsId = (id: string): boolean => /^demand-[0-9a-f]{64}$/.test(id);
