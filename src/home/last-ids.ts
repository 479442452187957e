import { type ConfigFile, isObject } from "./file.ts";
import { originOf, tokenHash } from "./origin.ts";

/** Keys whose values mean something at one backend only. */
export const LAST_KEYS = ["last_scene_id", "last_negotiation_id", "last_name_hash"] as const;
/**
 * Returns the hash by which the home recognises its own agent's name, so that the name itself is in none of its files.
 */
export const nameHash = (name: string): string => tokenHash(name);

export type LastKey = (typeof LAST_KEYS)[number];
export type LastIds = Partial<Record<LastKey, string>>;

/**
 * Returns the origin whose identity is at the top of the file. This is the origin that owns the token there, or else the origin
 * that knows the user's id, or else the origin of `backend_url`. Tokens come first, because a person who edits `backend_url`
 * leaves the rest unchanged.
 */
function mirroredOrigin(file: ConfigFile): string | undefined {
  const records = Object.entries(recordsOf(file));
  const { api_token: token, user_id: userId } = file;
  const owners = isObject(file.token_origins) ? file.token_origins : {};
  const byToken = isText(token)
    ? (records.find(([, record]) => record.api_token === token)?.[0] ?? owners[tokenHash(token)])
    : undefined;
  const byUser = records.filter(([, record]) => isText(userId) && record.user_id === userId).map(([at]) => at);
  const home = originOf(file.backend_url);
  const known = originOf(byToken) ?? (byUser.some((at) => originOf(at) === home) ? home : originOf(byUser[0]));
  return known ?? home;
}

/** Returns the file as a program at one origin reads it, with the last ids of that origin and no other. */
export function lastIdsFor(file: ConfigFile, origin: string): ConfigFile {
  const view: Record<string, unknown> = { ...file };
  for (const key of LAST_KEYS) {
    const value = isAtTop(file, key, origin) ? file[key] : recordsOf(file)[origin]?.[key];
    if (value === undefined) delete view[key];
    else view[key] = value;
  }
  return view;
}

/** Returns the file with new last ids of one origin. The ids of the file's `backend_url` stay at the top. */
export function withLastIds(file: ConfigFile, origin: string, values: LastIds): ConfigFile {
  const home = originOf(file.backend_url) ?? mirroredOrigin(file) ?? origin;
  const moved = mirrorLastIds(file, file, home);
  const identities = withRecord(moved, origin, values);
  return { ...moved, identities, ...(origin === home && values) };
}

/** Returns `next` with the last ids of `home` at the top. Ids of another origin in `file` are moved to its record. */
export function mirrorLastIds(next: ConfigFile, file: ConfigFile, home: string): ConfigFile {
  const moved: Record<string, unknown> = { ...next };
  for (const key of LAST_KEYS) {
    if (isAtTop(file, key, home)) continue;
    if (isText(file[key])) moved.identities = withRecord(moved, ownerOf(file, key, home), { [key]: file[key] });
    const own = recordsOf(moved)[home]?.[key];
    if (own !== undefined) moved[key] = own;
    else if (isText(file[key])) delete moved[key];
  }
  return moved;
}

/** Returns the file without the given last id, for every origin. */
export function withoutLast(file: ConfigFile, key: LastKey): ConfigFile {
  const { [key]: _, ...rest } = file;
  if (!isObject(file.identities)) return rest;
  const identities = Object.entries(file.identities).map(([at, record]) => {
    if (!isObject(record)) return [at, record];
    const { [key]: __, ...kept } = record;
    return [at, kept];
  });
  return { ...rest, identities: Object.fromEntries(identities) };
}

/** Returns whether the value at the top belongs to this origin. */
const isAtTop = (file: ConfigFile, key: LastKey, origin: string): boolean =>
  isText(file[key]) && ownerOf(file, key, origin) === origin;

/**
 * Returns the origin of the value at the top. A value that is in no record was written by hand or by an older version.
 */
function ownerOf(file: ConfigFile, key: LastKey, inUse: string): string {
  const home = originOf(file.backend_url) ?? inUse;
  const holders = Object.entries(recordsOf(file)).flatMap(([at, record]) => (record[key] === file[key] ? [at] : []));
  if (holders.includes(home)) return home;
  return holders[0] ?? mirroredOrigin(file) ?? home;
}

function withRecord(file: ConfigFile, origin: string, values: LastIds): Record<string, unknown> {
  const all = isObject(file.identities) ? file.identities : {};
  return { ...all, [origin]: { ...recordsOf(file)[origin], ...values } };
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

function recordsOf({ identities }: ConfigFile): Record<string, Record<string, unknown>> {
  const entries = isObject(identities) ? Object.entries(identities) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, Record<string, unknown>] => isObject(entry[1])));
}
