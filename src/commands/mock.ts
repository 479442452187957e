import { createMockBackend, type MockBackend } from "../../mock-backend/main.ts";
import type { Io } from "../app/io.ts";
import { Failure } from "../errors.ts";
import { errnoOf } from "../home/file.ts";
import { portOf } from "./arguments.ts";
import { onEnd } from "./ending.ts";
import { goOnWithoutReader } from "./pipe.ts";
import { print, printText } from "./print.ts";

export interface MockArguments {
  io: Io;
  port: string;
  legacyRoutes?: boolean;
  data?: string;
  seed?: number;
  /** The time between the steps of a negotiation, in milliseconds. */
  step: number;
  /** Formats the line that shows the mock's address. */
  at: (address: string) => string;
}

/** `towow-mcp mock` runs the mock backend by itself, on loopback, until it is stopped. */
export async function mock({ io, port, legacyRoutes, data, seed, step, at }: MockArguments): Promise<void> {
  const backend = started({
    stepMs: step,
    ...(legacyRoutes && { legacyRoutes }),
    ...(data !== undefined && { dataFile: data }),
    ...(seed !== undefined && { seed }),
  });
  goOnWithoutReader(io);
  const wanted = portOf(port, "mock");
  const { url } = await backend.listen(wanted).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(
      "tool.config.unavailable.port",
      { port, listener: "mock", reason: error.code ?? "unknown" },
      { cause: error },
    );
  });
  void printText(io, `${at(url)}\n`);
  void print(io, `\nTOWOW_BACKEND_URL=${url} towow-mcp\n`);
  onEnd(io, { status: 0, end: () => backend.close() });
}

/**
 * Creates the mock.
 * @throws `tool.config.unavailable.mock_data` if the data file belongs to another program, or cannot be read or written
 */
function started(options: NonNullable<Parameters<typeof createMockBackend>[0]>): MockBackend {
  try {
    return createMockBackend(options);
  } catch (cause) {
    const { dataFile } = options;
    if (dataFile === undefined) throw cause;
    throw new Failure(
      "tool.config.unavailable.mock_data",
      { file: dataFile, reason: errnoOf(cause) ?? "not its own" },
      { cause },
    );
  }
}
