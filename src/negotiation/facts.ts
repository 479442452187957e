import * as z from "zod";
import { wordOf } from "../newer.ts";
import { DISPLAYS, type Display } from "../question/chat-wire.ts";
import { AUTHORS, BROWSER_PROOFS, type BrowserProof, DECIDERS, SURFACES, type Surface } from "../question/who.ts";

/**
 * What happened to a negotiation, as this user's programs wrote it down. Each fact is written once and never changed.
 * Facts hold ids, hashes, times and decisions, and never a text. Everything else is computed from the facts and from
 * what the backend shows. A word that this version does not know was written by a newer version (`newer.ts`). A fact
 * with such a word still stands, and never counts as "no decision".
 */

/** Identifies a negotiation. An id means something only at the origin that issued it. */
export interface NegotiationKey {
  origin: string;
  id: string;
}

/** Identifies a running program. */
export interface Owner {
  instance: string;
  pid: number;
  /**
   * When the program began, if the system reports that. A pid alone is not enough, because another program may have it
   * by now.
   */
  started?: string;
  /**
   * Names the boot and the pid namespace within which the pid is unique, or says that they are not known. Version 0.2
   * did not write this field.
   */
  place?: string;
}

/**
 * The kinds of decision, of which two are a yes and three are a no. `accept` sends out the backend's text, and `edit`
 * sends another text in its place. `reject` is the person's no to the question. `cancel` stops the negotiation, whether
 * or not a question about it was asked, and `by` says whether a person or a client did so. `withdraw` is the program's
 * own no, sent before the deadline or when the program ends. The question whether the person wants a `cancel` is called
 * `stop` (question/who.ts), and a `cancel` by a client is named `client` where a sentence speaks of it
 * (`DecisionWord`).
 */
export const DECISION_KINDS = ["accept", "edit", "reject", "cancel", "withdraw"] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

/**
 * What came of a negotiation. With `confirmed` a yes took effect, and with `cancelled` a no did. `moved` means that the
 * negotiation went on without this user's decision, `ended` that it was over and no plan was seen, and `not_found` that
 * the backend no longer knows the negotiation.
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
   * The account with which this program submitted the demand. It need not be that of `user_id`. Later requests use the
   * same account for as long as its token is known.
   */
  account: text.exactOptional(),
  scene_id: text.exactOptional(),
  /** The earliest time at which the backend confirms by itself. */
  deadline_at: at,
  on_unconfirmed: wordOf(["cancel", "leave"]).exactOptional(),
  /**
   * Present if a model that had read other agents' text submitted the demand unasked. Then neither the deadline nor a
   * yes in a tool's arguments broadcasts the demand.
   */
  tainted: z.literal(true).exactOptional(),
  /**
   * The author of the demand. The field is absent if the author is not known, or if several people wrote the demand.
   */
  written_by: wordOf(AUTHORS).exactOptional(),
  owner,
});
/**
 * The text was seen for the first time. The deadline counts from the last read that did not show the text, because the
 * backend's clock started no earlier.
 */
const formulated = z.object({ at, deadline_at: at });
/**
 * A program has adopted the negotiation from a program that was gone or had not acted in time. The fact is stored as
 * `watched`.
 */
const adopted = z.object({
  at,
  owner,
  /**
   * How many decisions had been written by then. The adopting program answers for those and for everything that
   * follows.
   */
  decisions: z.number().int().min(0),
  /**
   * With `on`, the previous program has left the negotiation to this one, which stood by for it. With `back`, another
   * program's standby is over, and the owner goes on.
   */
  handed: wordOf(["on", "back"]).exactOptional(),
  /** The instance whose standby is over. The standbys of other instances still count. */
  by: text.exactOptional(),
});
/**
 * A program that stays on stands by to answer for another program's negotiation. The next `adopted` fact with that
 * number or a higher one either takes the standby up or ends it. Whichever of the two is written first wins.
 */
const standby = z.object({ at, owner, number: z.number().int().positive() });
/** A question that is about to be shown to the person. */
const asked = z.object({
  at,
  question_id: text,
  /**
   * The round number, which rises when the text of an edit is lost, because answers to older questions no longer count.
   */
  round: z.number().int().positive(),
  shown_hash: text,
  formulated_hash: text,
});
const display = z.object({
  surface: wordOf(SURFACES),
  /**
   * The hash of the whole text that this surface showed. For `argument` it is the hash of the text that the result
   * held.
   */
  rendered_hash: z.string().min(1),
  /**
   * The author of the text. If the author is not known, `newer` is written, because every version can read a decision
   * with that word and no version takes it for an author.
   */
  author: wordOf(AUTHORS),
  /** Why the browser's word counts as a person's (question/who.ts). Only the page gives this. */
  browser: wordOf(BROWSER_PROOFS).exactOptional(),
  /**
   * What the page in the chat said about its display. No other surface writes this field, and `browser` is then
   * `elicited`. Versions that do not know such pages ignore the field and still read the whole decision.
   */
  drawn: wordOf(DISPLAYS).exactOptional(),
});

/**
 * How the text that is decided on was shown. Without a rendering nothing is confirmed (contract §6, "seen means seen
 * whole"). A rendering holds only what a surface knows. The core finds out who wrote the text.
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
  /** The hash of the backend's text that was shown together with the text that goes out. */
  formulated_hash: text.exactOptional(),
  /** Says how the text was shown. Only a yes has this field. */
  display: display.exactOptional(),
});
/**
 * The decision with the same number no longer counts. With `too_late` the negotiation had already gone on without it.
 * With the other words the negotiation still waits and the question is open again. With `edit_lost` the program that
 * had the text of an edit died, and its request may have arrived nevertheless.
 */
const undone = z.object({ at, why: wordOf(["no_effect", "too_late", "edit_lost"]) });
const outcome = z.object({
  at,
  kind: wordOf(OUTCOMES),
  /** The hash of the text that the backend showed when the outcome was written. */
  text_hash: text.exactOptional(),
  /**
   * How many agents the backend showed when a no took effect. The count is absent for every other outcome, and if no
   * answer showed the end.
   */
  participants: z.number().int().min(0).exactOptional(),
  /** True if the backend was seen to have asked agents, or to have looked for agents and found none. */
  seen_broadcast: z.boolean().exactOptional(),
  /**
   * True if a read just before the no showed the text still waiting within its deadline, so that nothing can have gone
   * out.
   */
  in_time: z.boolean().exactOptional(),
  /** Present if the backend may already have confirmed by itself, because the clock or the timer left no time. */
  late: z.literal(true).exactOptional(),
  /** Present if the person does not know the outcome yet, so that their next result reports it. */
  owed: z.literal(true).exactOptional(),
  /** Present if no answer stated the outcome, so that it was inferred from what the backend showed. */
  inferred: z.literal(true).exactOptional(),
});
const reported = z.object({ at });
/**
 * The shape in which a background task puts a question. `form` asks about a text, `write` asks the person for a text of
 * their own, and `page` opens a page.
 */
const SHAPES = ["form", "write", "page"] as const;
export type Shape = (typeof SHAPES)[number];
/** A question of a background task was sent to the client under this key, which nobody can guess. */
const shown = z.object({ at, key: text });
/** A client has answered a question of a background task. The next question goes out under another key. */
const answered = z.object({
  at,
  /** The person is not asked again for this long, in milliseconds. */
  quiet_ms: z.number().min(0).exactOptional(),
  /** What the person wants next, which is to write a text of their own or to see the text that they typed. */
  next: wordOf(["write", "see_typed"]).exactOptional(),
});
/** The client no longer follows the negotiation as a background task. */
const unfollowed = z.object({ at });
/**
 * The person did not open the page that asks, or wants another text. That is no decision, but from then on silence does
 * not count as a yes.
 */
const neverLeft = z.object({ at });
/** After the broadcast the backend showed a text with this hash, which is not the hash of the confirmed text. */
const otherText = z.object({ at, text_hash: text });
/**
 * The text was seen to be out for the first time. `in_time` says whether that was before the backend could have gone on
 * by itself, by clock and timer, and is absent if no deadline is known.
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
export type FirstBroadcast = z.output<typeof out>;
/**
 * A question of a background task that was shown. `question` is the hash of the question's id, `taken` is how many
 * answers to it came before, and `attempt` is how often it was shown since then.
 */
export type Shown = z.output<typeof shown> & { question: string; taken: number; attempt: number; shape: Shape };
/**
 * An answer to a question of a background task. `question` is the hash of the question's id. `number` counts the
 * answers to that question, from 1.
 */
export type Answered = z.output<typeof answered> & { question: string; number: number };

/**
 * All facts about one negotiation. Numbered facts stand in order, and the first has number 1. A fact that cannot be
 * read keeps its number, because something was written under it.
 */
export interface Facts {
  submitted?: Submitted;
  formulated?: Formulated;
  adopted: readonly (Adopted | undefined)[];
  standby: readonly (Standby | undefined)[];
  asked: readonly Asked[];
  decided: readonly (Decided | undefined)[];
  undone: ReadonlyMap<number, Undone>;
  /**
   * The outcomes, each under the number of the decision that led to it. Number 0 is for an outcome without a decision.
   */
  outcomes: ReadonlyMap<number, Outcome>;
  /** The names of everything that has been reported to the person. */
  reported: ReadonlySet<string>;
  /** The answers that background tasks have received, the newest last. */
  answers: readonly Answered[];
  /** The questions of a background task that were shown. */
  shown: readonly Shown[];
  /** True if the background task was cancelled, so that nobody follows it any more. */
  isUnfollowed: boolean;
  /** True if the person has given an answer after which silence no longer counts as a yes. */
  isNeverLeft: boolean;
  /**
   * The hash of a text that the backend showed instead of the confirmed one. The field is absent if the backend showed
   * none.
   */
  otherText?: string;
  /** When the text was first seen to be out. */
  firstBroadcast?: FirstBroadcast;
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

/** The names under which facts are stored. If two programs write the same name, one of them wins. */
export const factName = {
  submitted: "submitted",
  formulated: "formulated",
  adopted: (number: number) => `watched.${number}`,
  standby: (number: number) => `standby.${number}`,
  /** Returns the same name for the same text in the same round, because that is the same question. */
  asked: (round: number, textsHash: string) => `asked.${round}.${textsHash}`,
  decided: (number: number) => `decided.${number}`,
  undone: (number: number) => `undone.${number}`,
  /** There is one outcome for each decision. Number 0 is for what happened without a decision. */
  outcome: (decision: number) => `outcome.${decision}`,
  reported: (what: string) => `reported.${what}`,
  /** Returns one name for each time that a question is shown, so that all programs show it under the same key. */
  shown: ({ taken, attempt, shape, question }: Pick<Shown, "taken" | "attempt" | "shape" | "question">) =>
    `shown.${taken}.${attempt}.${shape}.${question}`,
  /** Takes the hash of the question's id, because a name must not hold the capital letters of an id. */
  answered: (questionHash: string, number: number) => `answered.${number}.${questionHash}`,
  unfollowed: "unfollowed",
  neverLeft: "never_left",
  otherText: "other_text",
  out: "out",
};

/**
 * Reads stored values. A value counts as absent if it is not a fact or if a newer version wrote it in another shape.
 */
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
    ...(outFact && { firstBroadcast: outFact }),
  };
}

const read = new WeakMap<Entries, Facts>();

/**
 * Reads entries as {@link factsOf} does, but only once for each object, because a store may return the same object
 * while nothing is new.
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

/** Returns the key in a stored `shown`, or undefined if the value cannot be read. */
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

/** Returns whether two facts with the same number are the same decision. */
export const isSameDecision = (
  a: Partial<Pick<Decided, "at" | "owner">>,
  b: Pick<Decided, "at" | "owner"> | undefined,
) => a.at === b?.at && a.owner?.instance === b?.owner.instance;

/** The place where facts are kept, which is the home's files, a store that replicas share, or memory. */
export interface FactStore {
  /** Reads everything that is written about one negotiation, into an object that never changes. */
  read(key: NegotiationKey): Promise<Entries>;
  /**
   * Writes a fact unless one with that name exists, and returns the fact that now stands. In the same step `index` adds
   * the negotiation to the list of open ones or removes it.
   */
  create(key: NegotiationKey, name: string, value: unknown, index?: "open" | "close"): Promise<Created>;
  /** Removes the negotiation from the list of open ones, because nobody has to answer for it any more. */
  close(key: NegotiationKey): Promise<void>;
  /** Lists the negotiations that somebody may still have to answer for. */
  listOpen(): Promise<NegotiationKey[]>;
  /**
   * Lists all negotiations, or those with a given id or backend, the most recently written first. The negotiations are
   * found by name, whatever their facts contain.
   */
  list(about?: Partial<NegotiationKey>): Promise<Written[]>;
}

/**
 * A negotiation about which something is written. `writtenAt` is the time of the last write, in ms since the epoch, so
 * no fact about the negotiation is newer.
 */
export interface Written extends NegotiationKey {
  writtenAt: number;
}

export interface Created {
  created: boolean;
  current: unknown;
}

/**
 * Returns the id under which the attempts to submit one demand are written. The id is made from the demand's hash and
 * belongs to no negotiation.
 */
export const attemptsId = (demandHash: string): string => `demand-${demandHash}`;
/**
 * Returns whether an id is such an id of attempts. The prefix alone does not decide, because a backend may call a
 * negotiation `demand-7`.
 */
export const isAttemptsId = (id: string): boolean => /^demand-[0-9a-f]{64}$/.test(id);
