// Longer than other files on purpose: one table, which is compared with the Chinese one entry by entry.
/** One sentence of what happened, one of what to do next. `{name}` is filled from the error's params. */
export interface ErrorText {
  message: string;
  recovery: string;
}

export const errorsEn = {
  "tool.input.invalid.arguments": {
    message: "The argument {field} is invalid: {problem}.",
    recovery: "Correct that argument and call again.",
  },
  "tool.input.invalid.argument_missing": {
    message: "Missing required arguments: {fields}.",
    recovery: "Add what is missing and call again.",
  },
  "tool.input.invalid.unknown_argument": {
    message: "This tool has no argument {field}.",
    recovery: "Leave it out; the arguments it takes are: {known}.",
  },
  "tool.input.invalid.unknown_tool": {
    message: "There is no tool {tool}.",
    recovery: "Use one of the tools that are listed: {known}.",
  },
  "tool.input.invalid.intent_empty": {
    message: "The intent is empty.",
    recovery: "Ask the person what they need and send that in their words.",
  },
  "tool.input.invalid.intent_too_long": {
    message: "The intent is longer than 20,000 characters.",
    recovery: "Send the need itself in a few sentences; background belongs in the profile.",
  },
  "tool.input.invalid.text_too_long": {
    message: "The text in {field} is too long.",
    recovery: "Shorten it and call again.",
  },
  "tool.input.invalid.skills_not_a_list": {
    message: "skills must be a list of short texts; anything else makes the agent invisible to matching.",
    recovery: 'Send skills as ["…", "…"], one plain text each.',
  },
  "tool.input.invalid.id_malformed": {
    message: "The id in {field} contains characters that no id has.",
    recovery: "Use the id exactly as an earlier result gave it.",
  },
  "tool.input.invalid.address": {
    message: "There is nothing to read at {uri}.",
    recovery: "Use an address that towow_docs_list gives, with a query that it takes.",
  },
  "tool.input.invalid.cursor": {
    message: "This cursor is damaged, or belongs to another list or filter.",
    recovery:
      "Use next_cursor exactly as the page before gave it, with the same filter; or begin again without cursor.",
  },
  "tool.input.invalid.join_incomplete": {
    message: "Joining needs raw_content first, or profile_data with display_name.",
    recovery: "Send raw_content to get the guiding prompt, or profile_data and display_name to join.",
  },
  "tool.input.not_found.missing_inputs": {
    message: "References that lead to nothing: {inputs}.",
    recovery:
      "Nothing was done. Run the step that produces it again, or pass the value itself; results of a session are kept for two hours.",
  },
  "tool.input.invalid.demand_incomplete": {
    message: "A new demand needs an intent; a decision needs the negotiation_id.",
    recovery: "Send intent for a new demand, or negotiation_id with the person's decision.",
  },
  "tool.input.invalid.rejected_by_backend": {
    message: "The backend refused the field {field}.",
    recovery: "Correct that field and call again.",
  },
  "tool.scene.not_found.unknown_scene": {
    message: "There is no scene {scene_id}.",
    recovery: "Check the id, or list the scenes: towow-mcp scenes",
  },
  "tool.scene.not_found.no_match": {
    message: "There is no scene called {scene}. The detail lists those that exist.",
    recovery: "Ask the person which of these they mean.",
  },
  "tool.scene.conflict.ambiguous": {
    message: "Several scenes match {scene}; the detail lists them.",
    recovery: "Ask the person which one, and use its scene_id.",
  },
  "tool.scene.not_found.none_joined": {
    message: "No scene was named and none has been joined yet.",
    recovery: "Join a scene first, or name the scene_id.",
  },
  "tool.scene.unavailable.cannot_list": {
    message: "This backend cannot list scenes, so a name cannot be looked up.",
    recovery: "Ask the person for the scene's id (scene_ and 12 letters or digits).",
  },
  "tool.agent.conflict.already_registered": {
    message: "The agent {agent_id} is already in scene {scene_id}; its profile was not changed.",
    recovery: "Go on with the demand.",
  },
  "tool.negotiation.not_found.unknown_negotiation": {
    message: "There is no negotiation {negotiation_id}.",
    recovery: "Check the id (towow-mcp list); a backend that was restarted forgets its negotiations.",
  },
  "tool.negotiation.not_found.other_backend": {
    message: "{negotiation_id} belongs to the backend {host}, and another one is in use. Nothing was sent.",
    recovery: "To go on with it, move back to that backend: towow-mcp network",
  },
  "tool.negotiation.not_found.none_yet": {
    message: "No negotiation was named and none is remembered.",
    recovery: "Submit a demand first, or name the negotiation_id.",
  },
  "tool.negotiation.invalid.unknown_action": {
    message: "The backend has no action {action}.",
    recovery: 'Only "cancel" exists.',
  },
  "tool.negotiation.invalid.confirmation_id": {
    message: "This confirmation_id does not belong to the text that waits in {negotiation_id}.",
    recovery: "Call without a decision to get the text and its confirmation_id, show it to the person, and ask.",
  },
  "tool.negotiation.invalid.confirmed_text_empty": {
    message: "An edit needs a text.",
    recovery: "Ask the person for the text that should be sent, or for another decision.",
  },
  "tool.negotiation.conflict.already_decided": {
    message: "{negotiation_id} is already decided: {decision}, by {decided_by}, {decided_at}.",
    recovery: "Look at its status (towow_status, or towow-mcp list); a new demand is needed for something else.",
  },
  "tool.negotiation.conflict.not_waiting": {
    message: "{negotiation_id} is not waiting for a decision.",
    recovery: "Look at its status (towow_status, or towow-mcp list).",
  },
  "tool.negotiation.conflict.not_formulated": {
    message: "{negotiation_id} cannot be confirmed: it is {state}.",
    recovery: "Look at its status (towow_status, or towow-mcp list).",
  },
  "tool.negotiation.conflict.engine_not_waiting": {
    message: "The backend does not take the confirmation of {negotiation_id} at this moment.",
    recovery: "Nothing was broadcast; ask for the status and confirm again.",
  },
  "tool.negotiation.conflict.already_completed": {
    message: "{negotiation_id} is already over.",
    recovery: "Look at how it ended (towow_status, or towow-mcp list).",
  },
  "tool.negotiation.unavailable.shutting_down": {
    message: "This program is ending, so the call waits no longer.",
    recovery: "Nothing is lost: look at the status once it runs again.",
  },
  "tool.negotiation.conflict.submit_outcome_open": {
    message: "The same demand was sent a moment ago and its answer was lost: it may exist already.",
    recovery: "Ask the person. To send it again anyway, add allow_duplicate: true; otherwise wait {minutes} min.",
  },
  "tool.policy.blocked.confirmation_required": {
    message: "Only the person can decide this: no command can, and under the policy strict no model and no form.",
    recovery: "Ask the person to decide on the page, or in a terminal with: towow-mcp confirm",
  },
  "tool.policy.blocked.tainted": {
    message:
      "Text of other agents has been read here within a day, so the word of an AI alone decides and sends nothing. Nothing was sent.",
    recovery:
      "Ask the person to decide on the page in their browser, if one has opened, and call again. A demand that waits is decided on in their own terminal: towow-mcp confirm; everything else is sent from there with towow-mcp call.",
  },
  "tool.policy.blocked.decide_on_page": {
    message: "Only the person can decide this, on their page. Nothing was sent.",
    recovery:
      "Give the person this page to open: {url} There they sign in once with their Towow token, read all of it and decide. Then call again with the same arguments, within ten minutes.",
  },
  "tool.policy.blocked.not_submitted_here": {
    message: "{negotiation_id} was not submitted here, so no AI and no form decides on it. Nothing was sent.",
    recovery:
      "It can be read. Only the person decides on it: on the page in their browser, if one has opened, or in their own terminal with towow-mcp confirm {negotiation_id} while it waits.",
  },
  "tool.policy.blocked.inactive_tool": {
    message: "{tool} is not part of the mode {mode}.",
    recovery: "Switch with towow_set_mode if the person wants that.",
  },
  "tool.policy.blocked.inactive_toolset": {
    message: "{tool} belongs to the toolset {toolset}, which is not chosen.",
    recovery:
      "Go on without it, or ask the person to start the server with --toolset {toolset} or all (TOWOW_TOOLSET; over HTTP ?toolset={toolset}).",
  },
  "tool.policy.blocked.reference_unseen": {
    message: "{argument} is sent to others, so no reference fills it in. Nothing was sent; its text is in the detail.",
    recovery:
      "Show the person the text whole. Only what they want to say themselves goes into {argument}, as text, in their words.",
  },
  "tool.policy.blocked.mode_pinned": {
    message: "The mode {mode} was fixed when the server was started ({where}).",
    recovery: "Change it there and restart.",
  },
  "tool.policy.blocked.profile": {
    message: "The profile {profile} does not allow {tool}.",
    recovery: "Ask the person; towow-mcp config shows where the profile is set.",
  },
  "tool.policy.blocked.offline": {
    message: "The profile offline allows only a backend on this machine, not {host}.",
    recovery: "Use this machine (towow-mcp network sandbox), or ask the person for another profile.",
  },
  "tool.config.invalid.unknown_tool_name": {
    message: "{key} names a tool that does not exist: {tool}.",
    recovery: "Correct the name where towow-mcp config shows it; the tools are: {known}.",
  },
  "tool.policy.blocked.dry_run": {
    message: "Dry run: nothing was sent.",
    recovery: "To send it, the person sets the profile live; towow-mcp config shows where it is set.",
  },
  "tool.config.invalid.backend_url_missing": {
    message: "No network has been chosen yet.",
    recovery: "Choose one in a terminal: {setup}. To try everything on this machine first: {sandbox}.",
  },
  "tool.config.invalid.value": {
    message: "{key} must be {expected}; {where} gives something else.",
    recovery: "Correct that value; towow-mcp config shows every setting and where it comes from.",
  },
  "tool.config.invalid.serve_option": {
    message: "{option} must be {expected}.",
    recovery: "What each option takes: towow-mcp serve --help",
  },
  "tool.config.invalid.serve_host": {
    message: "Others can reach {host}, and it is not said by which name.",
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
    message: "The sandbox did not start ({reason}).",
    recovery: "Try again; towow-mcp doctor names what stands in the way.",
  },
  "tool.config.invalid.sandbox_not_shared": {
    message: "The sandbox belongs to one person; an endpoint for others cannot use it.",
    recovery: "Start a shared mock backend with {mock} and name its address.",
  },
  "tool.budget.blocked.negotiations": {
    message: "This session may start no more than {limit} negotiations.",
    recovery: "Ask the person; towow-mcp config shows the limit, budget_max_negotiations.",
  },
  "tool.budget.blocked.backend_requests": {
    message: "This session may make no more than {limit} requests to the backend.",
    recovery: "Ask the person; towow-mcp config shows the limit, budget_max_backend_requests.",
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
    recovery: "It was left as it is; fix that place and run again: towow-mcp setup",
  },
  "tool.config.invalid.client_config_shape": {
    message: "{path} holds something else at {key}, or an entry whose form cannot be edited safely.",
    recovery: "It was left as it is. What to put there by hand: towow-mcp setup --print",
  },
  "tool.config.unavailable.client_config": {
    message: "{path} cannot be read or written ({reason}).",
    recovery: "Nothing was changed; fix its permissions, or paste what this prints: towow-mcp setup --print",
  },
  "tool.config.conflict.client_entry": {
    message: "{client} has another entry named towow in {path}, and nobody can be asked here.",
    recovery: "If it can be replaced, run {command} with the same options.",
  },
  "tool.config.unavailable.program_copy": {
    message: "The copy of this program at {path} cannot be changed ({reason}).",
    recovery: "Make the folder writable, or give TOWOW_HOME another one, and run again: towow-mcp setup",
  },
  "tool.config.unavailable.client_command": {
    message: "{command} failed ({reason}).",
    recovery: "Run it by hand to see more, or paste what this prints: towow-mcp setup --print",
  },
  "tool.auth.unauthorized.token_rejected": {
    message: "The backend does not accept this token, and a new one did not help.",
    recovery: "Ask the person to check the token for this backend: towow-mcp whoami",
  },
  "tool.auth.unavailable.token": {
    message: "The backend gave no token ({reason}), so the call itself was not sent.",
    recovery: "Try again in a moment; towow-mcp doctor shows what the backend answers.",
  },
  "tool.auth.blocked.forbidden": {
    message: "The backend does not allow this.",
    recovery: "Ask the person whether this account may do it: towow-mcp whoami",
  },
  "tool.backend.unavailable.unreachable": {
    message: "The backend at {origin} cannot be reached ({reason}). Nothing was sent.",
    recovery: "Check that it runs (towow-mcp doctor), or change the address: towow-mcp network",
  },
  "tool.backend.blocked.connection": {
    message: "No connection was made to {origin}: {reason}. Nothing was sent.",
    recovery:
      "Ask the person to run `towow-mcp doctor`; for a certificate authority of their own, NODE_EXTRA_CA_CERTS names its file.",
  },
  "tool.backend.unavailable.route_missing": {
    message: "This backend does not have what {operation} needs.",
    recovery: "Go on without it; towow-mcp doctor shows what this backend has.",
  },
  "tool.backend.unavailable.server_error": {
    message: "The backend failed ({status}) while answering {operation}.",
    recovery: "Try again in a moment; towow-mcp doctor shows whether it recovers.",
  },
  "tool.backend.unavailable.rate_limited": {
    message: "The backend asks to slow down.",
    recovery: "Wait a little, then try again.",
  },
  "tool.backend.unavailable.new_tokens": {
    message:
      "The backend has not accepted this token yet, and many such tokens are tried here at the moment. Nothing was sent.",
    recovery: "Try again in ten seconds.",
  },
  "tool.backend.timeout.read": {
    message: "The backend did not answer in time.",
    recovery: "Try again in a moment; towow-mcp doctor shows whether it answers.",
  },
  "tool.backend.timeout.outcome_unknown": {
    message: "The answer to {operation} was lost, so it is not known whether it happened.",
    recovery: "Look at the status before doing it again.",
  },
  "tool.backend.timeout.submit_outcome_unknown": {
    message:
      "The answer to the submit was lost: the negotiation may exist. This backend can neither list nor cancel it, and its text may be broadcast in about five minutes.",
    recovery: "Tell the person. The same demand is refused for ten minutes unless allow_duplicate is given.",
  },
  "tool.backend.invalid.not_json": {
    message: "Something other than the backend answered (not JSON): perhaps a proxy or a login page.",
    recovery: "Check the address and what stands between: towow-mcp doctor",
  },
  "tool.backend.invalid.cut_body": {
    message: "The backend's answer broke off.",
    recovery: "Try again in a moment.",
  },
  "tool.backend.invalid.wrong_shape": {
    message: "The backend's answer to {operation} is not what this version understands (at {field}).",
    recovery: "Check the backend's address and its version: towow-mcp doctor",
  },
  "tool.backend.invalid.too_large": {
    message: "The backend's answer is larger than this program takes.",
    recovery: "Check the backend's address: towow-mcp doctor",
  },
  "tool.backend.invalid.redirect": {
    message: "The backend redirects elsewhere ({target}); the token is not sent there.",
    recovery: "Configure the final address yourself: towow-mcp network",
  },
  "tool.backend.conflict.unexpected": {
    message: "The backend answered {operation} with status {status}.",
    recovery: "Look at the detail; try again later if it may be temporary.",
  },
  "tool.backend.internal.unexpected": {
    message: "Something went wrong in this program.",
    recovery: "Try once more; if it happens again, report it with the log: towow-mcp logs",
  },
  "tool.backend.internal.output_invalid": {
    message: "The result of {tool} does not have the shape it promises.",
    recovery: "Report it with the log: towow-mcp logs",
  },
} satisfies Record<string, ErrorText>;
