import { posix, win32 } from "node:path";
import type { Entry } from "./document.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Launch } from "./launch.ts";
import type { Machine } from "./machine.ts";
import { type FindOff, inClaudeProjects, inEntry, inGemini } from "./switched-off.ts";

export type { Scope } from "./launch.ts";

type Places = Pick<Machine, "platform" | "env" | "home" | "cwd">;

/**
 * What stands in some JSON files and is not JSON: a byte order mark, comments, a comma after the last one; and a file
 * without any value, of white space and comments (`blank`) or of no byte at all (`empty`).
 */
export type Refusal = "bom" | "comments" | "trailing_commas" | "blank" | "empty";

/**
 * Who lets a call of a tool through in a client, as it was seen (2026-11-28): its person, unless they have allowed it or run
 * it unattended; a classifier, in its auto mode; or nobody.
 */
type Approver = "person" | "classifier" | "nobody";

/** One client: how it is found, where it keeps its servers, and how an entry reads there. */
export interface Client {
  readonly id: string;
  readonly title: string;
  readonly programs: readonly string[];
  /** One of these folders shows that the client is used here. */
  folders(places: Places): string[];
  /** The files that a scope may be in, the one to create last; no key for a scope that the client does not have. */
  readonly files: { readonly user: (places: Places) => string[]; readonly project?: (places: Places) => string[] };
  readonly format: "json" | "toml";
  /** What it refuses the whole file for; a file with that is already broken for it. */
  readonly refuses: readonly Refusal[];
  readonly key: string;
  entry(launch: Launch): Entry;
  /** An endpoint's address, where the file takes one and the client signs its person in; and what starts that there. */
  readonly remote?: { entry(url: string): Entry; readonly signIn?: string };
  /** Where it may be told not to start what it has; absent where it keeps that to itself. */
  readonly off?: FindOff;
  /** Whom it asks before it calls a tool that nobody has allowed yet; absent where it was never driven. */
  readonly approves?: Approver;
  /** Arguments of the client's own command, for the user scope. */
  readonly own?: { add(start: Launch | Endpoint): string[]; remove: readonly string[] };
}

const pathOf = ({ platform }: Places) => (platform === "win32" ? win32 : posix);
const inHome =
  (...parts: string[]) =>
  (at: Places) => [pathOf(at).join(at.home, ...parts)];
const inProject =
  (...parts: string[]) =>
  (at: Places) => [pathOf(at).join(at.cwd, ...parts)];

/** The folder of a desktop program's settings: Application Support, %APPDATA% or ~/.config. */
function settingsFolder(at: Places, ...parts: string[]): string {
  const { join } = pathOf(at);
  if (at.platform === "darwin") return join(at.home, "Library", "Application Support", ...parts);
  if (at.platform === "win32") return join(at.env.APPDATA || join(at.home, "AppData", "Roaming"), ...parts);
  return join(at.env.XDG_CONFIG_HOME || join(at.home, ".config"), ...parts);
}

const codexHome = (at: Places) => at.env.CODEX_HOME || pathOf(at).join(at.home, ".codex");
const geminiHome = (at: Places) => pathOf(at).join(at.env.GEMINI_CLI_HOME || at.home, ".gemini");
/** It reads ~/.config on every platform. */
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
 * Claude Code has its own command, since it writes its file itself, and often, while it runs.
 *
 * What each refuses was asked of the client itself (`checks/clients.ts reads`), but of Claude Desktop, Cursor and VS Code,
 * which have no command that says it: the first reads with `JSON.parse`, the others with VS Code's own parser.
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
    remote: { entry: (httpUrl) => ({ httpUrl }), signIn: "/mcp auth towow" }, // `url` alone is its older way, SSE
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
