import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock, LoopUse } from "../../clock.ts";
import { once } from "../../once.ts";
import { PAGE_TOOL } from "../../question/chat-wire.ts";
import type { CountedCall } from "../server-deps.ts";
import { HttpError } from "./http-error.ts";
import type { User } from "./user.ts";

export interface GateOptions {
  /** Calls of one user at once, in this replica. */
  atOnce: number;
  loopUse: LoopUse;
  clock: Clock;
}

/** How many calls may run: where the event loop is busy, and where they all wait for a slow backend. */
const ALLOWED = { least: 64, most: 1_000 };
/** The event loop is busy from this share of its time on: what comes then only waits for those before it. */
const BUSY = 0.95;
/** How often it is looked at, in milliseconds, where calls come. */
const LOOK_MS = 100;
const FEWER = 0.75;
const MORE = 1.1;
/** When a refused call may come again, in seconds. */
const AGAIN_S = 2;

/** The messages of one user may take so much; and so may those with tokens that the backend has not accepted, all together. */
const MAX_SHARE_BYTES = 32 * 1024 * 1024;
/** The messages of all users may take so much, as far as they are large. */
const MAX_LARGE_BYTES = 128 * 1024 * 1024;
/**
 * So much of each message counts for its user alone: large ones of others keep no usual one out. No more of one is read
 * while the endpoint is full; a person's no is never longer.
 */
const USUAL_BYTES = 64 * 1024;

/** One request's place: what its message takes in memory, and its part of the calls that run. */
export interface Place extends CountedCall {
  /**
   * `limited`: so a message is refused that is longer than a decision.
   * @throws HttpError `too_many_new_tokens`, `too_many_at_once`, `full`, `limited`
   */
  hold(bytes: number, limited?: HttpError): void;
  /** Runs from now on. @throws HttpError `too_many_at_once`; `full` for one that begins work which could wait */
  enter(message: object): void;
  /** Does `work` as this request's: what waits in it is known by {@link Gate.counted}. */
  run<T>(work: () => T): T;
}

/** One user has so much open now. */
interface Share {
  places: number;
  calls: number;
  bytes: number;
}

/**
 * Decides how much a replica takes at once. How busy its event loop is sets how many calls may run, and one more is
 * refused at once. What answers a question, and what only lists or opens, is always taken. A call that waits for its
 * person, or for the network, does not count.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #places = new AsyncLocalStorage<CountedCall>();
  readonly #ofUsers = new Map<string, Share>();
  /** Their messages, all together. */
  readonly #ofNewTokens = { bytes: 0 };
  #large = 0;
  #open = 0;
  #waiting = 0;
  #allowed = ALLOWED.least;
  #use = 0;
  #lookedAt: number;
  #wasReached = false;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#lookedAt = options.clock.monotonic();
  }

  /** Calls that have begun and are not over, those that wait included. */
  get open(): number {
    return this.#open;
  }

  /** Those of them that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** How many calls may run now. */
  get allowed(): number {
    this.#look();
    return this.#allowed;
  }

  /** The share of its time in which the event loop was at work when it was last looked at, from 0 to 1. */
  get loopUse(): number {
    this.#look();
    return this.#use;
  }

  /** The call that the running code belongs to. */
  readonly counted = (): CountedCall | undefined => this.#places.getStore();

  /** `isAct`: what it brings a person sends from a page, and it is read however much runs. */
  place({ key, isAccepted }: Pick<User, "key" | "isAccepted">, isAct = false): Place {
    const own = this.#ofUser(key);
    own.places += 1;
    const shared = isAccepted ? own : this.#ofNewTokens;
    const taken = { calls: 0, bytes: 0, large: 0, waiting: 0 };
    let isOver = false;
    const wait = (more: number) => {
      if (isOver) return;
      const before = taken.waiting > 0;
      taken.waiting += more;
      this.#waiting += Number(taken.waiting > 0) - Number(before);
    };
    const place: Place = {
      hold: (bytes, limited) => {
        const large = Math.max(0, taken.bytes + bytes - USUAL_BYTES) - taken.large;
        if (large > 0 && limited !== undefined) throw limited;
        if (shared.bytes + bytes > MAX_SHARE_BYTES)
          throw isAccepted ? refusal("too_many_at_once", 1) : refusal("too_many_new_tokens", 10);
        if (large > 0 && (this.#large + large > MAX_LARGE_BYTES || (!isAct && this.#isFull()))) throw full();
        shared.bytes += bytes;
        taken.bytes += bytes;
        taken.large += large;
        if (isAccepted) this.#large += large;
      },
      enter: (message) => {
        const atOnce = this.#options.atOnce * (decides(message) ? 2 : 1); // Other calls leave decisions a room of their own.
        if (wantsAnswer(message) && own.calls >= atOnce) throw refusal("too_many_at_once", 1);
        if (beginsWork(message) && this.#isFull()) throw full();
        taken.calls = 1;
        own.calls += 1;
        this.#open += 1;
      },
      run: (work) => this.#places.run(place, work),
      beginWait: () => {
        wait(taken.calls);
        return once(() => wait(-taken.calls));
      },
      free: once(() => {
        wait(-taken.waiting);
        isOver = true;
        shared.bytes -= taken.bytes;
        if (isAccepted) this.#large -= taken.large;
        own.calls -= taken.calls;
        this.#open -= taken.calls;
        own.places -= 1;
        if (own.places === 0) this.#ofUsers.delete(key);
      }),
    };
    return place;
  }

  #isFull(): boolean {
    this.#look();
    const isFull = this.#open - this.#waiting >= this.#allowed;
    this.#wasReached ||= isFull;
    return isFull;
  }

  /** Fewer calls where the loop is busy, more where all that may run do and it is not. */
  #look(): void {
    const now = this.#options.clock.monotonic();
    if (now - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = now;
    this.#use = this.#options.loopUse.take();
    if (this.#use >= BUSY) this.#allowed = Math.max(ALLOWED.least, Math.floor(this.#allowed * FEWER));
    else if (this.#wasReached) this.#allowed = Math.min(ALLOWED.most, Math.ceil(this.#allowed * MORE));
    this.#wasReached = false;
  }

  #ofUser(key: string): Share {
    const known = this.#ofUsers.get(key) ?? { places: 0, calls: 0, bytes: 0 };
    this.#ofUsers.set(key, known);
    return known;
  }
}

const refusal = (code: "too_many_at_once" | "too_many_new_tokens" | "full", seconds: number): HttpError =>
  new HttpError(code, { "Retry-After": String(seconds) });
const full = () => refusal("full", AGAIN_S);

/** With one of these a call passes on what its person has decided, or stops what they no longer want. */
const ANSWERS = ["decision", "confirmed_text", "profile_hash", "action"];

interface Message {
  method?: unknown;
  params?: { name?: unknown; arguments?: object; requestState?: unknown; inputResponses?: unknown };
}

/** A notification wants none, and a response is one: a call that waits for it would take its place. */
const wantsAnswer = (message: object): boolean => "method" in message && "id" in message;

/** These stop what their sender no longer wants, or bring an answer. */
const DECIDING: readonly unknown[] = ["notifications/cancelled", "tasks/cancel", "tasks/update"];
/** These begin work that can come later. */
const WORKING: readonly unknown[] = ["tools/call", "resources/read", "completion/complete"];

const beginsWork = (message: Message): boolean => WORKING.includes(message.method) && !decides(message);

/**
 * Whether a message brings what its person has decided: as the response to a form, with a call, or from the page in the
 * chat, which is their room there.
 */
export function decides(message: Message): boolean {
  if (!("method" in message) || DECIDING.includes(message.method)) return true;
  if (message.method !== "tools/call") return false;
  const { name: tool, arguments: args, requestState, inputResponses } = message.params ?? {};
  return (
    tool === PAGE_TOOL ||
    requestState !== undefined ||
    inputResponses !== undefined ||
    ANSWERS.some((name) => has(args, name))
  );
}

const has = (args: unknown, name: string): boolean =>
  typeof args === "object" && args !== null && Object.hasOwn(args, name);
