import { posix, win32 } from "node:path";
import type { Entry } from "./document.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Launch } from "./launch.ts";
import type { Machine } from "./machine.ts";
import { type FindOff, inClaudeProjects, inEntry, inGemini } from "./switched-off.ts";

export type { Scope } from "./launch.ts";

type Places = Pick<Machine, "platform" | "env" | "home" | "cwd">;

/**
 * Things that are not JSON and that some clients accept in their files, namely a byte order mark, comments, or a comma after
 * the last member. A `blank` file has only white space and comments, and an `empty` file has not a single byte.
 */
export type Refusal = "bom" | "comments" | "trailing_commas" | "blank" | "empty";

/**
 * What decides on a tool call in a client, as observed on 2026-11-28. The `person` is asked, unless they have allowed the tool
 * or run the client unattended. A `classifier` decides in the client's auto mode. With `nobody` each call goes through.
 */
type Approver = "person" | "classifier" | "nobody";

/** How a client is found, where it keeps its servers, and what an entry looks like there. */
export interface Client {
  readonly id: string;
  readonly title: string;
  readonly programs: readonly string[];
  /** Returns folders of which any one shows that the client is used here. */
  folders(places: Places): string[];
  /**
   * The files that may hold a scope's servers, ending with the one to create. A scope that the client lacks is absent.
   */
  readonly files: { readonly user: (places: Places) => string[]; readonly project?: (places: Places) => string[] };
  readonly format: "json" | "toml";
  /** What makes the client refuse the whole file. A file that contains such a thing is already broken for the client. */
  readonly refuses: readonly Refusal[];
  readonly key: string;
  entry(launch: Launch): Entry;
  /**
   * How an endpoint's address is written, if the client accepts one and signs its person in. `signIn` is what starts
   * the sign-in.
   */
  readonly remote?: { entry(url: string): Entry; readonly signIn?: string };
  /** Finds the settings that switch the entry off. Absent if the client's files do not show that. */
  readonly off?: FindOff;
  /** What the client asks before it calls a tool that nobody has allowed yet. Absent if the client was never tried. */
  readonly approves?: Approver;
  /** The arguments of the client's own command, for the user scope. */
  readonly own?: { add(start: Launch | Endpoint): string[]; remove: readonly string[] };
}

const pathOf = ({ platform }: Places) => (platform === "win32" ? win32 : posix);
const inHome =
  (...parts: string[]) =>
  (at: Places) => [pathOf(at).join(at.home, ...parts)];
const inProject =
  (...parts: string[]) =>
  (at: Places) => [pathOf(at).join(at.cwd, ...parts)];

/** Returns the folder of a desktop program's settings: Application Support, %APPDATA% or ~/.config. */
function settingsFolder(at: Places, ...parts: string[]): string {
  const { join } = pathOf(at);
  if (at.platform === "darwin") return join(at.home, "Library", "Application Support", ...parts);
  if (at.platform === "win32") return join(at.env.APPDATA || join(at.home, "AppData", "Roaming"), ...parts);
  return join(at.env.XDG_CONFIG_HOME || join(at.home, ".config"), ...parts);
}

const codexHome = (at: Places) => at.env.CODEX_HOME || pathOf(at).join(at.home, ".codex");
const geminiHome = (at: Places) => pathOf(at).join(at.env.GEMINI_CLI_HOME || at.home, ".gemini");
/** Returns opencode's folder, which is in ~/.config on every platform. */
const opencodeHome = (at: Places) =>
  pathOf(at).join(at.env.XDG_CONFIG_HOME || pathOf(at).join(at.home, ".config"), "opencode");

const plain = ({ command, args, env }: Launch): Entry => ({
  command,
  ...(args.length > 0 && { args }),
  ...(env && { env }),
});
const typed = (launch: Launch): Entry => ({ type: "stdio", ...plain(launch) });
const typedAddress = (url: string): Entry => ({ type: "http", url });

/**
 * All known clients. Claude Code's own command is used, because Claude Code often writes its file itself while it runs.
 *
 * What each client refuses was found out from the client itself (`checks/clients.ts reads`), except for Claude Desktop,
 * Cursor and VS Code, which have no command that shows it. Claude Desktop reads with `JSON.parse`, and the other two
 * with VS Code's own parser.
 */
export const CLIENTS: readonly Client[] = [
  {
    id: "claude-code",
    title: "Claude Code",
    programs: ["claude"],
    folders: (at) => [at.env.CLAUDE_CONFIG_DIR || pathOf(at).join(at.home, ".claude")],
    files: {
      user: (at) => [pathOf(at).join(at.env.CLAUDE_CONFIG_DIR || at.home, ".claude.json")],
      project: inProject(".mcp.json"),
    },
    format: "json",
    refuses: ["comments", "trailing_commas"],
    key: "mcpServers",
    entry: typed,
    remote: { entry: typedAddress, signIn: "claude mcp login towow" },
    off: inClaudeProjects,
    approves: "classifier",
    own: {
      add: (start) =>
        start.from === "endpoint"
          ? ["mcp", "add", "--scope", "user", "--transport", "http", "towow", start.url]
          : ["mcp", "add", "--scope", "user", "towow", "--", start.command, ...start.args],
      remove: ["mcp", "remove", "--scope", "user", "towow"],
    },
  },
  {
    id: "claude-desktop",
    title: "Claude Desktop",
    programs: [],
    folders: (at) => [settingsFolder(at, "Claude")],
    files: { user: (at) => [settingsFolder(at, "Claude", "claude_desktop_config.json")] },
    format: "json",
    refuses: ["bom", "comments", "trailing_commas"],
    key: "mcpServers",
    entry: plain,
  },
  {
    id: "codex",
    title: "Codex",
    programs: ["codex"],
    folders: (at) => [codexHome(at)],
    files: { user: (at) => [pathOf(at).join(codexHome(at), "config.toml")] },
    format: "toml",
    refuses: [],
    key: "mcp_servers",
    entry: plain,
    remote: { entry: (url) => ({ url }), signIn: "codex mcp login towow" },
    off: inEntry("enabled", false),
    approves: "person",
  },
  {
    id: "cursor",
    title: "Cursor",
    programs: ["cursor"],
    folders: inHome(".cursor"),
    files: { user: inHome(".cursor", "mcp.json"), project: inProject(".cursor", "mcp.json") },
    format: "json",
    refuses: [],
    key: "mcpServers",
    entry: plain,
    remote: { entry: (url) => ({ url }) },
    off: inEntry("disabled", true),
  },
  {
    id: "vscode",
    title: "VS Code",
    programs: ["code"],
    folders: (at) => [settingsFolder(at, "Code", "User")],
    files: {
      user: (at) => [settingsFolder(at, "Code", "User", "mcp.json")],
      project: inProject(".vscode", "mcp.json"),
    },
    format: "json",
    refuses: [],
    key: "servers",
    entry: typed,
    remote: { entry: typedAddress },
  },
  {
    id: "gemini",
    title: "Gemini CLI",
    programs: ["gemini"],
    folders: (at) => [geminiHome(at)],
    files: {
      user: (at) => [pathOf(at).join(geminiHome(at), "settings.json")],
      project: inProject(".gemini", "settings.json"),
    },
    format: "json",
    refuses: ["bom", "trailing_commas", "blank", "empty"],
    key: "mcpServers",
    entry: plain,
    // `url` alone would mean SSE, its older transport.
    remote: { entry: (httpUrl) => ({ httpUrl }), signIn: "/mcp auth towow" },
    off: inGemini,
    approves: "person",
  },
  {
    id: "opencode",
    title: "opencode",
    programs: ["opencode"],
    folders: (at) => [opencodeHome(at)],
    files: {
      user: (at) => ["opencode.jsonc", "opencode.json"].map((name) => pathOf(at).join(opencodeHome(at), name)),
      project: (at) => ["opencode.jsonc", "opencode.json"].map((name) => pathOf(at).join(at.cwd, name)),
    },
    format: "json",
    refuses: ["blank"],
    key: "mcp",
    off: inEntry("enabled", false),
    approves: "nobody",
    remote: { entry: (url) => ({ type: "remote", url, enabled: true }), signIn: "opencode mcp auth towow" },
    entry: ({ command, args, env }) => ({
      type: "local",
      command: [command, ...args],
      enabled: true,
      ...(env && { environment: env }),
    }),
  },
];
