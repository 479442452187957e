import { type RequestOptions, Server } from "@modelcontextprotocol/server";

type Request = Server["request"];

/**
 * A server whose question to a client of the 2025 era may fail, by an error of the client's or by no answer at all,
 * without the call failing: the SDK would answer it in words of its own, with no way on. The person has not decided
 * then, which is what the answer `cancel` says (contract §6).
 */
export class AskingServer extends Server {
  readonly #onFailure: (error: unknown) => void;

  constructor(
    info: ConstructorParameters<typeof Server>[0],
    options: ConstructorParameters<typeof Server>[1],
    onFailure: (error: unknown) => void,
  ) {
    super(info, options);
    this.#onFailure = onFailure;
  }

  override request: Request = async (request: { method: string }, ...rest: unknown[]) => {
    const send = super.request as (...all: unknown[]) => Promise<unknown>;
    try {
      return await send.call(this, request, ...rest);
    } catch (error) {
      const { signal } = (rest.at(-1) ?? {}) as RequestOptions;
      if (request.method !== "elicitation/create" || signal?.aborted) throw error;
      this.#onFailure(error);
      return { action: "cancel" };
    }
  };
}
