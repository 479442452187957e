import type { Io } from "../../app/io.ts";
import { platformOf } from "../../app/platform.ts";
import type { Sandbox } from "../../app/sandbox/sandbox.ts";
import { createBackendClient } from "../../backend/client.ts";
import { connectionsIn } from "../../backend/connections.ts";
import { NotTowow, RouteMissing, TokenRejected } from "../../backend/errors.ts";
import { createHttp } from "../../backend/http.ts";
import { TowowError } from "../../errors.ts";
import type { CurrentUser } from "../../home/current-user.ts";
import { SANDBOX } from "../../home/origin.ts";
import { sanitizeLine } from "../../safety/sanitize/foreign.ts";
import { SANITIZE_DEFAULTS } from "../../safety/sanitize/options.ts";
import { probe } from "../doctor/probe.ts";

/** What one read of the backend showed. */
export interface Network {
  /** The cleaned names of the scenes by id. Empty if the backend has no list. */
  sceneNames: ReadonlyMap<string, string>;
  canList: boolean;
  /** True if the backend answers only with a token, and there is none yet. */
  wantsToken: boolean;
  /**
   * True if the backend answers only with a token, and the given token has never been sent there. The first use binds a token
   * to its backend, which a mere look must not do.
   */
  isTokenUntried: boolean;
  /** True if something other than a Towow backend answers at the address. */
  isForeign: boolean;
  /** True if the sandbox does not run now. The first call starts it. */
  isAsleep: boolean;
  trouble: TowowError | undefined;
}

/** The time limit of a read, which is short because a person is waiting. */
const PATIENCE_MS = 4_000;

/**
 * Reads the backend with one or two GETs, and only with a token that exists already. Starts nothing. Returns undefined without
 * a backend.
 */
export async function readNetwork(
  { backend_url, token }: CurrentUser,
  bearer: string | undefined,
  { io, version, sandbox }: { io: Io; version: string; sandbox: Pick<Sandbox, "running"> },
): Promise<Network | undefined> {
  if (backend_url === null) return undefined;
  const isSandbox = backend_url === SANDBOX;
  const baseUrl = isSandbox ? (await sandbox.running())?.url : backend_url;
  const nothing: Network = {
    sceneNames: new Map(),
    canList: false,
    wantsToken: false,
    isTokenUntried: false,
    isForeign: false,
    isAsleep: false,
    trouble: undefined,
  };
  if (baseUrl === undefined) return { ...nothing, isAsleep: true, canList: true };
  const through = isSandbox ? {} : connectionsIn(io.env);
  const http = createHttp(platformOf(io), { version, ...through });
  const auth = { bearer: async () => bearer, renew: async () => undefined };
  try {
    const client = createBackendClient({ baseUrl, auth, http });
    const scenes = await client.listScenes({}, { timeoutMs: PATIENCE_MS });
    const nameOf = (name: string) => sanitizeLine(name, { ...SANITIZE_DEFAULTS, redactPii: false }).value;
    return { ...nothing, sceneNames: new Map(scenes.map((one) => [one.scene_id, nameOf(one.name)])), canList: true };
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    if (error instanceof NotTowow) return { ...nothing, isForeign: true };
    if (error instanceof RouteMissing) {
      const { presence } = await probe("negotiation", { baseUrl, bearer, http, now: io.clock.now });
      return { ...nothing, isForeign: presence === "missing" };
    }
    // The first call renews or requests a token that has expired or is not bound yet.
    const isExpected = bearer === undefined || token.expired;
    if (error instanceof TokenRejected && isExpected) {
      const wantsToken = !token.present || token.expired;
      return { ...nothing, wantsToken, isTokenUntried: !wantsToken, canList: true };
    }
    return { ...nothing, trouble: error };
  } finally {
    await http.close();
  }
}
