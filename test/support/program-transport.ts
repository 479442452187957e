import { createInterface } from "node:readline";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { type ProgramOptions, program } from "./program.ts";

/** A client's end of the program's stdin and stdout, which runs in this process; for the SDKs of both eras. */
export class ProgramTransport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #args: readonly string[];
  readonly #options: ProgramOptions;
  readonly #onStderr: ((text: string) => void) | undefined;
  #child: ReturnType<typeof program> | undefined;

  constructor(args: readonly string[], options: ProgramOptions, onStderr?: (text: string) => void) {
    this.#args = args;
    this.#options = options;
    this.#onStderr = onStderr;
  }

  async start(): Promise<void> {
    const child = program(this.#args, this.#options);
    this.#child = child;
    child.stderr?.on("data", (chunk: Buffer) => this.#onStderr?.(chunk.toString()));
    child.once("close", () => this.onclose?.());
    createInterface({ input: child.stdout! }).on("line", (line) => this.onmessage?.(JSON.parse(line)));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#child?.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /** As the SDKs do it: the end of stdin is the word to end. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = new Promise((resolve) => child.once("close", resolve));
    child.stdin?.end();
    await closed;
  }
}
