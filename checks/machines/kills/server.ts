import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

// biome-ignore lint/suspicious/noExplicitAny: results of many tools
export type Result = any;

/** The built program over stdio, and as much of a client as the checks need. */
export class Server {
  readonly child: ChildProcess;
  readonly exited: Promise<void>;
  /** Resolves once it has answered, or ended. */
  readonly ready: Promise<unknown>;
  #id = 0;
  readonly #waiting = new Map<number, (message: Result) => void>();
  stderr = "";

  readonly answer: ((form: Result) => Promise<Result>) | undefined;

  /** `root` is the folder of the built package; `under`: the command that starts it, where it is not started directly. */
  constructor(
    root: string,
    env: Record<string, string>,
    answer?: (form: Result) => Promise<Result>,
    under: readonly string[] = [],
  ) {
    this.answer = answer;
    const [command = "", ...args] = [...under, process.execPath, join(root, "dist/cli.js"), "--mode", "developer"];
    this.child = spawn(command, args, {
      env: { PATH: process.env.PATH ?? "", LANG: "en_US.UTF-8", ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.exited = new Promise((resolve) => this.child.once("exit", () => resolve()));
    this.child.stdin!.on("error", () => {});
    this.child.stderr!.on("data", (chunk) => {
      this.stderr += chunk;
    });
    createInterface({ input: this.child.stdout! }).on("line", (line) => void this.#hear(JSON.parse(line)));
    const id = ++this.#id;
    this.ready = Promise.race([new Promise((resolve) => this.#waiting.set(id, resolve)), this.exited]);
    this.#write({
      id,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: answer ? { elicitation: {} } : {},
        clientInfo: { name: "kills", version: "1" },
      },
    });
    this.#write({ method: "notifications/initialized" });
  }

  async #hear(message: Result): Promise<void> {
    if (message.method === "elicitation/create") {
      const result = await this.answer?.(message.params);
      if (result !== undefined) this.#write({ id: message.id, result });
      return;
    }
    if (message.method === undefined) this.#waiting.get(message.id)?.(message);
  }

  #write(message: object): void {
    if (this.child.stdin!.writable) this.child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /** The result, or undefined when the server ends first. */
  call(name: string, args: object): Promise<Result> {
    const id = ++this.#id;
    this.#write({ id, method: "tools/call", params: { name, arguments: args } });
    return Promise.race([
      new Promise<Result>((resolve) => this.#waiting.set(id, (m) => resolve(m.result?.structuredContent ?? m))),
      this.exited.then(() => undefined),
    ]);
  }

  /** SIGKILL, by the id of a child that this program started. */
  async kill(): Promise<void> {
    const { pid, exitCode, signalCode } = this.child;
    // Never a pid that was reaped: the number may belong to somebody else by now.
    if (pid !== undefined && pid > 1 && exitCode === null && signalCode === null) this.child.kill("SIGKILL");
    await this.exited;
  }
}
