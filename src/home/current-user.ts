import { identityIn, tidyIdentities } from "./identity-state.ts";
import { fromIso, toIsoSeconds } from "./iso-time.ts";
import { originOf } from "./origin.ts";
import { IdentityRecord } from "./schema.ts";
import type { resolveAll, Source } from "./settings.ts";

/** Who this person is to the configured backend, as the home knows it. `towow-mcp whoami --json` prints it. */
export interface CurrentUser {
  readonly user_id: string | null;
  readonly backend_url: string | null;
  /** The error code that says why the configured address is not used. */
  readonly backend_problem: string | null;
  /** What is known of the token. The token itself is never part of it. */
  readonly token: {
    readonly present: boolean;
    readonly source: Source | null;
    /** The time at which the token expires, in ISO 8601. Null if the backend gave none. */
    readonly expires_at: string | null;
    readonly expired: boolean;
    /** The other origin that the given token belongs to, so that it is not used. Null if there is none. */
    readonly of_other_origin: string | null;
  };
  readonly last_scene_id: string | null;
  readonly last_negotiation_id: string | null;
  readonly mode: string;
  readonly home: string;
}

/**
 * Returns who this person is, and the token that may be sent to the backend. `bearer` is defined only if the file
 * already binds it to the backend's origin, and must never be shown. Asks no backend and writes nothing.
 */
export function currentUser(
  settings: ReturnType<typeof resolveAll>,
  file: Readonly<Record<string, unknown>>,
  home: string,
  now: number,
): { who: CurrentUser; bearer: string | undefined } {
  const value = (key: Parameters<typeof settings.get>[0]) => (settings.get(key)?.value as string | undefined) ?? null;
  const given = (key: "user_id" | "api_token") => {
    const { source, value } = settings.get(key)!;
    return source === "environment" || source === "flag" ? (value as string | undefined) : undefined;
  };
  const backend_url = value("backend_url");
  const origin = originOf(backend_url);
  const asked = { origin: origin ?? "", userId: given("user_id"), token: given("api_token"), now };
  const tidied = origin === undefined ? file : tidyIdentities(file, asked);
  const known = origin === undefined ? undefined : identityIn(tidied, asked);
  const recordIn = ({ identities }: Readonly<Record<string, unknown>>) =>
    IdentityRecord.safeParse((identities as Record<string, unknown> | undefined)?.[known?.at ?? ""]).data;
  const record = recordIn(tidied);
  // A token is sent only after its origin is written down.
  const isBound = tidied === file || recordIn(file)?.api_token === known?.token;
  const isGiven = known?.token !== undefined && known.token === asked.token;
  const end = isGiven ? undefined : fromIso(record?.expires_at);
  return {
    bearer: isBound ? known?.token : undefined,
    who: {
      user_id: known?.userId ?? (origin === undefined ? value("user_id") : null),
      backend_url,
      backend_problem: settings.get("backend_url")?.problem?.code ?? null,
      token: {
        present: known?.token !== undefined,
        source: known?.token === undefined ? null : isGiven ? settings.get("api_token")!.source : "file",
        expires_at: end === undefined ? null : toIsoSeconds(end),
        expired: known?.expired ?? false,
        of_other_origin: known?.tokenOf ?? null,
      },
      last_scene_id: value("last_scene_id"),
      last_negotiation_id: value("last_negotiation_id"),
      mode: value("mode") ?? "normal",
      home,
    },
  };
}
