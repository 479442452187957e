import type { Clock } from "../clock.ts";
import { failureOf, type Log } from "../log.ts";
import { stripInvisible } from "../safety/invisible.ts";
import { agentSpec } from "./agent-screen.ts";
import { draftOfChat, withDraft } from "./chat-draft.ts";
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
  person: Person;
  clock: Clock;
  log: Log;
  hash: (text: string) => string;
  /** Fresh unguessable text. */
  newId: () => string;
  timeOfDay: (atMs: number, timeZone?: string) => string;
  dayAndTime: (atMs: number, timeZone?: string) => string;
}

/** What `snapshot.state` and `state.updated` carry (seed 002 §4.2). */
export interface RoomSnapshot {
  uiSpec: UiSpec;
  messageHistory: readonly HistoryMessage[];
  toolSchema: ToolSchemaEntry[];
}

/** For whom a screen is drawn. */
type Reader = "person" | "agent";

/** What comes with a call. */
export interface CallAbout {
  /** Why an agent calls; shown to the person. */
  reason?: string;
  /** What is known of who is at the page. Without a browser that proves it nothing is broadcast. */
  hand?: PageHand;
  /** Their own change of the text came along with the call. */
  hasChanged?: boolean;
}

/** What a room begins with; without a demand, with the scenes. */
export interface Begin {
  negotiationId?: string | undefined;
  /** A text by the person's AI that would be sent instead of the network's. */
  candidate?: string | undefined;
  /** The person wants to change the text first. */
  toChange?: true | undefined;
  /** Default: the person's. */
  lang?: "zh" | "en";
  /** See {@link RoomState.chat}. */
  chat?: RoomState["chat"];
}

/** What only reads: that it failed is over once the backend answers. */
const READING: readonly string[] = ["refresh", "openDemand"];
/** Scenes that could not be loaded are asked for again, while somebody looks, after so many ticks. */
const SCENES_AGAIN_TICKS = 5;

/** How often the time to decide, and what other programs wrote down, are checked. */
const TICK_MS = 1_000;

const withCall = (state: RoomState, lastCall: { toolName: string; reason: string }): RoomState =>
  state.agent === undefined ? state : { ...state, agent: { ...state.agent, lastCall } };

/**
 * One person's room: its state, what may be done to it, and everybody who watches it. Whatever the page, a form without
 * script or an outside agent does comes through `call`, and whatever changes goes out through `subscribe`.
 */
export class Room {
  /** Tells its drawings from those of a room that stood at the same address before. */
  readonly id: string;
  readonly #deps: RoomDeps;
  readonly #listeners = new Map<(snapshot: RoomSnapshot) => void, Reader>();
  readonly #tracker: DemandTracker;
  #state: RoomState;
  /** The newest drawings: a screen changes with the state, and with how near the deadline is, and with nothing else. */
  readonly #drawn: Record<Reader, { state: RoomState; urgency: string; snapshot: RoomSnapshot } | undefined> = {
    person: undefined,
    agent: undefined,
  };
  #revision = 0;
  readonly #rendered = new Set<string>();
  /** The page in the chat has seen these of them stand before its person. */
  readonly #seen = new Set<string>();
  /** The read of the demand that the room begins with, while it is on its way. */
  #arriving: Promise<void> | undefined;
  readonly #shown: Record<Reader, readonly string[]> = { person: [], agent: [] };
  #hasPage = false;
  #stopTick = () => {};
  #ticks = 0;

  constructor(deps: RoomDeps, { negotiationId, candidate, toChange, lang, chat }: Begin = {}) {
    this.#deps = deps;
    this.id = deps.newId();
    const { person } = deps;
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
      ...deps,
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

  /** What is on the screen now, what was said, and what an outside agent may do: whole, or as that agent reads it. */
  snapshot(reader: Reader = "person"): RoomSnapshot {
    const { clock, person, hash, timeOfDay, dayAndTime } = this.#deps;
    const now = clock.now();
    const urgency = urgencyAt(this.#state, now);
    const drawn = this.#drawn[reader];
    if (drawn?.state === this.#state && drawn.urgency === urgency) return drawn.snapshot;
    const tools = { now, hash, timeOfDay, dayAndTime };
    const spec = reader === "person" ? uiSpec(this.#state, tools) : agentSpec(this.#state, tools, person.sanitizing());
    const { messages } = this.#state;
    const messageHistory = drawn?.state.messages === messages ? drawn.snapshot.messageHistory : historyOf(messages);
    const snapshot = { uiSpec: spec, messageHistory, toolSchema: toolSchema(spec) };
    this.#drawn[reader] = { state: this.#state, urgency, snapshot };
    if (reader === "person") this.#revision += 1;
    return snapshot;
  }

  /** The same for the person's own browser: from here on the text on its sheet counts as shown to them. */
  show(): RoomSnapshot {
    const snapshot = this.snapshot();
    for (const section of snapshot.uiSpec.sections)
      if (section.kind === "sheet") this.#rendered.add(this.#deps.hash(section.outgoing));
    return snapshot;
  }

  /** Which drawing the newest one is: answers and events reach a page by two ways, and the later may come first. */
  get revision(): number {
    return this.#revision;
  }

  /** Returns whether a text of this hash has stood on the person's sheet, whole; in the chat the page has to say so. */
  hasShown(textHash: string): boolean {
    return (this.#state.chat === undefined ? this.#rendered : this.#seen).has(textHash);
  }

  /** The page in the chat says that this text has stood before its person. It counts for what was sent to it from here. */
  pageShows(textHash: string): void {
    if (this.#rendered.has(textHash)) this.#seen.add(textHash);
  }

  /** Returns what was done to the text, for the page in the chat to bring along. */
  get draft(): string | undefined {
    return draftOfChat(this.#state, this.#deps.hash);
  }

  /** Goes on from what the page in the chat brings along. */
  takeDraft(draft: string): void {
    const next = withDraft(this.#state, draft, this.#deps.hash);
    if (next !== this.#state) this.update(() => next);
  }

  /** One file about what the room shows, to be kept; undefined where there is nothing to report on. */
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

  /** Calls the listener, for whom it is, after each change of what is shown, until the returned function is called. */
  subscribe(listener: (snapshot: RoomSnapshot) => void, whose: Reader = "person"): () => void {
    this.#listeners.set(listener, whose);
    if (this.#listeners.size === 1) this.#tick();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stopTick();
    };
  }

  /** A page without a script asks, which no event reaches: what changes without the backend is looked for now. */
  look(): void {
    if (this.#listeners.size === 0) this.#tracker.check();
  }

  /** Changes the state; listeners are called if something else is shown now. */
  update(change: (state: RoomState) => RoomState): void {
    this.#state = change(this.#state);
    this.#enter();
    this.#publish();
  }

  /**
   * Does what a button, a field or an agent asks for. Gives when it is done, also what reaches the backend.
   * @throws RoomRefusal where it is not possible now; what fails at the backend is thrown as TOOL_EXECUTION_FAILED, and
   *   said on the screen if it was the person who called
   */
  async call(by: "person" | "agent", toolName: string, params: unknown, about: CallAbout = {}): Promise<void> {
    const { reason = "", hand = {}, hasChanged = false } = about;
    const call = checkedCall({ state: this.#state, spec: this.snapshot().uiSpec }, by, toolName, params);
    const before = by === "agent" ? withCall(this.#state, { toolName, reason: stripInvisible(reason) }) : this.#state;
    const next = transition(before, call, this.#deps.clock.now());
    this.update(() => ({ ...(next ?? before), ...(by === "person" && { notice: undefined }) }));
    if (next !== undefined) return;
    try {
      await effect(call, { ...this.#deps, room: this, tracker: this.#tracker, hand, hasChanged });
    } catch (error) {
      if (await this.#tracker.takeForForgotten(error)) return;
      const { person, log } = this.#deps;
      const text = person.tell(error, this.#state.lang);
      log.warn("room_tool_failed", { tool: toolName, error: failureOf(error) });
      const about = READING.includes(call.toolName) ? ({ isOfReading: true } as const) : {};
      if (by === "person") this.update((state) => ({ ...state, notice: { tone: "error", text, ...about } }));
      throw new RoomRefusal("TOOL_EXECUTION_FAILED", text, { cause: error });
    }
  }

  /** Shows what waits for the person's decision, wherever they are in the room, as the list of their demands does. */
  async openWaiting(): Promise<void> {
    const id = await this.#deps.person.undecided();
    if (id === undefined || (id === this.#state.demand?.id && this.#state.history === undefined)) return;
    this.update((state) => restarted(state));
    await this.#tracker.open(id);
  }

  /** Gives when the room shows its demand as the backend has it, or that it could not be had; then it is tried again. */
  async arrive(): Promise<void> {
    const { demand } = this.#state;
    if (demand !== undefined && demand.negotiation === undefined) this.#arriving ??= this.#firstRead();
    await this.#arriving;
  }

  async #firstRead(): Promise<void> {
    await this.call("person", "refresh", {}).catch(() => {}); // the page says it
    this.#arriving = undefined;
  }

  /** Asks for the scenes; that they could not be had is said where they would stand. */
  async loadScenes(): Promise<void> {
    const { person, log } = this.#deps;
    await loadScenes({ room: this, person }).catch((error) =>
      log.warn("room_scenes_failed", { error: failureOf(error) }),
    );
  }

  /** The fields of the screen. */
  fieldIds(): string[] {
    return fieldsOf(this.snapshot().uiSpec).map(({ id }) => id);
  }

  /** The person has been in these fields, and has gone on. */
  left(fieldIds: readonly string[]): void {
    const { visited } = this.#state.form;
    const known = this.fieldIds().filter((id) => fieldIds.includes(id) && !visited.includes(id));
    if (known.length === 0) return;
    this.update((state) => ({ ...state, form: { ...state.form, visited: [...state.form.visited, ...known] } }));
  }

  /** What a field of the screen holds now. */
  fieldValue(fieldId: string): string | undefined {
    return fieldsOf(this.snapshot().uiSpec).find(({ id }) => id === fieldId)?.value;
  }

  /** An outside agent is at the door, or, where `isLetIn`, in the room already. There is one at a time. */
  agentArrives(name: string, isLetIn: boolean): void {
    const id = this.#deps.newId();
    this.update((state) => ({ ...state, agent: { id, name: stripInvisible(name), isWaiting: !isLetIn } }));
    void this.readable();
  }

  /** Gives when what an outside agent may read of the demand is there; without that its screen has no demand. */
  readable(): Promise<void> {
    return this.#tracker.readForModel();
  }

  /** It has gone by itself. */
  agentLeaves(): void {
    this.update((state) => ({ ...state, agent: undefined }));
  }

  /** A page shows this room: from now on an outside agent has something to see. */
  pageOpened(): void {
    if (this.#hasPage) return;
    this.#hasPage = true;
    this.#shown.agent = [];
    this.#publish();
  }

  /** Whether a page follows this room now; an agent alone does not count. */
  get hasPerson(): boolean {
    return [...this.#listeners.values()].includes("person");
  }

  get hasPage(): boolean {
    return this.#hasPage;
  }

  /** What an outside agent wrote is taken out; what the person wrote stays. */
  forgetAgentsWords(): void {
    this.update((state) => withoutAgentsWords(state));
  }

  /** What was said in one session is not for the next. */
  endConversation(): void {
    this.update((state) => ({ ...state, messages: [] }));
  }

  /** Nothing of the room goes on; what was submitted is watched by the program as before. */
  close(): void {
    this.#tracker.end();
    this.#stopTick();
    this.#listeners.clear();
  }

  /** Each stage's first moment, for the times on the rail. */
  #enter(): void {
    const stage = stageOf(this.#state);
    if (stage in this.#state.entered) return;
    const later = ROOM_STAGES.slice(ROOM_STAGES.indexOf(stage) + 1);
    const kept = Object.entries(this.#state.entered).filter(([name]) => !(later as string[]).includes(name));
    this.#state = { ...this.#state, entered: { ...Object.fromEntries(kept), [stage]: this.#deps.clock.now() } };
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
    if (reader === "agent" && agent !== undefined && isUnread) return; // it follows
    const snapshot = this.snapshot(reader);
    const shown = [snapshot.uiSpec, snapshot.messageHistory, snapshot.toolSchema].map(writtenOnce);
    if (shown.every((part, index) => part === this.#shown[reader][index])) return;
    this.#shown[reader] = shown;
    for (const listener of listeners) listener(snapshot);
  }

  #tick(): void {
    this.#stopTick = this.#deps.clock.after(TICK_MS, () => {
      try {
        this.#tracker.check();
        if (this.#state.scenes.state === "failed" && ++this.#ticks % SCENES_AGAIN_TICKS === 0) void this.loadScenes();
        this.#publish();
      } catch (error) {
        // Nobody waits for a tick. One that fails must end neither the next one nor the program.
        this.#deps.log.warn("room_tick_failed", { error: failureOf(error) });
      }
      this.#tick();
    });
  }
}

/** What was said in a session, as an outside agent gets it (seed 002 §4.2). */
interface HistoryMessage {
  role: "user" | "agent";
  text: string;
  stage: RoomMessage["stage"];
  /** Ms since the epoch. */
  at: number;
}

const historyOf = (messages: readonly RoomMessage[]): HistoryMessage[] =>
  messages.map(({ from, text, stage, at }) => ({ role: from === "agent" ? "agent" : "user", text, stage, at }));
