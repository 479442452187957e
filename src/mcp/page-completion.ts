import type { Server, ServerContext } from "@modelcontextprotocol/server";
import type { Pending } from "../ask/questions.ts";
import { failureOf } from "../log.ts";
import type { ServerDeps } from "./server-deps.ts";

/**
 * How long the program waits for the decision on a page, in ms. That is longer than any call waits for its decision.
 */
const LIFETIME_MS = 15 * 60_000;

const GONE = new Error("the client has gone");

/**
 * Tells a client of the 2025 era when the question of a page has been decided (`notifications/elicitation/complete`),
 * because the client's dialog stays open until then. The 2026 era has no such notice.
 */
export class PageCompletion {
  readonly #server: Server;
  readonly #deps: ServerDeps;
  #isClosed = false;
  /**
   * Aborts when the client has gone. The controller is made with the first page, because most servers over HTTP show no
   * page.
   */
  #closed: AbortController | undefined;

  constructor(server: Server, deps: ServerDeps) {
    this.#server = server;
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
    const { accounts, session } = this.#deps;
    this.#closed ??= new AbortController();
    if (this.#isClosed) this.#closed.abort(GONE);
    const { signal } = this.#closed;
    if (about.kind === "send") await session.permissions.waitForAnswer(about.approval_id, LIFETIME_MS, signal);
    else await accounts.of(origin).negotiations.forCall({ signal }).untilDecided(about.negotiation_id, LIFETIME_MS);
    const related = this.#server.createElicitationCompletionNotifier(id, { relatedRequestId });
    // The call may have ended, and its stream with it. In that case the session's own stream carries the notice.
    await related().catch(() => this.#server.createElicitationCompletionNotifier(id)());
  }
}
