import { TowowError } from "../errors.ts";
import { toIsoSeconds } from "../home/iso-time.ts";
import type { OwnHandReason } from "../question/who.ts";
import { isBlank } from "../safety/invisible.ts";
import type { Told } from "./says.ts";

/** A decision came for a negotiation that somebody has already decided (contract §6, "one decision"). */
export class AlreadyDecided extends TowowError {
  readonly code = "tool.negotiation.conflict.already_decided";
}

/** A yes to a text that shows nothing: nothing is decided. Params, where a call can go on: `tool`, `negotiation_id`, `confirmation_id`. */
export class TextEmpty extends TowowError {
  readonly code = "tool.negotiation.invalid.confirmed_text_empty";
}

/** A yes to a text that no UTF-8 can carry: nothing is decided. Params: `field`, and as above. */
export class TextIllFormed extends TowowError {
  readonly code = "tool.input.invalid.ill_formed";
}

/** What no yes can send. `params`: as above. @throws TextEmpty, TextIllFormed */
export function refuseUnsendable(text: string, params: TowowError["params"] = {}): void {
  if (!text.isWellFormed()) throw new TextIllFormed({ field: "confirmed_text", ...params });
  if (isBlank(text)) throw new TextEmpty(params);
}

/** A yes to the shown text came with another text: nothing is decided. Params: `tool`, `negotiation_id`, `confirmation_id`. */
export class TwoTexts extends TowowError {
  readonly code = "tool.negotiation.invalid.two_texts";
}

/** `args`: of the command with which the person does it in a terminal; `page`: of one that is open in their browser. */
type OwnHandParams = { args: string; page?: "open" | undefined; negotiation_id?: string | undefined };

/** What only a person's own hand does. */
export class NeedsOwnHand extends TowowError {
  readonly code: string;
  constructor(why: OwnHandReason | "in_no_form", { args, page, negotiation_id }: OwnHandParams) {
    super({ args, ...(page && { page }), ...(negotiation_id !== undefined && { negotiation_id }) });
    this.code = OWN_HAND_CODES[why];
  }
}

const OWN_HAND_CODES = {
  /** This policy wants a person's own hand, and the client has no way to ask one. */
  strict: "tool.policy.blocked.confirmation_required",
  /** A model has read text of other agents: without a surface its word alone neither sends nor decides. */
  tainted: "tool.policy.blocked.tainted",
  /** The client's sign-in does not let its AI pass on a yes. */
  not_passed_on: "tool.policy.blocked.not_passed_on",
  /** No program of this home submitted it. */
  not_own: "tool.policy.blocked.not_submitted_here",
  /** It is shown whole in no form of this client, and never leaves unseen. */
  in_no_form: "tool.policy.blocked.in_no_form",
};

/** Of a decision about a text that waits. */
export const byConfirm = (negotiation_id: string) => ({ args: `confirm ${negotiation_id}`, negotiation_id });

/** Says what came of it, by whom, and when; `now`: where nobody knows when, it is seen now. Times in ms since the epoch. */
export const alreadyDecidedBy = (negotiation_id: string, { as, by, at }: Told, now: number): AlreadyDecided =>
  new AlreadyDecided({ negotiation_id, decision: as, decided_by: by, decided_at: toIsoSeconds(at ?? now) });
