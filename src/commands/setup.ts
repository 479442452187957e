import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { removeLoneCompileCache } from "../app/compile-cache.ts";
import { localeOf } from "../app/home-folder.ts";
import { Failure, TowowError } from "../errors.ts";
import { SANDBOX } from "../home/origin.ts";
import type { ConfigKey } from "../home/schema.ts";
import { resolveAll } from "../home/settings.ts";
import { findProgram } from "../search-path.ts";
import { type Plan, planOf } from "../setup/change-plan.ts";
import { CLIENTS, type Client } from "../setup/clients.ts";
import { endpointOf } from "../setup/endpoint.ts";
import { launchOf } from "../setup/launch.ts";
import { isNewer, namedCopies } from "../setup/older-copies.ts";
import { isInstalled } from "../setup/programs.ts";
import { SetupRecord } from "../setup/record.ts";
import { shellLine } from "../terminal/shell-word.ts";
import { setupTexts } from "../text/setup.ts";
import { tellFailure } from "./failure.ts";
import { atTerminal, openHome } from "./home.ts";
import { Printer, terminalOf } from "./printer.ts";
import { loadPrompts, unlessCancelled } from "./prompts.ts";
import { Copies } from "./setup/copies.ts";
import { carryOut, isChange, isOthers, printBlindPlan, printPlan, showPlan } from "./setup/entry.ts";
import { createSetupMachine } from "./setup/machine.ts";
import { chosenNetwork, finish, undoNetwork } from "./setup/network.ts";
import type { SetupArguments, SetupRun } from "./setup/run.ts";
import { tellNoAddress, tellSignIn } from "./setup/sign-in.ts";

/**
 * `towow-mcp setup [client…]` puts this server into the files of MCP clients and chooses the network, or undoes both.
 * At a terminal it asks what neither `--yes` nor the command line has answered.
 */
export async function setup(options: SetupArguments): Promise<void> {
  const run = await begin(options);
  const { machine, home, texts, request, printer, prompts } = run;
  if (prompts !== undefined) printer.text(texts.title(machine.version), { style: "bold" });
  const named = options.clients.map(clientOf);
  const found = named.length > 0 ? named : CLIENTS.filter((one) => concerns(run, one));
  if (named.length === 0) tellNoAddress(run);
  if (named.length === 0 && prompts === undefined) tellFound(run, found);
  const writes = named.length > 0 || prompts !== undefined || options.yes === true;
  const clients = named.length > 0 || prompts === undefined ? found : await chooseClients(run, found);
  if (clients === undefined) return ended(run);
  const { endpoint } = request;
  const network = request.remove || options.print || endpoint ? undefined : await chosenNetwork(run);
  if (network === "left") return ended(run);
  if (options.print && !request.remove) return printAll(run, clients);
  const { plans, failures } = plansFor(run, clients);
  for (const { client, error } of failures)
    void tellFailure(home.io, error, home.lang, (message) => texts.of(client.title, message));
  if (options.print) {
    for (const plan of plans) printPlan(run, plan);
    return;
  }
  for (const plan of plans) showPlan(run, plan);
  const namedBefore = namedCopies(machine);
  const agreed = writes && (await agreesTo(run, plans));
  if (agreed === "left") return ended(run);
  if (writes && !agreed) return; // A no applies to everything, including the network.
  const written = agreed ? await carryOutAll(run, plans) : undefined;
  if (agreed) sweep(run, namedBefore);
  if (request.remove && agreed) await undoNetwork(run);
  if (request.remove && written !== undefined && written.length > 0) {
    removeLoneCompileCache(run.home.path);
    machine.removeEmptyFolder(run.home.path);
  }
  if (!writes && found.length > 0) {
    printer.gap();
    printer.text(texts.would);
    const rest = `${endpoint === undefined ? "" : ` --endpoint ${endpoint.url}`}${request.remove ? " --remove" : ""}`;
    for (const { id } of found) printer.line(`  towow-mcp setup ${id}${rest}`);
  }
  if (endpoint !== undefined && !request.remove) tellSignIn(run, written ?? []);
  else if (!request.remove && (writes || network !== undefined)) await finish(run, network, written ?? []);
  if (!request.remove && clients.length === 0) {
    printer.gap();
    printer.text(texts.withoutClient);
    printer.command([endpoint === undefined ? "towow-mcp open" : new URL("/", endpoint.url).href]);
  }
  if (!request.remove && endpoint === undefined) tellName(run);
}

/**
 * Prints how to start the program if the PATH does not know its name, as with npx or a folder. The line starts the copy that
 * clients start, if there is one.
 */
function tellName({ machine, copies, options, printer, texts }: SetupRun): void {
  if (findProgram(machine, "towow-mcp") !== undefined) return;
  const { command, args } = launchOf(machine, "user", []);
  const files = copies.has(machine.version) ? args : [fileURLToPath(new URL("dist/cli.js", options.root))];
  printer.gap();
  printer.text(texts.notNamed, { style: "dim" });
  printer.command([shellLine([command, ...files])]);
}

async function begin(options: SetupArguments): Promise<SetupRun> {
  const { io, root, scope, remove = false } = options;
  const home = openHome(io);
  const backendUrl = options.sandbox ? SANDBOX : options.backendUrl;
  const given: Partial<Record<ConfigKey, unknown>> = {
    backend_url: backendUrl,
    mode: options.mode,
    lang: options.lang,
  };
  const all = resolveAll({ flags: given, env: io.env, file: home.store.read().values, locale: localeOf(io.env) });
  const machine = createSetupMachine(io, root);
  // A project's file is shared by people with their own homes, so it gets only what was given here. Otherwise this home
  // keeps the network itself.
  const handedOn = scope === "project" ? given : { mode: given.mode, lang: given.lang };
  const endpoint = options.endpoint === undefined ? undefined : endpointOf(options.endpoint);
  const request = { scope, remove, flags: flagsOf(handedOn, all), force: options.force === true, endpoint };
  flagsOf(given, all); // A refused value ends the command before anything is written.
  const asks = atTerminal(io) && options.yes !== true && options.print !== true;
  return {
    machine,
    home,
    texts: setupTexts(all.get("lang")?.value === "zh" ? "zh" : "en"),
    printer: new Printer(terminalOf(io.stdout, io.env)),
    record: new SetupRecord(machine, join(home.path, "setup.json")),
    copies: new Copies(fileURLToPath(root), machine.copies),
    request,
    options: { ...options, ...(backendUrl !== undefined && { backendUrl }) },
    prompts: asks ? await loadPrompts(io) : undefined,
  };
}

/** Reports that the person left. Nothing has been written before their last answer. */
const ended = ({ options: { io }, printer, texts }: SetupRun) => {
  printer.text(texts.left);
  io.exitCode = 1;
};

/** Returns whether setup is about a client, which is installed, or is gone but has left an entry of ours behind. */
function concerns({ machine, request }: SetupRun, client: Client): boolean {
  if (client.files[request.scope] === undefined) return false;
  if (request.endpoint !== undefined && client.remote === undefined) return false;
  if (isInstalled(machine, client)) return true;
  try {
    return planOf(machine, client, request).own !== undefined;
  } catch (error) {
    if (error instanceof TowowError) return false; // An unreadable file is a problem of that client alone.
    throw error;
  }
}

function clientOf(name: string): Client {
  const client = CLIENTS.find(({ id }) => id === name);
  if (client === undefined)
    throw new Failure("tool.config.invalid.unknown_client", { client: name, known: CLIENTS.map(({ id }) => id) });
  return client;
}

/** Returns the settings that setup was given for the server, as normalised flags. @throws the error of a refused value */
function flagsOf(given: Partial<Record<ConfigKey, unknown>>, all: ReturnType<typeof resolveAll>): string[] {
  const names = (Object.keys(given) as ConfigKey[]).filter((key) => given[key]);
  return names.flatMap((key) => {
    const { value, problem } = all.get(key)!;
    if (problem !== undefined) throw problem;
    return [`--${key.replaceAll("_", "-")}`, String(value)];
  });
}

const KNOWN = CLIENTS.map(({ id }) => id).join(", ");

function tellFound({ texts, printer }: SetupRun, found: readonly Client[]): void {
  if (found.length > 0) {
    printer.text(texts.found(found.map(({ title }) => title).join(texts.between)));
    return;
  }
  printer.text(texts.none);
  printer.text(KNOWN, { first: "  " });
}

/**
 * Asks which clients to set up. All that were found are ticked, except those where somebody else's entry would be
 * replaced.
 */
async function chooseClients(run: SetupRun, found: readonly Client[]): Promise<readonly Client[] | undefined> {
  const { texts, request, copies } = run;
  if (found.length === 0) tellFound(run, found);
  if (found.length === 0 || run.prompts === undefined) return found;
  const { plans } = plansFor(run, found);
  const isEmpty = (client: Client) => plans.some((plan) => plan.client === client && plan.kind === "absent");
  const held = request.remove ? found.filter((client) => !isEmpty(client)) : found;
  const listed = held.length > 0 ? held : found;
  const hintOf = (client: Client) => {
    const plan = plans.find((one) => one.client === client);
    if (plan === undefined || request.remove) return undefined;
    const isSet = plan.kind === "same" && (plan.launch.from !== "copy" || copies.has(run.machine.version));
    return isSet ? texts.ask.isSet : isOthers(plan) ? texts.ask.isOthers : undefined;
  };
  const options = listed.map((client) => {
    const hint = hintOf(client);
    return { value: client.id, label: client.title, ...(hint !== undefined && { hint }) };
  });
  const chosen = await unlessCancelled(
    run.prompts.multiselect({
      message: texts.ask.clients,
      options,
      initialValues: listed.filter((one) => hintOf(one) !== texts.ask.isOthers).map(({ id }) => id),
      required: false,
      showInstructions: false,
    }),
  );
  return chosen && found.filter(({ id }) => chosen.includes(id));
}

/** Prints what would be written for each client, so that a person can paste it even if the file cannot be read. */
function printAll(run: SetupRun, clients: readonly Client[]): void {
  for (const client of clients)
    try {
      printPlan(run, planOf(run.machine, client, run.request));
    } catch (error) {
      if (!(error instanceof TowowError) || client.files[run.request.scope] === undefined) throw error;
      printBlindPlan(run, client, error);
    }
}

/** Returns what would be done for each client, and the errors of clients whose file stands in the way. */
function plansFor({ machine, request }: SetupRun, clients: readonly Client[]) {
  const plans: Plan[] = [];
  const failures: { client: Client; error: TowowError }[] = [];
  for (const client of clients)
    try {
      const plan = planOf(machine, client, request);
      refuseOlder(plan, machine.version);
      plans.push(plan);
    } catch (error) {
      if (!(error instanceof TowowError)) throw error;
      failures.push({ client, error });
    }
  return { plans, failures };
}

/**
 * Refuses to replace a newer version by an older version that somebody happened to start. `--force` overwrites any entry of
 * this program.
 * @throws `tool.config.conflict.newer_copy`
 */
function refuseOlder({ client, kind, own }: Plan, version: string): void {
  if (kind !== "update" || own?.version === undefined || !isNewer(own.version, version)) return;
  const command = `setup ${client.id} --force`;
  throw new Failure("tool.config.conflict.newer_copy", {
    client: client.title,
    theirs: own.version,
    own: version,
    command,
  });
}

/** Asks one question about everything that would be written. Somebody else's entry gets a separate question later. */
async function agreesTo({ prompts, texts, request, printer }: SetupRun, plans: readonly Plan[]) {
  const own = plans.filter((plan) => isChange(plan) && !isOthers(plan));
  if (prompts === undefined || own.length === 0) return true;
  printer.gap();
  const message = request.remove ? texts.ask.takeOut(own.length) : texts.ask.write(own.length);
  const { yes: active, no: inactive } = texts.ask;
  const answer = await unlessCancelled(prompts.confirm({ message, active, inactive }));
  if (answer === false) printer.text(texts.left);
  return answer ?? "left";
}

async function carryOutAll(run: SetupRun, plans: readonly Plan[]) {
  const written: Plan[] = [];
  for (const plan of plans) {
    try {
      if (await carryOut(run, plan)) written.push(plan);
    } catch (error) {
      void tellFailure(run.home.io, error, run.home.lang, (message) => run.texts.of(plan.client.title, message));
    }
  }
  return written;
}

/**
 * Removes copies that no client names, once the new copy exists. A copy that a client named until now stays until the next
 * setup, because the client may still run it, and a running server reads its files when it needs them.
 */
function sweep({ machine, copies, request, texts, printer }: SetupRun, namedBefore: ReadonlySet<string> | undefined) {
  const named = namedCopies(machine);
  if (named === undefined || namedBefore === undefined) return;
  if (!request.remove && !copies.has(machine.version)) return;
  for (const version of copies.versions()) {
    if (named.has(version) || (!request.remove && (version === machine.version || namedBefore.has(version)))) continue;
    copies.remove(version);
    printer.text(texts.swept(join(machine.copies, version)));
  }
}
