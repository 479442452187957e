import { nanoid } from "nanoid";
import { Relay } from "../relay/relay.ts";
import { RelaySocket } from "../relay/socket.ts";
import { createRoom } from "../room/person-services.ts";
import { listenForRoom } from "../room/server/local.ts";
import { sha256 } from "../sha256.ts";
import { roomFiles } from "./room-files.ts";
import type { Runtime } from "./runtime.ts";
import { createStudyLogs } from "./study-log-file.ts";

export interface LocalRoom {
  /** Returns an address that opens the room once, in one browser. */
  address: () => string;
  /**
   * The address at which an outside agent joins. With its token the agent is let in, and without it the person is
   * asked.
   */
  agentAddress: string;
  close(): Promise<void>;
}

export interface LocalRoomOptions {
  /** The package's folder, which holds `dist/`. */
  root: URL;
  /** The port to listen on; 0 takes a free one. */
  port: number;
  /** The demand to show. By default it is the newest undecided one, and if there is none the room begins with the scenes. */
  negotiationId?: string | undefined;
  /** True if an outside agent's session is recorded whole, with the screens that it saw. */
  isStudy?: boolean;
}

/** Opens the room of this home's person on loopback. @throws `tool.config.unavailable.port` */
export async function openLocalRoom(runtime: Runtime, options: LocalRoomOptions): Promise<LocalRoom> {
  const { deps, platform, live } = runtime;
  const room = createRoom(deps, { negotiationId: options.negotiationId });
  const openLog = createStudyLogs(runtime.config.home, platform.log);
  const taints = () => deps.session.taint.mark(runtime.account().origin);
  const relay = new Relay({ platform, room, taints, openLog, isStudy: options.isStudy === true });
  const agentToken = nanoid(32);
  const relayFor = (token: string | undefined) =>
    token === undefined || sha256(token) === sha256(agentToken) ? { relay, hasToken: token !== undefined } : undefined;
  const site = await listenForRoom(
    { platform, room, files: roomFiles(options.root), lang: () => live.current().lang },
    options.port,
    (own) => new RelaySocket({ ...own, platform, relayFor }),
  );
  return {
    agentAddress: `${site.origin.replace(/^http/, "ws")}/agent/ws?token=${agentToken}`,
    address: site.entrance,
    async close() {
      relay.close();
      room.close();
      await site.close();
    },
  };
}
