import { placesEn } from "../places.ts";
import { byReader, command, say } from "../reader.ts";
import type { ErrorText } from "./error-text.ts";

const ASK_OPERATOR = "Try again in a moment; if this goes on, tell the operator of this endpoint.";

/** What is wrong with settings, files, clients' files and ports. */
export const settingsEn = {
  "tool.config.invalid.unknown_tool_name": {
    message: "{key} names a tool that does not exist: {tool}.",
    recovery: say`Correct the name where ${command("config")} shows it; the tools are: {known}.`,
  },
  "tool.config.invalid.backend_url_missing": {
    message: "No network has been chosen yet.",
    recovery: say`Choose one in a terminal: ${command("setup")}. To try everything on this machine first: ${command("network", "sandbox")}.`,
  },
  "tool.config.invalid.file": {
    message: "{path} cannot be used ({reason}), so this program cannot tell which network you use.",
    recovery: say`Correct that file; ${command("doctor")} says what is wrong with it.`,
  },
  "tool.config.invalid.file_encoding": {
    message: "{path} is UTF-16 text. Settings are read as UTF-8; the file was left as it is.",
    recovery: "Save that file as UTF-8.",
  },
  "tool.config.invalid.value": {
    message: "{key} must be {expected}; {where} gives something else.",
    recovery: say`Correct that value; ${command("config")} shows every setting and where it comes from.`,
  },
  "tool.config.invalid.network": {
    message: "That is not a network address.",
    recovery: say`Give https://… or sandbox, for example: ${command("network", "sandbox")}`,
  },
  "tool.config.invalid.unfilled": {
    message: "{key} is a placeholder that nobody filled in ({where}).",
    recovery: say`Put the real value into {where}, or take it out there, and start again; ${command("doctor")} checks it.`,
  },
  "tool.config.invalid.serve_option": {
    message: "{option} must be {expected}.",
    recovery: say`What each option takes: ${command("serve", "--help")}`,
  },
  "tool.config.invalid.serve_host": {
    message: "Other machines can reach {host}, but you have not given the name they use.",
    recovery: say`Add --public-url with the address that clients use, or --allowed-hosts with its names: ${command("serve", "--help")}`,
  },
  "tool.config.invalid.unknown_key": {
    message: "There is no setting {key}.",
    recovery: say`${command("config")} lists them: {known}.`,
  },
  "tool.config.blocked.http_refused": {
    message: "Plain http to {host} is refused: the token and the profile would be readable on the way.",
    recovery: say`Use https (${command("network")}), or allow it where the network is trusted: ${command("config", "set", "allow_http", "true")}`,
  },
  "tool.config.invalid.newer_version": {
    message: "{file} was written by a newer version of this program (format {format}; this one knows {known}).",
    recovery: say`Update towow-mcp, or give TOWOW_HOME another folder. The file is left as it is; ${command("doctor")} shows it.`,
  },
  "tool.config.invalid.home": {
    message: "{variable} must be a full path, not “{value}”.",
    recovery: say`Set {variable} to the full path of a folder; TOWOW_HOME may also be left unset. Then: ${command("doctor")}`,
  },
  "tool.config.invalid.proxy": {
    message: "{variable} does not name a usable proxy. Nothing was sent.",
    recovery: say`Give it http://… or socks5://…, or unset {variable}. Then: ${command("doctor")}`,
  },
  "tool.config.invalid.relative_path": {
    message: "{variable} must name full paths; “{value}” leads into the folder that is open. Nothing was sent.",
    recovery: say`Write the full path, or unset {variable}. Then: ${command("doctor")}`,
  },
  "tool.config.unavailable.home_unwritable": {
    message: byReader({
      model: "The folder {path} cannot be written ({reason}).",
      endpoint: "This endpoint cannot save anything right now.",
    }),
    recovery: say`${command("doctor")} names what fixes it; or give TOWOW_HOME a folder that can be written.`,
  },
  "tool.config.unavailable.port": {
    message: "The port {port} cannot be used: {reason}.",
    recovery: say`${command("{listener}", "--port", "0")} takes any free one.`,
  },
  "tool.config.unavailable.mock_data": {
    message: "The mock backend cannot keep its data in {file} ({reason}).",
    recovery: say`Name a file of its own with --data, or leave that out: ${command("mock")}`,
  },
  "tool.config.unavailable.sandbox": {
    message: "The sandbox did not start, because of {path} ({reason}).",
    recovery: byReader({
      model: say`Try again; ${command("doctor")} names what stands in the way.`,
      endpoint: ASK_OPERATOR,
    }),
  },
  "tool.config.invalid.sandbox_not_shared": {
    message: "The sandbox belongs to one person; nobody else can use it.",
    recovery: say`Start a shared mock backend with ${command("mock")} and name its address.`,
  },
  "tool.config.unavailable.store": {
    message: "The shared store does not answer.",
    recovery: "Try again in a few seconds; if this goes on, the operator must look at the store.",
  },
  "tool.config.timeout.locked": {
    message: "Another program kept {path} locked for {waited_s} s.",
    recovery: byReader({
      model: say`Try again; if this goes on, ${command("doctor")} looks for the reason.`,
      endpoint: ASK_OPERATOR,
    }),
  },
  "tool.config.invalid.unknown_client": {
    message: "Setup does not know the client {client}.",
    recovery: say`It knows: {known}. More: ${command("setup", "--help")}`,
  },
  "tool.config.invalid.client_scope": {
    message: "{client} has no settings for the scope {scope}.",
    recovery: say`It has: {scopes} (${command("setup", "{client}", "--scope", "user")}).`,
  },
  "tool.config.invalid.client_endpoint": {
    message: "{client} takes no endpoint's address from its file.",
    recovery: "Add the address in its own settings, under Connectors.",
  },
  "tool.config.invalid.endpoint_address": {
    message: "An endpoint's address looks like https://…/mcp, without a password, a query or another path.",
    recovery: say`Give the address that your team's operator gave you; http is for this machine alone. More: ${command("setup", "--help")}`,
  },
  "tool.config.invalid.client_config_syntax": {
    message: "{path} cannot be read at line {line}, column {column}: {problem}.",
    recovery: "It was left as it is; fix that place and run the same command again.",
  },
  "tool.config.invalid.client_config_shape": {
    message: "{path} has something else at {key}, or an entry that cannot be edited safely.",
    recovery: say`It was left as it is; edit it by hand. What belongs there: ${command("setup", "--print")}`,
  },
  "tool.config.unavailable.client_config": {
    message: "{path} cannot be read or written ({reason}).",
    recovery: say`Nothing was changed; fix the file or its permissions, or paste what this prints: ${command("setup", "--print")}`,
  },
  "tool.config.conflict.client_config_changed": {
    message: "Another program wrote {path} just now, so it was left as it is.",
    recovery: "Close the client, then run the same command again.",
  },
  "tool.config.conflict.client_entry": {
    message: "{client} has another entry named towow in {path}, and nobody can be asked here.",
    recovery: say`If it can be replaced, run ${command("{command}")} with the same options.`,
  },
  "tool.config.conflict.newer_copy": {
    message: "{client} starts towow-mcp {theirs}, which is newer than this one ({own}), and was left as it is.",
    recovery: say`Update this one, as its README says, or run ${command("{command}")} to go back to {own}.`,
  },
  "tool.config.unavailable.program_copy": {
    message: "The copy of this program at {path} cannot be changed ({reason}).",
    recovery: say`Make the folder writable, or room on a full disk, or give TOWOW_HOME another one, and run again: ${command("setup")}`,
  },
  "tool.config.unavailable.program_files": {
    message: "This program is incomplete: {path} cannot be read ({reason}), so it cannot be copied.",
    recovery: say`Install it again, as its README says, and then run: ${command("setup")}`,
  },
  "tool.config.unavailable.client_command": {
    message: "{command} failed ({reason}).",
    recovery: say`Run it by hand to see more, or paste what this prints: ${command("setup", "--print")}`,
  },
  "tool.config.unavailable.working_folder": {
    message: "The folder that this terminal is in has been deleted.",
    recovery: "Change to another folder and run the same command again.",
  },
  "tool.config.blocked.secret_argument": {
    message: "Others can see a secret on a command line.",
    recovery: say`Run ${command("{command}")} in a terminal, or give it on stdin.`,
  },
  "tool.config.invalid.own_key": {
    message: "The program keeps {key} itself, so you cannot set it.",
    recovery: say`What can be set, and how it stands now: ${command("config")}`,
  },
  "tool.config.invalid.identity_key": {
    message: "{key} belongs to your identity.",
    recovery: say`To erase it: ${command("forget", "--identity")}`,
  },
  "tool.config.not_found.browser": {
    message: "No browser called {name} decides for you.",
    recovery: say`Those that do: ${command("whoami")}`,
  },
  "tool.config.unavailable.report_file": {
    message: "{path} cannot be written ({reason}).",
    recovery: byReader({ model: "Name another place with --out.", room: placesEn.nowhere.room }),
  },
  "tool.config.blocked.report_link": {
    message: "{path} is a link, and a report is never written through one ({reason}).",
    recovery: byReader({
      model: "Remove it, name another file with --out, or write to stdout with --out -.",
      room: placesEn.nowhere.room,
    }),
  },
} satisfies Record<string, ErrorText>;
