import type { Io } from "../app/io.ts";
import { stopwatch } from "../clock.ts";
import { once } from "../once.ts";

/** Under npm one Ctrl-C arrives twice, from the terminal and from npm. Two signals within this time count as one. */
const SAME_SIGNAL_MS = 1_000;
/**
 * The time that an end may take, long enough for a cancel over a warm connection. Claude Code kills after half a second
 * anyway.
 */
const LAST_WORDS_MS = 3_000;
/** The longest time that a timer accepts. */
const LONGEST_MS = 2 ** 31 - 1;

/** The reason that is given for an end after an uncaught error. */
export const CRASH = "crash";

/** Maps signals to the exit statuses of a shell. A closed terminal window sends SIGHUP. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type EndSignal = keyof typeof SIGNALS;

/** How a part of a program ends before its work is done. */
export interface Ending {
  /** Withdraws undecided demands or hands them to another program, and lets decided texts arrive. */
  end: (why: string) => Promise<unknown>;
  /** Set for a server, because a server that is asked to end has done its work. */
  status?: 0;
  /** Set if the end may take longer than usual. */
  isPatient?: true;
  /**
   * Returns whether a person's no is on its way. Before it has arrived, only the person's own second signal may end the
   * program (contract §10).
   */
  mustStay?: () => boolean;
  /** Says what this part leaves undone. Called if the program exits before the part has ended. */
  leave?: () => void;
  /** Called when the program is asked to end once more. */
  again?: (signal: EndSignal) => void;
}

interface Program {
  /** The endings of the program's parts, with the innermost last. */
  endings: Ending[];
  /** The end that has begun, and the ending that was the innermost then. */
  begun?: { why: string; ending: Ending | undefined; elapsedMs: () => number; leave?: () => void };
}

const programs = new WeakMap<Io, Program>();

/**
 * Registers an ending. From now on the program ends with it after a signal, after an uncaught error, or if nobody reads an
 * output. Endings that were registered earlier run after it. The listeners stay, because the lock library ends a program at
 * once if nobody else listens. Call `release` when this part is done.
 */
export function onEnd(io: Io, ending: Ending): { release: () => void } {
  const program = programs.get(io) ?? listen(io);
  program.endings.push(ending);
  return {
    release() {
      program.endings = program.endings.filter((one) => one !== ending);
    },
  };
}

function listen(io: Io): Program {
  const program: Program = { endings: [] };
  programs.set(io, program);
  for (const signal of Object.keys(SIGNALS) as EndSignal[])
    io.on(signal, () => {
      const { begun } = program;
      if (begun !== undefined) {
        if (begun.elapsedMs() < SAME_SIGNAL_MS) return;
        begun.ending?.again?.(signal);
        if (signal !== "SIGHUP") begun.leave?.();
        return;
      }
      const { status = SIGNALS[signal], isPatient = false } = program.endings.at(-1) ?? {};
      void endNow(io, signal, { status, isPatient });
    });
  return program;
}

export interface HowToEnd {
  status: number;
  isPatient?: boolean;
  /** Says why the program ends, once everything is settled. */
  tell?: () => Promise<unknown>;
}

/**
 * Ends the program, normally within some seconds, the innermost part first. If no part has anything to end, it ends at once.
 */
export async function endNow(io: Io, why: string, { status, isPatient = false, tell }: HowToEnd): Promise<void> {
  const program = programs.get(io) ?? { endings: [] };
  const isBroken = why === CRASH && program.begun?.why !== CRASH; // An error may block the end that has already begun.
  if (program.begun !== undefined && !isBroken) return;
  const endings = program.endings.toReversed();
  const begun: Program["begun"] = { why, ending: endings[0], elapsedMs: stopwatch(io.clock) };
  program.begun = begun;
  programs.set(io, program);
  io.exitCode = status; // Set now, because the parts may finish first and end the program by themselves.
  const unended = new Set(endings);
  const leave = once(async () => {
    clearTimeout(timer);
    for (const one of unended) one.leave?.();
    if (tell !== undefined) await tell().catch(() => {});
    io.exit(status === 0 ? Number(io.exitCode) : status); // A part may have set the status because it failed.
  });
  let timer: NodeJS.Timeout | undefined;
  if (endings.length === 0) return leave();
  const leaveUnlessNo = () => {
    if (!endings.some(({ mustStay }) => mustStay?.() === true)) return void leave();
    begun.leave = () => void leave();
  };
  // An ordinary timer keeps the process alive. Without a terminal nothing else may do so, and a request that waits for its next
  // try would be lost.
  timer = isPatient ? setTimeout(leave, LONGEST_MS) : setTimeout(leaveUnlessNo, LAST_WORDS_MS);
  for (const one of endings) {
    await one.end(why).catch(() => {}); // The failure of one part does not keep another from ending.
    unended.delete(one);
  }
  await leave();
}
