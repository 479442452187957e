import { type LocalRoom, openLocalRoom } from "../app/local-room.ts";
import { createRuntime, type RuntimeOptions } from "../app/runtime.ts";
import { failureOf } from "../log.ts";
import { once } from "../once.ts";
import { cliTexts } from "../text/cli.ts";
import { portOf } from "./arguments.ts";
import { onEnd } from "./ending.ts";
import { TerminalNeeded } from "./errors.ts";
import { atTerminal } from "./home.ts";
import { goOnWithoutReader } from "./pipe.ts";
import { printError, printText } from "./print.ts";
import { closeRuntime, endingOf } from "./with-runtime.ts";

export interface OpenArguments extends RuntimeOptions {
  id?: string | undefined;
  port: string;
  lang?: "zh" | "en";
  backendUrl?: string;
  /** True if the browser is opened. At a terminal the address is printed too. */
  open?: boolean;
  /** True if the address with which an outside agent joins is printed. */
  agent?: boolean;
  /** True if what an outside agent sees is recorded, so that its visit can be replayed. */
  study?: boolean;
}

/**
 * `towow-mcp open [id]` opens the negotiation room in the person's browser, and serves it until they stop the command.
 * @throws TerminalNeeded if nobody would see the address, the error of an invalid setting, and `tool.config.unavailable.port`
 */
export async function open({
  id,
  port,
  lang,
  backendUrl,
  agent = false,
  study = false,
  open: wanted = true,
  ...options
}: OpenArguments): Promise<void> {
  const { io } = options;
  const flags = { ...options.flags, ...(lang && { lang }), ...(backendUrl && { backend_url: backendUrl }) };
  const runtime = await createRuntime({ ...options, flags, fallbackBackend: { negotiationId: id } });
  const say = cliTexts(runtime.live.current().lang).open;
  goOnWithoutReader(io);
  let room: LocalRoom | undefined;
  const close = once(async () => {
    await room?.close();
    await closeRuntime(runtime).catch((error) => runtime.log.error("shutdown_failed", { error: failureOf(error) }));
  });
  const told = Promise.withResolvers<void>();
  onEnd(io, {
    ...endingOf(runtime, close),
    status: 0,
    end() {
      told.resolve();
      return close();
    },
  });
  try {
    await runtime.account().backend();
    const at = portOf(port, "open");
    const needed = new TerminalNeeded({ command: id === undefined ? "open" : `open ${id}` });
    if (!wanted && !atTerminal(io)) throw needed;
    runtime.runInBackground(0);
    room = await openLocalRoom(runtime, { root: options.root, port: at, negotiationId: id, isStudy: study });
    const address = room.address();
    // Anybody who reads the address can decide, so it is printed for a person but not for a script.
    if (atTerminal(io)) void printText(io, `${say.at(address)}\n`);
    const isOpen = wanted && (await runtime.openWindow(address));
    if (!isOpen && !atTerminal(io)) {
      void printError(io, `${say.notOpened}\n`);
      throw needed;
    }
    if (isOpen) void printText(io, `${say.opened}\n`);
    if (agent || study) void printText(io, `${say.agent(room.agentAddress)}\n`);
    if (study) void printText(io, `${say.study}\n`);
    void printText(io, `${say.stop[runtime.live.current().on_unconfirmed]}\n`);
    await told.promise;
  } finally {
    await close();
  }
}
