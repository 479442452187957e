// The one place that knows how a program is put together; all else sees it as its client and its backend do.
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import type { MockBackend } from "../../mock-backend/main.ts";
import { createUser } from "../../src/app/user.ts";
import { createTokenRequest } from "../../src/backend/client.ts";
import { createHttp } from "../../src/backend/http.ts";
import type { Clock } from "../../src/clock.ts";
import { buildServer } from "../../src/mcp/server.ts";
import type { FactStore } from "../../src/negotiation/facts.ts";
import { firstRecoveryMs } from "../../src/negotiation/registry.ts";
import { ERROR_CODES } from "../../src/result/tool-error.ts";
import type { ToolResult } from "../../src/result/tool-result.ts";
import { createMemoryFacts } from "../support/memory-facts.ts";
import { platformWith } from "../support/platform.ts";
import { liveSettingsOf } from "../support/settings.ts";
import { createTaintMemory } from "../support/taint-memory.ts";
import { memoryOf, oneBackend, serverPartsOf } from "../support/user.ts";
import { type SharedFile, simIdentity } from "./identity.ts";
import type { Machine, Span } from "./machine.ts";
import { orReset, READ_LIMIT_MS, WRITE_LIMIT_MS } from "./network.ts";
import type { SimClock } from "./sim.ts";

const ORIGIN = "http://127.0.0.1:9";
const USER = "user_test";

/** Whether the contract knows this error code. */
export const isKnownCode = (code: string): boolean => code in ERROR_CODES;

export interface Form {
  message: string;
  requestedSchema: { properties: Record<string, unknown> };
}
export interface Answer {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string>;
}
export interface Called {
  // biome-ignore lint/suspicious/noExplicitAny: the data of many tools
  result: ToolResult<any>;
  progress: string[];
}

export interface ProgramOptions {
  answer?: (process: Program, form: Form) => Promise<Answer>;
  onUnconfirmed: "cancel" | "leave";
  mode?: "normal" | "developer";
  /** When others of its home see that it is dead or stands still; default: at once. */
  seen?: "at once" | "late" | "never";
}

/** In another namespace its silence shows it, after this long. */
const SILENT_MS = 15_000;

/** One running server that can be killed between any two of its steps. */
export interface Program {
  pid: number;
  forms: boolean;
  alive: boolean;
  startedAt: number;
  diedAt: number | undefined;
  /** When it was told to end, as by the end of its stdin. */
  endedAt: number | undefined;
  /** When it had done what it does then. */
  doneAt: number | undefined;
  /** When it began its tool calls, which is when it may notice what others left. */
  calledAt: number[];
  /** Steps (what it keeps, requests) until it is killed. */
  fuse: number;
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<Called>;
  /** Its own end; resolves when it has done what it does then. It is to be killed after that. */
  end(): Promise<void>;
  kill(): void;
  /** Stands still for so long, as a program that was stopped. */
  stop(ms: number): void;
  /** When it stood still. */
  readonly stops: Span[];
  /** Resolves at its end. */
  gone: Promise<void>;
}

export interface SentRequest {
  process: Program;
  method: string;
  path: string;
  body: string;
  requestId: string | undefined;
}

/** What a program meets at each step that leaves it: a delay, a fault, or its end. */
export interface Steps {
  /** Before a request goes out; may add a fault to the board, or throw as fetch does. */
  onRequest(request: SentRequest): void | Promise<void>;
  /** Latency of one access to what the home keeps, in milliseconds on the clock. */
  storeMs(): number;
}

export interface ProgramWorld {
  world: SimClock;
  machine: Machine;
  mock: MockBackend;
  steps: Steps;
  /** Whether the backend wants tokens. */
  auth: boolean;
  sceneId: string;
}

const never = <T>(): Promise<T> => new Promise<T>(() => {});
/** Gives what starts a program of one home; they share what it keeps. */
export function programsOf({ world, machine, mock, steps, auth, sceneId }: ProgramWorld) {
  const shared: SharedFile = { values: {}, holder: undefined };
  const memory = createMemoryFacts();
  const tainted = createTaintMemory();
  const programs = new Map<number, { process: Program; seen: ProgramOptions["seen"] }>();
  const seemsAlive = (pid: number): boolean => {
    const { process, seen } = programs.get(pid)!;
    const since = process.diedAt ?? process.stops.findLast(({ to }) => to > world.now())?.from;
    if (since === undefined || seen === "never") return true;
    return seen === "late" && world.now() - since < SILENT_MS;
  };
  let pids = 1000;
  let ids = 0;
  const newId = () => `id${(++ids).toString().padStart(8, "0")}`;

  return async function start(options: ProgramOptions): Promise<Program> {
    let die = () => {};
    const gone = new Promise<void>((resolve) => {
      die = resolve;
    });
    const process = {
      pid: ++pids,
      endedAt: undefined,
      doneAt: undefined,
      forms: options.answer !== undefined,
      alive: true,
      startedAt: world.now(),
      diedAt: undefined,
      calledAt: [],
      fuse: Number.POSITIVE_INFINITY,
      gone,
      stops: [],
      stop(ms: number) {
        if (process.alive && stillMs() === 0) process.stops.push({ from: world.now(), to: world.now() + ms });
      },
      kill() {
        if (!process.alive) return;
        process.alive = false;
        process.diedAt = world.now();
        die();
      },
    } as unknown as Program;
    programs.set(process.pid, { process, seen: options.seen });
    /** How long it still stands still. */
    const stillMs = (): number => Math.max(0, (process.stops.at(-1)?.to ?? 0) - world.now());
    const awake = async () => {
      await machine.awake();
      if (stillMs() > 0) await world.sleep(stillMs());
      await machine.awake();
    };
    /** One step outside: a killed process neither takes it nor hears of its end. */
    const step = async <T>(work: () => Promise<T>): Promise<T> => {
      if (--process.fuse <= 0) process.kill();
      await awake();
      if (!process.alive) return never<T>();
      try {
        const value = await work();
        await awake();
        if (--process.fuse <= 0) process.kill();
        return process.alive ? value : await never<T>();
      } catch (error) {
        await awake();
        if (!process.alive) return never<T>();
        throw error;
      }
    };
    const own: Clock = {
      now: machine.clock.now,
      monotonic: machine.clock.monotonic,
      after(ms, fire) {
        const ring = () => process.alive && fire();
        let cancel = machine.clock.after(ms, () => {
          if (stillMs() === 0) ring();
          else cancel = world.after(stillMs(), ring);
        });
        return () => cancel();
      },
      sleep: (ms, signal) => step(() => machine.clock.sleep(ms, signal)),
    };
    const late = async <T>(work: () => Promise<T>): Promise<T> =>
      step(async () => {
        const ms = steps.storeMs();
        if (ms > 0 && ms % 2 === 1) await world.sleep(ms);
        if (!process.alive) return never<T>();
        const value = await work();
        if (ms > 0 && ms % 2 === 0) await world.sleep(ms);
        return value;
      });
    const facts: FactStore = {
      read: (key) => late(() => memory.read(key)),
      create: (key, name, value, index) => late(() => memory.create(key, name, value, index)),
      close: (key) => late(() => memory.close(key)),
      listOpen: () => late(() => memory.listOpen()),
      list: () => late(() => memory.list()),
    };
    const live = liveSettingsOf({
      backend_url: ORIGIN,
      last_scene_id: sceneId,
      on_unconfirmed: options.onUnconfirmed,
      mode: options.mode ?? "developer",
    });
    const http = createHttp(platformWith(own), {
      version: "test",
      fetch: (request) =>
        step(async () => {
          const body = request.method === "POST" ? await request.clone().text() : "";
          await steps.onRequest({
            process,
            method: request.method,
            path: new URL(request.url).pathname,
            body,
            requestId: request.headers.get("x-request-id") ?? undefined,
          });
          return orReset(mock.fetch(request), request.method === "GET" ? READ_LIMIT_MS : WRITE_LIMIT_MS, machine.clock);
        }),
    });
    const identity = simIdentity({
      shared,
      process,
      settings: live.current,
      platform: platformWith(own),
      newUserId: newId,
      async requestToken(request, bearer, signal) {
        const grant = await createTokenRequest({ baseUrl: ORIGIN, http })(request, bearer, signal);
        if ("unsupported" in grant) return grant;
        const { expires_at, ...issued } = grant;
        return expires_at === null ? issued : { ...issued, expires_at };
      },
    });
    const userId = auth ? identity.userId : async () => USER;
    const way = {
      baseUrl: ORIGIN,
      auth: auth ? identity : { bearer: async () => undefined, renew: async () => undefined },
      http,
    };
    const owner = { instance: newId(), pid: process.pid };
    const addresses = (id: string) => ({
      forClient: `${ORIGIN}/approve/${id}`,
      forResult: `${ORIGIN}/approve/of/${id}`,
    });
    const user = createUser({
      settings: { live, with: () => live },
      backends: oneBackend({
        origin: ORIGIN,
        pin: () => async () => way,
        userId,
        remember: (values) => live.save(values),
      }),
      history: {
        facts,
        owner,
        asAnother: () => ({ ...owner, instance: newId() }),
        isAlive: async (other) => seemsAlive(other.pid),
      },
      memory: memoryOf(own, tainted),
      pages: () => ({
        open: async ({ negotiationId }) => addresses(negotiationId),
        openPermission: async ({ id }) => addresses(id),
      }),
      server: { ...serverPartsOf(own, newId), stateKey: new Uint8Array(32).fill(7) },
    });
    const { negotiations } = user.account();
    const server = buildServer(user.server());
    own.after(firstRecoveryMs(300_000), () => negotiations.recoverSoon());
    const { answer } = options;
    const mcp = new Client({ name: "test", version: "1" }, { capabilities: answer ? { elicitation: {} } : {} });
    if (answer)
      mcp.setRequestHandler("elicitation/create", async ({ params }) => {
        if (!process.alive) return never();
        const given = await answer(process, params as unknown as Form);
        await awake();
        return given as never;
      });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(theirs), mcp.connect(ours)]);
    process.end = async () => {
      process.endedAt = world.now();
      await negotiations.shutdown();
      process.doneAt = world.now();
    };
    process.call = async (name, args, signal) => {
      process.calledAt.push(world.now());
      const progress: string[] = [];
      const onprogress = ({ message }: { message?: string | undefined }) => void progress.push(message ?? "");
      const raw = await mcp.callTool({ name, arguments: args }, { timeout: 2_000_000_000, signal, onprogress });
      return { result: raw.structuredContent as never, progress };
    };
    return process;
  };
}
