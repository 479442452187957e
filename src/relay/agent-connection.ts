import type { Platform } from "../platform.ts";
import { RoomRefusal } from "../room/errors.ts";
import type { Room, RoomSnapshot } from "../room/room.ts";
import type { RoomMessage } from "../room/room-state.ts";
import { writtenOnce } from "../room/written-once.ts";
import { type AgentMessage, frame, type HostMessage, idOf, RelayError, readMessage, screenFrame } from "./protocol.ts";
import type { StudyLog } from "./study-log.ts";

/** One agent's connection, as the relay sees it. */
export interface AgentSocket {
  send: (frame: string) => void;
  /**
   * Returns false while too much of what was sent has not left yet. Only the newest state is kept for the agent
   * meanwhile.
   */
  isReady: () => boolean;
  /**
   * Calls `then` once everything that was sent has reached the agent, and never if the connection breaks before that.
   */
  whenArrived: (then: () => void) => void;
  close: (code: number, reason: string) => void;
}

export interface RelayDeps {
  platform: Platform;
  room: Room;
  /**
   * Notes that the agent reads text that others wrote, because it sees the screen (agent layer §3). The start of a
   * session waits until the note is written.
   */
  taints: () => Promise<void>;
  /** Opens the session's file, and returns its name as others see it and the function that adds a line. */
  openLog: (sessionId: string) => { name: string; append: (line: string) => void };
  /** True if the person has started a study, so that the screens that the agent sees are kept in that file. */
  isStudy?: boolean;
}

/** The room that every agent may name, because a person has only this room. */
export const ROOM = "default";
/** The tools that change the screen at once. For the other tools `state.updated` brings the change (seed 002 §4.2). */
const AT_ONCE = ["select", "setField", "proposeText"];
/** How long a connection without a token may stay open without asking to come in, in ms. */
const UNASKED_MS = 30_000;
/** How long an agent that has asked waits for the person, in ms. */
const AT_DOOR_MS = 10 * 60_000;

export interface RelaySession {
  id: string;
  /** The name by which the agent that began the session calls itself. */
  agentName: string;
  log: StudyLog;
  logName: string;
  /** The newest message of the room that has reached the agent. Later messages are sent when the agent is back. */
  lastMessage: RoomMessage | undefined;
}

/** What a connection needs of the relay, which knows all connections. */
export interface RelayOfConnection {
  readonly session: RelaySession | undefined;
  readonly agent: AgentConnection | undefined;
  /** True if the person has sent an agent away. From then on a token alone lets nobody in. */
  readonly isWary: boolean;
  isKnown(sessionId: string): boolean;
  admit(connection: AgentConnection): void;
  leave(connection: AgentConnection): void;
  dismiss(): void;
  startSession(agentName: string, about: object, lastMessage: RoomMessage | undefined): RelaySession;
  endSession(why: string, asked?: { isReset: true; replyTo: string | undefined }): void;
}

/** One connection, from its first message to its end. */
export class AgentConnection {
  readonly #relay: RelayOfConnection;
  readonly #socket: AgentSocket;
  readonly #deps: RelayDeps;
  readonly hasToken: boolean;
  #isIn = false;
  #stopWaiting = () => {};
  #isGone = false;
  /** The id of the `relay.join` whose answer waits for the person, and the session that it named. */
  #waitsAtDoor: { replyTo: string | undefined; sessionId: string } | undefined;
  #unsubscribe = () => {};
  #name = "";
  #sessionId: string | undefined;
  /** The newest message when the agent joined. Earlier messages are not sent to the agent. */
  #saidBefore: RoomMessage | undefined;
  /** The newest message that the agent has been sent, whether it has arrived or not. */
  #told: RoomMessage | undefined;
  #newest: RoomSnapshot | undefined;

  constructor(relay: RelayOfConnection, socket: AgentSocket, hasToken: boolean, deps: RelayDeps) {
    this.#relay = relay;
    this.#socket = socket;
    this.hasToken = hasToken;
    this.#deps = deps;
    if (!hasToken) this.#waitAtMost(UNASKED_MS, "no relay.join came in time");
  }

  /** Returns whether the agent has asked to come in and the person has not answered. */
  get isAtDoor(): boolean {
    return this.#waitsAtDoor !== undefined;
  }

  /** Returns whether the session is this agent's. An agent may not work in a session that another has left behind. */
  get #isInSession(): boolean {
    const { session } = this.#relay;
    return session !== undefined && session.id === this.#sessionId;
  }

  /**
   * Handles one frame. Every failure is answered to the agent.
   * @throws every error that is no refusal, so that the caller can log the error
   */
  async receive(text: string): Promise<void> {
    try {
      const message = this.#read(text);
      if (message.type !== "session.start") this.#log("in", message);
      await this.#handle(message);
    } catch (error) {
      const isRefusal = error instanceof RelayError || error instanceof RoomRefusal;
      const { code, message } = isRefusal ? error : new RelayError("TOOL_EXECUTION_FAILED", "this failed in the room");
      this.#send({ type: "error", payload: { code, message } }, idOf(text));
      if (!isRefusal) throw error;
    }
  }

  #read(text: string): AgentMessage {
    try {
      return readMessage(text);
    } catch (error) {
      this.#log("in", { type: "unreadable", payload: { text } });
      throw error;
    }
  }

  end(code: number, reason: string): void {
    this.#socket.close(code, reason);
    this.gone();
  }

  /** Notes that the connection is closed, by whichever side. */
  gone(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#stopWaiting();
    this.#unsubscribe();
    if (this.#waitsAtDoor !== undefined) this.#deps.room.agentLeaves();
    this.#relay.leave(this);
  }

  /** Sends the newest state if that state was held back until the wire drained. */
  drained(): void {
    const snapshot = this.#newest;
    this.#newest = undefined;
    if (snapshot !== undefined) this.#update(snapshot);
  }

  async #handle(message: AgentMessage): Promise<void> {
    const { id } = message;
    if (message.type === "relay.join") return this.#join(message.payload, id);
    if (!this.#isIn) throw new RelayError("SESSION_NOT_ACTIVE", "join the relay first: relay.join");
    if (message.type === "session.start") {
      await this.#deps.taints();
      return this.#start(message);
    }
    const { session } = this.#relay;
    if (session === undefined || !this.#isInSession)
      throw new RelayError("SESSION_NOT_ACTIVE", "no session of yours is active: session.start");
    if (message.type === "session.end") return this.#end(message.payload.reason, id);
    if (!this.#deps.room.hasPage) throw new RelayError("NO_ACTIVE_SPEC", "the room's page has not joined yet");
    const { room } = this.#deps;
    switch (message.type) {
      case "snapshot.get":
        await room.readable();
        return this.#show("snapshot.state", { sessionId: session.id }, room.snapshot("agent"), id);
      case "agent.message":
        return room.call("agent", "postMessage", { text: message.payload.text });
      case "tool.call": {
        const { toolName, params, reason } = message.payload;
        await room.call("agent", toolName, params, { reason });
        const done = { ok: true as const, toolName };
        if (!AT_ONCE.includes(toolName)) return this.#send({ type: "tool.result", payload: done }, id);
        await room.readable();
        return this.#show("tool.result", done, { uiSpec: room.snapshot("agent").uiSpec }, id);
      }
    }
  }

  #join(
    { role, sessionId, name = "agent" }: { role: string; sessionId: string; name?: string | undefined },
    id?: string,
  ) {
    const { room } = this.#deps;
    if (role !== "agent") throw new RelayError("INVALID_MESSAGE", "the host is the room's own page");
    if (!this.#relay.isKnown(sessionId)) throw new RelayError("SESSION_NOT_ACTIVE", "there is no such session here");
    if (this.#isIn || this.#waitsAtDoor) throw new RelayError("INVALID_MESSAGE", "joined already");
    // The agent's own former connection may be dead without anybody having noticed.
    const former = this.#relay.agent;
    if (former !== undefined && former.#sessionId === sessionId)
      former.end(1008, "the session goes on in another connection");
    // An agent that names the session was in it before, because the session's id stands nowhere else.
    const isLetIn = (this.hasToken && !this.#relay.isWary) || sessionId !== ROOM;
    const first = this.#relay.agent;
    if (isLetIn && first?.isAtDoor) first.end(1008, "another agent has come in");
    if (this.#relay.agent !== undefined || room.state.agent !== undefined)
      throw new RelayError("SESSION_NOT_ACTIVE", "another agent is in this room");
    this.#name = name;
    const left = this.#relay.session;
    // An agent with the token and the same name is the agent that was in the room before, even if it names only the
    // room.
    const isBack = left?.agentName === name && this.hasToken && !this.#relay.isWary;
    if (sessionId !== ROOM || isBack) {
      this.#sessionId = left?.id;
      this.#log("in", { type: "relay.join", payload: { role, sessionId, name } });
    }
    this.#waitsAtDoor = { replyTo: id, sessionId };
    this.#relay.admit(this);
    room.agentArrives(name, isLetIn);
    this.#saidBefore = room.state.messages.at(-1);
    this.#unsubscribe = room.subscribe((snapshot) => this.#shown(snapshot), "agent");
    if (isLetIn) this.#enter();
    else this.#waitAtMost(AT_DOOR_MS, "nobody has let it in");
  }

  #waitAtMost(ms: number, why: string): void {
    this.#stopWaiting();
    this.#stopWaiting = this.#deps.platform.clock.after(ms, () => this.end(1008, why));
  }

  #enter(): void {
    const { replyTo, sessionId = ROOM } = this.#waitsAtDoor ?? {};
    this.#waitsAtDoor = undefined;
    this.#stopWaiting();
    this.#isIn = true;
    // The session that another agent has left behind is over, so what the person says from now on is said to this
    // agent.
    if (!this.#isInSession) this.#relay.endSession("another agent has come");
    this.#send({ type: "relay.joined", payload: { role: "agent", sessionId } }, replyTo);
    this.#tellWords();
  }

  /** Starts a session. The message that asked for the session is logged in that session's own file. */
  #start(message: AgentMessage & { type: "session.start" }): void {
    const { id, payload } = message;
    const { id: sessionId } = this.#relay.startSession(this.#name, payload, this.#saidBefore);
    this.#sessionId = sessionId;
    this.#log("in", message);
    this.#send({ type: "session.started", payload: { sessionId } }, id);
  }

  #end(reason: string | undefined, id: string | undefined): void {
    this.#deps.room.forgetAgentsWords();
    this.#relay.endSession(reason ?? "", { isReset: true, replyTo: id });
  }

  /**
   * Informs the agent that its session is over, no matter who ended the session (seed 002 §4.2). `isReset` says that
   * what the agent wrote into fields was taken out.
   */
  sessionEnds({ id: sessionId, logName: logFile }: RelaySession, isReset: boolean, replyTo?: string): void {
    if (this.#sessionId === sessionId)
      this.#send({ type: "session.ended", payload: { sessionId, logFile, stateReset: isReset } }, replyTo);
  }

  /** Handles a change of the room. The person may have let this agent in, or sent it away. */
  #shown(snapshot: RoomSnapshot): void {
    const { agent } = this.#deps.room.state;
    if (agent === undefined) {
      this.#relay.dismiss();
      this.end(1008, "the person has ended the visit");
      return;
    }
    if (agent.isWaiting) return;
    if (!this.#isIn) this.#enter();
    if (!this.#isInSession || !this.#deps.room.hasPage) return;
    if (this.#socket.isReady()) this.#update(snapshot);
    else this.#newest = snapshot;
  }

  #update(snapshot: RoomSnapshot): void {
    this.#tellWords();
    this.#show("state.updated", { source: "host" }, snapshot);
  }

  /**
   * Sends what the person has said that has not reached this session's agent yet, including words that were lost with
   * an earlier connection.
   */
  #tellWords(): void {
    const { session } = this.#relay;
    if (session === undefined || !this.#isInSession) return;
    const { messages } = this.#deps.room.state;
    const newest = messages.at(-1);
    if (newest === undefined || newest === this.#told) return;
    // Only the newest messages are kept, and none beyond the end of a session.
    const last = this.#told ?? session.lastMessage;
    const known = last === undefined ? -1 : messages.lastIndexOf(last);
    this.#told = newest;
    for (const { from, text, stage } of messages.slice(known + 1))
      if (from === "person") this.#send({ type: "user.message", payload: { text, stage } });
    this.#socket.whenArrived(() => {
      session.lastMessage = newest;
    });
  }

  /** Sends a message that carries the screen, or the part of the screen that this type carries. */
  #show(
    type: "snapshot.state" | "tool.result" | "state.updated",
    payload: Readonly<Record<string, unknown>>,
    shown: Partial<RoomSnapshot>,
    replyTo?: string,
  ): void {
    if (this.#isGone) return;
    void this.#deps.taints(); // The mark that was made when the connection began may run out before the connection ends.
    this.#log("out", { type, payload: { ...payload, ...shown } });
    const parts = Object.fromEntries(Object.entries(shown).map(([name, part]) => [name, writtenOnce(part)]));
    this.#socket.send(screenFrame(type, payload, parts, replyTo));
  }

  #send(message: HostMessage, replyTo?: string): void {
    if (this.#isGone) return;
    this.#log("out", message);
    this.#socket.send(frame(message, replyTo));
  }

  /**
   * Adds an event to the session's log, which is about the session's own agent and not about other agents that knock.
   */
  #log(direction: "in" | "out", { type, payload }: { type: string; payload: object }): void {
    if (this.#isInSession) this.#relay.session?.log.add(direction, type, payload);
  }
}
