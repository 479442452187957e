import { TowowError } from "../errors.ts";
import { toIsoSeconds } from "../home/iso-time.ts";
import type { OwnHandReason } from "../question/who.ts";
import { isBlank } from "../safety/invisible.ts";
import type { Told } from "./says.ts";

/** A decision came for a negotiation that somebody has already decided (contract §6, "one decision"). */
export class AlreadyDecided extends TowowError {
  readonly code = "tool.negotiation.conflict.already_decided";
}

/**
 * Somebody said yes to a text that shows nothing, so nothing is decided. If a call can go on, the params are `tool`,
 * `negotiation_id` and `confirmation_id`.
 */
export class TextEmpty extends TowowError {
  readonly code = "tool.negotiation.invalid.confirmed_text_empty";
}

/**
 * Somebody said yes to a text that UTF-8 cannot carry, so nothing is decided. The params are `field` and those of
 * {@link TextEmpty}.
 */
export class TextIllFormed extends TowowError {
  readonly code = "tool.input.invalid.ill_formed";
}

/** Refuses a text that no yes can send, with the params of {@link TextEmpty}. @throws TextEmpty, TextIllFormed */
export function refuseUnsendable(text: string, params: TowowError["params"] = {}): void {
  if (!text.isWellFormed()) throw new TextIllFormed({ field: "confirmed_text", ...params });
  if (isBlank(text)) throw new TextEmpty(params);
}

/**
 * A yes to the shown text came together with another text, so nothing is decided. The params are `tool`,
 * `negotiation_id` and `confirmation_id`.
 */
export class TwoTexts extends TowowError {
  readonly code = "tool.negotiation.invalid.two_texts";
}

/**
 * `args` are those of the command with which the person does it in a terminal; `page` is a page that is open in their
 * browser.
 */
type OwnHandParams = { args: string; page?: "open" | undefined; negotiation_id?: string | undefined };

/** Only a person's own hand does this. */
export class NeedsOwnHand extends TowowError {
  readonly code: string;
  constructor(why: OwnHandReason | "in_no_form", { args, page, negotiation_id }: OwnHandParams) {
    super({ args, ...(page && { page }), ...(negotiation_id !== undefined && { negotiation_id }) });
    this.code = OWN_HAND_CODES[why];
  }
}

const OWN_HAND_CODES = {
  /** The policy wants a person's own hand, and the client has no way to ask a person. */
  strict: "tool.policy.blocked.confirmation_required",
  /** A model has read text by other agents, so without a surface its word alone neither sends nor decides anything. */
  tainted: "tool.policy.blocked.tainted",
  /** The client's sign-in does not let its AI pass on a yes. */
  not_passed_on: "tool.policy.blocked.not_passed_on",
  /** No program of this home submitted it. */
  not_own: "tool.policy.blocked.not_submitted_here",
  /** No form of this client shows the text whole, and it never leaves unseen. */
  in_no_form: "tool.policy.blocked.in_no_form",
};

/** The params of a decision about a text that waits. */
export const byConfirm = (negotiation_id: string) => ({ args: `confirm ${negotiation_id}`, negotiation_id });

/**
 * Says what came of the decision, whose it was, and when. Where nobody knows when, `now` is taken. Times are in ms
 * since the epoch.
 */
export const alreadyDecidedBy = (negotiation_id: string, { as, by, at }: Told, now: number): AlreadyDecided =>
  new AlreadyDecided({ negotiation_id, decision: as, decided_by: by, decided_at: toIsoSeconds(at ?? now) });
