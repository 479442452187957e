import { readFile } from "node:fs/promises";
import type { Io } from "../app/io.ts";
import { createRuntime, type RuntimeOptions } from "../app/runtime.ts";
import { createSandbox } from "../app/sandbox/sandbox.ts";
import { duration } from "../duration.ts";
import { TowowError } from "../errors.ts";
import type { CurrentUser } from "../home/current-user.ts";
import { hostOf } from "../home/origin.ts";
import { planOf } from "../setup/change-plan.ts";
import { CLIENTS } from "../setup/clients.ts";
import { olderCopies, toThisVersion } from "../setup/older-copies.ts";
import { ownEntry } from "../setup/own-entry.ts";
import { isInstalled } from "../setup/programs.ts";
import { printable } from "../terminal/printable.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { type Column, table } from "../terminal/table.ts";
import { ellipsis } from "../terminal/wrap.ts";
import { type NegotiationsTexts, negotiationsTexts } from "../text/negotiations.ts";
import { networkTexts } from "../text/network.ts";
import { stringWidth } from "../text-width.ts";
import type { Fate } from "../view/fate.ts";
import { failureSentence } from "./failure.ts";
import { openHome } from "./home.ts";
import { type Outline, type Remembered, remembered } from "./negotiations/outline.ts";
import { type Network, readNetwork } from "./overview/network.ts";
import { stopWithoutReader } from "./pipe.ts";
import { Printer, terminalOf } from "./printer.ts";
import { createSetupMachine } from "./setup/machine.ts";
import { isOff } from "./setup/off.ts";

const MAX_READ = 10;
const STEPS_AT_MOST = 6;

/**
 * `towow-mcp` alone, typed by a person, shows where they stand and what they can do next. The command requests no token, takes
 * over no negotiation from another program, and writes down only whether others' text went to a pipe.
 */
export async function overview(options: RuntimeOptions): Promise<void> {
  const { io, root } = options;
  const home = openHome(io);
  stopWithoutReader(io, home.lang);
  const texts = negotiationsTexts(home.lang);
  const printer = new Printer(terminalOf(io.stdout, io.env));
  const { version } = JSON.parse(await readFile(new URL("package.json", root), "utf8")) as { version: string };
  printer.text(`towow-mcp ${version}`, { style: "bold" });
  printer.gap();

  const settings = home.settings();
  const { who, bearer } = home.who();
  const refused = [...settings.values()].find(({ problem }) => problem !== undefined)?.problem;
  const network =
    refused === undefined
      ? await readNetwork(who, bearer, { io, version, sandbox: createSandbox({ home: home.path, root, env: io.env }) })
      : undefined;
  const { known, lost } =
    refused === undefined && who.backend_url !== null
      ? await lookBack(options, network?.isAsleep === true)
      : { known: [], lost: [] };
  const clients = connectedClients(io, root);
  const unsent = known.filter(({ fate }) => fate?.of === "no" && !fate.isSending);
  const waiting = known.filter(({ kind }) => kind === "waiting");
  const open = known.filter((one) => one.isUnderWay && !unsent.includes(one));

  const rows = facts({ who, network, clients }, texts, networkTexts(home.lang).name).map((row) =>
    row.map((text) => ({ text: printable(text) })),
  );
  const columns: Column[] = [{ title: "" }, { title: "", tooWide: "wrap" }];
  for (const line of table(columns, rows, { width: printer.width, paint: printer.style, titles: false }))
    printer.line(line);
  const trouble = refused ?? network?.trouble;
  if (trouble !== undefined) printer.text(failureSentence(trouble, home.lang), { style: "red" });
  const show = (title: string, some: readonly Outline[]) => {
    if (some.length > 0) group(title, some, { printer, texts, now: io.clock.now() });
  };
  show(texts.overview.unsent, unsent);
  show(texts.overview.waiting, waiting);
  show(texts.overview.open, open);
  if (lost.length > 0) {
    printer.gap();
    printer.text(texts.overview.lost, { style: ["bold", "yellow"] });
    printer.text(texts.overview.lostLine(lost.length), { first: "  " });
  }
  const state = {
    hasNetwork: who.backend_url !== null,
    isConnected: clients.titles.length > clients.off.length,
    isOff: clients.off.length > 0,
    update: clients.update,
    inTrouble: trouble !== undefined || network?.isForeign === true,
    unsent: unsent.map(({ id }) => id),
    waiting: waiting.map(({ id }) => id),
    open: open.map(({ id }) => id),
    hasHistory: known.length > 0 || lost.length > 0,
    canList: network?.canList === true,
  };
  next(stepsFor(state).slice(0, STEPS_AT_MOST), texts, printer);
  if (state.isConnected && state.hasNetwork && !state.inTrouble) printer.text(texts.overview.say, { first: "  " });
}

/** Returns what this home remembers. The backend is not read if it is a sandbox that does not run. */
async function lookBack(options: RuntimeOptions, isAsleep: boolean): Promise<Remembered> {
  const runtime = await createRuntime(options);
  try {
    return await remembered(runtime, MAX_READ, !isAsleep);
  } finally {
    await runtime.close("leave");
  }
}

interface Known {
  who: CurrentUser;
  network: Network | undefined;
  clients: Connected;
}

function facts(
  { who, network, clients }: Known,
  { overview: t }: NegotiationsTexts,
  nameOf: (host: string) => string,
): [string, string][] {
  const host = who.backend_url === null ? undefined : nameOf(hostOf(who.backend_url));
  const reached = reachedText(network, t);
  const scene = who.last_scene_id;
  const name = scene === null ? undefined : network?.sceneNames.get(scene);
  return [
    [t.network, host === undefined ? t.noNetwork : reached(host)],
    [t.you, who.user_id ?? t.noId],
    [t.scene, scene === null ? t.noScene : name === undefined ? scene : `${name} (${scene})`],
    [t.clients, clientsText(clients, t)],
  ];
}

const clientsText = ({ titles, off }: Connected, t: NegotiationsTexts["overview"]): string =>
  titles.length === 0
    ? t.noClients
    : titles.map((title) => (off.includes(title) ? t.off(title) : title)).join(t.between);

function reachedText(network: Network | undefined, t: NegotiationsTexts["overview"]): (host: string) => string {
  if (network === undefined || network.trouble !== undefined) return t.notRight;
  if (network.isForeign) return t.foreign;
  if (network.isAsleep) return t.asleep;
  if (network.isTokenUntried) return t.tokenUntried;
  return network.wantsToken ? t.wantsToken : t.answers;
}

interface GroupOptions {
  printer: Printer;
  texts: NegotiationsTexts;
  /** The current time, in milliseconds since the epoch. */
  now: number;
}

function group(title: string, found: readonly Outline[], { printer, texts, now }: GroupOptions): void {
  printer.gap();
  printer.text(title, { style: ["bold", "yellow"] });
  for (const { id, demand, fate } of found) {
    const left = fate?.at === undefined ? "" : ` · ${fateText(fate, fate.at - now, texts)}`;
    const room = printer.width - 2 - stringWidth(id) - stringWidth(left) - 3;
    const words = demand === undefined || room < 8 ? "" : ` · ${ellipsis(demand, room)}`;
    printer.line(`  ${id}${printer.style("yellow", left)}${words}`);
  }
}

/** Says what becomes of a negotiation, and when. `leftMs` is zero or less if that time is over. */
function fateText(fate: Fate, leftMs: number, { overview: t }: NegotiationsTexts): string {
  if (fate.of === "no" && fate.isBroadcast) return t.isOut;
  if (fate.of !== "silence" && fate.isSending)
    return t.sending[fate.of === "no" && !fate.isPersons ? "withdrawal" : fate.of];
  if (leftMs <= 0) return t.overdue;
  return (fate.of === "silence" && fate.as === "withdrawn" ? t.withdrawnIn : t.broadcastIn)(duration(leftMs));
}

function next(steps: readonly NextStep[], { overview: t }: NegotiationsTexts, printer: Printer): void {
  printer.gap();
  printer.text(t.next, { style: "bold" });
  const rows = steps.map(({ command, step }) => [
    { text: command, style: "green" as const },
    { text: t.step[step], style: "dim" as const },
  ]);
  const columns = [{ title: "" }, { title: "", tooWide: "wrap" as const }];
  const lines = table(columns, rows, { width: printer.width - 2, paint: printer.style, titles: false });
  for (const line of lines) printer.line(`  ${line}`);
}

/** The clients on this machine whose own files start this program. */
interface Connected {
  readonly titles: readonly string[];
  /** The titles of those clients among them in which this program is switched off. */
  readonly off: readonly string[];
  /** The command that moves older copies to this version. Undefined if there are none. */
  readonly update: string | undefined;
}

/** Finds the clients on this machine whose own files start this program. Only reads. */
function connectedClients(io: Io, root: URL): Connected {
  const machine = createSetupMachine(io, root);
  const found = CLIENTS.flatMap((client) => {
    if (client.files.user === undefined || !isInstalled(machine, client)) return [];
    try {
      const plan = planOf(machine, client, { scope: "user", remove: false, flags: [] });
      return ownEntry(plan.before, machine) === undefined ? [] : [{ title: client.title, isOff: isOff(plan) }];
    } catch (error) {
      if (error instanceof TowowError) return []; // The doctor reports what is wrong with the file.
      throw error;
    }
  });
  const older = olderCopies(machine);
  return {
    titles: found.map(({ title }) => title),
    off: found.filter((one) => one.isOff).map(({ title }) => title),
    update: older.length === 0 ? undefined : toThisVersion(older),
  };
}

/** Where a person stands, as far as it is known. */
interface Standing {
  hasNetwork: boolean;
  /** True if an MCP client starts this program. */
  isConnected: boolean;
  /** True if a client that has an entry for this program has it switched off. */
  isOff: boolean;
  /** The command that moves older copies to this version. Undefined if there are none. */
  update: string | undefined;
  /** True if a setting is refused, or the backend cannot be used now. */
  inTrouble: boolean;
  /**
   * Ids of the person's negotiations, newest first: those with a no that nobody sends, those that wait for a decision,
   * and those that are under way.
   */
  unsent: readonly string[];
  waiting: readonly string[];
  open: readonly string[];
  hasHistory: boolean;
  /** True if the backend lists scenes. */
  canList: boolean;
}

interface NextStep {
  /** The command as it is typed. */
  command: string;
  /** The purpose of the command, as a key of the texts. */
  step: keyof NegotiationsTexts["overview"]["step"];
}

/** Lists what a person can do next, the most pressing first. */
export function stepsFor(at: Standing): NextStep[] {
  const { unsent, waiting, open } = at;
  const named = (ids: readonly string[]) => (ids.length === 1 ? "" : ` ${shellWord(ids[0] ?? "")}`);
  const steps: readonly (NextStep & { wanted: boolean })[] = [
    { command: `towow-mcp cancel ${shellWord(unsent[0] ?? "")}`, step: "cancel", wanted: unsent.length > 0 },
    { command: `towow-mcp confirm${named(waiting)}`, step: "confirm", wanted: waiting.length > 0 },
    { command: `towow-mcp watch${named(open)}`, step: "watch", wanted: open.length > 0 },
    { command: "towow-mcp doctor", step: "doctor", wanted: at.inTrouble || (at.isOff && !at.isConnected) },
    { command: at.update ?? "", step: "update", wanted: at.update !== undefined },
    { command: "towow-mcp setup", step: "setup", wanted: !at.hasNetwork },
    { command: "towow-mcp setup", step: "connect", wanted: at.hasNetwork && !at.isConnected && !at.isOff },
    { command: "towow-mcp demo", step: "demo", wanted: !at.hasHistory },
    { command: "towow-mcp open", step: "open", wanted: at.hasNetwork && !at.inTrouble },
    { command: "towow-mcp list", step: "list", wanted: at.hasHistory },
    { command: "towow-mcp scenes", step: "scenes", wanted: at.canList && !at.inTrouble },
    { command: "towow-mcp --help", step: "help", wanted: true },
  ];
  return steps.filter(({ wanted }) => wanted).map(({ command, step }) => ({ command, step }));
}
