import type { Io } from "../app/io.ts";
import { stopwatch } from "../clock.ts";
import { once } from "../once.ts";

/** Under npm one Ctrl-C arrives twice: from the terminal and from npm. */
const SAME_SIGNAL_MS = 1_000;
/** This is long enough for a cancel over a warm connection. Claude Code kills after half a second in any case. */
const LAST_WORDS_MS = 3_000;
/** A timer takes at most this. */
const LONGEST_MS = 2 ** 31 - 1;

/** The program ends because an error broke it. */
export const CRASH = "crash";

/** The exit statuses are those of a shell. A closed terminal window sends SIGHUP. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type EndSignal = keyof typeof SIGNALS;

/** Says how a part of a program ends before it is done. */
export interface Ending {
  /** Withdraws or hands on what is undecided, and lets decided texts arrive. */
  end: (why: string) => Promise<unknown>;
  /** A server that was asked to end has done what it should. */
  status?: 0;
  /** When asked to end, it may take longer than the last words do. */
  isPatient?: true;
  /**
   * Returns whether a person's no is on its way. Only their own second signal ends that before it has arrived
   * (contract §10).
   */
  mustStay?: () => boolean;
  /** Says what this part leaves undone. Called where the program goes before the part has ended. */
  leave?: () => void;
  /** Called when it is asked to end once more. */
  again?: (signal: EndSignal) => void;
}

interface Program {
  /** The innermost ending stands last. */
  endings: Ending[];
  /** Says since when the program ends, and which ending was the innermost then. */
  begun?: { why: string; ending: Ending | undefined; elapsedMs: () => number; leave?: () => void };
}

const programs = new WeakMap<Io, Program>();

/**
 * From now on the program ends in this way, whether by a signal, an uncaught error or an output that nobody reads.
 * Earlier endings follow it. It keeps listening, since the lock library ends a program at once where nobody else
 * listens. `release`: this part is done.
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

/** Ends the program, the innermost part first, within some seconds, or at once where no part has anything to end. */
export async function endNow(io: Io, why: string, { status, isPatient = false, tell }: HowToEnd): Promise<void> {
  const program = programs.get(io) ?? { endings: [] };
  const isBroken = why === CRASH && program.begun?.why !== CRASH; // The fault may block the end that has begun.
  if (program.begun !== undefined && !isBroken) return;
  const endings = program.endings.toReversed();
  const begun: Program["begun"] = { why, ending: endings[0], elapsedMs: stopwatch(io.clock) };
  program.begun = begun;
  programs.set(io, program);
  io.exitCode = status; // The parts may finish first, and end the program by themselves.
  const unended = new Set(endings);
  const leave = once(async () => {
    clearTimeout(timer);
    for (const one of unended) one.leave?.();
    if (tell !== undefined) await tell().catch(() => {});
    io.exit(status === 0 ? Number(io.exitCode) : status); // A part may have said that it did not do what it should.
  });
  let timer: NodeJS.Timeout | undefined;
  if (endings.length === 0) return leave();
  // Without a terminal nothing else may keep the process, and what waits for its next try would be dropped.
  const leaveUnlessNo = () => {
    if (!endings.some(({ mustStay }) => mustStay?.() === true)) return void leave();
    begun.leave = () => void leave();
  };
  timer = isPatient ? setTimeout(leave, LONGEST_MS) : setTimeout(leaveUnlessNo, LAST_WORDS_MS);
  for (const one of endings) {
    await one.end(why).catch(() => {}); // A part that fails keeps no other from its end.
    unended.delete(one);
  }
  await leave();
}
