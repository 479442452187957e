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
  /**
   * What is done to the entry. `update` means that the entry is this program's own. `same` and `absent` mean that nothing is to
   * be done.
   */
  readonly kind: "add" | "update" | "replace" | "same" | "remove" | "absent";
  readonly before: unknown;
  readonly after: Entry | undefined;
  /** The present entry, if it is this program's own and starts the program or calls an endpoint as the request wants. */
  readonly own: OwnEntry | undefined;
  /** The settings of the client that would switch the planned entry off. */
  readonly off: readonly SwitchedOff[];
  readonly launch: Launch | Endpoint;
  /** The client's own commands, to be run in this order. Undefined if the file is edited. */
  readonly commands: readonly (readonly string[])[] | undefined;
  /** The text of the file as it was read, or undefined without a file. `edits` are the changes to it. */
  readonly text: string | undefined;
  readonly hasList: boolean;
  /** True if there is a file that holds no value at all. */
  readonly isEmpty: boolean;
  readonly edits: readonly Edit[];
}

export interface SetupRequest {
  readonly scope: Scope;
  readonly remove: boolean;
  /**
   * The endpoint that the client should call itself. With `remove`, only an entry that calls it counts as this
   * program's own.
   */
  readonly endpoint?: Endpoint | undefined;
  /** Flags for the server, such as `--mode normal`. Without such flags an update keeps the flags of the entry. */
  readonly flags: readonly string[];
  /** True if an update drops the network that the entry itself names, because the home has it from now on. */
  readonly dropsNetwork?: boolean;
  /** True if nothing of the present entry is kept. */
  readonly force?: boolean;
  /** True to plan as if the client had no file yet. */
  readonly ignoresFile?: boolean;
}

/**
 * Reads the client's file and works out the change. Writes nothing.
 * @throws `tool.config.invalid.client_scope`, `tool.config.invalid.client_endpoint`,
 * `tool.config.invalid.client_config_syntax`, `tool.config.invalid.client_config_shape`,
 * `tool.config.unavailable.client_config`
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
  // Permissions that a person gave to the server at one address do not hold for a server at another.
  const isElsewhere = own?.url !== endpoint?.url;
  const wanted =
    own === undefined || isElsewhere ? bare : { ...bare, ...additions(before as Entry, bare, dropsNetwork) };
  const kind = kindOf(before, wanted, own, remove);
  const isWritten = kind === "add" || kind === "update" || kind === "replace";
  const edits = kind === "remove" ? document.drop() : isWritten ? document.put(wanted) : [];
  // The client's own command would lose what a person has added, and a variable may be a secret, so it is used only for
  // a bare entry.
  const commands = sameEntry(bare, wanted) ? commandsOf(machine, client, scope, kind, launch) : undefined;
  const after = remove ? undefined : wanted;
  const { hasList } = document;
  const isEmpty = text !== undefined && document.all === undefined;
  const file = { path, key: client.key, all: document.all, entry: after, machine };
  const off = after === undefined ? [] : (client.off?.(file) ?? []);
  return { client, scope, path, kind, before, after, own, off, launch, commands, text, hasList, isEmpty, edits };
}

/**
 * Returns whether the request is about this entry. If the entry starts a program and the request names an endpoint, or the
 * other way round, the entry is the person's choice, and changing it needs a separate yes.
 */
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

/** Returns what a person has added to an entry of ours, such as variables or a timeout. */
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

/**
 * Finds the client's file of a scope: the one that has the entry, or else the first that exists, or else the one to
 * create.
 * @throws `tool.config.invalid.client_scope` if the client has no file of the scope
 */
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

/** Returns whether two entries start the same server in the same way. */
export const sameEntry = (a: unknown, b: unknown): boolean => isDeepStrictEqual(essence(a), essence(b));

/** Returns an entry without members that a client adds by itself or that have no meaning. */
function essence(entry: unknown): unknown {
  if (typeof entry !== "object" || entry === null) return entry;
  const isEmpty = (value: unknown) => typeof value === "object" && value !== null && Object.keys(value).length === 0;
  const said = Object.entries(entry).filter(
    ([name, value]) =>
      !isEmpty(value) && !(name === "type" && value === "stdio") && !(name === "enabled" && value === true),
  );
  return Object.fromEntries(said);
}
