import { writeSync } from "node:fs";
import { Writable } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";
import { type Clock, type LoopUse, systemClock } from "../clock.ts";

/** An output stream. Its file descriptor shows where the output leads. */
type Output = WriteStream & { readonly fd: number };

/** What a program gets from its process. The executable passes its own, and a test passes one that it made. */
export interface Io {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: ReadStream;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly clock: Clock;
  /** Set by tests, so that the measured load does not depend on the real process. */
  readonly loopUse?: LoopUse | undefined;
  /** Writes to stderr at once and returns how many bytes were written. Throws if none could be written. */
  writeStderr(bytes: Uint8Array): number;
  exitCode: number | string | null | undefined;
  cwd(): string;
  /** Ends the program. If the process goes on, as in a test, code after the call still runs. */
  exit(code?: number): void;
  on(event: NodeJS.Signals | "exit", listener: () => void): unknown;
  once(event: NodeJS.Signals | "exit", listener: () => void): unknown;
  off(event: NodeJS.Signals | "exit", listener: () => void): unknown;
  /** Listens for uncaught errors and rejections. Without a listener they end the program at once. */
  onCrash(listener: (error: unknown) => void): unknown;
}

let ownStderr: Output | undefined;

/**
 * Discards what Node writes to stderr from now on. With `NODE_DEBUG` Node logs what passes through its streams,
 * including what a person has said. Node has already read that variable when this program begins.
 */
export function silenceNodeDebug(): void {
  if (!process.env.NODE_DEBUG) return;
  ownStderr = process.stderr;
  Object.defineProperty(process, "stderr", { value: new Writable({ write: (_chunk, _encoding, done) => done() }) });
}

/** Uses this process's own streams, opened on first use. */
export const ownIo: Io = {
  env: process.env,
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return ownStderr ?? process.stderr;
  },
  clock: systemClock,
  writeStderr: (bytes) => writeSync(2, bytes),
  get exitCode() {
    return process.exitCode;
  },
  set exitCode(code) {
    process.exitCode = code;
  },
  cwd: () => process.cwd(),
  exit: (code) => process.exit(code),
  on: (event, listener) => process.on(event, listener),
  once: (event, listener) => process.once(event, listener),
  off: (event, listener) => process.off(event, listener),
  onCrash: (listener) => process.on("uncaughtException", listener),
};
