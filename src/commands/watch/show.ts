import type { Io } from "../../app/io.ts";
import type { Runtime } from "../../app/runtime.ts";
import type { Negotiation } from "../../backend/contract.ts";
import type { FeedEvidence } from "../../feed/evidence.ts";
import type { Settings } from "../../home/settings.ts";
import { reduce } from "../../negotiation/stage.ts";
import { paintWith } from "../../terminal/paint.ts";
import { textsForPerson } from "../../text/index.ts";
import { watchTexts } from "../../text/watch.ts";
import { jsonDisplay } from "../../watch/json.ts";
import { type Display, liveDisplay, plainDisplay } from "../../watch/live.ts";
import { timesAfter } from "../../watch/times.ts";
import { followNegotiation } from "../../watch/updates.ts";
import { type LocalState, type Times, type View, viewOf } from "../../watch/view.ts";
import { CRASH, onEnd } from "../ending.ts";
import { atTerminal } from "../home.ts";
import { print, printError, printJson } from "../print.ts";
import { Controls } from "./controls.ts";

export interface WatchOptions {
  root: URL;
  /** True if one line is printed for each change, even in a terminal. */
  plain: boolean;
  /** True if one JSON object is printed for each change. */
  json: boolean;
}

/** The exit status if the negotiation is gone or ended against the person's decision. */
const NOT_AS_DECIDED = 1;
/** The exit status if the person stopped watching, which is also the shell's for Ctrl-C. */
const INTERRUPTED = 130;
const NARROWEST = 20;

/** What is watched, which is the negotiation, its host, and the settings that apply. */
interface Watched {
  id: string;
  host: string;
  evidence: (negotiation: Negotiation) => FeedEvidence;
  settings: Settings;
}

/** Returns what this machine knows of a negotiation, and which program looks after it. */
export async function localStateOf(runtime: Runtime, id: string): Promise<LocalState> {
  const { negotiations } = runtime.account();
  const [facts, reviewed] = await Promise.all([negotiations.facts(id), negotiations.reviews.answered(id)]);
  return { facts, guard: await negotiations.guard(id, reduce(facts)), reviewed };
}

/** Shows each change until the negotiation is over or the person leaves. Returns the exit status. */
export async function showUntilOver(
  runtime: Runtime,
  { id, host, evidence, settings }: Watched,
  get: Parameters<typeof followNegotiation>[1]["get"],
  { root, plain, json }: WatchOptions,
): Promise<number> {
  const { io, deps } = runtime;
  const { stdout } = io;
  const keys = atTerminal(io) && !json;
  const inPlace = stdout.isTTY === true && !plain && !json && io.env.TERM !== "dumb";
  const display = displayOf(runtime, { json, inPlace, keys, hasColours: inPlace && !io.env.NO_COLOR });
  const stop = new AbortController();
  let status = 0;
  const leave = (code: number) => {
    status ||= code;
    stop.abort();
  };
  let view: View | undefined;
  let times: Times | undefined;
  let ownText: string | undefined;
  const controls = keys
    ? new Controls({
        runtime,
        id,
        root,
        raw: inPlace,
        display,
        view: () => view,
        signal: stop.signal,
        leave: () => leave(INTERRUPTED),
        onOwnText: (text) => {
          ownText = text;
        },
      })
    : undefined;
  const over = Promise.withResolvers<void>();
  const release = attach(io, display, { isStopped: () => stop.signal.aborted, leave, over: over.promise });
  try {
    await followNegotiation(deps, {
      id,
      get,
      local: () => localStateOf(runtime, id),
      signal: stop.signal,
      onUpdate(update) {
        if (update.snapshot !== undefined) times = timesAfter(times, update.snapshot, deps.clock.now());
        view = viewOf({
          ...update,
          id,
          host,
          ...(update.snapshot && { evidence: evidence(update.snapshot) }),
          lowScore: settings.low_resonance,
          limits: { offerChars: settings.offer_chars, planChars: settings.plan_chars },
          ...(times && { times }),
          ownText,
        });
        display.show(view);
      },
    });
    await controls?.settled();
    display.end(true);
    if (view !== undefined && (view.said.isUnwanted || view.said.ending === "not_found")) status ||= NOT_AS_DECIDED;
  } catch (error) {
    await controls?.settled();
    display.end(false);
    if (!stop.signal.aborted) throw error;
    if (view?.said.ending === undefined)
      void (json ? printError : print)(io, `${watchTexts(settings.lang).stopped(id)}\n`);
  } finally {
    await controls?.end();
    release();
    over.resolve();
  }
  return status;
}

interface DisplayWanted {
  json: boolean;
  /** True if the view is redrawn in place, rather than printed line by line. */
  inPlace: boolean;
  /** True if the person can press keys. */
  keys: boolean;
  hasColours: boolean;
}

function displayOf({ io, deps, live }: Runtime, { json, inPlace, keys, hasColours }: DisplayWanted): Display {
  const { clock, timeOfDay } = deps;
  const { stdout } = io;
  const { lang } = live.current();
  const all = textsForPerson(lang);
  if (json) return jsonDisplay({ write: (change: object) => void printJson(io, change), clock, texts: all });
  const texts = watchTexts(lang);
  const paint = paintWith(hasColours);
  return (inPlace ? liveDisplay : plainDisplay)({
    write: (text) => void stdout.write(text), // The display has already made its lines printable.
    clock,
    format: () => ({ width: Math.max(NARROWEST, stdout.columns || 80), paint, texts, all, timeOfDay }),
    rows: () => stdout.rows || 24,
    keys,
  });
}

interface Leaving {
  isStopped: () => boolean;
  leave: (status: number) => void;
  /** Resolves once the terminal is restored and what was decided here is sent. */
  over: Promise<void>;
}

/**
 * Follows the size and the end of the terminal, and everything that ends the program. The returned function stops following.
 */
function attach(io: Io, display: Display, { isStopped, leave, over }: Leaving): () => void {
  const { stdout } = io;
  const restore = () => display.end(false);
  const resized = () => display.resized();
  // A person who asks twice does not want to wait for what is on its way.
  const exitNow = () => io.exit(Number(io.exitCode));
  const { release } = onEnd(io, {
    isPatient: true,
    end(why) {
      // In a live view Ctrl-C is a key, and it was the first request to end.
      if (isStopped() && why !== CRASH) exitNow();
      leave(Number(io.exitCode));
      return over;
    },
    again: exitNow,
  });
  stdout.removeAllListeners("error").on("error", () => leave(0)); // The reader or the terminal is gone.
  io.once("exit", restore);
  stdout.on("resize", resized);
  return () => {
    release();
    stdout.off("resize", resized);
    io.off("exit", restore);
  };
}
