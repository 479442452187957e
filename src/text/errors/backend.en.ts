import { byReader, command, say } from "../reader.ts";
import type { ErrorText } from "./error-text.ts";

const PROFILE_HERE = "The profile is set where this server runs.";
const ASK_OPERATOR = "Try again in a moment; if this goes on, tell the operator of this endpoint.";
const OPERATOR_LATER =
  "Find out whether it took effect before you call again; if this goes on, tell the operator of this endpoint.";
const PAGE_FIRST = "Find out on this page whether it took effect before you send it again.";

/** What the backend answered, or that it did not answer. */
export const backendEn = {
  "tool.auth.unauthorized.token_rejected": {
    message: byReader({
      model: "The backend does not accept this token, and a new one did not help.",
      endpoint: "The backend does not accept the token that this client sends.",
    }),
    recovery: byReader({
      model: say`Ask the person to check the token for this backend: ${command("whoami")}`,
      person: say`Check your token for this backend: ${command("whoami")}`,
      room: "Check your token for this backend.",
      endpoint: "Ask the person to check it, where their client's entry for this endpoint names the token.",
    }),
  },
  "tool.auth.unavailable.token": {
    message: "The backend gave no token ({reason}). Nothing else was sent.",
    recovery: byReader({
      model: say`Try again in a moment; ${command("doctor")} shows what the backend answers.`,
      endpoint: ASK_OPERATOR,
    }),
  },
  "tool.auth.unavailable.not_issued": {
    message: "{host} gives out no tokens.",
    recovery: "Ask its operator how new people join.",
  },
  "tool.auth.blocked.dry_run": {
    message: "A dry run gets no token, and none here fits this backend, so nothing can be read from it.",
    recovery: byReader({
      model: "Ask the person to set profile to live for one call: it gets a token for later dry runs.",
      person: say`Make one call with profile set to live: it gets a token for later dry runs. Where it is set: ${command("config")}`,
      room: PROFILE_HERE,
    }),
  },
  "tool.auth.blocked.forbidden": {
    message: "The backend does not allow this.",
    recovery: byReader({
      model: say`Ask the person whether this account may do it: ${command("whoami")}`,
      person: say`Check whether this account may do it: ${command("whoami")}`,
      room: "Check whether this account may do it.",
      endpoint: "Ask the person whether the account of the token that this client sends may do it.",
    }),
  },
  "tool.backend.unavailable.unreachable": {
    message: "The backend at {origin} cannot be reached ({reason}). The request was not sent.",
    recovery: byReader({
      model: say`Check that it runs (${command("doctor")}) and try again, or change the address: ${command("network")}`,
      endpoint: ASK_OPERATOR,
    }),
  },
  "tool.backend.blocked.connection": {
    message: "No connection was made to {origin}: {reason}. The request was not sent.",
    recovery: byReader({
      model: say`Ask the person to see what to change: ${command("doctor")}`,
      person: say`What to change: ${command("doctor")}`,
    }),
  },
  "tool.backend.unavailable.route_missing": {
    message: "This backend cannot {operation}.",
    recovery: byReader({
      model: say`Go on without it, or check the address: ${command("doctor")} shows what this backend can do.`,
      room: "Go on without it.",
      endpoint: "Go on without it.",
    }),
  },
  "tool.backend.unavailable.server_error": {
    message: "The backend failed ({status}) when asked to {operation}.",
    recovery: byReader({
      model: say`Try again in a moment; ${command("doctor")} shows whether it recovers.`,
      endpoint: ASK_OPERATOR,
    }),
    recoveryOfWrite: byReader({
      model: say`Find out whether it took effect before you call again; ${command("doctor")} shows whether it recovers.`,
      room: PAGE_FIRST,
      endpoint: OPERATOR_LATER,
    }),
  },
  "tool.backend.unavailable.rate_limited": {
    message: "The backend asks for fewer requests.",
    recovery: "Wait a little, then try again.",
    recoveryLater: "It asks you to wait {wait}. Try again then.",
  },
  "tool.backend.unavailable.new_tokens": {
    message:
      "The backend has not accepted this token yet, and too many new tokens are being tried here. Nothing was sent.",
    recovery: "Try again in ten seconds.",
  },
  "tool.backend.timeout.read": {
    message: "The backend did not answer in time.",
    recovery: byReader({
      model: say`Try again in a moment; ${command("doctor")} shows whether it answers.`,
      endpoint: ASK_OPERATOR,
    }),
    recoveryOfWrite: byReader({
      model: say`Find out whether it took effect before you call again; ${command("doctor")} shows whether it answers.`,
      room: PAGE_FIRST,
      endpoint: OPERATOR_LATER,
    }),
  },
  "tool.backend.timeout.outcome_unknown": {
    message: "The request to {operation} went out, but the answer was lost: it may or may not have worked.",
    recovery: "Try again. A second attempt does no harm.",
    recoveryOfWrite: byReader({ model: "Look at the status before doing it again.", room: PAGE_FIRST }),
  },
  "tool.backend.timeout.submit_outcome_unknown": {
    message:
      "The answer to the submit was lost: the negotiation may exist. This backend can neither list nor cancel it, and its text may be broadcast in about five minutes.",
    recovery: byReader({
      model: "Tell the person. The same demand is refused for ten minutes unless allow_duplicate is given.",
      person: say`The same demand is refused for ten minutes unless allow_duplicate=true is added. What is known of it: ${command("list")}`,
      room: "The same demand is refused for ten minutes.",
    }),
  },
  "tool.backend.timeout.registration_outcome_unknown": {
    message: "The answer to the registration was lost: the profile may be stored.",
    recovery: "Send the same again: nothing is stored twice, and the answer says if the agent is there already.",
  },
  "tool.backend.timeout.scene_outcome_unknown": {
    message: "The answer was lost: the scene may exist.",
    recovery: "Look for it among the scenes first: creating it again might make a second one with the same name.",
  },
  "tool.backend.invalid.not_json": {
    message: "Something other than the backend answered (not JSON): perhaps a proxy or a login page.",
    recovery: say`Check the address, and what is in between: ${command("doctor")}`,
  },
  "tool.backend.invalid.not_towow": {
    message: "What answers at {address} does not look like a Towow network: it answers {status}, and not in JSON.",
    recovery: say`Check the address (${command("doctor")}), or choose another network: ${command("network")}`,
  },
  "tool.backend.invalid.not_http": {
    message: "What answers at {origin} does not speak HTTP.",
    recovery: byReader({
      model: say`Ask the person to correct the address, https or http and the port included: ${command("network")}`,
      person: say`Correct the address, https or http and the port included: ${command("network")}`,
    }),
  },
  "tool.backend.invalid.cut_body": {
    message: "The connection to the backend broke before its answer was complete.",
    recovery: "Try again in a moment.",
    recoveryOfWrite: byReader({ model: "Find out whether it took effect before you call again.", room: PAGE_FIRST }),
  },
  "tool.backend.invalid.wrong_shape": {
    message: "Asked to {operation}, the backend gave an answer this version does not understand (at {field}).",
    recovery: say`Check the backend's address and its version: ${command("doctor")}`,
  },
  "tool.backend.invalid.too_large": {
    message: "The backend's answer is too large.",
    recovery: say`Check the backend's address: ${command("doctor")}`,
  },
  "tool.backend.invalid.redirect": {
    message: "The backend redirects elsewhere ({target}); the token is not sent there.",
    recovery: say`Set the final address yourself: ${command("network")}`,
  },
  "tool.backend.conflict.unexpected": {
    message: "Asked to {operation}, the backend answered with status {status}.",
    recovery: "Read the detail before you go on.",
  },
  "tool.backend.internal.unexpected": {
    message: "Something went wrong in this program.",
    recovery: byReader({
      model: say`Try once more; if it happens again, report it with the output of: ${command("doctor")}`,
      room: "Try once more. If it happens again, report it.",
      endpoint: ASK_OPERATOR,
    }),
    recoveryOfWrite: byReader({
      model: say`Find out whether it took effect before you call again, and report it with the output of: ${command("doctor")}`,
      room: PAGE_FIRST,
      endpoint: OPERATOR_LATER,
    }),
  },
  "tool.backend.internal.output_invalid": {
    message: "The result of {tool} does not have the shape it promises.",
    recovery: byReader({ model: say`Report it with the output of: ${command("doctor")}`, room: "Report it." }),
  },
} satisfies Record<string, ErrorText>;
