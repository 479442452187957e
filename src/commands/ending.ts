import type { Io } from "../app/io.ts";
import { stopwatch } from "../clock.ts";
import { once } from "../once.ts";

/** One Ctrl-C under npm arrives twice: from the terminal and from npm. */
const SAME_SIGNAL_MS = 1_000;
/** Long enough for a cancel over a warm connection; Claude Code kills after half a second in any case. */
const LAST_WORDS_MS = 3_000;
/** The longest that a timer takes. */
const LONGEST_MS = 2 ** 31 - 1;

/** Why a program ends that an error has broken. */
export const CRASH = "crash";

/** With the exit status that a shell counts. A terminal's window that closes sends SIGHUP. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type EndSignal = keyof typeof SIGNALS;

/** How a part of a program ends before it is done. */
export interface Ending {
  /** Withdraws or hands on what is undecided, and lets what is decided arrive. */
  end: (why: string) => Promise<unknown>;
  /** A server that was told to end has done what it should. */
  status?: 0;
  /** Told to end, it may take longer than the last words do. */
  isPatient?: true;
  /** Whether a person's no is on its way: only their own second word ends that before it has arrived (contract §10). */
  mustStay?: () => boolean;
  /** It is told to end once more. */
  again?: (signal: EndSignal) => void;
}

interface Program {
  /** The innermost last. */
  endings: Ending[];
  /** Since when it ends, and the ending that was the innermost then. */
  begun?: { why: string; ending: Ending | undefined; elapsedMs: () => number; leave?: () => void };
}

const programs = new WeakMap<Io, Program>();

/**
 * From now on the program ends so, whatever ends it: a signal, an error that nothing has caught, an output that nobody
 * takes. What was named before is ended after it. It listens to the end, since the lock library ends a program at once in
 * which nobody else listens. `release`: this part is done.
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
  /** Says why, once everything is settled. */
  tell?: () => Promise<unknown>;
}

/** Ends the program, the innermost part first, within some seconds; at once where no part has anything to end. */
export async function endNow(io: Io, why: string, { status, isPatient = false, tell }: HowToEnd): Promise<void> {
  const program = programs.get(io) ?? { endings: [] };
  const isBroken = why === CRASH && program.begun?.why !== CRASH; // what is wrong may keep the end that has begun
  if (program.begun !== undefined && !isBroken) return;
  const endings = program.endings.toReversed();
  const begun: Program["begun"] = { why, ending: endings[0], elapsedMs: stopwatch(io.clock) };
  program.begun = begun;
  programs.set(io, program);
  io.exitCode = status; // what is ended so may be done first, and end the program by itself
  const leave = once(async () => {
    clearTimeout(timer);
    if (tell !== undefined) await tell().catch(() => {});
    io.exit(status);
  });
  let timer: NodeJS.Timeout | undefined;
  if (endings.length === 0) return leave();
  // Without a terminal nothing else may keep the process, and what waits for its next try would be dropped.
  const leaveUnlessNo = () => {
    if (!endings.some(({ mustStay }) => mustStay?.() === true)) return void leave();
    begun.leave = () => void leave();
  };
  timer = isPatient ? setTimeout(leave, LONGEST_MS) : setTimeout(leaveUnlessNo, LAST_WORDS_MS);
  await endAll(endings, why);
  await leave();
}

/** What one part cannot do keeps no other from its end. */
async function endAll(endings: readonly Ending[], why: string): Promise<void> {
  for (const { end } of endings) await end(why).catch(() => {});
}
