import { posix, win32 } from "node:path";
import { applyEdits, type Edit } from "jsonc-parser";
import { Failure, TowowError } from "../errors.ts";
import { documentOf, type Plan, sameEntry } from "./change-plan.ts";
import type { Machine } from "./machine.ts";
import type { Made, SetupRecord } from "./record.ts";

/**
 * Carries out a plan, by the client's own command or else in its file.
 * @throws `tool.config.unavailable.client_command`, `tool.config.unavailable.client_config`, and `ClientConfigChanged`
 * if the file is no longer what was read
 */
export function applyPlan(machine: Machine, plan: Plan, record: SetupRecord): void {
  const { kind, path } = plan;
  if (kind === "same" || kind === "absent") return;
  if (kind === "remove") takeOut(machine, plan, record);
  else if (plan.commands === undefined) edit(machine, plan, record);
  else {
    runCommands(machine, plan);
    const [file, before] = [machine.real(path), plan.text ?? ""];
    noteWrite(plan, file, before, [difference(before, machine.read(path) ?? "")], [], record);
    if (plan.text === undefined) noted(() => record.loosen(file)); // The client itself made the file, so a later removal keeps it.
  }
}

/**
 * Edits the client's file. If an entry is updated in a file that is still as setup left it, the new entry is written
 * into the file as it was before setup.
 */
function edit(machine: Machine, plan: Plan, record: SetupRecord): void {
  const { client, kind, path, after, text } = plan;
  const file = machine.real(path);
  const known = kind === "update" && text !== undefined ? record.before(file, text) : undefined;
  const from = known === undefined ? text : (known ?? undefined);
  const edits = known === undefined ? plan.edits : documentOf(client, path, from ?? "").put(after!);
  const folders = missingFolders(machine, file);
  machine.replace(path, text, applyEdits(from ?? "", [...edits]), plan.scope === "user");
  if (known === undefined) noteWrite(plan, file, text, edits, folders, record);
  else noted(() => record.remember(file, from, edits, record.made(file)));
}

function noteWrite(
  { kind, hasList }: Plan,
  file: string,
  before: string | undefined,
  edits: readonly Edit[],
  folders: string[],
  record: SetupRecord,
): void {
  noted(() => {
    if (kind === "add") record.remember(file, before, edits, { list: !hasList, folders });
    else record.loosen(file);
  });
}

/**
 * Takes the entry out. If the file is still as setup left it, its former bytes are restored exactly. Otherwise only the entry
 * is removed, with the list, the file and the folders that setup had made, if they are now empty.
 */
function takeOut(machine: Machine, plan: Plan, record: SetupRecord): void {
  const { path, text = "", edits, commands } = plan;
  const file = machine.real(path);
  const made = record.made(file);
  const before = record.before(file, text);
  if (commands !== undefined) runCommands(machine, plan);
  const now = commands === undefined ? text : machine.read(path);
  const left = before === undefined ? tidy(plan, applyEdits(now ?? "", commands ? [] : [...edits]), made) : before;
  if (left !== now) machine.replace(path, now, left);
  for (const folder of made.folders) machine.removeEmptyFolder(folder);
  noted(() => record.forget(file));
}

/**
 * Returns a file without the entry, and without the list that was made for it if that is empty. Returns `null` if
 * nothing is left of a file that setup made.
 */
function tidy({ client, path }: Plan, text: string, made: Made): string | null {
  const left = made.list ? applyEdits(text, documentOf(client, path, text).dropEmptyList()) : text;
  return made.file && NOTHING.test(left) ? null : left;
}

const NOTHING = /^\s*(?:\{\s*\}\s*)?$/;

/** Returns the folders that writing a file will make, inner ones first. */
function missingFolders(machine: Machine, file: string): string[] {
  const { dirname } = machine.platform === "win32" ? win32 : posix;
  const folders: string[] = [];
  for (let at = dirname(file); at !== dirname(at) && !machine.isFolder(at); at = dirname(at)) folders.push(at);
  return folders;
}

/**
 * Returns the edit that turns one text into another, which replaces everything between their common beginning and their common
 * end.
 */
function difference(before: string, after: string): Edit {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { offset: head, length: before.length - tail - head, content: after.slice(head, after.length - tail) };
}

/**
 * Makes a note in the record. A home that cannot be written is ignored, because the note only makes a later `--remove` exact,
 * and the change itself is made already.
 */
function noted(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
  }
}

/**
 * Runs the client's own command in the home folder, where no project's settings are read, and checks the result.
 * @throws `tool.config.unavailable.client_command`
 */
function runCommands(machine: Machine, { client, path, commands, kind, after }: Plan): void {
  for (const [program, ...args] of commands ?? []) {
    const { status, output } = machine.run(program!, args, machine.home);
    const command = [client.programs[0], ...args].join(" ");
    if (status !== 0)
      throw new Failure("tool.config.unavailable.client_command", {
        command,
        reason: reasonOf(output) ?? String(status),
      });
  }
  const entry = documentOf(client, path, machine.read(path) ?? "").entry;
  if (kind === "remove" ? entry !== undefined : !sameEntry(entry, after))
    throw new Failure("tool.config.unavailable.client_command", {
      command: String(client.programs[0]),
      reason: `${path}: ${client.key}.towow`,
    });
}

/** Returns the line that names the error. A client may write warnings before that line and a stack after it. */
function reasonOf(output: string): string | undefined {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /error/i.test(line)) ?? lines.at(-1);
}
