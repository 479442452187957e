import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { openSync } from "node:fs";
import { PassThrough, Writable } from "node:stream";
import { onTestFinished } from "vitest";
import type { Io } from "../../src/app/io.ts";
import { type Clock, type LoopUse, systemClock } from "../../src/clock.ts";
import { run } from "../../src/commands/start.ts";

export const ROOT = new URL("../../", import.meta.url);

/** For what hangs, not for what is slow. */
const LAST_WORDS_MS = 60_000;
const IDLE: LoopUse = { take: () => 0 };
/** What these lead to is two places: no program finds its stdout and its stderr to be one. */
const [OUT, ERR] = ["package.json", "tsconfig.json"].map((name) => openSync(new URL(name, ROOT), "r"));

export interface ProgramOptions {
  env: Record<string, string>;
  cwd?: string | undefined;
  /** The package's folder, where it is another one. */
  root?: URL;
  /** Default: the system's. */
  clock?: Clock | undefined;
  /** Of the event loop; default: it is idle, however busy the machine is. */
  loopUse?: LoopUse | undefined;
  /** It runs in a terminal of that size, and both its outputs are there. */
  terminal?: { columns: number; rows: number } | undefined;
}

/** A program in this process, as far as a test sees it from outside. */
export type Running = ChildProcess & {
  /** Is asked to end, and does, without the waits that are only there for others. @throws where it goes on */
  endsSoon(): Promise<void>;
  /** Something in it throws, and nothing catches it. */
  crash(error: unknown): void;
};

/** The program on this command line, in this process. It ends with its test. */
export function program(args: readonly string[], options: ProgramOptions): Running {
  const running = startProgram(args, options);
  onTestFinished(() => running.endsSoon());
  return running;
}

/** The same, for as long as who starts it wants. */
export const startProgram = (args: readonly string[], options: ProgramOptions): Running =>
  new Program(args, options) as unknown as Running;

/** These go on after they have begun; whatever else is typed ends by itself. */
const isServer = ([first = ""]: readonly string[], isTyped: boolean): boolean =>
  [isTyped ? "stdio" : "", "stdio", "serve", "mock"].includes(first) ||
  (/^-/.test(first) && !/^(-h|--help|-V|--version)$/.test(first));

class Program extends EventEmitter {
  readonly stdin: Writable;
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly pid = process.pid;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  readonly #signals = new EventEmitter().setMaxListeners(0);
  readonly #ended = Promise.withResolvers<void>();
  readonly #keyboard: PassThrough & { isRaw?: boolean };
  readonly #isServer: boolean;
  readonly #line: string;
  #isInHurry = false;
  #code: Io["exitCode"];

  constructor(args: readonly string[], options: ProgramOptions) {
    super();
    const { env, cwd, root = ROOT, terminal, clock = systemClock, loopUse = IDLE } = options;
    this.#line = args.join(" ");
    this.#isServer = isServer(args, terminal !== undefined);
    this.#keyboard = new PassThrough();
    this.stdin = terminal === undefined ? this.#piped() : this.#typed();
    const [outs, errs] = [
      this.#output(this.stdout, terminal),
      this.#output(terminal ? this.stdout : this.stderr, terminal),
    ];
    const keyboard = Object.assign(this.#keyboard, {
      isTTY: terminal !== undefined,
      isRaw: false,
      setRawMode(isRaw: boolean) {
        keyboard.isRaw = isRaw;
        return keyboard;
      },
    });
    const io: Io = {
      env,
      stdin: keyboard as unknown as Io["stdin"],
      stdout: Object.assign(outs, { fd: OUT }) as unknown as Io["stdout"],
      stderr: Object.assign(errs, { fd: terminal ? OUT : ERR }) as unknown as Io["stderr"],
      // What has ended waits for nothing any more, as a process that is gone.
      clock: {
        ...clock,
        sleep: async (ms, signal) => {
          await clock.sleep(this.#isInHurry ? 0 : ms, signal);
          if (this.#isOver) await new Promise(() => {});
        },
        after: (ms, fire) => clock.after(ms, () => !this.#isOver && fire()),
      },
      loopUse,
      writeStderr: (bytes) => {
        errs.write(bytes);
        return bytes.length;
      },
      cwd: () => cwd ?? process.cwd(),
      exit: (code) => this.#end(Number(code ?? this.#code ?? 0)),
      on: (event, listener) => this.#signals.on(event, listener),
      once: (event, listener) => this.#signals.once(event, listener),
      off: (event, listener) => this.#signals.off(event, listener),
      onCrash: (listener) => this.#signals.on("crash", listener),
      get exitCode() {
        return exitCode();
      },
      set exitCode(code) {
        setExitCode(code);
      },
    };
    const exitCode = () => this.#code;
    const setExitCode = (code: Io["exitCode"]) => {
      this.#code = code;
    };
    setImmediate(async () => {
      try {
        await run([...args], io, root);
      } catch (error) {
        errs.write(`${error instanceof Error ? error.stack : error}\n`);
        this.#code = 1;
      }
      if (!this.#isServer || this.#code) this.#end(Number(this.#code ?? 0));
    });
  }

  get killed(): boolean {
    return this.signalCode !== null;
  }

  /** A signal that nobody listens for ends it at once. */
  kill(signal: NodeJS.Signals = "SIGTERM"): boolean {
    if (this.#isOver) return false;
    if (signal === "SIGKILL" || !this.#signals.emit(signal)) this.#end(null, signal);
    return true;
  }

  crash(error: unknown): void {
    if (!this.#isOver) this.#signals.emit("crash", error);
  }

  async endsSoon(): Promise<void> {
    if (this.#isOver) return;
    this.#isInHurry = true;
    this.stdin.end();
    this.kill("SIGTERM");
    let hangs = false;
    const timer = setTimeout(() => {
      hangs = true;
      this.#end(null, "SIGKILL");
    }, LAST_WORDS_MS);
    await this.#ended.promise;
    clearTimeout(timer);
    if (hangs) throw new Error(`towow-mcp ${this.#line}: asked to end, and goes on after ${LAST_WORDS_MS / 1000} s`);
  }

  get #isOver(): boolean {
    return this.exitCode !== null || this.signalCode !== null;
  }

  #end(code: number | null, signal: NodeJS.Signals | null = null): void {
    if (this.#isOver) return;
    this.exitCode = code;
    this.signalCode = signal;
    this.#signals.emit("exit");
    this.#signals.removeAllListeners();
    this.#keyboard.destroy();
    const streams = [this.stdout, this.stderr];
    let open = streams.length;
    const closed = () => {
      if (--open === 0) this.emit("close", code, signal);
    };
    for (const stream of streams)
      if (stream.destroyed) setImmediate(closed);
      else stream.once("close", closed).end();
    this.emit("exit", code, signal);
    // What nobody reads is nobody's to wait for.
    for (const stream of streams)
      if (stream.readableFlowing === null && stream.listenerCount("readable") === 0) stream.resume();
    this.#ended.resolve();
  }

  /** What it writes after its end reaches nobody. */
  #output(to: PassThrough, terminal: ProgramOptions["terminal"]): Writable {
    const stream = new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _, done) => {
        if (this.#isOver || to.destroyed)
          return done(this.#isOver ? undefined : Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
        to.write(terminal === undefined ? chunk : String(chunk).replace(/\r?\n/g, "\r\n"), () => {});
        done();
      },
    });
    return Object.assign(stream, terminal === undefined ? {} : { isTTY: true, ...terminal, hasColors: () => true });
  }

  /** What is written arrives a moment later, as through a pipe. */
  #piped(): Writable {
    const keyboard = this.#keyboard;
    keyboard.once("close", () => piped.destroy());
    const piped = new Writable({
      decodeStrings: false,
      write(chunk, encoding, done) {
        setImmediate(() => {
          if (!keyboard.destroyed) keyboard.write(chunk, encoding);
          done();
        });
      },
      final(done) {
        setImmediate(() => keyboard.end());
        done();
      },
    });
    return piped;
  }

  /** What is typed, by way of a terminal: shown and cooked where the program has not asked for raw keys. */
  #typed(): Writable {
    return new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _, done) => {
        setImmediate(() => {
          this.#press(String(chunk));
          done();
        });
      },
    });
  }

  #press(keys: string): void {
    if (this.#isOver) return;
    if (this.#keyboard.isRaw) this.#keyboard.write(keys);
    else if (keys === "\x03") {
      this.stdout.write("^C");
      this.kill("SIGINT");
    } else if (keys === "\x04") this.#keyboard.end();
    else {
      this.stdout.write(keys.replaceAll("\r", "\r\n"));
      this.#keyboard.write(keys.replaceAll("\r", "\n"));
    }
  }
}
