import type { ApprovalSite } from "../../ask/page/site.ts";
import type { Http } from "../../backend/http.ts";
import type { NewTokenLimiter } from "../../backend/new-token-limiter.ts";
import type { Clock } from "../../clock.ts";
import type { ResolveInput } from "../../home/settings.ts";
import type { Log } from "../../log.ts";
import type { MessageBytes } from "../../mcp/http/message-bytes.ts";
import type { ServerDeps } from "../../mcp/server-deps.ts";
import type { Owner } from "../../negotiation/facts.ts";
import type { Pollers } from "../../negotiation/polling/watcher.ts";
import type { Store } from "../../store/store.ts";
import type { EndpointBrowsers } from "./browsers.ts";
import type { UserPlaces } from "./user-places.ts";

/** What the users of one replica share. */
export interface UserParts {
  version: string;
  /** The package's folder. */
  root: URL;
  backendUrl: string;
  /** The operator's settings, without anything that is one person's own. */
  operator: Omit<ResolveInput, "file"> & { file: Readonly<Record<string, unknown>> };
  store: Store;
  http: Http;
  newTokenLimiter: NewTokenLimiter;
  pollers: Pollers;
  /** What all users are sending. */
  messageBytes: MessageBytes;
  /** What is written down of users where no store does it; absent where replicas share one. */
  places?: Pick<UserPlaces, "of"> | undefined;
  /** This running program, as histories name it. */
  owner: Owner;
  /** Whether another program is there. */
  isAlive: (owner: Owner) => Promise<boolean>;
  clock: Clock;
  log: Log;
  /** Signs what clients carry; the same in every replica. */
  stateKey: Uint8Array;
  /** Where pages are, and the browsers of all users. */
  pages?: { site: ApprovalSite; browsers: Pick<EndpointBrowsers, "of" | "onPageOf"> } | undefined;
  instructions: string;
  prompt: ServerDeps["prompt"];
  onCall: NonNullable<ServerDeps["onCall"]>;
}
