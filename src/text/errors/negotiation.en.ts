import { placesEn } from "../places.ts";
import { byReader, command, say, theirHand, yourHand } from "../reader.ts";
import type { ErrorText } from "./error-text.ts";

const ON_PAGE = byReader({
  model: "A page has opened in the person's browser. Once they have decided there, call again with the same arguments.",
  person: "A page has opened in your browser. Once you have decided there, try again.",
});
const THEIR_HAND = theirHand(command("{args}"));
const YOUR_HAND = yourHand(command("{args}"));
const PAGE_SHOWS = "This page shows where it stands.";
const STATUS = "Look at its status: towow_status";
const SEE_LIST = say`See where it stands: ${command("list")}`;
const LOOK = say`Look at its status (towow_status, or ${command("list")}).`;
const PROFILE_HERE = "The profile is set where this server runs.";
const SET_BY_PERSON =
  "The profile is set in the person's client entry or by the operator of this endpoint; ask the person.";
const LIMIT_HERE = "The limit is set where this server runs.";

/** Why a negotiation or a decision does not go on, and what a policy or a budget forbids. */
export const negotiationEn = {
  "tool.negotiation.not_found.unknown_negotiation": {
    message: "There is no negotiation {negotiation_id}.",
    recovery: byReader({
      model: say`Check the id (${command("list")}); a backend that was restarted forgets its negotiations.`,
      room: "A backend that was restarted forgets its negotiations. Yours are under History.",
      endpoint: "Check the id; a backend that was restarted forgets its negotiations.",
    }),
  },
  "tool.negotiation.not_found.other_backend": {
    message: "{negotiation_id} belongs to the backend {host}, and another one is in use. Nothing was sent.",
    recovery: byReader({
      model: say`To go on with it, move back to that backend: ${command("network")}`,
      room: "It can be read and decided on where its own backend is set.",
      endpoint: "It can be read and decided on where its own backend is set.",
    }),
  },
  "tool.negotiation.not_found.none_yet": {
    message: "No negotiation of your id is remembered here.",
    recovery: "Submit a demand first, or name the negotiation_id.",
  },
  "tool.negotiation.invalid.unknown_action": {
    message: "There is no action {action}.",
    recovery: 'Only "cancel" exists.',
  },
  "tool.negotiation.invalid.confirmation_id": {
    message: "This confirmation_id does not belong to the text that waits in {negotiation_id}.",
    recovery: byReader({
      model: "Call without a decision to get the text and its confirmation_id, show it to the person, and ask.",
      person: say`Read the text that waits and decide: ${command("confirm", "{negotiation_id}")}`,
      room: "Read the text on this page, and decide again.",
    }),
  },
  "tool.negotiation.invalid.confirmed_text_empty": {
    message: "There is no text to send.",
    recovery: byReader({
      model: "Ask the person for the text to send, or for another decision.",
      person: "Write the text to send, or make another decision.",
    }),
  },
  "tool.negotiation.invalid.two_texts": {
    message: "accept confirms the text that was shown, but this call also holds another one. Nothing was decided.",
    recovery: byReader({
      model:
        "Ask the person which text goes out. Call again with resume_with and, for their own text, decision edit and confirmed_text; for the shown one, decision accept without another text.",
      person: say`Decide which text goes out: ${command("confirm")}`,
    }),
  },
  "tool.negotiation.conflict.already_decided": {
    message: "{negotiation_id} is already decided: {decision}, {decided_by}, {decided_at}.",
    recovery: byReader({
      model: say`Look at its status (towow_status, or ${command("list")}); for anything else, submit a new demand.`,
      person: say`See where it stands: ${command("list")}. For anything else, submit a new demand.`,
      room: PAGE_SHOWS,
      endpoint: "Look at its status (towow_status); for anything else, submit a new demand.",
    }),
  },
  "tool.negotiation.unavailable.no_on_its_way": {
    message:
      "Your no to {negotiation_id} is saved. The backend cannot be reached right now; a program running here keeps sending it until it arrives.",
    recovery: byReader({
      model: say`Look at its status (towow_status, or ${command("list")}). If no program keeps running here, do it again once the backend answers.`,
      person: say`If no program keeps running here, do it again once the backend answers: ${command("cancel", "{negotiation_id}")}`,
      room: "It is sent again by itself. This page shows when it has arrived.",
      endpoint: STATUS,
    }),
  },
  "tool.negotiation.conflict.not_waiting": {
    message: "{negotiation_id} is not waiting for a decision.",
    recovery: byReader({ model: LOOK, person: SEE_LIST, room: PAGE_SHOWS, endpoint: STATUS }),
  },
  "tool.negotiation.conflict.not_formulated": {
    message: "{negotiation_id} cannot be confirmed: it is {state}.",
    recovery: byReader({ model: LOOK, person: SEE_LIST, room: PAGE_SHOWS, endpoint: STATUS }),
  },
  "tool.negotiation.conflict.engine_not_waiting": {
    message: "The backend does not take the confirmation of {negotiation_id} at this moment.",
    recovery: "Nothing was broadcast; ask for the status and confirm again.",
  },
  "tool.negotiation.conflict.already_completed": {
    message: "{negotiation_id} is already over.",
    recovery: byReader({
      model: say`Look at how it ended (towow_status, or ${command("list")}).`,
      person: say`See how it ended: ${command("list")}`,
      room: "This page shows how it ended.",
      endpoint: "Look at how it ended: towow_status",
    }),
  },
  "tool.negotiation.unavailable.shutting_down": {
    message: "This program is shutting down, so the call stopped waiting.",
    recovery: "Nothing is lost: look at the status once it runs again.",
  },
  "tool.negotiation.conflict.submit_outcome_open": {
    message: "The same demand was sent a moment ago and its answer was lost: it may exist already.",
    recovery: byReader({
      model: "Ask the person. To send it again anyway, add allow_duplicate: true; otherwise wait {minutes} min.",
      person: "To send it again anyway, add allow_duplicate=true; otherwise wait {minutes} min.",
      room: "Wait {minutes} min before you send it again.",
    }),
  },
  "tool.policy.blocked.confirmation_required": {
    message: byReader({
      model: "Only the person can decide this: no command can, and under the policy strict no model and no form.",
      person: "A command never decides for you, whatever its arguments.",
    }),
    recovery: byReader({
      model: say`The person decides ${THEIR_HAND}`,
      person: say`Decide ${YOUR_HAND}`,
      room: "Decide on this page, in a browser that is yours.",
    }),
    recoveryOnPage: ON_PAGE,
  },
  "tool.policy.blocked.not_passed_on": {
    message: "This sign-in lets no AI pass on a yes. Nothing was sent.",
    recovery: byReader({
      model: say`The person decides ${THEIR_HAND}`,
      person: say`Decide ${YOUR_HAND}`,
      room: "Decide on this page.",
    }),
    recoveryOnPage: ON_PAGE,
  },
  "tool.policy.blocked.in_no_form": {
    message: byReader({
      model: "No form of this client shows all of it, so its person has not been asked. Nothing was sent.",
      person: "No form shows all of it, so you have not been asked. Nothing was sent.",
    }),
    recovery: byReader({
      model: say`A shorter profile fits a form. This one the person sends ${THEIR_HAND}`,
      person: say`Do it ${YOUR_HAND}`,
    }),
    recoveryOnPage: ON_PAGE,
  },
  "tool.policy.blocked.too_many_windows": {
    message:
      "No more windows are opened for now: this program has opened {most} within {minutes} minutes. Nothing was sent.",
    recovery: byReader({
      model: say`The person does it ${THEIR_HAND}`,
      person: say`Do it ${YOUR_HAND}`,
    }),
  },
  "tool.policy.blocked.tainted": {
    message:
      "Text that others wrote has been read here within the last day, so an AI's word alone neither decides nor sends anything. Nothing was sent.",
    recovery: byReader({
      model: say`The person does it themselves, ${THEIR_HAND}`,
      person: say`Do it ${YOUR_HAND}`,
    }),
    recoveryOnPage: ON_PAGE,
  },
  "tool.policy.blocked.decide_on_page": {
    message: byReader({
      model: "Only the person can decide this, on their page. Nothing was sent.",
      person: "You decide this on your own page. Nothing was sent.",
    }),
    recovery: byReader({
      model:
        "Give the person this page to open: {url} There they sign in once with their Towow token, read all of it and decide. Then call again with the same arguments, within ten minutes.",
      person:
        "Open {url} There you sign in once with your Towow token, read all of it and decide. Then run the same command again, within ten minutes.",
    }),
  },
  "tool.policy.blocked.not_submitted_here": {
    message: "{negotiation_id} was not submitted here, so no AI and no form decides on it. Nothing was sent.",
    recovery: byReader({
      model: say`It can be read. The person decides on it ${THEIR_HAND}`,
      person: say`You can read it, and decide on it ${YOUR_HAND}`,
      room: "You can read it, and decide on it here while it waits.",
    }),
    recoveryOnPage: ON_PAGE,
  },
  "tool.policy.blocked.inactive_tool": {
    message: "{tool} is not part of the mode {mode}.",
    recovery: byReader({
      model: "Switch with towow_set_mode if the person wants that.",
      person: say`Add --mode developer to this command, or list every tool from now on: ${command("config", "set", "mode", "developer")}`,
    }),
  },
  "tool.policy.blocked.inactive_toolset": {
    message: "{tool} belongs to the toolset {toolset}, which is not chosen.",
    recovery: byReader({
      model:
        "Go on without it, or ask the person to start the server with --toolset {toolset} or all (TOWOW_TOOLSET; over HTTP ?toolset={toolset}).",
      person: "Set TOWOW_TOOLSET to {toolset}, or to all, and run it again.",
      room: placesEn.nowhere.room,
      endpoint:
        "Go on without it, or ask the person to put ?toolset={toolset} into the address of their client's entry.",
    }),
  },
  "tool.policy.blocked.tool_left_out": {
    message: "{tool} is left out by the setting {setting}.",
    recovery: byReader({
      model: say`Go on without it, or ask the person: ${command("config")} shows where {setting} is set.`,
      person: say`Change {setting} where ${command("config")} shows that it is set, and run it again.`,
      endpoint:
        "Go on without it. {setting} is set in the person's client entry or by the operator of this endpoint; ask the person.",
    }),
  },
  "tool.policy.blocked.reference_unseen": {
    message:
      "{argument} goes to others, so a reference cannot fill it in. Nothing was sent; its text is in the detail.",
    recovery: byReader({
      model:
        "Show the person the text whole. Only what they want to say themselves goes into {argument}, as text, in their words.",
      person: "Read the text whole. Only what you want to say yourself goes into {argument}, as text.",
    }),
  },
  "tool.policy.blocked.mode_pinned": {
    message: byReader({
      model: "The mode {mode} was fixed when the server was started ({where}).",
      person: "The mode {mode} is fixed for this command.",
    }),
    recovery: byReader({
      model: "Change it there and restart.",
      person: "Leave out --mode, and TOWOW_MODE where it is set, and run it again.",
      room: placesEn.nowhere.room,
    }),
  },
  "tool.policy.blocked.profile": {
    message: byReader({
      model: "The profile {profile} does not allow {tool}.",
      person: "The profile {profile} only lets you read. Nothing was sent.",
    }),
    recovery: byReader({
      model: say`Ask the person; ${command("config")} shows where the profile is set.`,
      person: say`Choose another with --profile, or change it where ${command("config")} shows that it is set.`,
      room: PROFILE_HERE,
      endpoint: SET_BY_PERSON,
    }),
  },
  "tool.policy.blocked.offline": {
    message: "The profile offline allows only a backend on this machine, not {host}.",
    recovery: byReader({
      model: say`Use this machine (${command("network", "sandbox")}), or ask the person for another profile.`,
      person: say`Use this machine (${command("network", "sandbox")}), or another profile: ${command("config")} shows where it is set.`,
      room: PROFILE_HERE,
      endpoint: SET_BY_PERSON,
    }),
  },
  "tool.policy.blocked.dry_run": {
    message: "Dry run: nothing was sent.",
    recovery: byReader({
      model: say`To send it, the person sets profile to live; ${command("config")} shows where it is set.`,
      person: say`To send it, set profile to live; ${command("config")} shows where it is set.`,
      room: PROFILE_HERE,
      endpoint:
        "To send it, the profile has to be live. It is set in the person's client entry or by the operator of this endpoint; ask the person.",
    }),
  },
  "tool.negotiation.conflict.several_open": {
    message: "Several negotiations are open, and none was named.",
    recovery: "Run the same command again with the id of the one you mean.",
  },
  "tool.policy.blocked.terminal_needed": {
    message: "Only a person can do this, and there is no terminal here.",
    recovery: say`Run ${command("{command}")} in a terminal.`,
  },
  "tool.budget.blocked.negotiations": {
    message: "This session may start no more than {limit} negotiations.",
    recovery: byReader({
      model: say`Ask the person; ${command("config")} shows the limit, budget_max_negotiations.`,
      person: say`${command("config")} shows the limit, budget_max_negotiations.`,
      room: LIMIT_HERE,
      endpoint:
        "The limit, budget_max_negotiations, is set in the person's client entry or by the operator of this endpoint; ask the person.",
    }),
  },
  "tool.budget.blocked.backend_requests": {
    message: "This session may make no more than {limit} requests to the backend.",
    recovery: byReader({
      model: say`Ask the person; ${command("config")} shows the limit, budget_max_backend_requests.`,
      person: say`${command("config")} shows the limit, budget_max_backend_requests.`,
      room: LIMIT_HERE,
      endpoint:
        "The limit, budget_max_backend_requests, is set in the person's client entry or by the operator of this endpoint; ask the person.",
    }),
  },
} satisfies Record<string, ErrorText>;
