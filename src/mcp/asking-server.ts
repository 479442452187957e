import { type RequestOptions, Server, type ServerContext } from "@modelcontextprotocol/server";
import { once } from "../once.ts";
import type { CountedCall } from "./server-deps.ts";

type Request = Server["request"];

/**
 * A server whose call goes on if its question to a client of the 2025 era fails or gets no answer. The SDK would fail
 * the call with an error that does not say what to do next. The question counts as answered with `cancel`, which says
 * that the person has not decided (contract §6).
 */
export class AskingServer extends Server {
  readonly #onFailure: (error: unknown) => void;
  readonly #counted: () => CountedCall | undefined;
  #handling = 0;
  /**
   * Aborts once no answer can arrive any more. The controller is made on first use, because most servers over HTTP ask
   * nothing.
   */
  readonly #unanswerable = once(() => new AbortController());

  constructor(
    info: ConstructorParameters<typeof Server>[0],
    options: ConstructorParameters<typeof Server>[1],
    onFailure: (error: unknown) => void,
    counted: () => CountedCall | undefined = () => undefined,
  ) {
    super(info, options);
    this.#onFailure = onFailure;
    this.#counted = counted;
  }

  /** Returns whether any handler is still running. A handler may go on after its client has gone. */
  get isHandling(): boolean {
    return this.#handling > 0;
  }

  /**
   * Counts every handler while it runs. A call that its client has cancelled is never answered, and its stream may stay
   * open for as long as the client likes, so the count of such a call ends with its handler.
   */
  override setRequestHandler = ((...given: unknown[]) => {
    const handler = given.pop() as (...of: unknown[]) => unknown;
    const set = super.setRequestHandler as (...all: unknown[]) => void;
    set.call(this, ...given, async (...of: unknown[]) => {
      const { mcpReq } = of.at(-1) as ServerContext;
      this.#handling += 1;
      try {
        return await handler(...of);
      } finally {
        this.#handling -= 1;
        if (mcpReq.signal.aborted) this.#counted()?.free();
      }
    });
  }) as Server["setRequestHandler"];

  /**
   * Stops all questions, because no answer can arrive from now on. Open questions are cancelled at the client, and new
   * questions end at once.
   */
  stopAsking(): void {
    this.#unanswerable().abort("The server is shutting down.");
  }

  override request: Request = async (request: { method: string }, ...rest: unknown[]) => {
    const send = super.request as (...all: unknown[]) => Promise<unknown>;
    if (request.method !== "elicitation/create") return send.call(this, request, ...rest);
    const options = (rest.at(-1) ?? {}) as RequestOptions;
    const { signal } = options;
    const { signal: unanswerable } = this.#unanswerable();
    const either = AbortSignal.any([unanswerable, ...(signal ? [signal] : [])]);
    const endWait = this.#counted()?.beginWait();
    try {
      return await send.call(this, request, ...rest.slice(0, -1), { ...options, signal: either });
    } catch (error) {
      if (signal?.aborted) throw error;
      if (!unanswerable.aborted) this.#onFailure(error);
      return { action: "cancel" };
    } finally {
      endWait?.();
    }
  };
}
