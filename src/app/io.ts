import { writeSync } from "node:fs";
import { Writable } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";
import { type Clock, type LoopDelay, systemClock } from "../clock.ts";

/** Where it leads is known by its number. */
type Output = WriteStream & { readonly fd: number };

/** What a program has of the process that it runs in: the executable hands in its own, a test one that it made. */
export interface Io {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: ReadStream;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly clock: Clock;
  /** Where it is known otherwise than by measuring the process. */
  readonly loopDelay?: LoopDelay | undefined;
  /** What of these bytes went to stderr at once; throws when none can. */
  writeStderr(bytes: Uint8Array): number;
  exitCode: number | string | null | undefined;
  cwd(): string;
  /** Ends the program. What stands behind it may still run where the process goes on. */
  exit(code?: number): void;
  on(event: NodeJS.Signals | "exit", listener: () => void): unknown;
  once(event: NodeJS.Signals | "exit", listener: () => void): unknown;
  off(event: NodeJS.Signals | "exit", listener: () => void): unknown;
  /** Of an error that nothing has caught, or a promise's: without a listener it ends the program at once. */
  onCrash(listener: (error: unknown) => void): unknown;
}

let ownStderr: Output | undefined;

/**
 * `NODE_DEBUG` has Node write down on stderr what goes through its streams, and so what a person has said. Node has read it
 * before this program begins: what is said so from now on goes nowhere.
 */
export function silenceNodeDebug(): void {
  if (!process.env.NODE_DEBUG) return;
  ownStderr = process.stderr;
  Object.defineProperty(process, "stderr", { value: new Writable({ write: (_chunk, _encoding, done) => done() }) });
}

/** This process's own. Its streams are opened when they are first asked for. */
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
