import type { Io } from "../app/io.ts";
import { openLocalRoom } from "../app/local-room.ts";
import { createRuntime, type RuntimeOptions } from "../app/runtime.ts";
import { failureOf } from "../log.ts";
import { cliTexts } from "../text/cli.ts";
import { portOf } from "./arguments.ts";
import { TerminalNeeded } from "./errors.ts";
import { atTerminal } from "./home.ts";
import { goOnWithoutReader } from "./pipe.ts";
import { printError, printText } from "./print.ts";

export interface OpenArguments extends RuntimeOptions {
  id?: string | undefined;
  port: string;
  lang?: "zh" | "en";
  backendUrl?: string;
  /** Whether the browser is opened; the address is printed in any case. */
  open?: boolean;
  /** Whether the address is printed with which an outside agent joins. */
  agent?: boolean;
}

/** How long a withdrawal may take when the person leaves. */
const LAST_WORDS_MS = 5_000;

/**
 * `towow-mcp open [id]`: the negotiation room in the person's browser, until they stop it.
 * @throws TerminalNeeded where nobody would see the address, what a setting's check throws, `tool.config.unavailable.port`
 */
export async function open({
  id,
  port,
  lang,
  backendUrl,
  agent = false,
  open: wanted = true,
  ...options
}: OpenArguments): Promise<void> {
  const { io } = options;
  const flags = { ...options.flags, ...(lang && { lang }), ...(backendUrl && { backend_url: backendUrl }) };
  const runtime = await createRuntime({ ...options, flags, fallbackBackend: { negotiationId: id } });
  const say = cliTexts(runtime.live.current().lang).open;
  goOnWithoutReader(io);
  try {
    await runtime.account().backend();
    const at = portOf(port, "towow-mcp open");
    const needed = new TerminalNeeded({ command: id === undefined ? "towow-mcp open" : `towow-mcp open ${id}` });
    if (!wanted && !atTerminal(io)) throw needed;
    runtime.runInBackground(0);
    const room = await openLocalRoom(runtime, { root: options.root, port: at, negotiationId: id });
    const address = room.address();
    // Who reads the address decides: it is written for a person, and for no script.
    if (atTerminal(io)) void printText(io, `${say.at(address)}\n`);
    const isOpen = wanted && (await runtime.openWindow(address));
    if (!isOpen && !atTerminal(io)) {
      await room.close();
      void printError(io, `${say.notOpened}\n`);
      throw needed;
    }
    if (isOpen) void printText(io, `${say.opened}\n`);
    if (agent) void printText(io, `${say.agent(room.agentAddress)}\n`);
    void printText(io, `${say.stop}\n`);
    await stopped(io);
    setTimeout(() => io.exit(0), LAST_WORDS_MS).unref();
    await room.close();
  } finally {
    await runtime.close().catch((error) => runtime.log.error("shutdown_failed", { error: failureOf(error) }));
  }
}

/** A listener that went with the first signal would leave the file locks' own alone, and that one ends the program at once. */
const stopped = (io: Io): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) io.on(signal, () => resolve());
  });
