import { nanoid } from "nanoid";
import type { SignInDesk } from "../../ask/page/sign-in.ts";
import { every } from "../../clock.ts";
import { isLoopbackHost } from "../../home/origin.ts";
import { failureOf } from "../../log.ts";
import type { Gate } from "../../mcp/http/gate.ts";
import { HttpError } from "../../mcp/http/http-error.ts";
import type { User } from "../../mcp/http/user.ts";
import type { Silence } from "../../negotiation/plan.ts";
import type { Platform } from "../../platform.ts";
import { Relay } from "../../relay/relay.ts";
import { RelaySocket } from "../../relay/socket.ts";
import { createRoom } from "../../room/person-services.ts";
import type { Room } from "../../room/room.ts";
import { createHostedRooms, type HostedRoom } from "../../room/server/hosted.ts";
import { sha256 } from "../../sha256.ts";
import { roomFiles } from "../room-files.ts";
import { createStudyLogs } from "../study-log-file.ts";
import type { EndpointBrowsers } from "./browsers.ts";
import { serveBehindGate } from "./gated-room.ts";
import { OF_NO_CLIENT } from "./served.ts";

/** The part of a user that their room needs. */
type RoomUser = Pick<User, "key" | "isAccepted" | "use" | "serverDeps">;

/** Finds the users of an endpoint for their rooms. */
interface RoomUsers {
  /**
   * Finds or makes the user of a token, who then stays in memory until `release` is called.
   * @throws HttpError as `TokenUsers.useOwn` does
   */
  useOwn(token: string): Promise<{ user: RoomUser; release: () => void }>;
  /** Returns the user with this key, if they are in memory now. */
  known(key: string): RoomUser | undefined;
}

export interface EndpointRoomsDeps {
  users: RoomUsers;
  browsers: EndpointBrowsers;
  people: SignInDesk;
  /** The address at which people reach the endpoint. Undefined if it is for this machine alone. */
  publicUrl: URL | undefined;
  replica: string;
  /** Limits how many messages of all users are served at once. */
  gate: Gate;
  /** The package's folder. */
  root: URL;
  /** The operator's home, in which the sessions of outside agents are recorded. */
  home: string;
  platform: Platform;
}

/**
 * A room is closed this long after its person has left, in milliseconds, even with an agent in it. Its demand goes on.
 */
const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;

const isFull = ({ code }: HttpError): boolean => code === "too_many_users" || code === "too_many_new_tokens";

interface Open extends HostedRoom {
  relay: Relay;
  /** The hash of the token with which an agent enters the room. */
  tokenHash: string;
  usedAt: number;
  close(): void;
}

/**
 * Holds the rooms of an endpoint's people, one for each person (seed 002: session, room, user). A room without its
 * person is closed after half an hour.
 */
export class EndpointRooms {
  readonly #deps: EndpointRoomsDeps;
  readonly #rooms = new Map<string, Open>();
  readonly #sockets: RelaySocket;
  readonly apps: Readonly<Record<string, ReturnType<typeof createHostedRooms>>>;
  #listensAt = "";
  readonly #stopSweep: () => void;

  constructor(deps: EndpointRoomsDeps) {
    this.#deps = deps;
    const { publicUrl, replica, people, root, platform } = deps;
    const isOwn = (host: string) => isLoopbackHost(host) || `http://${host}` === this.#listensAt;
    const isHost = (host: string) => (publicUrl === undefined ? isOwn(host) : host === publicUrl.host);
    const originOf = (host: string) => publicUrl?.origin ?? `http://${host}`;
    const app = createHostedRooms({
      base: `/room/${replica}`,
      entrance: "/room",
      isHost,
      originOf,
      people,
      roomOf: (user) => this.#roomOf(user),
      files: roomFiles(root),
      platform,
    });
    this.apps = { "/room": app };
    this.#sockets = new RelaySocket({
      platform,
      paths: ["/agent/ws", `/agent/ws/${replica}`],
      isHost,
      isOrigin: (origin, host) => origin === originOf(host),
      relayFor: (token) => this.#relayFor(token),
    });
    this.#stopSweep = every(platform.clock, SWEEP_MS, () => void this.#sweep());
  }

  get sockets(): RelaySocket {
    return this.#sockets;
  }

  listensAt(origin: string): void {
    this.#listensAt = origin;
  }

  close(): void {
    this.#stopSweep();
    for (const key of this.#rooms.keys()) this.#close(key);
    this.#sockets.close(); // Closed last, so that each agent still receives the reason.
  }

  /**
   * Called when a browser of this person has been revoked. When the last one is gone, their room closes and its agent
   * loses access.
   */
  async browserRevoked(key: string): Promise<void> {
    if (this.#rooms.has(key) && !(await this.#deps.browsers.hasAny(key))) this.#close(key);
  }

  /**
   * Returns what happens to the newest text that waits for this person's decision if they never decide. Undefined if no
   * text waits, or if their user is not in memory here.
   */
  async waitsFor(key: string): Promise<Silence | undefined> {
    const deps = this.#deps.users.known(key)?.serverDeps(OF_NO_CLIENT);
    if (deps === undefined) return undefined;
    const { negotiations } = deps.accounts.at(deps.live.current().backend_url);
    return (await negotiations.openQuestions()).find(({ id }) => id !== "")?.silence;
  }

  /** Opens the room of a token's person, who then stays in memory. Returns false if the endpoint is full. */
  async open(token: string): Promise<boolean> {
    const place = await this.#placeOf(token);
    if (place === undefined) return false;
    try {
      this.#open(place.user);
      return true;
    } finally {
      place.release(); // The room has a use of its own.
    }
  }

  /** Finds the user of a token and keeps them in memory. Returns undefined if the endpoint is full. */
  async #placeOf(token: string) {
    try {
      return await this.#deps.users.useOwn(token);
    } catch (error) {
      if (error instanceof HttpError && isFull(error)) return undefined;
      throw error;
    }
  }

  #roomOf(key: string): HostedRoom | undefined {
    const user = this.#deps.users.known(key);
    const open = this.#rooms.get(key) ?? (user && this.#open(user));
    if (open !== undefined) open.usedAt = this.#deps.platform.clock.monotonic();
    return open;
  }

  #open(user: RoomUser): Open {
    const found = this.#rooms.get(user.key);
    if (found !== undefined) return found;
    const { platform, home, replica, publicUrl, gate } = this.#deps;
    const { clock, log } = platform;
    // The user stays in memory while the room is open. Without the user, the person's token would be gone, and the room
    // with it.
    const release = user.use();
    const deps = user.serverDeps(OF_NO_CLIENT);
    const room: Room = createRoom(deps);
    const taints = () => deps.session.taint.mark(deps.accounts.at(deps.live.current().backend_url).origin);
    const relay = new Relay({ platform, room, taints, openLog: createStudyLogs(home, log) });
    const holder = { user, gate, lang: () => room.state.lang };
    const token = nanoid(32);
    const origin = () => publicUrl?.origin ?? this.#listensAt;
    const open: Open = {
      room,
      relay,
      tokenHash: sha256(token),
      get agentAddress() {
        return `${origin().replace(/^http/, "ws")}/agent/ws/${replica}?token=${token}`;
      },
      during: (request, serve) => serveBehindGate(request, `/room/${replica}`, holder, serve),
      usedAt: clock.monotonic(),
      close() {
        relay.close();
        room.close();
        release();
      },
    };
    this.#rooms.set(user.key, open);
    return open;
  }

  /**
   * Returns the relay of the room that this token belongs to. On this machine alone, an agent without a token may ask
   * to join if there is only one room.
   */
  #relayFor(token: string | undefined): { relay: Relay; hasToken: boolean } | undefined {
    const rooms = [...this.#rooms.values()];
    if (token !== undefined) {
      const hash = sha256(token); // Hashed once, because anybody may try a token, and there may be ten thousand rooms.
      const found = rooms.find((open) => open.tokenHash === hash);
      return found && { relay: found.relay, hasToken: true };
    }
    const [only, ...others] = rooms;
    const isAlone = only !== undefined && others.length === 0 && this.#deps.publicUrl === undefined;
    return isAlone ? { relay: only.relay, hasToken: false } : undefined;
  }

  async #sweep(): Promise<void> {
    const { clock, log } = this.#deps.platform;
    const now = clock.monotonic();
    for (const [key, open] of this.#rooms) {
      if (open.room.hasPerson) open.usedAt = now;
      else if (now - open.usedAt >= IDLE_MS) this.#close(key);
      // Browsers may also have been revoked at another replica, or have expired.
      await this.browserRevoked(key).catch((error) => log.warn("room_browsers_unread", { error: failureOf(error) }));
    }
  }

  #close(key: string): void {
    this.#rooms.get(key)?.close();
    this.#rooms.delete(key);
  }
}
