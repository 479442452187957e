import type { ErrorText } from "./error-text.ts";

/** What the backend answered, or did not. */
export const backendEn = {
  "tool.auth.unauthorized.token_rejected": {
    message: "The backend does not accept this token, and a new one did not help.",
    recovery: "Ask the person to check the token for this backend: towow-mcp whoami",
  },
  "tool.auth.unavailable.token": {
    message: "The backend gave no token ({reason}). Nothing else was sent.",
    recovery: "Try again in a moment; towow-mcp doctor shows what the backend answers.",
  },
  "tool.auth.unavailable.not_issued": {
    message: "{host} gives out no tokens.",
    recovery: "Ask its operator how new people join.",
  },
  "tool.auth.blocked.dry_run": {
    message: "A dry run gets no token, and none here fits this backend, so nothing can be read from it.",
    recovery: "Ask the person to set profile to live for one call: it gets a token for later dry runs.",
  },
  "tool.auth.blocked.forbidden": {
    message: "The backend does not allow this.",
    recovery: "Ask the person whether this account may do it: towow-mcp whoami",
  },
  "tool.backend.unavailable.unreachable": {
    message: "The backend at {origin} cannot be reached ({reason}). The request was not sent.",
    recovery: "Check that it runs (towow-mcp doctor) and try again, or change the address: towow-mcp network",
  },
  "tool.backend.blocked.connection": {
    message: "No connection was made to {origin}: {reason}. The request was not sent.",
    recovery: "Ask the person to see what to change: towow-mcp doctor",
  },
  "tool.backend.unavailable.route_missing": {
    message: "This backend cannot {operation}.",
    recovery: "Go on without it, or check the address: towow-mcp doctor shows what this backend can do.",
  },
  "tool.backend.unavailable.server_error": {
    message: "The backend failed ({status}) when asked to {operation}.",
    recovery: "Try again in a moment; towow-mcp doctor shows whether it recovers.",
    recoveryOfWrite:
      "Find out whether it took effect before you call again; towow-mcp doctor shows whether it recovers.",
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
    recovery: "Try again in a moment; towow-mcp doctor shows whether it answers.",
    recoveryOfWrite:
      "Find out whether it took effect before you call again; towow-mcp doctor shows whether it answers.",
  },
  "tool.backend.timeout.outcome_unknown": {
    message: "The request to {operation} went out, but the answer was lost: it may or may not have worked.",
    recovery: "Try again. A second attempt does no harm.",
    recoveryOfWrite: "Look at the status before doing it again.",
  },
  "tool.backend.timeout.submit_outcome_unknown": {
    message:
      "The answer to the submit was lost: the negotiation may exist. This backend can neither list nor cancel it, and its text may be broadcast in about five minutes.",
    recovery: "Tell the person. The same demand is refused for ten minutes unless allow_duplicate is given.",
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
    recovery: "Check the address, and what is in between: towow-mcp doctor",
  },
  "tool.backend.invalid.not_towow": {
    message: "What answers at {address} does not look like a Towow network: it answers {status}, and not in JSON.",
    recovery: "Check the address (towow-mcp doctor), or choose another network: towow-mcp network",
  },
  "tool.backend.invalid.not_http": {
    message: "What answers at {origin} does not speak HTTP.",
    recovery: "Ask the person to correct the address, https or http and the port included: towow-mcp network",
  },
  "tool.backend.invalid.cut_body": {
    message: "The connection to the backend broke before its answer was complete.",
    recovery: "Try again in a moment.",
    recoveryOfWrite: "Find out whether it took effect before you call again.",
  },
  "tool.backend.invalid.wrong_shape": {
    message: "Asked to {operation}, the backend gave an answer this version does not understand (at {field}).",
    recovery: "Check the backend's address and its version: towow-mcp doctor",
  },
  "tool.backend.invalid.too_large": {
    message: "The backend's answer is too large.",
    recovery: "Check the backend's address: towow-mcp doctor",
  },
  "tool.backend.invalid.redirect": {
    message: "The backend redirects elsewhere ({target}); the token is not sent there.",
    recovery: "Set the final address yourself: towow-mcp network",
  },
  "tool.backend.conflict.unexpected": {
    message: "Asked to {operation}, the backend answered with status {status}.",
    recovery: "Read the detail before you go on.",
  },
  "tool.backend.internal.unexpected": {
    message: "Something went wrong in this program.",
    recovery: "Try once more; if it happens again, report it with the output of: towow-mcp doctor",
    recoveryOfWrite:
      "Find out whether it took effect before you call again, and report it with the output of: towow-mcp doctor",
  },
  "tool.backend.internal.output_invalid": {
    message: "The result of {tool} does not have the shape it promises.",
    recovery: "Report it with the output of: towow-mcp doctor",
  },
} satisfies Record<string, ErrorText>;
