import type { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import type { Streams } from "../app/handshake.ts";
import { createRuntime, type RuntimeOptions } from "../app/runtime.ts";
import type { Settings } from "../home/settings.ts";
import { failureOf } from "../log.ts";
import { serveOverStdio } from "../mcp/stdio.ts";
import { once } from "../once.ts";
import { findProgram } from "../search-path.ts";
import { shellLine, shellWord } from "../terminal/shell-word.ts";
import { textsReadBy } from "../text/index.ts";
import { negotiationsTexts } from "../text/negotiations.ts";
import { checkToolNames } from "../tools/index.ts";
import { endNow, onEnd } from "./ending.ts";
import { printError } from "./print.ts";
import { createSetupMachine } from "./setup/machine.ts";

/** Runs the default command, an MCP server on stdin and stdout, until the client goes. */
export async function stdio(options: RuntimeOptions, streams: Streams = options.io): Promise<void> {
  const { io } = options;
  const { stdin, stdout } = streams;
  // Zod would compile code for each schema, which pays off only after thousands of calls. A session has tens of calls,
  // and the compiling would cost its start and its memory.
  z.config({ jitless: true });
  const start = once(() => ownCommand(options, runtime.live.current()));
  const runtime = await createRuntime({ ...options, textsOf: textsReadBy({ who: "model", start }) });
  if (io.stdin.isTTY) void printError(io, `${negotiationsTexts(runtime.live.current().lang).stdio}\n`);
  // A filter that names no tool is an error at the start, and is never silently ignored.
  checkToolNames(runtime.live.current());
  runtime.live.watch();
  runtime.runInBackground();
  // Each blocked write adds a listener, and Node's warning about their number would reach stderr.
  stdout.setMaxListeners(0);
  const end = async (why: string) => {
    runtime.log.info("shutdown", { why });
    // A client that starts the server for each call closes stdin, so open questions may be left to another program. After a
    // signal no other program may be left that could keep the questions.
    const atEnd = why.startsWith("stdin") ? "to_keeper" : undefined;
    await runtime.close(atEnd).catch((error) => runtime.log.error("shutdown_failed", { error: failureOf(error) }));
    stdout.uncork(); // The last result may have been written in this very turn.
    await Promise.all([stdout, io.stdout].map(flushed));
  };
  onEnd(io, { status: 0, end, mustStay: runtime.carriesNo });
  const clientLeft = (why: string) => void endNow(io, why, { status: 0 });
  stdin.on("end", () => clientLeft("stdin_end"));
  stdin.on("close", () => clientLeft("stdin_close"));
  io.stdout.removeAllListeners("error").on("error", () => clientLeft("stdout_error"));
  serveOverStdio(runtime.deps, stdin, stdout);
}

/**
 * Returns how a person starts this program in their terminal: by its name if the PATH knows it, with this home, and
 * with the network if only the client's entry names it.
 */
function ownCommand({ io, root }: RuntimeOptions, { backend_url, sources }: Settings): string {
  const machine = createSetupMachine(io, root);
  const cli = fileURLToPath(new URL("dist/cli.js", root));
  const isNamed = findProgram(machine, "towow-mcp") !== undefined;
  const start = isNamed ? "towow-mcp" : shellLine([process.execPath, cli]);
  if (machine.platform === "win32") return start;
  const isEntrys = sources.backend_url === "flag" || sources.backend_url === "environment";
  const set = { TOWOW_HOME: io.env.TOWOW_HOME, TOWOW_BACKEND_URL: isEntrys ? backend_url : undefined };
  const variables = Object.entries(set).flatMap(([name, value]) => (value ? [`${name}=${shellWord(value)}`] : []));
  return [...variables, start].join(" ");
}

/**
 * Resolves once everything written to the stream has been passed on, or never will be. A pipe must not be cut off earlier,
 * because it accepts only as much as its reader reads.
 */
const flushed = (stream: Writable): Promise<void> => new Promise((resolve) => stream.write("", () => resolve()));
