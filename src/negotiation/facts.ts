import * as z from "zod";
import { wordOf } from "../newer.ts";
import { DISPLAYS, type Display } from "../question/chat-wire.ts";
import { AUTHORS, BROWSER_PROOFS, type BrowserProof, DECIDERS, SURFACES, type Surface } from "../question/who.ts";

/**
 * What happened to a negotiation, as this user's programs wrote it down: each fact once, never rewritten. Ids,
 * hashes, times and decisions; never a text. Everything else is computed from facts and from what the backend shows. A word
 * that this version does not know was written by a newer one (`newer.ts`): what it says stands, and is never "no decision".
 */

/** An id means something only at the origin that gave it. */
export interface NegotiationKey {
  origin: string;
  id: string;
}

/** A running program. */
export interface Owner {
  instance: string;
  pid: number;
  /** When it began, where the system says: a pid may be another program's by now. */
  started?: string;
  /** Where its pid means something, or that nobody can say; absent where version 0.2 wrote it. */
  place?: string;
}

/**
 * `accept`: the backend's text goes out. `edit`: another one instead. `reject`: a no to the question. `cancel`: stopped,
 * asked or not. `withdraw`: the program's own no, before the deadline or at its end.
 */
export const DECISION_KINDS = ["accept", "edit", "reject", "cancel", "withdraw"] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

/**
 * `confirmed`, `cancelled`: a yes or a no took effect. `moved`: it went on without this user's decision. `ended`: it was
 * over, with no plan seen. `not_found`: the backend no longer knows it.
 */
export const OUTCOMES = ["confirmed", "cancelled", "moved", "ended", "not_found"] as const;

const text = z.string().min(1);
/** Milliseconds since the epoch, of a date that exists. */
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
  /** As whom this program asked, whoever it named: what follows is sent as they, as long as their token is known. */
  account: text.exactOptional(),
  scene_id: text.exactOptional(),
  /** When the backend confirms by itself, at the earliest. */
  deadline_at: at,
  on_unconfirmed: wordOf(["cancel", "leave"]).exactOptional(),
  /** Submitted unasked by a model that had read other agents' text: neither silence nor an argument broadcasts it. */
  tainted: z.literal(true).exactOptional(),
  /** Whose words it was; absent where that is not known, or where they are of several. */
  written_by: wordOf(AUTHORS).exactOptional(),
  owner,
});
/** The text was first seen. The deadline counts from the last read before that: the backend's clock began no earlier. */
const formulated = z.object({ at, deadline_at: at });
/** A program has adopted it, from one that was gone; written as `watched`. */
const adopted = z.object({
  at,
  owner,
  /** How many decisions stood then: it answers for those, and for what comes. */
  decisions: z.number().int().min(0),
  /** `on`: the program before has left it to this one, as it had offered. `back`: another's offer is over, and it goes on. */
  handed: wordOf(["on", "back"]).exactOptional(),
  /** Whose offer is over, by its instance: those of others stand. */
  by: text.exactOptional(),
});
/**
 * A program that stays watches another's, and is ready to answer for it. What takes the offer, and what takes it back, is the
 * next `adopted`, from that number on: one of them wins.
 */
const standby = z.object({ at, owner, number: z.number().int().positive() });
/** A question that is about to be put to the person. */
const asked = z.object({
  at,
  question_id: text,
  /** Goes up when the text of an edit was lost: answers to older questions do not count then. */
  round: z.number().int().positive(),
  shown_hash: text,
  formulated_hash: text,
});
const display = z.object({
  surface: wordOf(SURFACES),
  /** Of the text that was rendered there, all of it. For `argument`: of the text that the result held. */
  rendered_hash: z.string().min(1),
  /**
   * Whose words it is. Where nobody here knows, `newer` is written: every version reads the decision with it, and none takes
   * it for an author.
   */
  author: wordOf(AUTHORS),
  /** On the page, and only there. */
  browser: wordOf(BROWSER_PROOFS).exactOptional(),
  /**
   * What the page in the chat said of its display, and only there; `browser` is `elicited` then. Versions that do not know
   * such pages pass over this field, and read the decision whole.
   */
  drawn: wordOf(DISPLAYS).exactOptional(),
});

/**
 * How the text that is decided on was shown. Without it nothing is confirmed (contract §6, "seen means seen whole"). What a
 * surface knows of it; whose words a text is, the core finds out.
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
  /** Of the text that goes out. */
  text_hash: text.exactOptional(),
  /** Of the backend's text that was seen with it. */
  formulated_hash: text.exactOptional(),
  /** Of a yes. */
  display: display.exactOptional(),
});
/**
 * The decision of the same number certainly had no effect: the negotiation had gone on (`too_late`), or it still waits
 * and the question is open again, with the text of an edit gone where its program died.
 */
const undone = z.object({ at, why: wordOf(["no_effect", "too_late", "edit_lost"]) });
const outcome = z.object({
  at,
  kind: wordOf(OUTCOMES),
  /** Of the text that stood at the backend then. */
  text_hash: text.exactOptional(),
  /** How many agents the backend had asked by then; absent where its answer was lost. */
  participants: z.number().int().min(0).exactOptional(),
  /** Whether the broadcast, or anything after it, was seen. */
  seen_broadcast: z.boolean().exactOptional(),
  /** Whether the text was seen waiting a moment before, within the deadline: nothing can have gone out. */
  in_time: z.boolean().exactOptional(),
  /** The backend may have confirmed by itself by then: the clock or the timer left no time. */
  late: z.literal(true).exactOptional(),
  /** The person does not know yet: their next result says so. */
  owed: z.literal(true).exactOptional(),
  /** No answer said so: it was read off what the backend showed. */
  inferred: z.literal(true).exactOptional(),
});
const reported = z.object({ at });
/** How a background task puts a question: a form about a text, a form for a text of one's own, or a page. */
const SHAPES = ["form", "write", "page"] as const;
export type Shape = (typeof SHAPES)[number];
/** A question of a background task goes out to the client under this key, which nobody can guess. */
const shown = z.object({ at, key: text });
/** A client has given its answer to a question of a background task; the next time it is asked under another key. */
const answered = z.object({
  at,
  /** For so long after it the person is not asked again. */
  quiet_ms: z.number().min(0).exactOptional(),
  /** What the person wants next: to write a text of their own, or to see the one that they typed. */
  next: wordOf(["write", "see_typed"]).exactOptional(),
});
/** The client no longer follows it as a background task. */
const unfollowed = z.object({ at });
/** Its person did not open the page that asks, or wants another text: no decision, and silence is no yes from then on. */
const neverLeft = z.object({ at });
/** Once moving, the backend showed a text of this hash, which is not the confirmed one. */
const otherText = z.object({ at, text_hash: text });
/**
 * The backend was first seen beyond the text. `in_time`: before it could have gone on by itself, by clock and timer; absent
 * where no deadline is known.
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
/** `question`: the hash of its id; `taken`: how many answers it had had; `attempt`: how often it was shown since. */
export type Shown = z.output<typeof shown> & { question: string; taken: number; attempt: number; shape: Shape };
/** `question`: the hash of its id; `number`: the first answer to it is 1. */
export type Answered = z.output<typeof answered> & { question: string; number: number };

/**
 * All facts about one negotiation; numbered ones in order, the first has number 1. One that cannot be read keeps its
 * number: it was written, whatever it says.
 */
export interface Facts {
  submitted?: Submitted;
  formulated?: Formulated;
  adopted: readonly (Adopted | undefined)[];
  standby: readonly (Standby | undefined)[];
  asked: readonly Asked[];
  decided: readonly (Decided | undefined)[];
  undone: ReadonlyMap<number, Undone>;
  /** By the number of the decision that led to it; 0 for none. */
  outcomes: ReadonlyMap<number, Outcome>;
  /** What has been reported to the person, by name. */
  reported: ReadonlySet<string>;
  /** The answers that a background task has had, the newest last. */
  answers: readonly Answered[];
  /** The questions of a background task that were shown. */
  shown: readonly Shown[];
  /** A background task that was cancelled is not followed any more. */
  isUnfollowed: boolean;
  /** Whether its person has answered so that silence is no yes any more. */
  isNeverLeft: boolean;
  /** The hash of another text than the confirmed one, where the backend has shown one. */
  otherText?: string;
  /** When anything beyond the text was first seen. */
  out?: Out;
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

/** Values by name, as a store holds them. */
export type Entries = ReadonlyMap<string, unknown>;

/** Names under which facts are stored. Of two programs that write the same name, one wins. */
export const factName = {
  submitted: "submitted",
  formulated: "formulated",
  adopted: (number: number) => `watched.${number}`,
  standby: (number: number) => `standby.${number}`,
  /** The same text in the same round is the same question. */
  asked: (round: number, textsHash: string) => `asked.${round}.${textsHash}`,
  decided: (number: number) => `decided.${number}`,
  undone: (number: number) => `undone.${number}`,
  /** One for each decision; 0 for what happened without one. */
  outcome: (decision: number) => `outcome.${decision}`,
  reported: (what: string) => `reported.${what}`,
  /** What is shown once has one key, whichever program shows it. */
  shown: ({ taken, attempt, shape, question }: Pick<Shown, "taken" | "attempt" | "shape" | "question">) =>
    `shown.${taken}.${attempt}.${shape}.${question}`,
  /** The question by the hash of its id: a name holds no capital letters. */
  answered: (questionHash: string, number: number) => `answered.${number}.${questionHash}`,
  unfollowed: "unfollowed",
  neverLeft: "never_left",
  otherText: "other_text",
  out: "out",
};

/** Reads stored values. One that is no fact, or was written by a newer version in another shape, counts as absent. */
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
    ...(outFact && { out: outFact }),
  };
}

const read = new WeakMap<Entries, Facts>();

/** The same, kept by object: a store may give one object again while nothing is new. */
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

/** The key in what stands under the name of something shown; undefined where it cannot be read. */
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

/** Whether two facts of one number are one decision. */
export const isSameDecision = (
  a: Partial<Pick<Decided, "at" | "owner">>,
  b: Pick<Decided, "at" | "owner"> | undefined,
) => a.at === b?.at && a.owner?.instance === b?.owner.instance;

/** Where facts are kept: the home's files, a store that replicas share, or memory. */
export interface FactStore {
  /** All that is written about one negotiation, in an object that never changes. */
  read(key: NegotiationKey): Promise<Entries>;
  /**
   * Writes a fact if nothing of that name stands; gives what stands now. `index` lists the negotiation as open, or no
   * longer, in the same step.
   */
  create(key: NegotiationKey, name: string, value: unknown, index?: "open" | "close"): Promise<Created>;
  /** Lists it as open no longer: nobody has to answer for it any more. */
  close(key: NegotiationKey): Promise<void>;
  /** Those that somebody may still have to answer for. */
  listOpen(): Promise<NegotiationKey[]>;
  /**
   * All of them, or those of an id or a backend, the ones that were written to last first: found by name, whatever is
   * in them.
   */
  list(about?: Partial<NegotiationKey>): Promise<Written[]>;
}

/** `writtenAt`: when something was written about it last, ms since the epoch: nothing in it is newer. */
export interface Written extends NegotiationKey {
  writtenAt: number;
}

export interface Created {
  created: boolean;
  current: unknown;
}

/** The id under which the attempts to submit one demand are written, by the hash of the demand: no negotiation's. */
export const attemptsId = (demandHash: string): string => `demand-${demandHash}`;
/** A backend may call a negotiation `demand-7`. */
export const isAttemptsId = (id: string): boolean => /^demand-[0-9a-f]{64}$/.test(id);
