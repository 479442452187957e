import { TowowError } from "../errors.ts";
import { toIsoSeconds } from "../home/iso-time.ts";
import type { Told } from "./says.ts";

/** The profile forbids writing. Params: `tool`, `profile`. */
export class ProfileForbids extends TowowError {
  readonly code = "tool.policy.blocked.profile";
}

/** A decision came for a negotiation that somebody has already decided (contract §6, "one decision"). */
export class AlreadyDecided extends TowowError {
  readonly code = "tool.negotiation.conflict.already_decided";
}

/** The confirmation id is unknown, used, or belongs to another negotiation or another text. */
export class ConfirmationMismatch extends TowowError {
  readonly code = "tool.negotiation.invalid.confirmation_id";
}

/** The program ends while a call waits: the negotiation goes on, or its pause has been withdrawn. */
export class ShuttingDown extends TowowError {
  readonly code = "tool.negotiation.unavailable.shutting_down";
}

/** A yes to a text that shows nothing: nothing is decided. Params, where a call can go on: `tool`, `negotiation_id`, `confirmation_id`. */
export class TextEmpty extends TowowError {
  readonly code = "tool.negotiation.invalid.confirmed_text_empty";
}

/** A yes to the shown text came with another text: nothing is decided. Params: `tool`, `negotiation_id`, `confirmation_id`. */
export class TwoTexts extends TowowError {
  readonly code = "tool.negotiation.invalid.two_texts";
}

/** The negotiation is not waiting for a decision (any more). */
export class NotWaiting extends TowowError {
  readonly code = "tool.negotiation.conflict.not_waiting";
}

/** The negotiation is another backend's: nothing about it is sent to this one (contract §3). Params: `host`. */
export class OtherBackend extends TowowError {
  readonly code = "tool.negotiation.not_found.other_backend";
}

/** An identical demand was sent a short time ago and its answer was lost: it may exist. */
export class SubmitOutcomeOpen extends TowowError {
  readonly code = "tool.negotiation.conflict.submit_outcome_open";
}

/** You have no negotiation yet. */
export class NoNegotiation extends TowowError {
  readonly code = "tool.negotiation.not_found.none_yet";
}

/** `args`: of the command with which the person does it in a terminal; `page`: of one that is open in their browser. */
type OwnHandParams = { args: string; page?: "open" | undefined; negotiation_id?: string | undefined };

/** What only a person's own hand does. */
export abstract class NeedsOwnHand extends TowowError {
  constructor({ args, page, negotiation_id }: OwnHandParams) {
    super({ args, ...(page && { page }), ...(negotiation_id !== undefined && { negotiation_id }) });
  }
}

/** Of a decision about a text that waits. */
export const byConfirm = (negotiation_id: string) => ({ args: `confirm ${negotiation_id}`, negotiation_id });

/** This policy wants a person's own hand, and the client has no way to ask one. */
export class HumanSurfaceRequired extends NeedsOwnHand {
  readonly code = "tool.policy.blocked.confirmation_required";
}

/** It is shown whole in no form of this client, and never leaves unseen. */
export class InNoForm extends NeedsOwnHand {
  readonly code = "tool.policy.blocked.in_no_form";
}

/** A model has read text of other agents: without a surface its word alone neither sends nor decides. */
export class TaintedByOthers extends NeedsOwnHand {
  readonly code = "tool.policy.blocked.tainted";
}

/** No program of this home submitted it, so only a person's own hand decides about it. */
export class NotSubmittedHere extends NeedsOwnHand {
  readonly code = "tool.policy.blocked.not_submitted_here";
}

/** The same at an endpoint, whose person is elsewhere and signs in on a page. Params: `url`, which alone decides nothing. */
export class DecideOnPage extends TowowError {
  readonly code = "tool.policy.blocked.decide_on_page";
}

/** A no is written down, and could not be sent yet: it goes again until the backend has it. Params: `negotiation_id`. */
export class NoOnItsWay extends TowowError {
  readonly code = "tool.negotiation.unavailable.no_on_its_way";
}

/** Says what came of it, by whom, and when; `now`: where nobody knows when, it is seen now. Times in ms since the epoch. */
export const alreadyDecidedBy = (negotiation_id: string, { as, by, at }: Told, now: number): AlreadyDecided =>
  new AlreadyDecided({ negotiation_id, decision: as, decided_by: by, decided_at: toIsoSeconds(at ?? now) });
