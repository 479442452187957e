import { isDeepStrictEqual } from "node:util";
import type { Edit } from "jsonc-parser";
import { Failure } from "../errors.ts";
import type { Client, Scope } from "./clients.ts";
import type { Document, Entry } from "./document.ts";
import type { Endpoint } from "./endpoint.ts";
import { jsonDocument } from "./json-document.ts";
import { type Launch, launchOf } from "./launch.ts";
import type { Machine } from "./machine.ts";
import { isTable, type OwnEntry, ownEntry, withoutNetwork, withoutStart } from "./own-entry.ts";
import { ownProgram } from "./programs.ts";
import type { SwitchedOff } from "./switched-off.ts";
import { tomlDocument } from "./toml-document.ts";

/** What setup would do for one client. */
export interface Plan {
  readonly client: Client;
  readonly scope: Scope;
  readonly path: string;
  /** `update`: the entry is this program's own. `same` and `absent`: nothing is to be done. */
  readonly kind: "add" | "update" | "replace" | "same" | "remove" | "absent";
  readonly before: unknown;
  readonly after: Entry | undefined;
  /** What stands there, where it is of the kind that is asked for: it starts this program, or calls an endpoint. */
  readonly own: OwnEntry | undefined;
  /** Where the client is told not to start it, as the entry will be. */
  readonly off: readonly SwitchedOff[];
  readonly launch: Launch | Endpoint;
  /** The client's own command, one run after the other; undefined where the file is edited. */
  readonly commands: readonly (readonly string[])[] | undefined;
  /** The file as it was read, undefined without one; and what would be changed in it. */
  readonly text: string | undefined;
  readonly hasList: boolean;
  /** A file is there that holds no value at all. */
  readonly isEmpty: boolean;
  readonly edits: readonly Edit[];
}

export interface SetupRequest {
  readonly scope: Scope;
  readonly remove: boolean;
  /** The client is to call this endpoint itself. With `remove`, only an entry that calls it is this program's own. */
  readonly endpoint?: Endpoint | undefined;
  /** Handed on to the server: `--mode normal`. Without any, an update keeps those that stand there. */
  readonly flags: readonly string[];
  /** An update keeps no network that the entry names by itself: from now on it is the home's. */
  readonly dropsNetwork?: boolean;
  /** Nothing of an entry is kept. */
  readonly force?: boolean;
  /** As if the client had no file yet. */
  readonly ignoresFile?: boolean;
}

/**
 * Reads the client's file and works out the change; writes nothing.
 * Throws `tool.config.invalid.client_scope`, `tool.config.invalid.client_endpoint`, `tool.config.invalid.client_config_syntax`, `tool.config.invalid.client_config_shape` and `tool.config.unavailable.client_config`.
 */
export function planOf(machine: Machine, client: Client, request: SetupRequest): Plan {
  const { scope, remove, flags, dropsNetwork = false, force = false, endpoint } = request;
  const { path, text, document } = locate(machine, client, request);
  const before = document.entry;
  const found = force && !remove ? undefined : ownEntry(before, machine);
  const own = isMeant(found, request) ? found : undefined;
  const kept = dropsNetwork ? withoutNetwork.flags(own?.flags ?? []) : (own?.flags ?? []);
  const launch = endpoint ?? launchOf(machine, scope, flags.length === 0 ? kept : flags);
  const bare = entryOf(client, launch);
  // What a person allowed the server of one address, they did not allow that of another.
  const isElsewhere = own?.url !== endpoint?.url;
  const wanted =
    own === undefined || isElsewhere ? bare : { ...bare, ...additions(before as Entry, bare, dropsNetwork) };
  const kind = kindOf(before, wanted, own, remove);
  const isWritten = kind === "add" || kind === "update" || kind === "replace";
  const edits = kind === "remove" ? document.drop() : isWritten ? document.put(wanted) : [];
  // The client's own command knows nothing of what a person added, and a variable may hold a secret.
  const commands = sameEntry(bare, wanted) ? commandsOf(machine, client, scope, kind, launch) : undefined;
  const after = remove ? undefined : wanted;
  const { hasList } = document;
  const isEmpty = text !== undefined && document.all === undefined;
  const file = { path, key: client.key, all: document.all, entry: after, machine };
  const off = after === undefined ? [] : (client.off?.(file) ?? []);
  return { client, scope, path, kind, before, after, own, off, launch, commands, text, hasList, isEmpty, edits };
}

/** An entry of the other kind is somebody's choice, and changed by a word of its own. */
function isMeant(found: OwnEntry | undefined, { remove, endpoint }: SetupRequest): boolean {
  if (remove) return endpoint === undefined || found?.url === endpoint.url;
  return (found?.from === "endpoint") === (endpoint !== undefined);
}

function entryOf({ title, entry, remote }: Client, start: Launch | Endpoint): Entry {
  if (start.from !== "endpoint") return entry(start);
  if (remote === undefined) throw new Failure("tool.config.invalid.client_endpoint", { client: title });
  return remote.entry(start.url);
}

function kindOf(before: unknown, wanted: Entry, own: OwnEntry | undefined, remove: boolean): Plan["kind"] {
  if (before === undefined) return remove ? "absent" : "add";
  if (remove) return "remove";
  if (sameEntry(before, wanted)) return "same";
  return own === undefined ? "replace" : "update";
}

/** What a person added to an entry of ours: variables, a timeout. */
function additions(before: Entry, bare: Entry, dropsNetwork: boolean): Entry {
  return Object.fromEntries(
    Object.entries(withoutStart(before)).flatMap(([name, value]) => {
      if (!isTable(value)) return [[name, value]];
      const kept = dropsNetwork ? withoutNetwork.variables(value) : value;
      const ours = bare[name];
      const isEmptied = kept !== value && Object.keys(kept).length === 0;
      return isEmptied && ours === undefined ? [] : [[name, isTable(ours) ? { ...kept, ...ours } : kept]];
    }),
  );
}

/** The client's files of a scope: the one that has the entry, else the first that is there, else the one to create. */
function locate(
  machine: Machine,
  client: Client,
  { scope, ignoresFile = false }: SetupRequest,
): { path: string; text: string | undefined; document: Document } {
  const paths = client.files[scope]?.(machine);
  if (paths === undefined) {
    throw new Failure("tool.config.invalid.client_scope", {
      client: client.id,
      scope,
      scopes: Object.keys(client.files),
    });
  }
  const files = paths.map((path) => {
    const text = ignoresFile ? undefined : machine.read(path);
    return { path, text, document: documentOf(client, path, text ?? "") };
  });
  const there = files.filter(({ text }) => text !== undefined);
  return there.find(({ document }) => document.entry !== undefined) ?? there[0] ?? files.at(-1)!;
}

export function documentOf({ format, key, refuses }: Client, path: string, text: string): Document {
  return format === "toml" ? tomlDocument(text, { path, key }) : jsonDocument(text, { path, key }, refuses);
}

function commandsOf(machine: Machine, client: Client, scope: Scope, kind: Plan["kind"], launch: Plan["launch"]) {
  const program = scope === "user" ? ownProgram(machine, client) : undefined;
  if (program === undefined || client.own === undefined || kind === "same" || kind === "absent") return undefined;
  const remove = [program, ...client.own.remove];
  const add = [program, ...client.own.add(launch)];
  return kind === "add" ? [add] : kind === "remove" ? [remove] : [remove, add];
}

/** Whether two entries start the same server in the same way. */
export const sameEntry = (a: unknown, b: unknown): boolean => isDeepStrictEqual(essence(a), essence(b));

/** An entry without what a client writes of its own accord and what says nothing. */
function essence(entry: unknown): unknown {
  if (typeof entry !== "object" || entry === null) return entry;
  const isEmpty = (value: unknown) => typeof value === "object" && value !== null && Object.keys(value).length === 0;
  const said = Object.entries(entry).filter(
    ([name, value]) =>
      !isEmpty(value) && !(name === "type" && value === "stdio") && !(name === "enabled" && value === true),
  );
  return Object.fromEntries(said);
}
