type Command = () => Promise<void>;

/** What waits to run alone at a supervisor, the oldest first. */
export class CommandQueue {
  readonly #commands: Command[] = [];

  get isEmpty(): boolean {
    return this.#commands.length === 0;
  }

  /** Gives what `work` gives, once it was taken and run; at the limit its reason, if `work` has not begun: it never does. */
  add<T>(work: () => Promise<T>, limit?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      if (limit?.aborted) return reject(limit.reason);
      const drop = () => {
        const index = this.#commands.indexOf(command);
        if (index === -1) return; // taken, and about to begin
        this.#commands.splice(index, 1);
        reject(limit?.reason);
      };
      const command = () => {
        limit?.removeEventListener("abort", drop);
        return work().then(resolve, reject);
      };
      this.#commands.push(command);
      limit?.addEventListener("abort", drop, { once: true });
    });
  }

  /** The oldest, for the caller to run: what it throws goes to who added it. Undefined where there is none. */
  take(): Command | undefined {
    return this.#commands.shift();
  }
}
