import { type RequestOptions, Server, type ServerContext } from "@modelcontextprotocol/server";
import { once } from "../once.ts";
import type { CountedCall } from "./server-deps.ts";

type Request = Server["request"];

/**
 * A server whose question to a client of the 2025 era may fail, by an error of the client's or by no answer at all,
 * without the call failing: the SDK would answer it in words of its own, with no way on. The person has not decided
 * then, which is what the answer `cancel` says (contract §6).
 */
export class AskingServer extends Server {
  readonly #onFailure: (error: unknown) => void;
  readonly #counted: () => CountedCall | undefined;
  #handling = 0;
  /** Most servers over HTTP ask nothing. */
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

  /** Whether a handler has not ended yet: one may go on when its client has gone. */
  get isHandling(): boolean {
    return this.#handling > 0;
  }

  /**
   * Every handler is counted while it runs. What its client has cancelled is never answered, so that the stream of its
   * request stays open for as long as that client likes: its call is over with its work.
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

  /** From now on no answer can arrive: what is asked is taken back at the client, and nothing more is asked. */
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
