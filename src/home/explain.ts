import type { TowowError } from "../errors.ts";
import { type ConfigKey, declarationOf, environmentNames, IdentityRecord } from "./schema.ts";
import { type Ignored, type ResolveInput, resolveAll, type Source } from "./settings.ts";

export interface SettingRow {
  readonly key: ConfigKey;
  /** The value as it can be shown, with secrets as `***`. Undefined if there is none. */
  readonly value: unknown;
  readonly source: Source;
  /** The variable's name. Undefined for keys that exist only in the file. */
  readonly environment: string | undefined;
  readonly description: { readonly en: string; readonly zh: string };
  readonly ignored?: Ignored;
  /** Why the value is refused. */
  readonly problem?: TowowError;
}

const MASK = "***";

/**
 * Lists every key with its value (secrets masked) and its source, for `towow-mcp config` and `doctor`. Never throws.
 */
export function explainSettings(input: ResolveInput): SettingRow[] {
  return [...resolveAll(input)].map(([key, { value, source, problem, ignored }]) => {
    const { en, zh } = declarationOf(key);
    return {
      key,
      value: maskedValue(key, value),
      source,
      environment: environmentNames(key)[0],
      description: { en, zh },
      ...(ignored && { ignored }),
      ...(problem && { problem }),
    };
  });
}

function maskedValue(key: ConfigKey, value: unknown): unknown {
  if (value === undefined || !declarationOf(key).secret) return value;
  if (key !== "identities") return MASK;
  // Only fields known to be harmless are shown, because an unknown field might be a secret of a later version.
  return Object.fromEntries(
    Object.entries(value as object).map(([origin, raw]) => {
      const record = IdentityRecord.safeParse(raw).data;
      const token = record?.api_token === undefined ? undefined : MASK;
      return [origin, { user_id: record?.user_id, api_token: token, expires_at: record?.expires_at }];
    }),
  );
}
