import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxData, sandboxFolder } from "../../app/sandbox/running-file.ts";
import { type Clock, stopwatch } from "../../clock.ts";
import { TowowError } from "../../errors.ts";
import { hostOf, PRODUCTION, SANDBOX } from "../../home/origin.ts";
import { type Plan, planOf } from "../../setup/change-plan.ts";
import { CLIENTS } from "../../setup/clients.ts";
import type { Launch } from "../../setup/launch.ts";
import { olderCopies, toThisVersion } from "../../setup/older-copies.ts";
import { networkTexts } from "../../text/network.ts";
import { entryOf } from "../demo/client.ts";
import { checkNetwork, signOf } from "../network/check.ts";
import { chooseNetwork, networkOf } from "../network/choose.ts";
import { moveTo, tellOwnNetworks } from "../network.ts";
import { endSandbox } from "../sandbox.ts";
import { isOff } from "./off.ts";
import type { SetupRun } from "./run.ts";

/**
 * Returns the network that the options name or that the person chooses. Undefined leaves the setting as it is, and `"left"`
 * means that the person left the question. A chosen network is stored in the home, so clients' entries stop naming a network of
 * their own.
 */
export async function chosenNetwork(run: SetupRun): Promise<string | "left" | undefined> {
  const { home, options, prompts, request } = run;
  if (request.scope === "project") return undefined;
  const current = home.settings().get("backend_url")?.value as string | undefined;
  const isAsked = prompts !== undefined && (current === undefined || options.clients.length === 0);
  if (options.backendUrl === undefined && !isAsked) return undefined;
  const chosen =
    options.backendUrl === undefined
      ? await chooseNetwork(prompts!, current, networkTexts(home.lang), home.store.read().values)
      : networkOf(options.backendUrl, home.store.read().values);
  if (chosen === undefined) return "left";
  run.request = { ...request, dropsNetwork: true };
  return chosen;
}

/** Finishes setup by saving the network, starting the server once, asking the network once, and naming the next step. */
export async function finish(run: SetupRun, network: string | undefined, written: readonly Plan[]): Promise<void> {
  const { home, options, printer, texts, record } = run;
  const { root } = options;
  const around = { root, printer, texts: networkTexts(home.lang) };
  const before = home.store.read().values.backend_url;
  const first = written.map(({ launch }) => launch).find((launch) => launch.from !== "endpoint");
  if (network !== undefined) {
    printer.gap();
    const isNew = await moveTo(network, home, around);
    if (isNew) record.rememberNetwork({ set: network, ...(typeof before === "string" && { before }) });
  } else {
    if (typeof before === "string" && run.request.scope === "user") tellOwnNetworks(before, home, around);
    if (first === undefined) return;
    printer.gap();
  }
  const isUp = first === undefined || (await showStart(run, first));
  const checked = await checkNetwork(home, root);
  if (checked !== undefined) printer.text(checked.sentence, { first: signOf(checked, printer) });
  else if (!written.every(namesBackend) || written.length === 0)
    for (const line of texts.noNetwork(PRODUCTION).split("\n")) printer.line(line);
  tellOlder(run);
  if (first !== undefined) tellNext(run, written, { isUp, isNetworkBad: checked?.seen === "bad" });
}

/** Starts the server once and reports the result. Returns whether it starts. */
async function showStart({ options, printer, texts }: SetupRun, launch: Launch): Promise<boolean> {
  const started = await startsOnce(launch, options.root, options.io.clock);
  const isUp = "tools" in started;
  const sentence = isUp
    ? texts.serverStarts(started.tools, (started.ms / 1000).toFixed(1))
    : texts.serverFails(started.reason);
  printer.text(sentence, { first: signOf({ seen: isUp ? "good" : "bad", sentence }, printer) });
  if (!isUp) options.io.exitCode = 1;
  return isUp;
}

/** Names the clients that start a copy older than this one. */
function tellOlder({ machine, printer, texts, request }: SetupRun): void {
  const older = request.scope === "user" ? olderCopies(machine) : [];
  if (older.length === 0) return;
  const clients = older.map(({ client, version }) => `${client.title} (${version})`).join(texts.between);
  printer.text(texts.older(clients, machine.version), { style: "yellow" });
  printer.command([toThisVersion(older)]);
}

/** Says what is left to do. The person is asked to restart a client only if the server and the network work. */
function tellNext(
  { home, printer, texts }: SetupRun,
  written: readonly Plan[],
  { isUp, isNetworkBad }: { isUp: boolean; isNetworkBad: boolean },
): void {
  const network = String(home.settings().get("backend_url")?.value);
  const isSandbox = network === SANDBOX;
  const plans = written.filter((plan) => !isOff(plan));
  const started = [...new Set(plans.map(({ client }) => client.title))];
  if (!isUp || isNetworkBad) {
    printer.gap();
    printer.text(isUp ? texts.trouble(networkTexts(home.lang).name(hostOf(network))) : texts.noServer);
    if (isUp && !isSandbox) printer.command(["towow-mcp network sandbox"]);
    printer.command(["towow-mcp doctor"]);
    return;
  }
  if (started.length === 0) return;
  printer.gap();
  printer.text(texts.next(started.join(texts.between)));
  printer.text(isSandbox ? texts.say.sandbox : texts.say.other, { first: "  ", style: "cyan" });
  tellApprovals(plans, { printer, texts });
}

/** Says whom each client asks before a call. Setup allows no tool in advance, so the client decides. */
function tellApprovals(started: readonly Plan[], { printer, texts }: Pick<SetupRun, "printer" | "texts">): void {
  const titles = new Map<keyof typeof texts.approvals, Set<string>>();
  for (const { client } of started) {
    const by = client.approves ?? "unknown";
    titles.set(by, (titles.get(by) ?? new Set()).add(client.title));
  }
  printer.gap();
  for (const [by, clients] of titles)
    printer.text(texts.approvals[by]([...clients].join(texts.between)), { style: "dim" });
  if (titles.has("person") && titles.size === 1) return;
  printer.text(texts.ownHand, { style: "dim" });
  printer.command(["towow-mcp config set confirmation_policy strict"]);
}

/** Returns whether the entry names a backend. An update keeps a backend that the old entry named. */
const namesBackend = ({ after }: Plan): boolean => /"(?:--backend-url|TOWOW_BACKEND_URL)"/.test(JSON.stringify(after));

/** Undoes the network that setup had set, if no client's entry is left and the setting is unchanged, and ends the sandbox. */
export async function undoNetwork(run: SetupRun): Promise<void> {
  const { home, machine, record, printer, texts } = run;
  const isUsed = CLIENTS.some((client) => {
    try {
      const { own } = planOf(machine, client, { scope: "user", remove: true, flags: [] });
      return own !== undefined && own.from !== "endpoint";
    } catch (error) {
      if (error instanceof TowowError) return true; // The unreadable file may name this program.
      throw error;
    }
  });
  if (isUsed) return;
  const known = record.network();
  if (known !== undefined) {
    const { set, before } = known;
    if (home.store.read().values.backend_url === set) {
      await home.store.update(({ backend_url: _, ...rest }) => ({
        ...rest,
        ...(before !== undefined && { backend_url: before }),
      }));
      await home.store.removeIfEmpty();
      printer.text(texts.networkUndone);
    }
    record.forgetNetwork();
  }
  await endSandbox(home.path, home.io);
  if (statSync(sandboxData(home.path), { throwIfNoEntry: false }) !== undefined)
    printer.text(texts.sandboxKept(sandboxFolder(home.path)));
}

const PATIENCE_MS = 15_000;

/**
 * Starts the server once, as a client does, and asks for its tools. Returns how many there are and how long that took,
 * or why it failed.
 */
async function startsOnce(
  launch: Pick<Launch, "command" | "args" | "from">,
  root: URL,
  clock: Clock,
): Promise<{ tools: number; ms: number } | { reason: string }> {
  const [{ Client }, { StdioClientTransport, getDefaultEnvironment }] = await Promise.all([
    import("@modelcontextprotocol/client"),
    import("@modelcontextprotocol/client/stdio"),
  ]);
  const elapsedMs = stopwatch(clock);
  const client = new Client({ name: "towow-mcp-setup", version: "1" }, { capabilities: {} });
  // The server gets a home of its own, because it should only show that it starts and look after nobody's negotiations.
  const home = await mkdtemp(join(tmpdir(), "towow-setup-"));
  // A project's entry starts the `towow-mcp` that its users have on the PATH. This folder cannot show whether such a program
  // exists, so the running program is started instead.
  const [command, args] =
    launch.from === "copy" ? [launch.command, [...launch.args]] : [process.execPath, [entryOf(root)]];
  const transport = new StdioClientTransport({
    command,
    args,
    env: { ...getDefaultEnvironment(), TOWOW_HOME: home },
    stderr: "ignore",
  });
  try {
    await client.connect(transport, { timeout: PATIENCE_MS });
    const { tools } = await client.listTools({}, { timeout: PATIENCE_MS });
    return { tools: tools.length, ms: elapsedMs() };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  } finally {
    await client.close().catch(() => {});
    await rm(home, { recursive: true, force: true }).catch(() => {});
  }
}
