import { configSet } from "./config/write.ts";
import { openHome } from "./home.ts";
import { stopWhenReaderLeaves } from "./pipe.ts";

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
  stopWhenReaderLeaves();
  if (wanted !== undefined) return configSet({ env, key: "mode", value: wanted });
  const { settings, texts } = openHome(env);
  const { value, source, problem } = settings().get("mode")!;
  if (problem !== undefined) throw problem;
  const line = json ? JSON.stringify({ mode: value, source }) : texts.mode.is(String(value), texts.source[source]);
  process.stdout.write(`${line}\n`);
}
