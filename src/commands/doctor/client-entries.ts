import { toToolError } from "../../agent/errors.ts";
import { TowowError } from "../../errors.ts";
import { CLIENTS, type Client } from "../../setup/clients.ts";
import type { Machine } from "../../setup/machine.ts";
import { planOf } from "../../setup/plan.ts";
import { findProgram, isInstalled } from "../../setup/programs.ts";
import { type DoctorTexts, doctorTexts } from "../../text/doctor.ts";
import { textsOf } from "../../text/index.ts";
import { createSetupMachine } from "../setup/machine.ts";
import type { Finding } from "./finding.ts";

/** Where the known clients' config files are looked for. */
export interface ClientEntriesContext {
  env: NodeJS.ProcessEnv;
  root: URL;
  lang: "zh" | "en";
}

/** What the known clients' config files say about this program; reads only. */
export type ClientEntries = (context: ClientEntriesContext) => Promise<Finding[]>;

const WISH = { scope: "user", remove: false, flags: [] } as const;

export const clientEntries: ClientEntries = async ({ env, root, lang }) => {
  const machine = createSetupMachine(env, root);
  const texts = doctorTexts(lang).clients;
  const installed = CLIENTS.filter((client) => isInstalled(machine, client));
  if (installed.length === 0) return [{ check: "clients", level: "ok", message: texts.none }];
  return installed.map((client) => examine(client, machine, texts, lang));
};

function examine(client: Client, machine: Machine, texts: DoctorTexts["clients"], lang: "zh" | "en"): Finding {
  const { id, title } = client;
  const check = `clients.${id}`;
  const mend = `towow-mcp setup ${id}`;
  try {
    const { before, path } = planOf(machine, client, WISH);
    if (before === undefined) return { check, level: "ok", message: texts.absent(title), mend };
    const command = commandOf(before);
    if (command === undefined) return { check, level: "ok", message: texts.remote(title, path) };
    if (!canStart(machine, command))
      return { check, level: "problem", message: texts.gone(title, command), mend: `${mend} --force` };
    return { check, level: "ok", message: texts.there(title, path) };
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    const told = toToolError(error, { texts: textsOf(lang), idempotent: true, callable: () => false });
    return { check, level: "problem", message: `${title}: ${told.message}`, mend: told.recovery_suggestion };
  }
}

/** The program that an entry starts; undefined for one that names an address instead. */
function commandOf(entry: unknown): string | undefined {
  const { command } = entry as { command?: unknown };
  const [program] = Array.isArray(command) ? command : [command];
  return typeof program === "string" ? program : undefined;
}

const canStart = (machine: Machine, command: string): boolean =>
  /[/\\]/.test(command) ? machine.isProgram(command) : findProgram(machine, command) !== undefined;
