import type { ErrorText } from "./error-text.ts";

/** What is wrong with settings, files, clients' files and ports. */
export const settingsEn = {
  "tool.config.invalid.unknown_tool_name": {
    message: "{key} names a tool that does not exist: {tool}.",
    recovery: "Correct the name where towow-mcp config shows it; the tools are: {known}.",
  },
  "tool.config.invalid.backend_url_missing": {
    message: "No network has been chosen yet.",
    recovery: "Choose one in a terminal: {setup}. To try everything on this machine first: {sandbox}.",
  },
  "tool.config.invalid.file": {
    message: "{path} cannot be used ({reason}), so this program cannot tell which network you use.",
    recovery: "Correct that file; towow-mcp doctor says what is wrong with it.",
  },
  "tool.config.invalid.file_encoding": {
    message: "{path} is UTF-16 text. Settings are read as UTF-8; the file was left as it is.",
    recovery: "Save that file as UTF-8.",
  },
  "tool.config.invalid.value": {
    message: "{key} must be {expected}; {where} gives something else.",
    recovery: "Correct that value; towow-mcp config shows every setting and where it comes from.",
  },
  "tool.config.invalid.network": {
    message: "That is not a network address.",
    recovery: "Give https://… or sandbox, for example: towow-mcp network sandbox",
  },
  "tool.config.invalid.unfilled": {
    message: "{key} is a placeholder that nobody filled in ({where}).",
    recovery: "Put the real value into {where}, or take it out there, and start again; towow-mcp doctor checks it.",
  },
  "tool.config.invalid.serve_option": {
    message: "{option} must be {expected}.",
    recovery: "What each option takes: towow-mcp serve --help",
  },
  "tool.config.invalid.serve_host": {
    message: "Other machines can reach {host}, but you have not given the name they use.",
    recovery:
      "Add --public-url with the address that clients use, or --allowed-hosts with its names: towow-mcp serve --help",
  },
  "tool.config.invalid.unknown_key": {
    message: "There is no setting {key}.",
    recovery: "towow-mcp config lists them: {known}.",
  },
  "tool.config.blocked.http_refused": {
    message: "Plain http to {host} is refused: the token and the profile would be readable on the way.",
    recovery:
      "Use https (towow-mcp network), or allow it where the network is trusted: towow-mcp config set allow_http true",
  },
  "tool.config.invalid.newer_version": {
    message: "{file} was written by a newer version of this program (format {format}; this one knows {known}).",
    recovery:
      "Update towow-mcp, or give TOWOW_HOME another folder. The file is left as it is; towow-mcp doctor shows it.",
  },
  "tool.config.invalid.home": {
    message: "{variable} must be a full path, not “{value}”.",
    recovery: "Set {variable} to the full path of a folder; TOWOW_HOME may also be left unset. Then: towow-mcp doctor",
  },
  "tool.config.invalid.proxy": {
    message: "{variable} does not name a usable proxy. Nothing was sent.",
    recovery: "Give it http://… or socks5://…, or unset {variable}. Then: towow-mcp doctor",
  },
  "tool.config.invalid.relative_path": {
    message: "{variable} must name full paths; “{value}” leads into the folder that is open. Nothing was sent.",
    recovery: "Write the full path, or unset {variable}. Then: towow-mcp doctor",
  },
  "tool.config.unavailable.home_unwritable": {
    message: "The folder {path} cannot be written ({reason}).",
    recovery: "towow-mcp doctor names what fixes it; or give TOWOW_HOME a folder that can be written.",
  },
  "tool.config.unavailable.port": {
    message: "The port {port} cannot be used: {reason}.",
    recovery: "{listener} --port 0 takes any free one.",
  },
  "tool.config.unavailable.mock_data": {
    message: "The mock backend cannot keep its data in {file} ({reason}).",
    recovery: "Name a file of its own with --data, or leave that out: towow-mcp mock",
  },
  "tool.config.unavailable.sandbox": {
    message: "The sandbox did not start, because of {path} ({reason}).",
    recovery: "Try again; towow-mcp doctor names what stands in the way.",
  },
  "tool.config.invalid.sandbox_not_shared": {
    message: "The sandbox belongs to one person; nobody else can use it.",
    recovery: "Start a shared mock backend with {mock} and name its address.",
  },
  "tool.config.unavailable.store": {
    message: "The shared store does not answer.",
    recovery: "Try again in a few seconds; if this goes on, the operator must look at the store.",
  },
  "tool.config.timeout.locked": {
    message: "Another program kept {path} locked for {waited_s} s.",
    recovery: "Try again; if this goes on, towow-mcp doctor looks for the reason.",
  },
  "tool.config.invalid.unknown_client": {
    message: "Setup does not know the client {client}.",
    recovery: "It knows: {known}. More: towow-mcp setup --help",
  },
  "tool.config.invalid.client_scope": {
    message: "{client} has no settings for the scope {scope}.",
    recovery: "It has: {scopes} (towow-mcp setup {client} --scope user).",
  },
  "tool.config.invalid.client_config_syntax": {
    message: "{path} cannot be read at line {line}, column {column}: {problem}.",
    recovery: "It was left as it is; fix that place and run the same command again.",
  },
  "tool.config.invalid.client_config_shape": {
    message: "{path} has something else at {key}, or an entry that cannot be edited safely.",
    recovery: "It was left as it is; edit it by hand. What belongs there: towow-mcp setup --print",
  },
  "tool.config.unavailable.client_config": {
    message: "{path} cannot be read or written ({reason}).",
    recovery:
      "Nothing was changed; fix the file or its permissions, or paste what this prints: towow-mcp setup --print",
  },
  "tool.config.conflict.client_config_changed": {
    message: "Another program wrote {path} just now, so it was left as it is.",
    recovery: "Close the client, then run the same command again.",
  },
  "tool.config.conflict.client_entry": {
    message: "{client} has another entry named towow in {path}, and nobody can be asked here.",
    recovery: "If it can be replaced, run {command} with the same options.",
  },
  "tool.config.conflict.newer_copy": {
    message: "{client} starts towow-mcp {theirs}, which is newer than this one ({own}), and was left as it is.",
    recovery: "Update this one, as its README says, or run {command} to go back to {own}.",
  },
  "tool.config.unavailable.program_copy": {
    message: "The copy of this program at {path} cannot be changed ({reason}).",
    recovery:
      "Make the folder writable, or room on a full disk, or give TOWOW_HOME another one, and run again: towow-mcp setup",
  },
  "tool.config.unavailable.program_files": {
    message: "This program is incomplete: {path} cannot be read ({reason}), so it cannot be copied.",
    recovery: "Install it again, as its README says, and then run: towow-mcp setup",
  },
  "tool.config.unavailable.client_command": {
    message: "{command} failed ({reason}).",
    recovery: "Run it by hand to see more, or paste what this prints: towow-mcp setup --print",
  },
  "tool.config.unavailable.working_folder": {
    message: "The folder that this terminal is in has been deleted.",
    recovery: "Change to another folder and run the same command again.",
  },
  "tool.config.blocked.secret_argument": {
    message: "Others can see a secret on a command line.",
    recovery: "Run {command} in a terminal, or give it on stdin.",
  },
  "tool.config.invalid.own_key": {
    message: "The program keeps {key} itself, so you cannot set it.",
    recovery: "What can be set, and how it stands now: towow-mcp config",
  },
  "tool.config.invalid.identity_key": {
    message: "{key} belongs to your identity.",
    recovery: "To erase it: towow-mcp forget --identity",
  },
  "tool.config.not_found.browser": {
    message: "No browser called {name} decides for you.",
    recovery: "Those that do: towow-mcp whoami",
  },
  "tool.config.unavailable.report_file": {
    message: "{path} cannot be written ({reason}).",
    recovery: "Name another place with --out.",
  },
  "tool.config.blocked.report_link": {
    message: "{path} is a link, and a report is never written through one ({reason}).",
    recovery: "Remove it, name another file with --out, or write to stdout with --out -.",
  },
} satisfies Record<string, ErrorText>;
