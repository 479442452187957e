import { applyEdits } from "jsonc-parser";
import { TowowError } from "../errors.ts";
import { documentOf, type Plan, sameEntry } from "./change-plan.ts";
import { ClientCommandFailed } from "./errors.ts";
import type { Machine } from "./machine.ts";
import type { SetupRecord } from "./record.ts";

/**
 * Does what a plan says: by the client's own command, else in the file.
 * Throws {@link ClientCommandFailed} and `ClientConfigUnusable`.
 */
export function applyPlan(machine: Machine, plan: Plan, record: SetupRecord): void {
  const { kind, path, text } = plan;
  if (kind === "same" || kind === "absent") return;
  const file = machine.real(path);
  const before = kind === "remove" && text !== undefined ? record.before(file, text) : undefined;
  if (before === null) machine.remove(file);
  else if (before !== undefined) machine.write(path, before);
  else if (plan.commands !== undefined) runCommands(machine, plan);
  else {
    edit(machine, plan, record);
    return;
  }
  noted(() => record.forget(file));
}

/** An entry that is updated in a file as setup left it is written anew into what the file was before setup. */
function edit(machine: Machine, plan: Plan, record: SetupRecord): void {
  const { client, kind, path, after, text } = plan;
  const known = kind === "update" && text !== undefined ? record.before(machine.real(path), text) : undefined;
  const from = known === undefined ? text : (known ?? undefined);
  const edits = known === undefined ? plan.edits : documentOf(client, path, from ?? "").put(after!);
  machine.write(path, applyEdits(from ?? "", [...edits]), plan.scope === "user");
  noted(() => {
    const file = machine.real(path);
    if (kind === "add" || known !== undefined) record.remember(file, from, edits);
    else record.forget(file);
  });
}

/** Exactness of a later `--remove` is a comfort: a home that cannot be written does not undo what has been done. */
function noted(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
  }
}

/** Runs the client's own command in the home folder, where no project's settings are read, and looks at the result. */
function runCommands(machine: Machine, { client, path, commands, kind, after }: Plan): void {
  for (const [program, ...args] of commands ?? []) {
    const { status, output } = machine.run(program!, args, machine.home);
    const command = [client.programs[0], ...args].join(" ");
    if (status !== 0) throw new ClientCommandFailed({ command, reason: reasonOf(output) ?? String(status) });
  }
  const entry = documentOf(client, path, machine.read(path) ?? "").entry;
  if (kind === "remove" ? entry !== undefined : !sameEntry(entry, after))
    throw new ClientCommandFailed({ command: String(client.programs[0]), reason: `${path}: ${client.key}.towow` });
}

/** The line that names the error; a client may write warnings before it and a stack after it. */
function reasonOf(output: string): string | undefined {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /error/i.test(line)) ?? lines.at(-1);
}
