import { Failure, TowowError } from "../../errors.ts";
import { ConfigValueInvalid } from "../../home/errors.ts";
import type { ConfigFile } from "../../home/file.ts";
import { PRODUCTION, SANDBOX } from "../../home/origin.ts";
import { parseConfigValue, resolveAll } from "../../home/settings.ts";
import type { NetworkTexts } from "../../text/network.ts";
import { choice, type Prompts, unlessCancelled } from "../prompts.ts";

const OTHER = "other";
const COMMAND = "towow-mcp network";

/**
 * Asks which network to use. The sandbox, in which everything can be tried, comes first, then the production address in full,
 * then any other that the config file accepts. The cursor is on the current network. Returns undefined if the person left the
 * question.
 */
export async function chooseNetwork(
  prompts: Prompts,
  current: string | undefined,
  texts: NetworkTexts,
  file: ConfigFile,
): Promise<string | undefined> {
  const { option } = texts;
  const isOther = current !== undefined && current !== PRODUCTION && current !== SANDBOX;
  const hint = (address: string, words: string) => (address === current ? `${words} · ${option.current}` : words);
  const chosen = await unlessCancelled(
    prompts.select({
      message: texts.ask,
      initialValue: current ?? SANDBOX,
      showInstructions: false,
      options: [
        { value: SANDBOX, label: choice(prompts, SANDBOX, hint(SANDBOX, option.sandbox)) },
        { value: PRODUCTION, label: choice(prompts, PRODUCTION, hint(PRODUCTION, option.production)) },
        ...(isOther ? [{ value: current, label: choice(prompts, current, option.current) }] : []),
        { value: OTHER, label: choice(prompts, option.otherLabel, option.other) },
      ],
    }),
  );
  if (chosen !== OTHER) return chosen;
  const typed = await unlessCancelled(
    prompts.text({
      message: texts.address,
      placeholder: "https://towow.example",
      validate: (text = "") => (isAddress(text, file) ? undefined : texts.notAddress),
    }),
  );
  return typed === undefined ? undefined : String(parseConfigValue("backend_url", typed, COMMAND));
}

function isAddress(text: string, file: ConfigFile): boolean {
  try {
    return networkOf(text, file) !== undefined;
  } catch (error) {
    if (error instanceof TowowError) return false;
    throw error;
  }
}

/**
 * Normalises an address. Whether plain http is allowed depends on the rest of the config file.
 * @throws `tool.config.invalid.network`, HttpRefused
 */
export function networkOf(text: string, file: ConfigFile): string {
  const address = addressOf(text);
  const problem = resolveAll({ file: { ...file, backend_url: address } }).get("backend_url")?.problem;
  if (problem !== undefined) throw problem;
  return address;
}

function addressOf(text: string): string {
  try {
    return String(parseConfigValue("backend_url", text, COMMAND));
  } catch (error) {
    throw error instanceof ConfigValueInvalid ? new Failure("tool.config.invalid.network") : error;
  }
}
