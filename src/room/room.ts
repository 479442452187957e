import { failureOf } from "../log.ts";
import type { Platform } from "../platform.ts";
import { stripInvisible } from "../safety/invisible.ts";
import { sha256 } from "../sha256.ts";
import { agentSpec } from "./agent-screen.ts";
import { restoreDraft, serializeDraft } from "./chat-draft.ts";
import { checkedCall } from "./checked-call.ts";
import { DemandTracker } from "./demand-tracker.ts";
import { effect, loadScenes } from "./effects.ts";
import { RoomRefusal } from "./errors.ts";
import type { PageHand, Person } from "./person.ts";
import { EMPTY_FORM, ROOM_STAGES, type RoomMessage, type RoomState } from "./room-state.ts";
import { urgencyAt } from "./spec/urgency.ts";
import { stageOf } from "./stages.ts";
import { fieldsOf, type ToolSchemaEntry, toolSchema } from "./tools.ts";
import { restarted, transition, withoutAgentsWords } from "./transitions.ts";
import { uiSpec } from "./ui-spec.ts";
import type { UiSpec } from "./ui-spec-schema.ts";
import { writtenOnce } from "./written-once.ts";

export interface RoomDeps {
  platform: Platform;
  person: Person;
  timeOfDay: (atMs: number, timeZone?: string) => string;
  dayAndTime: (atMs: number, timeZone?: string) => string;
}

/** What `snapshot.state` and `state.updated` carry (seed 002 §4.2). */
export interface RoomSnapshot {
  uiSpec: UiSpec;
  messageHistory: readonly HistoryMessage[];
  toolSchema: ToolSchemaEntry[];
}

/** The reader that a screen is drawn for. */
type Reader = "person" | "agent";

/** What a caller says about its call. */
export interface CallAbout {
  /** The agent's reason for the call, which the person sees. */
  reason?: string;
  /** What is known about the person at the page. Nothing is broadcast unless a browser proves that it is the person's. */
  hand?: PageHand;
  /** True if the person's own change of the text came along with the call. */
  hasChanged?: boolean;
}

/**
 * What a room begins with. If no demand is named, the room begins with the newest undecided demand, or else with the
 * scenes.
 */
export interface Begin {
  negotiationId?: string | undefined;
  /** A text by the person's AI that would be sent instead of the network's. */
  candidate?: string | undefined;
  /** Set if the person wants to change the text first. */
  toChange?: true | undefined;
  /** Defaults to the person's language. */
  lang?: "zh" | "en";
  /** See {@link RoomState.chat}. */
  chat?: RoomState["chat"];
}

/** Tools that only read. Once the backend answers, their failures no longer matter. */
const READING: readonly string[] = ["refresh", "openDemand"];
/** After how many ticks scenes that failed to load are requested again, as long as somebody follows the room. */
const SCENES_AGAIN_TICKS = 5;

/** How often the room checks the time to decide and what other programs wrote down, in ms. */
const TICK_MS = 1_000;

const withCall = (state: RoomState, lastCall: { toolName: string; reason: string }): RoomState =>
  state.agent === undefined ? state : { ...state, agent: { ...state.agent, lastCall } };

/**
 * Holds one person's room. Whatever a page, a form without a script or an outside agent does arrives in `call`, and
 * every change goes to the listeners of `subscribe`.
 */
export class Room {
  /** Distinguishes the drawings of this room from those of an earlier room at the same address. */
  readonly id: string;
  readonly #deps: RoomDeps;
  readonly #listeners = new Map<(snapshot: RoomSnapshot) => void, Reader>();
  readonly #tracker: DemandTracker;
  #state: RoomState;
  /** The newest drawings. A screen changes only with the state and with how near the deadline is. */
  readonly #drawn: Record<Reader, { state: RoomState; urgency: string; snapshot: RoomSnapshot } | undefined> = {
    person: undefined,
    agent: undefined,
  };
  #revision = 0;
  readonly #rendered = new Set<string>();
  /** The hashes of the texts that the page in the chat has reported as seen. All of them are in `#rendered`. */
  readonly #seen = new Set<string>();
  /** The first read of the demand that the room begins with, while that read is on its way. */
  #arriving: Promise<void> | undefined;
  readonly #shown: Record<Reader, readonly string[]> = { person: [], agent: [] };
  #hasPage = false;
  #stopTick = () => {};
  #ticks = 0;

  constructor(deps: RoomDeps, { negotiationId, candidate, toChange, lang, chat }: Begin = {}) {
    this.#deps = deps;
    const { platform, person } = deps;
    this.id = platform.newId();
    const sceneId = person.lastScene();
    this.#state = {
      lang: lang ?? person.lang(),
      host: person.host(),
      place: "scene",
      entered: {},
      scenes: { state: "loading", items: [] },
      form: { ...EMPTY_FORM, ...(sceneId !== undefined && { sceneId, joined: [sceneId] }) },
      messages: [],
      ...(chat && { chat }),
    };
    this.#tracker = new DemandTracker({
      platform,
      person,
      update: (change) => this.update(change),
      state: () => this.#state,
    });
    this.#enter();
    if (negotiationId === undefined) void this.#tracker.openUndecided();
    else {
      const opened = this.#tracker.open(negotiationId, {
        ...(candidate !== undefined && { candidate }),
        ...(toChange && { toChange }),
      });
      this.#arriving = opened.then(() => this.#firstRead());
    }
  }

  get state(): RoomState {
    return this.#state;
  }

  /**
   * Returns the screen, the messages and the tools that an outside agent may call, as the person or as that agent reads
   * them.
   */
  snapshot(reader: Reader = "person"): RoomSnapshot {
    const { platform, person, timeOfDay, dayAndTime } = this.#deps;
    const now = platform.clock.now();
    const urgency = urgencyAt(this.#state, now);
    const drawn = this.#drawn[reader];
    if (drawn?.state === this.#state && drawn.urgency === urgency) return drawn.snapshot;
    const tools = { now, timeOfDay, dayAndTime };
    const spec = reader === "person" ? uiSpec(this.#state, tools) : agentSpec(this.#state, tools, person.sanitizing());
    const { messages } = this.#state;
    const messageHistory = drawn?.state.messages === messages ? drawn.snapshot.messageHistory : historyOf(messages);
    const snapshot = { uiSpec: spec, messageHistory, toolSchema: toolSchema(spec) };
    this.#drawn[reader] = { state: this.#state, urgency, snapshot };
    if (reader === "person") this.#revision += 1;
    return snapshot;
  }

  /** Returns the snapshot for the person's own browser. From now on, the text on its sheet counts as shown to them. */
  show(): RoomSnapshot {
    const snapshot = this.snapshot();
    for (const section of snapshot.uiSpec.sections)
      if (section.kind === "sheet") this.#rendered.add(sha256(section.outgoing));
    return snapshot;
  }

  /** The number of the newest drawing. Answers and events reach a page by two ways, so the later one may arrive first. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Returns whether the text with this hash was sent to the person's page, whole. In the chat, the page must also have
   * reported the text as seen. Outside the chat only the page knows whether the text was seen to its end (`page/hold.ts`).
   */
  countsAsSeen(textHash: string): boolean {
    return (this.#state.chat === undefined ? this.#rendered : this.#seen).has(textHash);
  }

  /** Notes that the page in the chat reports this text as seen. The report counts only for a text that was sent to the page. */
  noteSeen(textHash: string): void {
    if (this.#rendered.has(textHash)) this.#seen.add(textHash);
  }

  /** What the person did to the text, in a form that the page in the chat keeps and sends with each call. */
  get draft(): string | undefined {
    return serializeDraft(this.#state);
  }

  /** Continues from the draft that the page in the chat sends. */
  takeDraft(draft: string): void {
    const next = restoreDraft(this.#state, draft);
    if (next !== this.#state) this.update(() => next);
  }

  /** Returns a file about what the room shows, for the person to keep; undefined if there is nothing to report on. */
  async report(): Promise<string | undefined> {
    const { demand, lang } = this.#state;
    if (demand?.negotiation === undefined) return undefined;
    const { person, dayAndTime } = this.#deps;
    const asked = {
      name: demand.profile?.display_name.trim() || undefined,
      scene: demand.sceneName === demand.sceneId ? undefined : demand.sceneName,
    };
    return person.report(demand.id, lang, (atMs) => dayAndTime(atMs, this.#state.timeZone), asked);
  }

  /** Calls the listener after each change of what its reader is shown, until the returned function is called. */
  subscribe(listener: (snapshot: RoomSnapshot) => void, whose: Reader = "person"): () => void {
    this.#listeners.set(listener, whose);
    if (this.#listeners.size === 1) this.#tick();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stopTick();
    };
  }

  /** Checks for news that needs no request to the backend, if no subscriber keeps the room's own checks running. */
  look(): void {
    if (this.#listeners.size === 0) this.#tracker.check();
  }

  /** Changes the state, and calls the listeners whose screen has changed. */
  update(change: (state: RoomState) => RoomState): void {
    this.#state = change(this.#state);
    this.#enter();
    this.#publish();
  }

  /**
   * Does what a button, a field or an agent asks for, and resolves when that is done, including what reaches the
   * backend.
   * @throws RoomRefusal if the call is not possible now, or with TOOL_EXECUTION_FAILED if it fails at the backend. The
   * screen shows such a failure too if the person made the call.
   */
  async call(by: "person" | "agent", toolName: string, params: unknown, about: CallAbout = {}): Promise<void> {
    const { reason = "", hand = {}, hasChanged = false } = about;
    const call = checkedCall({ state: this.#state, spec: this.snapshot().uiSpec }, by, toolName, params);
    const before = by === "agent" ? withCall(this.#state, { toolName, reason: stripInvisible(reason) }) : this.#state;
    const next = transition(before, call, this.#deps.platform.clock.now());
    this.update(() => ({ ...(next ?? before), ...(by === "person" && { notice: undefined }) }));
    if (next !== undefined) return;
    const { platform, person } = this.#deps;
    try {
      await effect(call, { person, log: platform.log, room: this, tracker: this.#tracker, hand, hasChanged });
    } catch (error) {
      if (await this.#tracker.takeForForgotten(error)) return;
      const text = person.tell(error, this.#state.lang);
      platform.log.warn("room_tool_failed", { tool: toolName, error: failureOf(error) });
      const about = READING.includes(call.toolName) ? ({ isOfReading: true } as const) : {};
      if (by === "person") this.update((state) => ({ ...state, notice: { tone: "error", text, ...about } }));
      throw new RoomRefusal("TOOL_EXECUTION_FAILED", text, { cause: error });
    }
  }

  /** Opens the person's undecided demand wherever they are in the room, as their list of demands does. */
  async openWaiting(): Promise<void> {
    const id = await this.#deps.person.undecided();
    if (id === undefined || (id === this.#state.demand?.id && this.#state.history === undefined)) return;
    this.update((state) => restarted(state));
    await this.#tracker.open(id);
  }

  /** Resolves when the room shows its demand as the backend has it, or shows that this failed. The next call tries again. */
  async arrive(): Promise<void> {
    const { demand } = this.#state;
    if (demand !== undefined && demand.negotiation === undefined) this.#arriving ??= this.#firstRead();
    await this.#arriving;
  }

  async #firstRead(): Promise<void> {
    await this.call("person", "refresh", {}).catch(() => {}); // the screen says what failed
    this.#arriving = undefined;
  }

  /** Loads the scenes. If that fails, the screen says so where the scenes would stand. */
  async loadScenes(): Promise<void> {
    const { platform, person } = this.#deps;
    await loadScenes({ room: this, person }).catch((error) =>
      platform.log.warn("room_scenes_failed", { error: failureOf(error) }),
    );
  }

  /** Returns the ids of the fields on the screen. */
  fieldIds(): string[] {
    return fieldsOf(this.snapshot().uiSpec).map(({ id }) => id);
  }

  /** Notes that the person has left these fields, so that the page may say what is missing there. */
  left(fieldIds: readonly string[]): void {
    const { touched } = this.#state.form;
    const known = this.fieldIds().filter((id) => fieldIds.includes(id) && !touched.includes(id));
    if (known.length === 0) return;
    this.update((state) => ({ ...state, form: { ...state.form, touched: [...state.form.touched, ...known] } }));
  }

  /** Returns what a field of the screen holds now. */
  fieldValue(fieldId: string): string | undefined {
    return fieldsOf(this.snapshot().uiSpec).find(({ id }) => id === fieldId)?.value;
  }

  /** Announces an outside agent, which waits for the person unless `isLetIn`. There is at most one at a time. */
  agentArrives(name: string, isLetIn: boolean): void {
    const id = this.#deps.platform.newId();
    this.update((state) => ({ ...state, agent: { id, name: stripInvisible(name), isWaiting: !isLetIn } }));
    void this.readable();
  }

  /** Resolves when the outside agent's view of the demand is ready. Until then its screen shows no demand. */
  readable(): Promise<void> {
    return this.#tracker.readForModel();
  }

  /** Removes the outside agent, which has left by itself. */
  agentLeaves(): void {
    this.update((state) => ({ ...state, agent: undefined }));
  }

  /** Notes that a page shows this room. Until then an outside agent gets no screen. */
  pageOpened(): void {
    if (this.#hasPage) return;
    this.#hasPage = true;
    this.#shown.agent = [];
    this.#publish();
  }

  /** Returns true if a page follows this room now. An agent alone does not count. */
  get hasPerson(): boolean {
    return [...this.#listeners.values()].includes("person");
  }

  get hasPage(): boolean {
    return this.#hasPage;
  }

  /** Takes out what an outside agent wrote, and keeps what the person wrote. */
  forgetAgentsWords(): void {
    this.update((state) => withoutAgentsWords(state));
  }

  /** Deletes the messages, because what was said in one session is not for the next. */
  endConversation(): void {
    this.update((state) => ({ ...state, messages: [] }));
  }

  /** Ends the room. The program goes on watching what was submitted. */
  close(): void {
    this.#tracker.end();
    this.#stopTick();
    this.#listeners.clear();
  }

  /** Notes when the present stage was first entered, for the times on the rail. */
  #enter(): void {
    const stage = stageOf(this.#state);
    if (stage in this.#state.entered) return;
    const later = ROOM_STAGES.slice(ROOM_STAGES.indexOf(stage) + 1);
    const kept = Object.entries(this.#state.entered).filter(([name]) => !(later as string[]).includes(name));
    this.#state = {
      ...this.#state,
      entered: { ...Object.fromEntries(kept), [stage]: this.#deps.platform.clock.now() },
    };
  }

  #publish(): void {
    for (const reader of ["person", "agent"] as const) {
      const listeners = [...this.#listeners].filter(([, whose]) => whose === reader).map(([listener]) => listener);
      if (listeners.length > 0) this.#publishTo(reader, listeners);
    }
  }

  #publishTo(reader: Reader, listeners: readonly ((snapshot: RoomSnapshot) => void)[]): void {
    const { demand, agent } = this.#state;
    const isUnread = demand?.negotiation !== undefined && demand.forModel === undefined;
    if (reader === "agent" && agent !== undefined && isUnread) return; // its screen follows once the demand is read
    const snapshot = this.snapshot(reader);
    const shown = [snapshot.uiSpec, snapshot.messageHistory, snapshot.toolSchema].map(writtenOnce);
    if (shown.every((part, index) => part === this.#shown[reader][index])) return;
    this.#shown[reader] = shown;
    for (const listener of listeners) listener(snapshot);
  }

  #tick(): void {
    this.#stopTick = this.#deps.platform.clock.after(TICK_MS, () => {
      try {
        this.#tracker.check();
        if (this.#state.scenes.state === "failed" && ++this.#ticks % SCENES_AGAIN_TICKS === 0) void this.loadScenes();
        this.#publish();
      } catch (error) {
        // Nobody waits for a tick, so a tick that fails must end neither the next one nor the program.
        this.#deps.platform.log.warn("room_tick_failed", { error: failureOf(error) });
      }
      this.#tick();
    });
  }
}

/** A message of a session in the shape that an outside agent gets (seed 002 §4.2). */
interface HistoryMessage {
  role: "user" | "agent";
  text: string;
  stage: RoomMessage["stage"];
  /** The time of the message, in ms since the epoch. */
  at: number;
}

const historyOf = (messages: readonly RoomMessage[]): HistoryMessage[] =>
  messages.map(({ from, text, stage, at }) => ({ role: from === "agent" ? "agent" : "user", text, stage, at }));
