import { readFile } from "node:fs/promises";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { nanoid } from "nanoid";
import { onTestFinished } from "vitest";
import { createMockBackend, type MockBackend, type MockOptions } from "../../mock-backend/main.ts";
import { createUser } from "../../src/app/user.ts";
import type { AskContext } from "../../src/ask/context.ts";
import type { PageRequest, PermissionPageRequest } from "../../src/ask/questions.ts";
import { readEvent } from "../../src/backend/feed/events.ts";
import type { OpenFeed } from "../../src/backend/feed/open-feed.ts";
import { createHttp } from "../../src/backend/http.ts";
import type { Clock } from "../../src/clock.ts";
import { originOf, SANDBOX } from "../../src/home/origin.ts";
import { buildServer } from "../../src/mcp/server.ts";
import type { ChatPages, ServerDeps } from "../../src/mcp/server-deps.ts";
import type { FactStore } from "../../src/negotiation/facts.ts";
import type { Negotiations } from "../../src/negotiation/service.ts";
import { ChatRooms } from "../../src/room/chat-rooms.ts";
import type { TaintRecord } from "../../src/session/taint.ts";
import { type Answerer, type Called, type CallOptions, calledOf, type Form } from "./clients.ts";
import { clockOf, reachedBy, stoppedWhenRunningAway, whileAlive } from "./life.ts";
import { ManualClock } from "./manual-clock.ts";
import { createMemoryFacts } from "./memory-facts.ts";
import { platformWith } from "./platform.ts";
import { liveSettingsOf } from "./settings.ts";
import { createTaintMemory } from "./taint-memory.ts";
import { inProcessTaskClient, type Request as TaskRequest } from "./task-client.ts";
import { memoryOf, oneBackend, serverPartsOf } from "./user.ts";

/** The person's own id there. */
export const USER = "user_test";
/** Where the backend of every world stands. */
export const ORIGIN = "http://127.0.0.1:9";
export const PROFILE = { skills: ["design", "research", "figma"], bio: "Designer of calm hospital software." };

/** One backend, one home and one clock, which several "processes" may share. */
export interface World {
  clock: ManualClock;
  mock: MockBackend;
  facts: FactStore;
  /** Of the home that all processes share. */
  tainted: TaintRecord;
  sceneId: string;
  /** What the backend's answers are turned into on their way. */
  rewrite?: (body: unknown, request: Request) => unknown;
  /** Whether a program of the home is told of others that look at what it begins. */
  peers?: () => Promise<boolean>;
  /** Processes that have been killed: nothing of them goes on, and nothing that they wait for arrives. */
  dead: Set<number>;
  /** By process, for how long it has given no sign of life, where that is longer than usual. */
  silentMs: Map<number, number>;
  /** Processes that went round in circles while no time passed. The world's end fails for each. */
  runaway: Set<number>;
  process(options?: ProcessOptions): Promise<Process>;
}

export interface ProcessOptions {
  answer?: Answerer;
  config?: Record<string, unknown>;
  flags?: Record<string, unknown>;
  /** It stays, and what other programs of the home begin may be left to it. */
  keepsOthers?: true;
  /** Another person with a home of their own, at the same backend. */
  stranger?: string;
  /** As `towow-mcp call` runs it. */
  fromCommandLine?: true;
  /** The same, with its person at the terminal. */
  atTerminal?: AskContext["askAtTerminal"];
  /** Keeps what only the person can send, in a terminal. */
  keepSend?: AskContext["keepSend"];
  /** This program's own clock; default: the world's. */
  clock?: Clock;
  /** Where the person's browser is; default: here. */
  browser?: "here" | "none" | "elsewhere";
  /** How the client calls itself. */
  client?: { name: string; version: string };
  /** Listens to the mock's feed. */
  feed?: true;
  /** It has a page for the chat, by tickets that are signed with this key; the page's own text stands for it. */
  chat?: { stateKey: Uint8Array };
  /** What the client declares; default: forms when it has an answerer. */
  elicitation?: { form?: object; url?: object };
}

/** One running server with its own client, in this process, on the shared clock. */
export interface Process {
  pid: number;
  /** What the server stands on: a room of the same person stands on the same. */
  deps: ServerDeps;
  forms: Form[];
  /** Addresses that the server opened in the person's browser. */
  opened: string[];
  /** Pages that ask whether something may be sent. */
  sends: PermissionPageRequest[];
  /** Pages that ask about a text. */
  pages: PageRequest[];
  negotiations: Negotiations;
  /** The client itself, for what is no tool call. */
  client: Client;
  /** Calls a tool while the clock runs, until the answer is there. */
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Called>;
  /** Starts a call without running the clock. */
  start(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Called>;
  settings: Record<string, unknown>;
  /** A second client of the same session, which follows tasks in the 2026 era. */
  taskClient(capabilities?: object): TaskRequest;
}

/** `atEnd` gets what closes the world; by default the running test does it. */
export async function createWorld(
  options: MockOptions = {},
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<World> {
  const clock = new ManualClock();
  const mock = createMockBackend({ clock, seed: 3, stepMs: 150, auth: false, ...options });
  const facts = createMemoryFacts();
  const tainted = createTaintMemory();
  const dead = new Set<number>();
  const runaway = new Set<number>();
  atEnd(async () => {
    await mock.close();
    if (runaway.size > 0) throw new Error(`processes without end: ${[...runaway].join(", ")}`);
  });
  let pids = 1000;
  const sceneId = mock.scenes()[0]?.scene_id ?? "";
  const world: World = {
    clock,
    mock,
    facts,
    tainted,
    sceneId,
    dead,
    silentMs: new Map(),
    runaway,
    process: async (process = {}) => startProcess(world, ++pids, process),
  };
  return world;
}

function chatPages(): ChatPages {
  const rooms = new ChatRooms();
  return { html: async () => "<!doctype html>", answer: (call, about) => rooms.answer(call, about) };
}

/** What a client is given, and what a result holds. */
const addressesOf = (id: string) => ({
  forClient: `${ORIGIN}/approve/${id}`,
  forResult: `${ORIGIN}/approve/result/${id}`,
});

async function startProcess(world: Omit<World, "process">, pid: number, options: ProcessOptions): Promise<Process> {
  const { mock, dead } = world;
  const isAlive = () => !dead.has(pid);
  const clock = clockOf(options.clock ?? world.clock, isAlive);
  const isOthers = options.stranger !== undefined;
  const kept = isOthers ? createMemoryFacts() : world.facts;
  const facts = stoppedWhenRunningAway(reachedBy(kept, isAlive), clock, () => world.runaway.add(pid));
  const file: Record<string, unknown> = {
    backend_url: ORIGIN,
    last_scene_id: world.sceneId,
    ...options.config,
  };
  const live = liveSettingsOf(file, options.flags);
  const memory = memoryOf(clock, isOthers ? createTaintMemory() : world.tainted);
  const http = createHttp(platformWith(clock), {
    version: "test",
    fetch: (request) => whileAlive(isAlive, async () => rewritten(await mock.fetch(request), request, world)),
  });
  const auth = { bearer: async () => undefined, renew: async () => undefined };
  const { backend_url = ORIGIN } = live.current();
  const way = { baseUrl: backend_url === SANDBOX ? ORIGIN : backend_url, auth, http };
  const forms: Form[] = [];
  const opened: string[] = [];
  const sends: PermissionPageRequest[] = [];
  const pages: PageRequest[] = [];
  const owner = { instance: nanoid(), pid };
  const user = createUser({
    settings: { live, with: () => live },
    backends: oneBackend({
      origin: originOf(live.current().backend_url) ?? "",
      pin: () => async () => way,
      openFeed: options.feed && feedOf(mock),
      userId: async () => options.stranger ?? USER,
      hasPeers: world.peers,
      remember: (values) => live.save(values),
    }),
    history: {
      facts,
      folder: "/home",
      owner,
      asAnother: () => ({ ...owner, instance: nanoid() }),
      // One that runs gives a sign of life every five seconds.
      isAlive: async ({ pid }, silentMs = 15_000) => silentMs > (world.silentMs.get(pid) ?? 4_999) && !dead.has(pid),
      keepsOthers: () => options.keepsOthers === true,
    },
    memory,
    pages: () => ({
      async open(request) {
        pages.push(request);
        return addressesOf(request.negotiationId);
      },
      async openPermission(request) {
        sends.push(request);
        return addressesOf(request.id);
      },
    }),
    server: {
      ...serverPartsOf(clock),
      browser: options.browser ?? "here",
      openBrowser: async (url) => {
        opened.push(url);
        return (options.browser ?? "here") === "here" ? "opened" : "failed";
      },
      resourceUpdates: "session",
      ...(options.chat && { ...options.chat, chat: chatPages() }),
      ...(options.fromCommandLine && { fromCommandLine: true }),
      ...(options.atTerminal && { askAtTerminal: options.atTerminal }),
      ...(options.keepSend && { keepSend: options.keepSend }),
      prompt: (name, lang) => readFile(new URL(`../../prompts/${name}.${lang}.md`, import.meta.url), "utf8"),
    },
  });
  const { negotiations } = user.account();
  const deps = user.server();
  const server = buildServer(deps);
  const { answer } = options;
  const mcp = new Client(options.client ?? { name: "test", version: "1" }, {
    capabilities: answer ? { elicitation: (options.elicitation ?? {}) as { form?: Record<string, never> } } : {},
  });
  if (answer)
    mcp.setRequestHandler("elicitation/create", async ({ params }) => {
      forms.push(params as unknown as Form);
      return (await answer(params as unknown as Form)) as never;
    });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(theirs), mcp.connect(ours)]);

  const start: Process["start"] = (name, args = {}, { signal, onProgress } = {}) => {
    const called = mcp
      .callTool(
        { name, arguments: args },
        { timeout: 600_000, ...(signal && { signal }), onprogress: (p) => onProgress?.(p.message ?? "", p.progress) },
      )
      .then(calledOf);
    called.catch(() => {}); // nobody waits any more for a call of a process that was killed
    return called;
  };
  return {
    pid,
    deps,
    forms,
    opened,
    sends,
    pages,
    negotiations,
    client: mcp,
    settings: file,
    taskClient: (capabilities) => inProcessTaskClient(deps, world.clock, capabilities, options.client),
    start,
    call: (name, args, callOptions) => world.clock.run(start(name, args, callOptions)),
  };
}

async function rewritten(response: Response, request: Request, { rewrite }: Pick<World, "rewrite">): Promise<Response> {
  if (rewrite === undefined) return response;
  const { status, headers } = response;
  const text = await response.text();
  const body = JSON.stringify(rewrite(JSON.parse(text), request));
  return new Response(body, { status, headers: { "content-type": headers.get("content-type") ?? "" } });
}

/** The mock's feed, in this process: the history at once, then each event as it comes. */
const feedOf =
  ({ engine }: MockBackend): OpenFeed =>
  async (id, { event }) => {
    const hear = (wire: object) => {
      const read = readEvent(JSON.stringify(wire), id);
      if (read !== undefined) event(read);
    };
    for (const past of engine.get(id).events) hear(past);
    return engine.onEvent(hear);
  };
