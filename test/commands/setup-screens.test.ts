import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { smallPackage } from "../setup/small-package.ts";
import { expectScreens, LANGS, type Lang } from "../support/screens.ts";
import { ownServer, startedHere } from "../support/started-here.ts";
import { CTRL_C, machineWithBackend, type Typed } from "./screens-support.ts";

/** Setup and the choice of a network, asked in a terminal and said into a pipe. */

const DOWN = "\x1b[B";
const RIGHT = "\x1b[C";
const ENTER = "\r";
/** Ctrl-U: what was typed is gone. */
const CLEARED = "\x15";

/** A machine on which Cursor and the Gemini CLI are used; what setup starts runs in this process. */
async function machine(lang: Lang) {
  const it = await machineWithBackend(lang, { auth: false });
  delete it.env.TOWOW_BACKEND_URL;
  const version = JSON.parse(readFileSync("package.json", "utf8")).version as string;
  it.masks.push([version, "1.2.3"]);
  for (const folder of [".cursor", ".gemini", "small"]) mkdirSync(join(it.base, folder));
  it.write(".gemini/settings.json", '{ "theme": "dark" }\n');
  const root = smallPackage(join(it.base, "small"));
  startedHere(ownServer);
  return { ...it, root };
}

/** Every file of the person's, with what it holds; of the program's own copies, none. */
function filesIn(base: string): Map<string, string> {
  const found = readdirSync(base, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => relative(base, join(parentPath, name)))
    .filter((path) => !/^small\/|\/app\/|^\.towow\/(?:log|history)/.test(path));
  return new Map(found.map((path) => [path, readFileSync(join(base, path), "utf8")]));
}

const changed = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string => {
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  const files = paths.sort(byCodeUnits).map((path) => (after.has(path) ? path : `${path} (gone)`));
  return `── changed: ${files.join(", ") || "nothing"}\n`;
};

type Machine = Awaited<ReturnType<typeof machine>>;
type First = (it: Machine) => unknown;

const inTerminal =
  (line: string, typed: (it: Machine) => readonly Typed[], first: First = () => {}) =>
  async (lang: Lang): Promise<string> => {
    const it = await machine(lang);
    await first(it);
    const before = filesIn(it.base);
    const screen = await it.typed(line, typed(it), { root: it.root, choices: true });
    return `${screen}${changed(before, filesIn(it.base))}`;
  };
const inPipe =
  (lines: readonly string[], first: First = () => {}) =>
  async (lang: Lang): Promise<string> => {
    const it = await machine(lang);
    await first(it);
    const said: string[] = [];
    for (const line of lines) {
      const before = filesIn(it.base);
      const screen = await it.runs(line, { root: it.root });
      said.push(`$ towow-mcp ${line}\n${screen}${changed(before, filesIn(it.base))}`);
    }
    return said.join("\n");
  };

const others: First = ({ write }) =>
  write(".cursor/mcp.json", '{ "mcpServers": { "towow": { "command": "another-program" } } }\n');
const broken: First = ({ write }) => write(".cursor/mcp.json", "{");
const isThere: First = (it) => it.runs(`setup cursor --yes --backend-url ${it.mock.url}`, { root: it.root });

const TEAM = "https://mcp.example/mcp";
const isAtTeam: First = (it) => it.runs(`setup cursor --yes --endpoint ${TEAM}`, { root: it.root });
const known: First = (it) => it.known();
const both =
  (...all: readonly First[]): First =>
  async (it) => {
    for (const one of all) await one(it);
  };

const SETUP: Record<string, (lang: Lang) => Promise<string>> = {
  "clients and a network are chosen, and written": inTerminal("setup", ({ mock }) => [
    ENTER,
    `${DOWN}${DOWN}${ENTER}`,
    "foo",
    `${CLEARED}${mock.url}${ENTER}`,
    ENTER,
  ]),
  "one client is chosen, and nothing is written": inTerminal("setup", ({ mock }) => [
    ` ${ENTER}`,
    `${DOWN}${DOWN}${ENTER}`,
    mock.url,
    `${RIGHT}${ENTER}`,
  ]),
  "left at the clients": inTerminal("setup", () => [CTRL_C]),
  "left at the network": inTerminal("setup", () => [ENTER, CTRL_C]),
  "left before it is written": inTerminal("setup cursor", () => [CTRL_C], known),
  "an entry of somebody else's is replaced": inTerminal("setup cursor", () => ["y"], both(known, others)),
  "an entry of somebody else's stays": inTerminal("setup cursor", () => [ENTER], both(known, others)),
  "it is there already": inTerminal("setup cursor", () => [], isThere),
  "it is taken out": inTerminal("setup --remove", () => [ENTER, ENTER], isThere),
  "a file that cannot be read": inTerminal("setup", () => [ENTER, ENTER, ENTER], both(known, broken)),
  "without a terminal": inPipe(["setup", "setup --remove", "setup emacs", "setup codex --scope project"]),
  "without a terminal, written and taken out again": inPipe(
    ["setup --yes", "setup cursor", "setup --remove --yes"],
    known,
  ),
  "without a terminal, no network is chosen": inPipe(["setup cursor"]),
  "no client is here": inPipe(["setup"], ({ base }) => {
    for (const folder of [".cursor", ".gemini"]) rmSync(join(base, folder), { recursive: true });
  }),
  "a team's endpoint is written": inTerminal(`setup --endpoint ${TEAM}`, () => [ENTER, ENTER]),
  "a team's endpoint is not written": inTerminal(`setup cursor --endpoint ${TEAM}`, () => [`${RIGHT}${ENTER}`]),
  "another endpoint takes its place": inTerminal(
    "setup cursor --endpoint https://new.example",
    () => [ENTER],
    isAtTeam,
  ),
  "an endpoint takes the place of the program here": inTerminal(
    `setup cursor --endpoint ${TEAM}`,
    () => ["y"],
    isThere,
  ),
  "the program here takes the place of an endpoint": inTerminal("setup cursor", () => [ENTER], both(known, isAtTeam)),
  "an endpoint without a terminal": inPipe(
    [
      `setup --endpoint ${TEAM}`,
      `setup cursor gemini claude-desktop --endpoint ${TEAM}`,
      `setup cursor --endpoint ${TEAM}`,
      "doctor",
      "setup cursor --remove --endpoint https://new.example",
      "setup --remove --yes",
      `setup --print codex claude-code vscode opencode --endpoint ${TEAM}`,
      "setup cursor --endpoint http://mcp.example/mcp",
    ],
    ({ base }) => mkdirSync(join(base, ".config/Claude"), { recursive: true }),
  ),
  "printed alone": inPipe(["setup --print cursor codex claude-code"]),
};

const NETWORK: Record<string, (lang: Lang) => Promise<string>> = {
  "another address is typed": inTerminal("network", ({ mock }) => [`${DOWN}${DOWN}${ENTER}`, mock.url]),
  "the one in use stays": inTerminal("network", () => [ENTER], known),
  "nobody answers there": inTerminal(
    "network",
    () => [ENTER],
    async (it) => {
      await it.known();
      await it.mock.close();
    },
  ),
  "left at the choice": inTerminal("network", () => [CTRL_C]),
  "left at the address": inTerminal("network", () => [`${DOWN}${DOWN}${ENTER}`, CTRL_C]),
};

describe.each(LANGS)("setup: %s", (lang) => {
  const printed = async (shown: Record<string, (lang: Lang) => Promise<string>>) => {
    const screens: Record<string, string> = {};
    for (const [name, play] of Object.entries(shown)) screens[name] = await play(lang);
    return screens;
  };

  it("what it asks, and what it says", async () => {
    await expectScreens("setup", lang, await printed(SETUP));
  });

  it("which network", async () => {
    await expectScreens("network", lang, await printed(NETWORK));
  });
});
