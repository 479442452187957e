import type { LocalRoom } from "../../app/local-room.ts";
import type { Runtime } from "../../app/runtime.ts";
import { TowowError } from "../../errors.ts";
import { watchTexts } from "../../text/watch.ts";
import type { Display } from "../../watch/live.ts";
import type { View } from "../../watch/view.ts";
import { decideAtTerminal } from "../confirm.ts";
import { failureSentence } from "../failure.ts";
import { type Key, listenToKeys } from "../keys.ts";
import { print } from "../print.ts";

export interface ControlsOptions {
  runtime: Runtime;
  id: string;
  /** The package's folder. */
  root: URL;
  /** True if the person presses single keys instead of typing words. */
  raw: boolean;
  display: Display;
  view: () => View | undefined;
  /** Aborts when the watching ends. */
  signal: AbortSignal;
  leave: () => void;
  /** Called when the person's own text was confirmed here. */
  onOwnText: (text: string) => void;
}

/** Handles what a person does while they watch: decide, choose, open the room, leave. */
export class Controls {
  readonly #options: ControlsOptions;
  readonly #keys: ReturnType<typeof listenToKeys>;
  #deciding: Promise<void> | undefined;
  #opening: Promise<void> | undefined;
  #room: LocalRoom | undefined;

  constructor(options: ControlsOptions) {
    this.#options = options;
    this.#keys = listenToKeys(options.runtime.io, options.raw, (key) => this.#pressed(key));
  }

  #pressed(key: Key): void {
    const { display, leave } = this.#options;
    if (key === "q") leave();
    else if (key === "c") this.#decide();
    else if (key === "o") this.#opening ??= this.#openRoom();
    else if (key === "help") display.toggleHelp();
    else display.move(key === "up" ? -1 : 1);
  }

  #decide(): void {
    const { display, view, signal } = this.#options;
    if (view()?.asking !== true || this.#deciding !== undefined) return;
    this.#keys.pause();
    display.pause();
    this.#deciding = this.#ask().then((outcome) => {
      this.#deciding = undefined;
      if (signal.aborted) return;
      this.#keys.resume();
      display.resume();
      if (outcome !== "") display.notice(outcome);
    });
  }

  /**
   * Asks the question of `towow-mcp confirm`. Returns the last sentence that was printed, or why the decision could not be
   * carried out.
   */
  async #ask(): Promise<string> {
    const { runtime, id, signal, onOwnText } = this.#options;
    let last = "";
    const say = (line: string) => {
      last = line.trim();
      void print(runtime.io, `${line}\n`);
    };
    try {
      await decideAtTerminal(runtime, id, { say, signal, onOwnText });
      return last;
    } catch (error) {
      return this.#failure(error);
    }
  }

  /** Opens the room, which belongs to this program and ends with it. Only the browser gets its address. */
  async #openRoom(): Promise<void> {
    const { runtime, id, root, display } = this.#options;
    const texts = watchTexts(runtime.live.current().lang);
    try {
      const { openLocalRoom } = await import("../../app/local-room.ts");
      this.#room ??= await openLocalRoom(runtime, { root, port: 0, negotiationId: id });
      const isOpen = await runtime.openWindow(this.#room.address());
      display.notice(isOpen ? texts.opened : texts.notOpened);
    } catch (error) {
      display.notice(this.#failure(error));
    } finally {
      this.#opening = undefined;
    }
  }

  #failure(error: unknown): string {
    if (!(error instanceof TowowError)) throw error;
    return failureSentence(error, this.#options.runtime.live.current().lang);
  }

  /** Resolves when no question is open any more. */
  async settled(): Promise<void> {
    await this.#deciding;
  }

  /** Restores the terminal and closes the room. */
  async end(): Promise<void> {
    this.#keys.end();
    await this.#opening;
    await this.#room?.close();
  }
}
