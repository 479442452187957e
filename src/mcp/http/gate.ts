import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock, LoopUse } from "../../clock.ts";
import { once } from "../../once.ts";
import { PAGE_TOOL } from "../../question/chat-wire.ts";
import type { CountedCall } from "../server-deps.ts";
import { HttpError } from "./http-error.ts";
import type { User } from "./user.ts";

export interface GateOptions {
  /** The most calls of one user at once, in this replica. */
  atOnce: number;
  loopUse: LoopUse;
  clock: Clock;
}

/**
 * The fewest and the most calls that may run at once. The fewest may run while the event loop is busy, and the most
 * while all of them wait for a slow backend.
 */
const ALLOWED = { least: 64, most: 1_000 };
/**
 * The share of time at work from which the event loop counts as busy. A further call would then only wait for the
 * others.
 */
const BUSY = 0.95;
/**
 * The least time, in milliseconds, between two measurements of the event loop. The loop is measured only while calls
 * come.
 */
const LOOK_MS = 100;
/** The factor by which the allowed calls shrink while the event loop is busy. */
const FEWER = 0.75;
/** The factor by which the allowed calls grow if all allowed calls were running and the event loop was not busy. */
const MORE = 1.1;
/** How many seconds a refused call must wait before it comes again. */
const AGAIN_S = 2;

/**
 * The most bytes that the messages of one user may take. All users whose tokens the backend has not accepted share one
 * such limit.
 */
const MAX_SHARE_BYTES = 32 * 1024 * 1024;
/**
 * The most bytes that large messages may take, beyond the usual size of each, with all users together whose tokens the
 * backend has accepted.
 */
const MAX_LARGE_BYTES = 128 * 1024 * 1024;
/**
 * The size, in bytes, up to which a message counts only for its user, so that other users' large messages do not keep
 * it out. While the endpoint is full, no message is read beyond this size. A message with a person's no is never
 * larger.
 */
const USUAL_BYTES = 64 * 1024;

/**
 * The part of the gate's limits that one request takes: the memory of its message, and a place among the running calls.
 */
export interface GateSlot extends CountedCall {
  /**
   * Reserves memory for more bytes of the message. `limited` is thrown for a message that is longer than a decision.
   * @throws HttpError `too_many_new_tokens`, `too_many_at_once`, `full`, `limited`
   */
  hold(bytes: number, limited?: HttpError): void;
  /**
   * Counts the call as running.
   * @throws HttpError `too_many_at_once`, and `full` for a call whose work could wait
   */
  enter(message: object): void;
  /** Runs `work` as part of this request, so that {@link Gate.counted} finds the slot if the work has to wait. */
  run<T>(work: () => T): T;
}

/** The requests, calls and message bytes that one user has open now. */
interface Share {
  slots: number;
  calls: number;
  bytes: number;
}

/**
 * Limits how much a replica takes at once. The load of its event loop sets how many calls may run, and every further
 * call is refused. A message that answers a question, or that only lists or opens something, is taken even then. A call
 * that waits for its person or for answers from the network does not count as running.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #slots = new AsyncLocalStorage<CountedCall>();
  readonly #ofUsers = new Map<string, Share>();
  /** The bytes of the messages of all users whose tokens the backend has not accepted. */
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

  /** Returns how many calls have begun and are not over, including those that wait. */
  get open(): number {
    return this.#open;
  }

  /** Returns how many of the open calls wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Returns how many calls may run now. */
  get allowed(): number {
    this.#look();
    return this.#allowed;
  }

  /** Returns the share of time in which the event loop was at work before its last measurement, from 0 to 1. */
  get loopUse(): number {
    this.#look();
    return this.#use;
  }

  /** Returns the call that the running code belongs to. */
  readonly counted = (): CountedCall | undefined => this.#slots.getStore();

  /**
   * Creates the slot of one request. `isAct` says that a person sends the request from a page, so its body is read even
   * while the endpoint is full.
   */
  slotFor({ key, isAccepted }: Pick<User, "key" | "isAccepted">, isAct = false): GateSlot {
    const own = this.#ofUser(key);
    own.slots += 1;
    const shared = isAccepted ? own : this.#ofNewTokens;
    const taken = { calls: 0, bytes: 0, large: 0, waiting: 0 };
    let isOver = false;
    const wait = (more: number) => {
      if (isOver) return;
      const before = taken.waiting > 0;
      taken.waiting += more;
      this.#waiting += Number(taken.waiting > 0) - Number(before);
    };
    const slot: GateSlot = {
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
        const atOnce = this.#options.atOnce * (decides(message) ? 2 : 1); // Decisions have room of their own.
        if (wantsAnswer(message) && own.calls >= atOnce) throw refusal("too_many_at_once", 1);
        if (beginsWork(message) && this.#isFull()) throw full();
        taken.calls = 1;
        own.calls += 1;
        this.#open += 1;
      },
      run: (work) => this.#slots.run(slot, work),
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
        own.slots -= 1;
        if (own.slots === 0) this.#ofUsers.delete(key);
      }),
    };
    return slot;
  }

  #isFull(): boolean {
    this.#look();
    const isFull = this.#open - this.#waiting >= this.#allowed;
    this.#wasReached ||= isFull;
    return isFull;
  }

  /** Allows fewer calls if the event loop is busy. Allows more if it is not and the limit was reached. */
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
    const known = this.#ofUsers.get(key) ?? { slots: 0, calls: 0, bytes: 0 };
    this.#ofUsers.set(key, known);
    return known;
  }
}

const refusal = (code: "too_many_at_once" | "too_many_new_tokens" | "full", seconds: number): HttpError =>
  new HttpError(code, { "Retry-After": String(seconds) });
const full = () => refusal("full", AGAIN_S);

/** The arguments with which a call passes on what its person has decided, or stops what they no longer want. */
const ANSWERS = ["decision", "confirmed_text", "profile_hash", "action"];

interface Message {
  method?: unknown;
  params?: { name?: unknown; arguments?: object; requestState?: unknown; inputResponses?: unknown };
}

/**
 * Returns whether a message waits for an answer. A notification does not. A response must not be refused, because the
 * call that waits for it takes a slot.
 */
const wantsAnswer = (message: object): boolean => "method" in message && "id" in message;

/** The methods that stop what their sender no longer wants, or bring an answer. */
const DECIDING: readonly unknown[] = ["notifications/cancelled", "tasks/cancel", "tasks/update"];
/** The methods that begin work which can come later. */
const WORKING: readonly unknown[] = ["tools/call", "resources/read", "completion/complete"];

const beginsWork = (message: Message): boolean => WORKING.includes(message.method) && !decides(message);

/**
 * Returns whether a message stops something or brings what its person has decided, in the response to a form, with a
 * call, or from the page in the chat. Such a message is taken even while the endpoint is full.
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
