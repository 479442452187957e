import { TowowError } from "../errors.ts";
import { toIsoSeconds } from "../home/iso-time.ts";
import type { OwnHandReason } from "../question/who.ts";
import type { Told } from "./says.ts";

/** A decision came for a negotiation that somebody has already decided (contract §6, "one decision"). */
export class AlreadyDecided extends TowowError {
  readonly code = "tool.negotiation.conflict.already_decided";
}

/** A yes to a text that shows nothing: nothing is decided. Params, where a call can go on: `tool`, `negotiation_id`, `confirmation_id`. */
export class TextEmpty extends TowowError {
  readonly code = "tool.negotiation.invalid.confirmed_text_empty";
}

/** A yes to the shown text came with another text: nothing is decided. Params: `tool`, `negotiation_id`, `confirmation_id`. */
export class TwoTexts extends TowowError {
  readonly code = "tool.negotiation.invalid.two_texts";
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
class HumanSurfaceRequired extends NeedsOwnHand {
  readonly code = "tool.policy.blocked.confirmation_required";
}

/** It is shown whole in no form of this client, and never leaves unseen. */
export class InNoForm extends NeedsOwnHand {
  readonly code = "tool.policy.blocked.in_no_form";
}

/** A model has read text of other agents: without a surface its word alone neither sends nor decides. */
class TaintedByOthers extends NeedsOwnHand {
  readonly code = "tool.policy.blocked.tainted";
}

/** No program of this home submitted it, so only a person's own hand decides about it. */
class NotSubmittedHere extends NeedsOwnHand {
  readonly code = "tool.policy.blocked.not_submitted_here";
}

const OWN_HAND_ERRORS = { strict: HumanSurfaceRequired, tainted: TaintedByOthers, not_own: NotSubmittedHere };

/** Why a word was not enough, with the way that there is. */
export const ownHandError = (why: OwnHandReason, params: OwnHandParams): NeedsOwnHand =>
  new OWN_HAND_ERRORS[why](params);

/** Says what came of it, by whom, and when; `now`: where nobody knows when, it is seen now. Times in ms since the epoch. */
export const alreadyDecidedBy = (negotiation_id: string, { as, by, at }: Told, now: number): AlreadyDecided =>
  new AlreadyDecided({ negotiation_id, decision: as, decided_by: by, decided_at: toIsoSeconds(at ?? now) });
