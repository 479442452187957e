import { configSet } from "./config/write.ts";
import { openHome } from "./home.ts";
import { print, printJson } from "./print.ts";

/** `towow-mcp mode [normal|developer]`: which tools are listed; running servers notice the change. */
export async function mode({
  env,
  wanted,
  json,
}: {
  env: NodeJS.ProcessEnv;
  wanted?: string | undefined;
  json?: boolean;
}) {
  if (wanted !== undefined) {
    const isSet = await configSet({ env, key: "mode", value: wanted, command: "towow-mcp mode", quiet: json === true });
    if (!isSet || !json) return;
  }
  const { settings, texts } = openHome(env);
  const { value, source, problem } = settings().get("mode")!;
  if (problem !== undefined) throw problem;
  if (json) printJson({ mode: value, source });
  else print(`${texts.mode.is(String(value), texts.source[source])}\n`);
}
