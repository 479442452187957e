import { TowowError } from "../../errors.ts";
import { isHere } from "../../home/origin.ts";
import type { ConfigKey } from "../../home/schema.ts";
import { parseConfigValue, type Settings } from "../../home/settings.ts";
import { checkToolNames } from "../../tools/index.ts";
import { HttpError } from "./http-error.ts";

/**
 * The settings that a client may choose in the endpoint's address (agent layer §6), unless the operator has fixed them.
 */
const CHOOSABLE: readonly ConfigKey[] = ["mode", "toolset", "profile", "lang", "allow_tools", "exclude_tools"];

/** Reads the choices in an address such as `/mcp?mode=developer&toolset=readonly`. @throws HttpError `query_invalid` */
export function readQuery(url: string, settings: Settings): Partial<Record<ConfigKey, unknown>> {
  const chosen: Partial<Record<ConfigKey, unknown>> = {};
  if (!url.includes("?")) return chosen; // Most addresses have no query.
  for (const [name, text] of new URL(url).searchParams) {
    const key = CHOOSABLE.find((known) => known === name);
    if (key === undefined || key in chosen || isOperators(key, settings)) throw new HttpError("query_invalid");
    chosen[key] = parsed(key, text);
  }
  checked(() => checkToolNames({ ...settings, ...chosen } as Settings));
  // The `offline` profile excludes every backend that is not on this machine, so the endpoint does not accept this
  // choice.
  if (chosen.profile === "offline" && !isHere(settings.backend_url ?? "http://nowhere.invalid"))
    throw new HttpError("query_invalid");
  return chosen;
}

/**
 * Returns whether the operator has fixed a setting. Filters in the operator's file bind everybody, but the mode and the
 * language in it are only defaults.
 */
function isOperators(key: ConfigKey, { sources }: Settings): boolean {
  const source = sources[key];
  return source === "flag" || source === "environment" || (source === "file" && key !== "mode" && key !== "lang");
}

const parsed = (key: ConfigKey, text: string): unknown => checked(() => parseConfigValue(key, text));

function checked<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof TowowError ? new HttpError("query_invalid") : error;
  }
}
