import type { Io } from "../app/io.ts";
import { configSet } from "./config/write.ts";
import { openHome } from "./home.ts";
import { print, printJson } from "./print.ts";

/** `towow-mcp mode [normal|developer]`: which tools are listed; running servers notice the change. */
export async function mode({ io, wanted, json }: { io: Io; wanted?: string | undefined; json?: boolean }) {
  if (wanted !== undefined) {
    const isSet = await configSet({ io, key: "mode", value: wanted, command: "towow-mcp mode", quiet: json === true });
    if (!isSet || !json) return;
  }
  const { settings, texts } = openHome(io);
  const { value, source, problem } = settings().get("mode")!;
  if (problem !== undefined) throw problem;
  if (json) void printJson(io, { mode: value, source });
  else void print(io, `${texts.mode.is(String(value), texts.source[source])}\n`);
}
