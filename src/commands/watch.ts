import { createRuntime, type Runtime, type RuntimeOptions } from "../app/local-program.ts";
import { shownHost } from "../home/origin.ts";
import { requireBackend } from "../home/settings.ts";
import { listRecords } from "../negotiation/records.ts";
import { paintWith } from "../terminal/paint.ts";
import { textsForPerson } from "../text/for-person.ts";
import { watchTexts } from "../text/watch.ts";
import { negotiationToWatch } from "../watch/choose.ts";
import { jsonDisplay } from "../watch/json.ts";
import { type Display, type DisplayOptions, liveDisplay, plainDisplay } from "../watch/live.ts";
import { timesAfter } from "../watch/times.ts";
import { watchNegotiation } from "../watch/updates.ts";
import { type Times, type View, viewOf } from "../watch/view.ts";
import { closeRuntime } from "./close-runtime.ts";
import { onEndSignals } from "./end-signals.ts";
import { atTerminal } from "./home.ts";
import { localStateOf } from "./negotiations/local-state.ts";
import { notePiped } from "./piped.ts";
import { print, printError, printJson } from "./print.ts";
import { Controls } from "./watch/controls.ts";

export interface WatchArguments extends RuntimeOptions {
  id?: string | undefined;
  /** One line for each change, also in a terminal. */
  plain?: boolean;
  /** One JSON object for each change. */
  json?: boolean;
  lang?: "zh" | "en";
}

/** Stopped by the person, as a shell counts it. */
const INTERRUPTED = 130;
const NARROWEST = 20;

/**
 * `towow-mcp watch [id]`: a live view of one negotiation. It decides nothing; `c` puts the question of
 * `towow-mcp confirm`. The exit status: 0 it is over, 1 nothing to watch or no access, 130 the person left.
 */
export async function watch({ id, plain = false, json = false, lang, ...options }: WatchArguments): Promise<void> {
  const runtime = await createRuntime({
    ...options,
    ...(lang && { flags: { lang } }),
    fallbackBackend: { negotiationId: id },
  });
  try {
    process.exitCode = await watchOne(runtime, id, { env: options.env, root: options.root, plain, json });
  } finally {
    await closeRuntime(runtime);
  }
}

interface WatchOptions {
  env: NodeJS.ProcessEnv;
  root: URL;
  plain: boolean;
  json: boolean;
}

async function watchOne(runtime: Runtime, wanted: string | undefined, { env, root, plain, json }: WatchOptions) {
  const { deps, live, facts } = runtime;
  const { negotiations, ...account } = runtime.account();
  const refused = live.problem();
  if (refused !== undefined && live.current().backend_url === undefined) throw refused; // given, and not usable
  const settings = requireBackend(live.current());
  const texts = watchTexts(settings.lang);
  const backend = await account.backend();
  const id =
    wanted ??
    negotiationToWatch({
      records: await listRecords(facts),
      origin: account.origin,
      lastId: settings.last_negotiation_id,
      now: deps.clock.now(),
    });
  if (id === undefined) {
    printError(`${texts.nothing}\n`);
    return 1;
  }
  await negotiations.refuseOtherBackend(id);
  const { isOwn } = await negotiations.stage(id);

  const { stdin, stdout } = process;
  const keys = atTerminal() && !json;
  const inPlace = stdout.isTTY === true && !plain && !json && env.TERM !== "dumb";
  const paint = paintWith(inPlace && !env.NO_COLOR);
  const forPeople: DisplayOptions = {
    write: (text) => void stdout.write(text), // the display has made its lines printable
    clock: deps.clock,
    format: () => ({
      width: Math.max(NARROWEST, stdout.columns || 80),
      paint,
      texts,
      all: textsForPerson(settings.lang),
      timeOfDay: deps.timeOfDay,
    }),
    rows: () => stdout.rows || 24,
    keys,
  };
  const forPrograms = {
    write: (change: object) => void printJson(change),
    clock: deps.clock,
    texts: textsForPerson(settings.lang),
  };
  const display: Display = json ? jsonDisplay(forPrograms) : (inPlace ? liveDisplay : plainDisplay)(forPeople);

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
        env,
        root,
        stdin,
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

  const restore = () => display.end(false);
  const resized = () => display.resized();
  const codes = { SIGINT: INTERRUPTED, SIGTERM: 143, SIGHUP: 129 } as const;
  onEndSignals(["SIGINT", "SIGTERM", "SIGHUP"], {
    // Ctrl-C in a live view is a key, and may have been the first.
    first: (signal) => (stop.signal.aborted ? process.exit(codes[signal]) : leave(codes[signal])),
    again: (signal) => process.exit(codes[signal]), // who asks twice does not want to wait for what is on its way
  });
  stdout.removeAllListeners("error").on("error", () => leave(status)); // the reader has gone, or the terminal
  process.once("exit", restore);
  stdout.on("resize", resized);
  try {
    await watchNegotiation({
      id,
      async get(negotiationId, signal) {
        const seen = await backend.getNegotiation(negotiationId, { signal });
        if (!isOwn || seen.participants.length > 0) await notePiped(runtime);
        return seen;
      },
      local: () => localStateOf(runtime, id),
      clock: deps.clock,
      random: Math.random,
      signal: stop.signal,
      onUpdate(update) {
        if (update.snapshot !== undefined) times = timesAfter(times, update.snapshot, deps.clock.now());
        view = viewOf({
          ...update,
          id,
          host: shownHost(account.origin, textsForPerson(settings.lang)),
          hash: negotiations.hash,
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
  } catch (error) {
    await controls?.settled();
    display.end(false);
    if (!stop.signal.aborted) throw error;
    (json ? printError : print)(`${texts.stopped(id)}\n`);
  } finally {
    await controls?.end();
    stdout.off("resize", resized);
    process.off("exit", restore);
  }
  return status;
}
