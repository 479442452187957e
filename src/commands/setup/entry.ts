import { join } from "node:path";
import { stringify } from "smol-toml";
import { Failure, type TowowError } from "../../errors.ts";
import { CONFIG_KEYS, declarationOf, environmentNames } from "../../home/schema.ts";
import { showInvisible } from "../../safety/invisible.ts";
import { applyPlan } from "../../setup/apply.ts";
import { type Plan, planOf } from "../../setup/change-plan.ts";
import type { Client } from "../../setup/clients.ts";
import { ENTRY } from "../../setup/document.ts";
import { ClientConfigChanged } from "../../setup/errors.ts";
import { isInstalled } from "../../setup/programs.ts";
import { printable } from "../../terminal/printable.ts";
import { shellLine } from "../../terminal/shell-word.ts";
import { editRuns } from "../../view/aligned.ts";
import { failureSentence } from "../failure.ts";
import { print } from "../print.ts";
import { unlessCancelled } from "../prompts.ts";
import { showOff } from "./off.ts";
import type { SetupRun } from "./run.ts";

/** How many times a change is tried, because a client may write its file at the same moment. */
const TRIES = 3;
const SIGNS = { added: "+", removed: "-", same: " " } as const;
const DIFF_STYLES = { "+": "green", "-": "red" } as const;

/** Prints what a person would paste into a client's file that cannot be read, and says why it cannot. */
export function printBlindPlan(run: SetupRun, client: Client, error: TowowError): void {
  printPlan(run, planOf(run.machine, client, { ...run.request, ignoresFile: true }));
  void print(run.home.io, `# ${failureSentence(error, run.home.lang)}\n`);
}

/** Prints what a person would paste, as a file of its own. */
export function printPlan({ machine, copies, texts, options, options: { io } }: SetupRun, plan: Plan): void {
  const say = (line: string) => void print(io, `${line}\n`);
  const { client, scope, path, commands } = plan;
  say(`# ${client.title} · ${scope} · ${path}`);
  const isMissing = plan.launch.from === "copy" && !copies.has(machine.version);
  if (isMissing && !options.remove) say(`# ${texts.copyMissing(join(machine.copies, machine.version))}`);
  if (commands !== undefined) for (const [, ...args] of commands) say(`# ${shellLine([client.programs[0]!, ...args])}`);
  if (!options.remove) say(fileText(plan).trimEnd());
  else for (const line of changeLines(plan)) say(`  ${showInvisible(line)}`);
}

/** Returns whether there is something to write for a client. */
export const isChange = ({ kind }: Plan): boolean => kind !== "same" && kind !== "absent";

/** Returns whether the entry is somebody else's, so that replacing or removing it needs a yes of its own. */
export const isOthers = ({ kind, own }: Plan): boolean =>
  kind === "replace" || (kind === "remove" && own === undefined);

/** Shows the change of one client: where it is, which lines go and come, and what the entry starts. */
export function showPlan({ machine, texts, printer }: SetupRun, plan: Plan): void {
  const { client, scope, path, kind, commands, launch } = plan;
  printer.gap();
  printer.text(`${client.title} · ${scope} · ${path}`, { style: "bold" });
  if (!isChange(plan)) return;
  if (kind !== "remove" && !isInstalled(machine, client)) printer.text(texts.absent, { style: "yellow" });
  for (const line of changeLines(plan)) {
    const style = DIFF_STYLES[line[0] as "+" | "-"];
    const text = printable(showInvisible(line)); // The line is not wrapped, because it is to be compared and copied.
    printer.line(`  ${style === undefined ? text : printer.style(style, text)}`);
  }
  if (commands !== undefined)
    for (const [, ...args] of commands)
      printer.line(printer.style("dim", printable(texts.by(shellLine([client.programs[0]!, ...args])))));
  if (kind !== "remove") printer.text(texts.starts[launch.from], { style: "dim" });
}

/**
 * Carries out the change of one client, based on what the file holds now. Returns whether something was written.
 * @throws `tool.config.conflict.client_entry` if the entry is somebody else's and nobody can be asked, and the errors of
 * writing
 */
export async function carryOut(run: SetupRun, plan: Plan): Promise<boolean> {
  const { machine, texts, record, options, prompts, printer } = run;
  const { client, path, kind, launch } = plan;
  if (!isChange(plan)) {
    const isNew = kind === "same" && install(run, launch);
    tick(run, client.title, kind === "absent" ? texts.notThere : isNew ? texts.copyReplaced : texts.same);
    showOff(run, plan);
    return false;
  }
  if (isOthers(plan) && !options.force) {
    if (prompts === undefined) {
      const command = `setup ${client.id} ${kind === "remove" ? "--remove " : ""}--force`;
      throw new Failure("tool.config.conflict.client_entry", { client: client.title, path, command });
    }
    const message = texts.of(client.title, kind === "remove" ? texts.ask.removeOthers : texts.ask.replace);
    const { yes: active, no: inactive } = texts.ask;
    const isYes = await unlessCancelled(prompts.confirm({ message, active, inactive, initialValue: false }));
    if (isYes !== true) {
      printer.text(texts.of(client.title, texts.left));
      return false;
    }
  }
  for (let tries = TRIES; ; tries--) {
    // The file may have changed while the person was asked.
    const now = planOf(machine, client, run.request);
    if (now.kind !== kind || JSON.stringify(now.before) !== JSON.stringify(plan.before)) {
      showPlan(run, now);
      return carryOut(run, now);
    }
    if (kind !== "remove") install(run, launch);
    try {
      applyPlan(machine, now, record);
      break;
    } catch (error) {
      if (!(error instanceof ClientConfigChanged) || tries === 1) throw error;
    }
  }
  const from = plan.own?.version;
  const isUpdate = kind === "update" && from !== undefined && from !== machine.version;
  tick(run, client.title, isUpdate ? texts.updated(from, machine.version) : texts.done[kind as "add"]);
  showOff(run, plan);
  return true;
}

const tick = ({ printer, texts }: SetupRun, title: string, what: string): void =>
  printer.text(texts.of(title, what), { first: printer.style("green", "✓ ") });

/** Installs the copy that the entry names, if it names one. Returns whether the copy was made or replaced. */
function install({ machine, copies, texts, printer }: SetupRun, { from }: Plan["launch"]): boolean {
  if (from !== "copy" || !copies.install(machine.version)) return false;
  printer.text(texts.copied(join(machine.copies, machine.version)), { first: printer.style("green", "✓ ") });
  return true;
}

/** Variables whose values may be shown. Every other variable may be a secret, and so may a header. */
const HARMLESS = new Set(CONFIG_KEYS.filter((key) => !declarationOf(key).secret).flatMap(environmentNames));
const HOLDERS = ["env", "environment", "headers", "http_headers"];

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

/**
 * Returns the change as lines that begin with `-`, `+` or a space. The lines show the entry alone, because its neighbours may
 * contain secrets.
 */
function changeLines({ client, before, after }: Plan): string[] {
  const was = before === undefined ? "" : snippet(client, masked(before));
  const is = after === undefined ? "" : snippet(client, masked(after));
  return editRuns(linesOf(was), linesOf(is))!.flatMap(({ text, change }) =>
    text
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => `${SIGNS[change]} ${line}`),
  );
}

/** Returns what a person would paste into the client's file. */
const fileText = ({ client, after }: Plan): string =>
  client.format === "toml"
    ? stringify({ [client.key]: { [ENTRY]: after } })
    : `${JSON.stringify({ [client.key]: { [ENTRY]: after } }, null, 2)}\n`;

function snippet({ format, key }: Client, entry: unknown): string {
  if (format === "toml") return stringify({ [key]: { [ENTRY]: entry } });
  return `"${ENTRY}": ${JSON.stringify(entry, null, 2)}\n`;
}

function masked(entry: unknown): unknown {
  if (typeof entry !== "object" || entry === null) return entry;
  const mask = (name: string, value: unknown) => (HARMLESS.has(name) ? value : "***");
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) =>
      HOLDERS.includes(name) && typeof value === "object" && value !== null
        ? [name, Object.fromEntries(Object.entries(value).map(([inner, secret]) => [inner, mask(inner, secret)]))]
        : [name, value],
    ),
  );
}
