import { remembering } from "../remember.ts";
import { type ConfigFile, isObject } from "./file.ts";
import { fromIso, toIso } from "./iso-time.ts";
import { mirrorLastIds } from "./last-ids.ts";
import { originOf, tokenHash } from "./origin.ts";
import { isPlaceholder } from "./placeholder.ts";
import { IdentityRecord } from "./schema.ts";

/** The person and the backend for which an identity is looked up. */
export interface IdentityRequest {
  readonly origin: string;
  /** The id that a flag or a variable gives, which takes precedence over the file. */
  readonly userId: string | undefined;
  readonly token: string | undefined;
  /** The current time, in milliseconds since the epoch. */
  readonly now: number;
}

/** What a file that {@link tidyIdentities} has put in order says about the person who asks. */
export interface KnownIdentity {
  /** The key of the record in `identities`. */
  readonly at: string;
  readonly userId: string | undefined;
  readonly token: string | undefined;
  /** True if the token should be renewed. `expired` says that it must be. */
  readonly due: boolean;
  readonly expired: boolean;
  /** The other origin that the token from the flag or environment belongs to, so that it is not used. */
  readonly tokenOf: string | undefined;
}

export interface Issued {
  readonly user_id: string;
  readonly api_token: string;
  readonly expires_at?: string | undefined;
}

const RENEW_AHEAD_MS = 60_000;
const RENEW_AHEAD_SHARE = 0.1;

/**
 * Puts the file's identities in order. Returns the same object if they already are. Three rules of contract §3 apply:
 * 1. Every token has one origin, the first with which it was used (`token_origins`, by hash). No other origin gets it.
 * 2. A `user_id` or `api_token` at the top that is in no record was written by hand or by an older program. It belongs
 * to the origin of the file's `backend_url`, or else to the one in use.
 * 3. The top mirrors the record of the file's `backend_url`, including the last scene and negotiation.
 */
export function tidyIdentities(file: ConfigFile, { origin, token }: IdentityRequest): ConfigFile {
  const records = recordsOf(file);
  const owners = ownersOf(file, records);
  const named = originOf(file.backend_url);
  const home = named ?? origin;

  const top = textOf(file.api_token);
  const own = records[home] ?? {};
  const newToken = top !== undefined && top !== own.api_token && mayAdopt(owners, top, home, own);
  if (newToken) {
    records[home] = withToken(own, top);
    owners[tokenHash(top)] = home;
  }
  const topId = textOf(file.user_id);
  if (topId !== undefined && !Object.values(records).some((record) => record.user_id === topId)) {
    records[home] = { ...records[home], user_id: topId };
  }
  if (token !== undefined) owners[tokenHash(token)] ??= origin;

  let tidied: Record<string, unknown> = { ...file };
  if (Object.keys(records).length > 0) tidied.identities = { ...rawRecords(file), ...records };
  if (Object.keys(owners).length > 0) tidied.token_origins = owners;
  // Without a URL in the file, the first backend owns the keys at the top, because two backends in two shells must not fight
  // over them.
  const mirrored = named !== undefined || (top === undefined && topId === undefined);
  if (mirrored) mirror(tidied, records[home] ?? {});
  if (named !== undefined) tidied = { ...mirrorLastIds(tidied, file, named) };
  return JSON.stringify(tidied) === JSON.stringify(file) ? file : tidied;
}

/** Returns what a tidied file knows about the person who asks. */
export function identityIn(tidied: ConfigFile, asked: IdentityRequest): KnownIdentity {
  const { origin, userId, now } = asked;
  const { records, owners } = readOf(tidied);
  // A different user gets a record beside this home's, so that removing the override brings the first user back.
  const first = records[origin]?.user_id;
  const at = userId !== undefined && first !== undefined && userId !== first ? `${origin}#${userId}` : origin;
  const record = records[at] ?? {};
  const owner = asked.token === undefined ? undefined : owners[tokenHash(asked.token)];
  const tokenOf = owner !== undefined && owner !== origin ? owner : undefined;
  const given = tokenOf === undefined && asked.token !== undefined && record.replaces !== tokenHash(asked.token);
  const rest = { at, userId: userId ?? record.user_id, tokenOf };
  if (given) return { ...rest, token: asked.token, due: false, expired: false };
  return { ...rest, token: record.api_token, ...expiry(record, now) };
}

/** Returns the tidied file with the token that the backend has issued, and without the token that it replaces. */
export function withIssued(tidied: ConfigFile, asked: IdentityRequest, issued: Issued): ConfigFile {
  const known = identityIn(tidied, asked);
  const records = recordsOf(tidied);
  const owners = ownersOf(tidied, records);
  const before = records[known.at] ?? {};
  const given = asked.token !== undefined && known.tokenOf === undefined ? tokenHash(asked.token) : undefined;
  if (before.api_token !== undefined && tokenHash(before.api_token) !== given)
    delete owners[tokenHash(before.api_token)];
  owners[tokenHash(issued.api_token)] = asked.origin;
  const record = withToken(before, issued.api_token);
  record.user_id = asked.userId ?? issued.user_id;
  if (issued.expires_at !== undefined) record.expires_at = issued.expires_at;
  record.issued_at = toIso(asked.now);
  if (given !== undefined) record.replaces = given;
  return withRecord({ ...tidied, token_origins: owners }, asked, known.at, record);
}

/** Returns the tidied file with an id of our own making, unless it has an id by now. */
export function withLocalId(tidied: ConfigFile, asked: IdentityRequest, userId: string): ConfigFile {
  const { at, userId: known } = identityIn(tidied, asked);
  if (known !== undefined) return tidied;
  return withRecord(tidied, asked, at, { ...recordsOf(tidied)[at], user_id: userId });
}

function withRecord(file: ConfigFile, asked: IdentityRequest, at: string, record: IdentityRecord): ConfigFile {
  const next = { ...file, identities: { ...rawRecords(file), [at]: record } };
  if (at === (originOf(file.backend_url) ?? asked.origin)) mirrorUnlessTaken(next, file, asked, record);
  return tidyIdentities(next, asked);
}

/**
 * Copies the record, which is current now, to the top of the file unless another identity is there, so that the old copy at the
 * top is not mistaken for values written by hand.
 */
function mirrorUnlessTaken(
  next: Record<string, unknown>,
  file: ConfigFile,
  asked: IdentityRequest,
  record: IdentityRecord,
) {
  const before = recordsOf(file)[asked.origin];
  const top = textOf(file.user_id);
  const ours = top === undefined || top === before?.user_id;
  if (originOf(file.backend_url) !== undefined || ours) mirror(next, record);
}

function mirror(file: Record<string, unknown>, record: IdentityRecord): void {
  for (const key of ["user_id", "api_token"] as const) {
    if (record[key] !== undefined) file[key] = record[key];
    // A template's "" stays, because that is how the file says "none".
    else if (textOf(file[key]) !== undefined) delete file[key];
  }
}

function withToken(record: IdentityRecord, token: string): IdentityRecord {
  const { expires_at: _, issued_at: __, replaces: ___, ...rest } = record;
  return { ...rest, api_token: token };
}

/**
 * Returns whether a handwritten token is taken over. A token that was seen before is not taken over, because it is old or
 * belongs to another origin.
 */
function mayAdopt(owners: Record<string, string>, token: string, home: string, own: IdentityRecord): boolean {
  const owner = owners[tokenHash(token)];
  return owner === undefined || (owner === home && own.api_token === undefined);
}

/** Remembers results, because every request converts the same two times. */
const timeOf = remembering(fromIso, 50, 50);

function expiry({ expires_at = "", issued_at = "" }: IdentityRecord, now: number): { due: boolean; expired: boolean } {
  const end = timeOf(expires_at);
  const start = timeOf(issued_at);
  // The token has no end, or one before its issue (a wrong clock). Then only a 401 from the backend can show that it
  // has expired.
  if (end === undefined || (start !== undefined && end <= start)) return { due: false, expired: false };
  const lifetime = start === undefined ? Number.POSITIVE_INFINITY : end - start;
  const ahead = Math.min(RENEW_AHEAD_MS, lifetime * RENEW_AHEAD_SHARE);
  return { due: now >= end - ahead, expired: now >= end };
}

/** Holds the last results by file, because every request asks and the file has rarely changed. */
const lastRead = new WeakMap<ConfigFile, ReturnType<typeof newlyRead>>();

function readOf(file: ConfigFile) {
  const read = lastRead.get(file) ?? newlyRead(file);
  lastRead.set(file, read);
  return read;
}

function newlyRead(file: ConfigFile) {
  const records = recordsOf(file);
  return { records, owners: ownersOf(file, records) };
}

function rawRecords(file: ConfigFile): Record<string, unknown> {
  return isObject(file.identities) ? file.identities : {};
}

function recordsOf(file: ConfigFile): Record<string, IdentityRecord> {
  const parsed = Object.entries(rawRecords(file)).map(([at, raw]) => [at, IdentityRecord.safeParse(raw).data] as const);
  return Object.fromEntries(parsed.filter((entry): entry is [string, IdentityRecord] => entry[1] !== undefined));
}

/** Maps each token's hash to its origin, for the remembered tokens and for those in the records. */
function ownersOf(file: ConfigFile, records: Record<string, IdentityRecord>): Record<string, string> {
  const owners: Record<string, string> = {};
  for (const [hash, origin] of Object.entries(isObject(file.token_origins) ? file.token_origins : {})) {
    if (typeof origin === "string") owners[hash] = origin;
  }
  for (const [at, { api_token }] of Object.entries(records)) {
    if (api_token !== undefined) owners[tokenHash(api_token)] ??= originOf(at) ?? at;
  }
  return owners;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" && !isPlaceholder(value) ? value : undefined;
