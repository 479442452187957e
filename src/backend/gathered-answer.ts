import type { Dispatcher } from "undici";
import { systemClock } from "../clock.ts";
import { BodyTooLarge } from "./body.ts";
import { type Request, TimedOut } from "./wire.ts";

interface Head {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * One answer, gathered in memory, at most `maxBytes` of it as they come over the wire: a stream for each small body costs
 * a call more than the parsing does. What ends it early, by the signal or with TimedOut, rejects what has not resolved
 * yet, and ends the download.
 */
export class GatheredAnswer implements Dispatcher.DispatchHandler {
  readonly #head = Promise.withResolvers<Head>();
  readonly #body = Promise.withResolvers<readonly Buffer[]>();
  readonly #maxBytes: number;
  readonly #signal: AbortSignal | undefined;
  readonly #cancelTimer: () => void;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;
  #failure: unknown;

  constructor({ maxBytes, timeoutMs, signal }: Pick<Request, "maxBytes" | "timeoutMs" | "signal">) {
    this.#maxBytes = maxBytes;
    this.#signal = signal;
    this.#body.promise.catch(() => {}); // who reads the body hears of it
    // The real clock on purpose: an injected one may leap minutes while a request is on a real wire.
    this.#cancelTimer = systemClock.after(Math.max(1, Math.ceil(timeoutMs)), this.#onTimeout);
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (signal?.aborted) this.#onAbort();
  }

  get head(): Promise<Head> {
    return this.#head.promise;
  }

  /** All of it. Rejects with BodyTooLarge beyond the most, and with whatever breaks it off. */
  get body(): Promise<readonly Buffer[]> {
    return this.#body.promise;
  }

  /** What of it has come. */
  get received(): readonly Buffer[] {
    return this.#chunks;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(this.#failure as Error); // ended while it was connecting: nothing is sent
  }

  onResponseStart(_: unknown, status: number, headers: Head["headers"]): void {
    if (status >= 200) this.#head.resolve({ status, headers });
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) this.end(new BodyTooLarge());
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#settle();
    this.#body.resolve(this.#chunks);
  }

  onResponseError(_: unknown, error: Error): void {
    this.end(error);
  }

  /** Ends it, and the download with it; nothing where it is over. */
  end(failure: unknown): void {
    if (this.#isOver) return;
    this.#settle();
    this.#failure = failure;
    this.#head.reject(failure);
    this.#body.reject(failure);
    this.#controller?.abort(failure as Error);
  }

  readonly #onTimeout = (): void => this.end(new TimedOut({ wasSent: this.#controller !== undefined }));

  readonly #onAbort = (): void => this.end(this.#signal?.reason);

  #settle(): void {
    this.#isOver = true;
    this.#cancelTimer();
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}
