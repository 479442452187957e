import type { Server, ServerContext } from "@modelcontextprotocol/server";
import type { Pending } from "../ask/questions.ts";
import { failureOf, type Log } from "../log.ts";
import type { Permissions } from "../session/permissions.ts";
import type { Accounts } from "./account.ts";

/**
 * How long the program waits for the decision on a page, in ms. That is longer than any call waits for its decision.
 */
const LIFETIME_MS = 15 * 60_000;

const GONE = new Error("the client has gone");

export interface PageCompletionDeps {
  server: Server;
  accounts: Accounts;
  permissions: Permissions;
  newId: () => string;
  log: Log;
}

/**
 * Tells a client of the 2025 era when the question of a page has been decided (`notifications/elicitation/complete`),
 * because the client's dialog stays open until then. The 2026 era has no such notice.
 */
export class PageCompletion {
  readonly #deps: PageCompletionDeps;
  #isClosed = false;
  /**
   * Aborts when the client has gone. The controller is made with the first page, because most servers over HTTP show no
   * page.
   */
  #closed: AbortController | undefined;

  constructor(deps: PageCompletionDeps) {
    this.#deps = deps;
  }

  /**
   * Returns an id for a page that is about to be shown, and waits for the decision on its question from now on. Returns
   * undefined in the 2026 era.
   */
  idOf(about: Pending, origin: string, { mcpReq }: ServerContext): string | undefined {
    if (mcpReq.envelope !== undefined) return undefined;
    const { newId, log } = this.#deps;
    const id = newId();
    this.#announce(id, about, origin, mcpReq.id).catch((error) => {
      if (!this.#isClosed) log.debug("page_completion_unsent", { error: failureOf(error) });
    });
    return id;
  }

  close(): void {
    this.#isClosed = true;
    this.#closed?.abort(GONE);
  }

  async #announce(id: string, about: Pending, origin: string, relatedRequestId: string | number): Promise<void> {
    const { server, accounts, permissions } = this.#deps;
    this.#closed ??= new AbortController();
    if (this.#isClosed) this.#closed.abort(GONE);
    const { signal } = this.#closed;
    if (about.kind === "send") await permissions.waitForAnswer(about.approval_id, LIFETIME_MS, signal);
    else await accounts.of(origin).negotiations.forCall({ signal }).untilDecided(about.negotiation_id, LIFETIME_MS);
    const related = server.createElicitationCompletionNotifier(id, { relatedRequestId });
    // The call may have ended, and its stream with it. In that case the session's own stream carries the notice.
    await related().catch(() => server.createElicitationCompletionNotifier(id)());
  }
}
