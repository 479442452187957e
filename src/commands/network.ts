import { homeFactsIn } from "../app/history-folder.ts";
import type { Io } from "../app/io.ts";
import { currentUser } from "../home/current-user.ts";
import { hostOf, originOf, PRODUCTION } from "../home/origin.ts";
import { resolveAll } from "../home/settings.ts";
import { isOpen, listRecords, openSince } from "../negotiation/records.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { type NetworkTexts, networkTexts } from "../text/network.ts";
import { failureSentence } from "./failure.ts";
import { atTerminal, type Home, openHome } from "./home.ts";
import { checkNetwork, signOf } from "./network/check.ts";
import { chooseNetwork, networkOf } from "./network/choose.ts";
import { Printer, terminalOf } from "./printer.ts";
import { loadPrompts } from "./prompts.ts";
import { createSetupMachine } from "./setup/machine.ts";
import { ownNetworks, toHomesNetwork } from "./setup/own-networks.ts";

export interface NetworkArguments {
  io: Io;
  root: URL;
  /** The address to set. Without an address the person is asked at a terminal, and elsewhere the address in use is printed. */
  address?: string | undefined;
}

/**
 * `towow-mcp network [address]` shows or sets the network that this home uses. The exit status is 1 if the network
 * cannot be used or nothing was chosen.
 * @throws `tool.config.invalid.network`, HttpRefused, HomeUnwritable, `tool.config.timeout.locked`
 */
export async function network({ io, root, address }: NetworkArguments): Promise<void> {
  const home = openHome(io);
  const texts = networkTexts(home.lang);
  const printer = new Printer(terminalOf(io.stdout, io.env));
  const { value, problem } = home.settings().get("backend_url") ?? {};
  const current = value as string | undefined;
  if (address === undefined && !atTerminal(io)) {
    if (problem === undefined) printer.text(current === undefined ? texts.none : texts.now(current));
    tellOverride(home, { printer, texts });
    tellOwnNetworks(current, home, { root, printer, texts });
    for (const line of texts.change(PRODUCTION).split("\n")) printer.line(line);
    return;
  }
  const chosen =
    address === undefined
      ? await chooseNetwork(await loadPrompts(io), current, texts, home.store.read().values)
      : networkOf(address, home.store.read().values);
  if (chosen === undefined) {
    printer.text(texts.left);
    io.exitCode = 1;
    return;
  }
  await moveTo(chosen, home, { root, printer, texts });
  const checked = await checkNetwork(home, root);
  if (checked === undefined) return;
  printer.text(checked.sentence, { first: signOf(checked, printer) });
  if (checked.seen === "bad") io.exitCode = 1;
}

interface Around {
  root: URL;
  printer: Printer;
  texts: NetworkTexts;
}

/**
 * Saves the choice. Prints what stays behind at the old network, and where the choice has no effect. Returns whether the
 * network has changed.
 */
export async function moveTo(address: string, home: Home, around: Around): Promise<boolean> {
  const { printer, texts } = around;
  const before = home.store.read().values.backend_url;
  const left = await leftBehind(home, address);
  if (before !== address) await saveNetwork(home, address);
  const tick = printer.style("green", "✓ ");
  const isUsed = home.settings().get("backend_url")?.value === address;
  const said = isUsed ? (before === address ? texts.same : texts.saved) : texts.kept;
  printer.text(said(address), { first: tick });
  if (left !== undefined) tellBehind(left, texts, printer);
  if (!isUsed) tellOverride(home, around);
  tellOwnNetworks(address, home, around);
  return before !== address;
}

/**
 * Warns if a variable names the network, because then no choice has an effect, or says why the configured address
 * cannot be used.
 */
export function tellOverride(home: Home, { printer, texts }: Pick<Around, "printer" | "texts">): void {
  const { source, where, value, problem } = home.settings().get("backend_url") ?? {};
  if (problem !== undefined) home.io.exitCode = 1;
  else if (source !== "environment") return;
  const sentence = problem ? failureSentence(problem, home.lang) : texts.overridden(String(where), String(value));
  printer.text(sentence, { style: "yellow" });
}

/** Names the clients whose entries do not follow `network`, and the command with which they will. */
export function tellOwnNetworks(network: string | undefined, home: Home, { root, printer, texts }: Around): void {
  const found = ownNetworks(createSetupMachine(home.io, root), network, home.store.read().values);
  for (const { client, path, network } of found)
    printer.text(texts.ownEntry(client.title, network, path), { style: "yellow" });
  const [first] = found;
  if (first !== undefined) printer.command([toHomesNetwork(found, network ?? first.network)]);
}

function tellBehind(
  { network, userId, sceneId, negotiations, open }: LeftBehind,
  { behind, name }: NetworkTexts,
  to: Printer,
) {
  const lines = [
    userId !== null && behind.identity(userId),
    sceneId !== null && behind.scene(sceneId),
    negotiations > 0 && behind.negotiations(negotiations),
    open.length > 0 && behind.waiting(open.join(", ")),
  ].filter((line) => line !== false);
  to.text(behind.title(name(hostOf(network))));
  for (const line of lines) to.text(line, { first: "  · " });
  to.text(behind.back(shellWord(network)), { style: "dim" });
}

/** What stays at a network that the person leaves. */
interface LeftBehind {
  /** The address of the network, as it is configured. */
  network: string;
  userId: string | null;
  sceneId: string | null;
  negotiations: number;
  /** The person's negotiations that may still wait for a decision. */
  open: readonly string[];
}

/**
 * Returns what stays at the current network if the choice changes it. Returns undefined if nothing stays, or nothing
 * changes.
 */
async function leftBehind(home: Home, to: string): Promise<LeftBehind | undefined> {
  const file = home.store.read().values;
  const settings = resolveAll({ file });
  const network = settings.get("backend_url")?.value;
  const origin = originOf(network);
  if (typeof network !== "string" || origin === undefined || origin === originOf(to)) return undefined;
  const now = home.io.clock.now();
  const { who } = currentUser(settings, file, home.path, now);
  const facts = homeFactsIn(home.path);
  const negotiations = (await facts.list({ origin })).length;
  if (who.user_id === null && negotiations === 0) return undefined;
  const records = await listRecords(facts, { origin, count: 0, since: openSince(now) });
  const open = records.filter((record) => isOpen(record, now)).map(({ negotiation_id }) => negotiation_id);
  return { network, userId: who.user_id, sceneId: who.last_scene_id, negotiations, open };
}

/** Writes the choice into the home. @throws HomeUnwritable, `tool.config.timeout.locked` */
async function saveNetwork(home: Home, address: string): Promise<void> {
  await home.store.update((file) => ({ ...file, backend_url: address }));
}
