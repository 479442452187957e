import { homeOf } from "../../app/home-folder.ts";
import type { Io } from "../../app/io.ts";
import { look } from "../../app/process.ts";
import { TowowError } from "../../errors.ts";
import { errnoOf } from "../../home/file.ts";
import { goOnWithoutReader } from "../pipe.ts";
import { print } from "../print.ts";
import { runSandbox } from "./process.ts";

/** `towow-mcp sandbox --run`: is the sandbox of this home, until nobody uses it. Its one line is for who started it. */
export async function run(io: Io, idleS: number): Promise<void> {
  const gone = () => io.exit(0);
  // The program that started it may go at any time.
  goOnWithoutReader(io);
  io.on("SIGHUP", () => {});
  try {
    const sandbox = await runSandbox({
      home: homeOf(io.env),
      clock: io.clock,
      random: Math.random,
      idleMs: idleS * 1000,
      isAlive: async (other) => look(other) !== "idle",
      ended: gone,
    });
    await print(io, "ready\n");
    if (sandbox === undefined) return gone();
    io.on("SIGINT", () => void sandbox.end());
    io.on("SIGTERM", () => void sandbox.end());
  } catch (error) {
    const reason = error instanceof TowowError ? error.code : errnoOf(error);
    if (reason === undefined) throw error;
    const path = error instanceof TowowError ? error.params.path : (error as NodeJS.ErrnoException).path;
    await print(io, `${reason} ${path ?? ""}\n`);
    io.exit(1);
  }
}
