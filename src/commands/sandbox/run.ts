import { homeOf } from "../../app/home-folder.ts";
import { look } from "../../app/process.ts";
import { systemClock } from "../../clock.ts";
import { TowowError } from "../../errors.ts";
import { errnoOf } from "../../home/file.ts";
import { goOnWithoutReader } from "../pipe.ts";
import { print } from "../print.ts";
import { runSandbox } from "./process.ts";

/** `towow-mcp sandbox --run`: is the sandbox of this home, until nobody uses it. Its one line is for who started it. */
export async function run(env: NodeJS.ProcessEnv, idleS: number): Promise<void> {
  const gone = () => process.exit(0);
  // The program that started it may go at any time.
  goOnWithoutReader();
  process.on("SIGHUP", () => {});
  try {
    const sandbox = await runSandbox({
      home: homeOf(env),
      clock: systemClock,
      random: Math.random,
      idleMs: idleS * 1000,
      isAlive: async (other) => look(other) !== "idle",
      ended: gone,
    });
    await print("ready\n");
    if (sandbox === undefined) return gone();
    process.on("SIGINT", () => void sandbox.end());
    process.on("SIGTERM", () => void sandbox.end());
  } catch (error) {
    const reason = error instanceof TowowError ? error.code : errnoOf(error);
    if (reason === undefined) throw error;
    const path = error instanceof TowowError ? error.params.path : (error as NodeJS.ErrnoException).path;
    await print(`${reason} ${path ?? ""}\n`);
    process.exit(1);
  }
}
