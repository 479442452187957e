import type { ErrorText } from "./error-text.ts";

const ON_PAGE =
  "A page has opened in the person's browser. Once they have decided there, call again with the same arguments.";

/** Why a negotiation or a decision does not go on, and what a policy or a budget forbids. */
export const negotiationEn = {
  "tool.negotiation.not_found.unknown_negotiation": {
    message: "There is no negotiation {negotiation_id}.",
    recovery: "Check the id (towow-mcp list); a backend that was restarted forgets its negotiations.",
  },
  "tool.negotiation.not_found.other_backend": {
    message: "{negotiation_id} belongs to the backend {host}, and another one is in use. Nothing was sent.",
    recovery: "To go on with it, move back to that backend: towow-mcp network",
  },
  "tool.negotiation.not_found.none_yet": {
    message: "You have no negotiation yet.",
    recovery: "Submit a demand first, or name the negotiation_id.",
  },
  "tool.negotiation.invalid.unknown_action": {
    message: "There is no action {action}.",
    recovery: 'Only "cancel" exists.',
  },
  "tool.negotiation.invalid.confirmation_id": {
    message: "This confirmation_id does not belong to the text that waits in {negotiation_id}.",
    recovery: "Call without a decision to get the text and its confirmation_id, show it to the person, and ask.",
  },
  "tool.negotiation.invalid.confirmed_text_empty": {
    message: "There is no text to send.",
    recovery: "Ask the person for the text to send, or for another decision.",
  },
  "tool.negotiation.invalid.two_texts": {
    message: "accept confirms the text that was shown, but this call also holds another one. Nothing was decided.",
    recovery:
      "Ask the person which text goes out. Call again with resume_with and, for their own text, decision edit and confirmed_text; for the shown one, decision accept without another text.",
  },
  "tool.negotiation.conflict.already_decided": {
    message: "{negotiation_id} is already decided: {decision}, {decided_by}, {decided_at}.",
    recovery: "Look at its status (towow_status, or towow-mcp list); for anything else, submit a new demand.",
  },
  "tool.negotiation.unavailable.no_on_its_way": {
    message:
      "Your no to {negotiation_id} is saved. The backend cannot be reached right now; a program running here keeps sending it until it arrives.",
    recovery:
      "Look at its status (towow_status, or towow-mcp list). If no program keeps running here, do it again once the backend answers.",
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
    message: "This program is shutting down, so the call stopped waiting.",
    recovery: "Nothing is lost: look at the status once it runs again.",
  },
  "tool.negotiation.conflict.submit_outcome_open": {
    message: "The same demand was sent a moment ago and its answer was lost: it may exist already.",
    recovery: "Ask the person. To send it again anyway, add allow_duplicate: true; otherwise wait {minutes} min.",
  },
  "tool.policy.blocked.confirmation_required": {
    message: "Only the person can decide this: no command can, and under the policy strict no model and no form.",
    recovery: "The person decides in their own terminal: towow-mcp {args}",
    recoveryOnPage: ON_PAGE,
  },
  "tool.policy.blocked.in_no_form": {
    message: "No form of this client shows all of it, so its person has not been asked. Nothing was sent.",
    recovery: "A shorter profile fits a form. This one the person sends from their own terminal: towow-mcp {args}",
    recoveryOnPage: ON_PAGE,
  },
  "tool.policy.blocked.too_many_windows": {
    message:
      "No more windows are opened for now: this program has opened {most} within {minutes} minutes. Nothing was sent.",
    recovery: "The person does it in their own terminal: towow-mcp {args}",
  },
  "tool.policy.blocked.tainted": {
    message:
      "Text that others wrote has been read here within the last day, so an AI's word alone neither decides nor sends anything. Nothing was sent.",
    recovery: "The person does it themselves, in their own terminal: towow-mcp {args}",
    recoveryOnPage: ON_PAGE,
  },
  "tool.policy.blocked.decide_on_page": {
    message: "Only the person can decide this, on their page. Nothing was sent.",
    recovery:
      "Give the person this page to open: {url} There they sign in once with their Towow token, read all of it and decide. Then call again with the same arguments, within ten minutes.",
  },
  "tool.policy.blocked.not_submitted_here": {
    message: "{negotiation_id} was not submitted here, so no AI and no form decides on it. Nothing was sent.",
    recovery: "It can be read. The person decides on it in their own terminal: towow-mcp {args}",
    recoveryOnPage: ON_PAGE,
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
  "tool.policy.blocked.tool_left_out": {
    message: "{tool} is left out by the setting {setting}.",
    recovery: "Go on without it, or ask the person: towow-mcp config shows where {setting} is set.",
  },
  "tool.policy.blocked.reference_unseen": {
    message:
      "{argument} goes to others, so a reference cannot fill it in. Nothing was sent; its text is in the detail.",
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
  "tool.policy.blocked.dry_run": {
    message: "Dry run: nothing was sent.",
    recovery: "To send it, the person sets profile to live; towow-mcp config shows where it is set.",
  },
  "tool.negotiation.conflict.several_open": {
    message: "Several negotiations are open, and none was named.",
    recovery: "Run the same command again with the id of the one you mean.",
  },
  "tool.policy.blocked.terminal_needed": {
    message: "Only a person can do this, and there is no terminal here.",
    recovery: "Run {command} in a terminal.",
  },
  "tool.budget.blocked.negotiations": {
    message: "This session may start no more than {limit} negotiations.",
    recovery: "Ask the person; towow-mcp config shows the limit, budget_max_negotiations.",
  },
  "tool.budget.blocked.backend_requests": {
    message: "This session may make no more than {limit} requests to the backend.",
    recovery: "Ask the person; towow-mcp config shows the limit, budget_max_backend_requests.",
  },
} satisfies Record<string, ErrorText>;
