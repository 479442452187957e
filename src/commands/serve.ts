import { Endpoint } from "../app/endpoint/endpoint.ts";
import { type Listener, listen } from "../app/endpoint/listener.ts";
import { bracketed, readServeOptions, type ServeArguments } from "../app/endpoint/options.ts";
import type { Io } from "../app/io.ts";
import { failureOf } from "../log.ts";
import { createHttpApp } from "../mcp/http/app.ts";
import { paintWith } from "../terminal/paint.ts";
import { cliTexts } from "../text/cli.ts";
import { joinSentences } from "../text/join.ts";
import { CRASH, onEnd } from "./ending.ts";
import { homeLanguage } from "./home.ts";
import { logLine } from "./log-table.ts";
import { goOnWithoutReader } from "./pipe.ts";
import { printText } from "./print.ts";
import { terminalOf } from "./printer.ts";

/** How long readiness is off before new requests are refused, in milliseconds, so that a load balancer notices. */
const LEAVING_MS = 2_000;
const POLL_MS = 100;
/** How long the last bytes of the last answers may take, in milliseconds. */
const LAST_BYTES_MS = 2_000;
/**
 * Closing after the drain, with its last withdrawals, may take this long, because a process manager commonly kills a program
 * after a minute. Only a person's no that is stored nowhere else is tried for longer.
 */
const CLOSE_MS = 55_000;

/**
 * `towow-mcp serve` runs one endpoint for many users until it is stopped.
 * @throws `tool.config.invalid.serve_option`, `tool.config.invalid.serve_host`, BackendUrlMissing, StoreUnreachable,
 * `tool.config.unavailable.port`
 */
export async function serve(args: ServeArguments): Promise<void> {
  const { io } = args;
  const options = readServeOptions(args);
  goOnWithoutReader(io);
  const { host, drainMs, receiveMs, unreadMs } = options;
  const endpoint = await Endpoint.open({ ...args, ...(io.stderr.isTTY && { readLog: logReader(io) }) }, options);
  const { log } = endpoint;
  let phase: "serving" | "leaving" | "closed" = "serving";
  const { fetch } = createHttpApp({ ...endpoint.app, phase: () => phase });
  let listener: Listener;
  try {
    listener = await listen({ fetch, sockets: endpoint.rooms?.sockets, host, port: options.port, receiveMs, unreadMs });
  } catch (error) {
    await endpoint.close();
    throw error;
  }
  const origin = `http://${bracketed(host)}:${listener.port}`;
  endpoint.rooms?.listensAt(origin);
  const say = cliTexts(endpoint.lang).serve;
  void printText(io, `${say.at(`${origin}/mcp`)}\n`);
  const entrances = [
    options.signIn ? say.signIn(new URL("/mcp", options.publicUrl ?? origin).href) : undefined,
    options.ownTokens ? (options.signIn ? say.alsoTokens : say.tokens) : say.noTokens,
    endpoint.homeKeyPath && say.homeKey(endpoint.homeKeyPath),
  ];
  void printText(io, `${joinSentences(entrances)}\n`);
  log.info("serving", { port: listener.port, replica: options.replica });

  const { clock } = io;
  const refuse = () => {
    phase = "closed";
    listener.refuse(); // A refused connection sends a load balancer to another replica before anything was sent.
    endpoint.app.sessions.stopAsking();
  };
  const close = () => endpoint.close().catch((error) => log.error("drain_failed", { error: failureOf(error) }));
  const drain = async (why: string) => {
    log.info("draining", { why });
    phase = "leaving";
    const giveUpAt = clock.now() + drainMs;
    await clock.sleep(Math.min(LEAVING_MS, drainMs));
    refuse();
    while (endpoint.running > 0 && clock.now() < giveUpAt) await clock.sleep(POLL_MS);
    setTimeout(() => endpoint.holdsNo || stop("drain_unfinished"), CLOSE_MS);
    await close();
    await listener.close(LAST_BYTES_MS);
    log.info("drained", {});
  };
  /** Ends without waiting for calls, because the memory of the process may be wrong. */
  const breakOff = () => {
    refuse();
    return close();
  };
  const stop = (event: "drain_unfinished" | "drain_cut_short", about: Record<string, unknown> = {}) => {
    log.warn(event, { ...about, unfinished: endpoint.busyIds });
    io.exit(1);
  };
  onEnd(io, {
    status: 0,
    isPatient: true,
    end: (why) => (why === CRASH ? breakOff() : drain(why)),
    mustStay: () => endpoint.holdsNo,
    again: (why) => stop("drain_cut_short", { why }),
  });
}

/** Returns the formatter of log lines for an operator at a terminal. Collectors read JSON, and have no terminal. */
function logReader(io: Io): (line: string) => string {
  const texts = cliTexts(homeLanguage(io.env)).logs;
  return (line) => {
    const { colour } = terminalOf(io.stderr, io.env);
    const width = io.stderr.columns || 80; // Read for each line, because a window may be made wider.
    return logLine(line, texts, { width, paint: paintWith(colour) });
  };
}
