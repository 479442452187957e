import { nanoid } from "nanoid";
import type { SignInDesk } from "../../ask/page/sign-in.ts";
import { type Clock, every } from "../../clock.ts";
import { isLoopbackHost } from "../../home/origin.ts";
import { failureOf, type Log } from "../../log.ts";
import type { Gate } from "../../mcp/http/gate.ts";
import { HttpError } from "../../mcp/http/http-error.ts";
import type { User } from "../../mcp/http/user.ts";
import type { Silence } from "../../negotiation/plan.ts";
import { Relay } from "../../relay/relay.ts";
import { RelaySocket } from "../../relay/socket.ts";
import { createRoom } from "../../room/person-services.ts";
import type { Room } from "../../room/room.ts";
import { createHostedRooms, type HostedRoom } from "../../room/server/hosted.ts";
import { sha256 } from "../hash.ts";
import { roomFiles } from "../room-files.ts";
import { createStudyLogs } from "../study-log-file.ts";
import type { EndpointBrowsers } from "./browsers.ts";
import { withHeldForm } from "./held-form.ts";
import { OF_NO_CLIENT } from "./served.ts";

/** Somebody, as far as their room is concerned. */
export type RoomUser = Pick<User, "key" | "isAccepted" | "use" | "serverDeps">;

export interface EndpointRoomsDeps {
  /** Finds or makes the user of a bearer, who then stays in memory until `release` is called. @throws HttpError */
  use: (token: string) => Promise<{ user: RoomUser; release: () => void }>;
  /** One that is in memory now, by their key. */
  known: (key: string) => RoomUser | undefined;
  browsers: EndpointBrowsers;
  people: SignInDesk;
  /** Where people reach the endpoint; undefined where it is for this machine alone. */
  publicUrl: URL | undefined;
  replica: string;
  /** The messages of all users are counted here while they are served. */
  gate: Gate;
  /** The package's folder. */
  root: URL;
  /** Where the sessions of outside agents are written down. */
  home: string;
  clock: Clock;
  log: Log;
}

/** A room in which its person has not been for so long is closed, even with an agent in it; its demand goes on. */
const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;

const isFull = ({ code }: HttpError): boolean => code === "too_many_users" || code === "too_many_new_tokens";

interface Open extends HostedRoom {
  relay: Relay;
  /** Of the token by which its agent finds it. */
  tokenHash: string;
  usedAt: number;
  close(): void;
}

/** The rooms of an endpoint's people, one each, for as long as somebody is in them (seed 002: session, room, user). */
export class EndpointRooms {
  readonly #deps: EndpointRoomsDeps;
  readonly #rooms = new Map<string, Open>();
  readonly #sockets: RelaySocket;
  readonly apps: Readonly<Record<string, ReturnType<typeof createHostedRooms>>>;
  #listensAt = "";
  readonly #stopSweep: () => void;

  constructor(deps: EndpointRoomsDeps) {
    this.#deps = deps;
    const { publicUrl, replica, people, root, clock, log } = deps;
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
      clock,
      log,
    });
    this.apps = { "/room": app };
    this.#sockets = new RelaySocket({
      clock,
      log,
      paths: ["/agent/ws", `/agent/ws/${replica}`],
      isHost,
      isOrigin: (origin, host) => origin === originOf(host),
      relayFor: (token) => this.#relayFor(token),
    });
    this.#stopSweep = every(clock, SWEEP_MS, () => void this.#sweep());
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
    this.#sockets.close(); // last, so that each agent still hears why
  }

  /** A browser of this person is revoked: with the last one goes their room, and what an agent has of it. */
  async browserRevoked(key: string): Promise<void> {
    if (this.#rooms.has(key) && !(await this.#deps.browsers.hasAny(key))) this.#close(key);
  }

  /**
   * What becomes of the newest text that this person was asked about and has not decided on; undefined where there is none,
   * and where nobody here holds their token.
   */
  async waitsFor(key: string): Promise<Silence | undefined> {
    const deps = this.#deps.known(key)?.serverDeps(OF_NO_CLIENT);
    if (deps === undefined) return undefined;
    const { negotiations } = deps.accounts.at(deps.live.current().backend_url);
    return (await negotiations.openQuestions()).find(({ id }) => id !== "")?.silence;
  }

  /** Opens the room of a token's person, who stays in memory with it; false in a full house. */
  async open(token: string): Promise<boolean> {
    const place = await this.#placeOf(token);
    if (place === undefined) return false;
    try {
      this.#open(place.user);
      return true;
    } finally {
      place.release(); // their room has a use of its own
    }
  }

  /** The user of a token, in use; undefined in a full house. */
  async #placeOf(token: string) {
    try {
      return await this.#deps.use(token);
    } catch (error) {
      if (error instanceof HttpError && isFull(error)) return undefined;
      throw error;
    }
  }

  #roomOf(key: string): HostedRoom | undefined {
    const user = this.#deps.known(key);
    const open = this.#rooms.get(key) ?? (user && this.#open(user));
    if (open !== undefined) open.usedAt = this.#deps.clock.monotonic();
    return open;
  }

  #open(user: RoomUser): Open {
    const found = this.#rooms.get(user.key);
    if (found !== undefined) return found;
    const { clock, log, home, replica, publicUrl, gate } = this.#deps;
    const release = user.use(); // with the person their token would go, and with it their room
    const deps = user.serverDeps(OF_NO_CLIENT);
    const room: Room = createRoom({ ...deps, hash: sha256 });
    const taints = () => deps.session.taint.mark(deps.accounts.at(deps.live.current().backend_url).origin);
    const relay = new Relay({ room, clock, newId: nanoid, taints, openLog: createStudyLogs(home, log) });
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
      during: (request, serve) => withHeldForm(request, `/room/${replica}`, holder, serve),
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

  /** By its token an agent finds the room. Without one, on this machine alone, it may ask at the only room there is. */
  #relayFor(token: string | undefined): { relay: Relay; hasToken: boolean } | undefined {
    const rooms = [...this.#rooms.values()];
    if (token !== undefined) {
      const hash = sha256(token); // once: anybody may knock, and there may be ten thousand rooms
      const found = rooms.find((open) => open.tokenHash === hash);
      return found && { relay: found.relay, hasToken: true };
    }
    const [only, ...others] = rooms;
    const isAlone = only !== undefined && others.length === 0 && this.#deps.publicUrl === undefined;
    return isAlone ? { relay: only.relay, hasToken: false } : undefined;
  }

  async #sweep(): Promise<void> {
    const { clock, log } = this.#deps;
    const now = clock.monotonic();
    for (const [key, open] of this.#rooms) {
      if (open.room.hasPerson) open.usedAt = now;
      else if (now - open.usedAt >= IDLE_MS) this.#close(key);
      // At another replica, or by age.
      await this.browserRevoked(key).catch((error) => log.warn("room_browsers_unread", { error: failureOf(error) }));
    }
  }

  #close(key: string): void {
    this.#rooms.get(key)?.close();
    this.#rooms.delete(key);
  }
}
