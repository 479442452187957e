import { toIso } from "../home/iso-time.ts";
import type { RoomMessage } from "../room/room-state.ts";
import { StudyLog } from "./study-log.ts";
import { type AgentSocket, type RelayDeps, type RelaySession, ROOM, Visit, type VisitedRelay } from "./visit.ts";

/** A session without its agent is kept so long, in ms: a connection may break, and a page be loaded again. */
const SESSION_KEPT_MS = 10 * 60_000;

/** One room's outside agent: at most one, let in by the person or by its token (seed 002). */
export class Relay implements VisitedRelay {
  readonly #deps: RelayDeps;
  /** Every open connection, of agents at the door and of those that have not said anything yet too. */
  readonly #visits = new Set<Visit>();
  #agent: Visit | undefined;
  #session: RelaySession | undefined;
  #forget = () => {};
  #isWary = false;

  constructor(deps: RelayDeps) {
    this.#deps = deps;
  }

  /** A connection is open. `hasToken`: it need not wait for the person's click, unless they have sent an agent away. */
  connect(socket: AgentSocket, { hasToken }: { hasToken: boolean }): Visit {
    const visit = new Visit(this, socket, hasToken, this.#deps);
    this.#visits.add(visit);
    return visit;
  }

  get session(): RelaySession | undefined {
    return this.#session;
  }

  get agent(): Visit | undefined {
    return this.#agent;
  }

  get isWary(): boolean {
    return this.#isWary;
  }

  /** Whether this is the room, or the session that this agent had before its connection broke. */
  isKnown(sessionId: string): boolean {
    return sessionId === ROOM || sessionId === this.#session?.id;
  }

  admit(visit: Visit): void {
    this.#forget();
    this.#agent = visit;
  }

  /** The agent has gone; its session waits for it a while. */
  leave(visit: Visit): void {
    this.#visits.delete(visit);
    if (this.#agent !== visit) return;
    this.#agent = undefined;
    this.#deps.room.agentLeaves();
    this.#forget = this.#deps.clock.after(SESSION_KEPT_MS, () => this.endSession("the agent has gone"));
  }

  /** The person has ended the visit. Nothing that this agent knows opens the room again. */
  dismiss(): void {
    this.#isWary = true;
    this.endSession("the person has ended the visit");
  }

  /** How many connections with a token are open now, or how many without one: each kind has places of its own. */
  connections({ hasToken }: { hasToken: boolean }): number {
    return [...this.#visits].filter((visit) => visit.hasToken === hasToken).length;
  }

  /** The room is closed: so are all connections to it. */
  close(): void {
    this.endSession("the room is closed");
    for (const visit of this.#visits) visit.end(1001, "the room is closed");
  }

  /** `lastMessage`: what was said before is not for this session. */
  startSession(agentName: string, about: object, lastMessage: RoomMessage | undefined): RelaySession {
    this.endSession("started again");
    const { clock, newId, openLog, isStudy = false } = this.#deps;
    const day = toIso(clock.now()).slice(0, 10).replaceAll("-", "");
    const id = `s-${day}-${newId()}`;
    const { name, append } = openLog(id);
    const log = new StudyLog({ sessionId: id, now: clock.now, append, keepsScreens: isStudy });
    this.#session = { id, agentName, logName: name, log, lastMessage };
    this.#session.log.add("internal", "session.begin", about);
    return this.#session;
  }

  /** `asked`: by its agent, whose words in fields have been taken out. Where somebody else ends it, they stay. */
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
