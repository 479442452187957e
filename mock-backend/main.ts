import { type Clock, systemClock } from "../src/clock.ts";
import { type AdminOptions, administer, isAdmin } from "./admin.ts";
import { createApp, negotiationResponse } from "./app.ts";
import { type NegotiationView, type Scene, Store } from "./data.ts";
import { readData, writeData } from "./datafile.ts";
import { Engine } from "./engine.ts";
import { asFetch, exchange, type Outcome } from "./exchange.ts";
import { FaultBoard, type OtherNegotiation } from "./faults.ts";
import { IdempotentAnswers } from "./idempotency.ts";
import type { JournalEntry } from "./journal.ts";
import { Random } from "./random.ts";
import type { Community } from "./resonance.ts";
import { loadSamples } from "./seed.ts";
import { Standstill } from "./standstill.ts";
import { Tokens } from "./tokens.ts";

export type { NegotiationView } from "./data.ts";
export type { Fault, FaultBoard, FaultKind, FaultRoute } from "./faults.ts";
export type { JournalEntry } from "./journal.ts";
export type { Formulator, OfferWriter } from "./stages.ts";

export interface MockOptions {
  /** Default: the system's. */
  clock?: Clock;
  /** The same seed gives the same ids, scores and offers. Without one, ids differ from run to run. */
  seed?: number;
  /** As today's real backend: no list routes (405), no token route (404), Authorization and idempotency keys ignored. */
  legacyRoutes?: boolean;
  /** Whether every route but the token's wants a valid bearer. Default: true, unless `legacyRoutes`. */
  auth?: boolean;
  /** Default 24 h. */
  tokenLifetimeMs?: number;
  /** The engine's pause between two states (default 150); its other pauses are parts or multiples of it. */
  stepMs?: number;
  /** How long `barrier_waiting` can be seen. Default 0: never. */
  barrierMs?: number;
  /** How long after `formulated` a confirm is still refused with "Engine is not waiting". Default 0. */
  notWaitingMs?: number;
  /** After which the engine confirms by itself. Default 300 000. */
  confirmTimeoutMs?: number;
  /** Default 30 000. */
  formulationTimeoutMs?: number;
  /** Default 30 000. */
  offerTimeoutMs?: number;
  /** Default 90 000. */
  centerTimeoutMs?: number;
  /** Whether sample scenes and agents are there. Default true. */
  sampleData?: boolean;
  /** In place of the samples. */
  community?: Community;
  /** A JSON file that lets the data survive a restart. */
  dataFile?: string;
  /** Asked before each write of the file; default: always. */
  mayWrite?: () => boolean;
  /** Whether its own controls under `/mock/` answer, and the journal is kept for them. Default true. */
  controls?: boolean;
  /** Answers a path before everything else does; undefined leaves it to the backend. */
  answerFirst?: (path: string) => Response | undefined;
}

export interface MockBackend {
  /** One request in process, without a socket. Rejects as `fetch` does when the connection is dropped or aborted. */
  fetch(request: Request): Promise<Response>;
  /**
   * HTTP and the WebSocket feed on 127.0.0.1; port 0 (the default) takes a free one. With a `prefix` (`/a-secret`)
   * nothing outside of it answers.
   */
  listen(port?: number, prefix?: string): Promise<{ url: string; port: number }>;
  /** Stops every negotiation where it is, and the sockets. */
  close(): Promise<void>;
  /** Every request in order; the mock's own controls under `/mock/` are left out. */
  readonly journal: JournalEntry[];
  readonly faults: FaultBoard;
  /** The engine, for what tests steer: `formulateWith`, `setFormulatedText`, `offerWith`, `patch`. */
  readonly engine: Engine;
  /** Copies of all negotiations, with what REST hides. */
  negotiations(): NegotiationView[];
  /** Copies of all scenes. */
  scenes(): Scene[];
  /** How many tokens were handed out by this process. */
  tokensIssued(): number;
  /**
   * The whole backend stands still for so many milliseconds and then goes on, past deadlines too. Requests that came in
   * meanwhile are taken `requestsAfterMs` (default 1) after that, behind what had fallen due.
   */
  standStill(ms: number, requestsAfterMs?: number): void;
  /** Connections to the feed. */
  feedConnections(): number;
  /** Makes all issued tokens invalid; they still prove whom they were for when renewed. */
  expireTokens(): void;
}

/** A stand-in for the Towow V1 backend (contract section 9). Nothing listens until `listen`. */
export function createMockBackend(options: MockOptions = {}): MockBackend {
  const { clock = systemClock, legacyRoutes = false, dataFile } = options;
  const seed = options.seed ?? 0;
  const random = new Random(options.seed ?? Math.floor(Math.random() * 2 ** 32));
  const store = new Store();
  const standstill = new Standstill(clock);
  const engine = new Engine(store, random, {
    clock: standstill.clock,
    seed,
    stepMs: options.stepMs ?? 150,
    barrierMs: options.barrierMs ?? 0,
    notWaitingMs: options.notWaitingMs ?? 0,
    confirmTimeoutMs: options.confirmTimeoutMs ?? 300_000,
    formulationTimeoutMs: options.formulationTimeoutMs ?? 30_000,
    offerTimeoutMs: options.offerTimeoutMs ?? 30_000,
    centerTimeoutMs: options.centerTimeoutMs ?? 90_000,
    community: options.community,
  });
  const tokens = new Tokens(
    clock,
    options.tokenLifetimeMs ?? 24 * 3_600_000,
    () => random.uuid(),
    () => store.changed(),
  );
  const answers = legacyRoutes ? undefined : new IdempotentAnswers();
  const faults = new FaultBoard();
  const journal: JournalEntry[] = [];
  const stopped = new AbortController();
  const app = createApp({ clock, store, engine, tokens, random, legacyRoutes, auth: options.auth ?? !legacyRoutes });

  const saved = dataFile === undefined ? undefined : readData(dataFile);
  if (saved !== undefined) {
    random.state = saved.random;
    for (const scene of saved.scenes) store.scenes.set(scene.scene_id, scene);
    for (const agent of saved.agents) store.agents.set(agent.agent_id, agent);
    for (const negotiation of saved.negotiations) store.negotiations.set(negotiation.negotiation_id, negotiation);
    tokens.load(saved.tokens);
    answers?.load(saved.answers);
  } else if (options.community === undefined && (options.sampleData ?? true)) loadSamples(store, random);
  options.community?.load(store, random);

  const save = () => {
    if (dataFile === undefined || stopped.signal.aborted || options.mayWrite?.() === false) return;
    writeData(dataFile, {
      version: 1,
      random: random.state,
      scenes: [...store.scenes.values()],
      agents: [...store.agents.values()],
      negotiations: [...store.negotiations.values()],
      tokens: tokens.dump(),
      answers: answers?.dump() ?? [],
    });
  };
  store.changed = save;
  if (answers !== undefined) answers.changed = save;
  save();
  engine.resume();

  const negotiations = () => [...store.negotiations.values()].map((negotiation) => structuredClone(negotiation));
  const otherOf: OtherNegotiation = ({ other }, own) => {
    const found = [...store.negotiations.values()].findLast(
      ({ negotiation_id: id }) => id === (other ?? id) && id !== own,
    );
    return found && negotiationResponse(found);
  };
  const exchanged = { app, clock, faults, tokens, journal, answers, closed: stopped.signal, standstill, otherOf };
  const admin: AdminOptions = { faults, journal, tokens, engine, negotiations, standstill };
  const handle = async (request: Request): Promise<Outcome> => {
    const first = options.answerFirst?.(new URL(request.url).pathname);
    if (first !== undefined) return { kind: "answer", response: first, close: false };
    if (options.controls === false) journal.length = 0;
    else if (isAdmin(request)) return { kind: "answer", response: await administer(request, admin), close: false };
    return exchange(request, exchanged);
  };
  let closeSockets: (() => Promise<void>) | undefined;
  let feedConnections = () => 0;

  return {
    fetch: (request) => untilAborted(handle(request).then(asFetch), request.signal),
    listen: async (port = 0, prefix = "") => {
      if (closeSockets !== undefined) throw new Error("the mock backend is listening already");
      const [{ listen }, { Feed }] = await Promise.all([import("./listen.ts"), import("./feed.ts")]);
      const feed = new Feed(store, engine);
      feedConnections = () => feed.connections;
      const listening = await listen(port, handle, feed, prefix);
      closeSockets = async () => {
        feed.close();
        await listening.close();
      };
      return { url: listening.url, port: listening.port };
    },
    close: async () => {
      stopped.abort();
      engine.close();
      await closeSockets?.();
    },
    journal,
    faults,
    engine,
    negotiations,
    scenes: () => [...store.scenes.values()].map((scene) => structuredClone(scene)),
    tokensIssued: () => tokens.issued,
    feedConnections: () => feedConnections(),
    standStill: (ms, requestsAfterMs) => standstill.begin(ms, requestsAfterMs),
    expireTokens: () => tokens.expireAll(),
  };
}

/** Lets a caller go when it aborts; the backend carries on, as a real one does. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
