import { toIso } from "../home/iso-time.ts";
import type { RoomMessage } from "../room/room-state.ts";
import {
  AgentConnection,
  type AgentSocket,
  type RelayDeps,
  type RelayOfConnection,
  type RelaySession,
  ROOM,
} from "./agent-connection.ts";
import { StudyLog } from "./study-log.ts";

/**
 * How long a session without its agent is kept, in ms, because a connection may break and a page may be loaded again.
 */
const SESSION_KEPT_MS = 10 * 60_000;

/** The relay of one room, which lets in at most one outside agent, by the person or by its token (seed 002). */
export class Relay implements RelayOfConnection {
  readonly #deps: RelayDeps;
  /** Every open connection, including those of agents at the door and those that have not said anything yet. */
  readonly #connections = new Set<AgentConnection>();
  #agent: AgentConnection | undefined;
  #session: RelaySession | undefined;
  #forget = () => {};
  #isWary = false;

  constructor(deps: RelayDeps) {
    this.#deps = deps;
  }

  /**
   * Takes in a new connection. A connection with a token need not wait for the person's click, unless the person has
   * sent an agent away.
   */
  connect(socket: AgentSocket, { hasToken }: { hasToken: boolean }): AgentConnection {
    const connection = new AgentConnection(this, socket, hasToken, this.#deps);
    this.#connections.add(connection);
    return connection;
  }

  get session(): RelaySession | undefined {
    return this.#session;
  }

  get agent(): AgentConnection | undefined {
    return this.#agent;
  }

  get isWary(): boolean {
    return this.#isWary;
  }

  /** Returns whether the id is that of the room, or of the session that is kept for its agent. */
  isKnown(sessionId: string): boolean {
    return sessionId === ROOM || sessionId === this.#session?.id;
  }

  admit(connection: AgentConnection): void {
    this.#forget();
    this.#agent = connection;
  }

  /** Notes that an agent has gone. The agent's session is kept for a while. */
  leave(connection: AgentConnection): void {
    this.#connections.delete(connection);
    if (this.#agent !== connection) return;
    this.#agent = undefined;
    this.#deps.room.agentLeaves();
    this.#forget = this.#deps.platform.clock.after(SESSION_KEPT_MS, () => this.endSession("the agent has gone"));
  }

  /** Ends the agent's visit for the person. Nothing that this agent knows opens the room again. */
  dismiss(): void {
    this.#isWary = true;
    this.endSession("the person has ended the visit");
  }

  /**
   * Returns how many connections with a token, or without one, are open now. Each of the two kinds has a limit of its
   * own.
   */
  connections({ hasToken }: { hasToken: boolean }): number {
    return [...this.#connections].filter((connection) => connection.hasToken === hasToken).length;
  }

  /** Closes the room's relay, and with it all connections. */
  close(): void {
    this.endSession("the room is closed");
    for (const connection of this.#connections) connection.end(1001, "the room is closed");
  }

  /** Starts a session. `lastMessage` is the last message before it, and nothing up to it is sent to this session. */
  startSession(agentName: string, about: object, lastMessage: RoomMessage | undefined): RelaySession {
    this.endSession("started again");
    const { platform, openLog, isStudy = false } = this.#deps;
    const { clock, newId } = platform;
    const day = toIso(clock.now()).slice(0, 10).replaceAll("-", "");
    const id = `s-${day}-${newId()}`;
    const { name, append } = openLog(id);
    const log = new StudyLog({ sessionId: id, now: clock.now, append, keepsScreens: isStudy });
    this.#session = { id, agentName, logName: name, log, lastMessage };
    this.#session.log.add("internal", "session.begin", about);
    return this.#session;
  }

  /**
   * Ends the session. `asked` is given if the agent itself asked for the end, in which case its words in fields have
   * been taken out. If somebody else ends the session, those words stay.
   */
  endSession(why: string, asked?: { isReset: true; replyTo: string | undefined }): void {
    const ended = this.#session;
    this.#forget();
    if (ended === undefined) return;
    this.#agent?.sessionEnds(ended, asked !== undefined, asked?.replyTo);
    this.#session = undefined;
    ended.log.add("internal", "session.over", { reason: why });
    this.#deps.room.endConversation();
  }
}
