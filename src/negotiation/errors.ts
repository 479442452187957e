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
 * Somebody said yes to a text without any visible character, so nothing is decided. If another call can follow, the
 * params are `tool`, `negotiation_id` and `confirmation_id`.
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

/**
 * Refuses a text that no yes can send. `params` are those of {@link TextEmpty}.
 * @throws TextEmpty, TextIllFormed
 */
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
 * `args` are the arguments of the command with which the person decides in a terminal. `page` says that a page is open
 * in their browser.
 */
type OwnHandParams = { args: string; page?: "open" | undefined; negotiation_id?: string | undefined };

/** Only the person themselves may do this, on a page or in a terminal, so nothing is decided. The code says why. */
export class NeedsOwnHand extends TowowError {
  readonly code: string;
  constructor(why: OwnHandReason | "in_no_form", { args, page, negotiation_id }: OwnHandParams) {
    super({ args, ...(page && { page }), ...(negotiation_id !== undefined && { negotiation_id }) });
    this.code = OWN_HAND_CODES[why];
  }
}

const OWN_HAND_CODES = {
  /** The policy wants the person to decide themselves, and the client has no way to ask a person. */
  strict: "tool.policy.blocked.confirmation_required",
  /**
   * A model has read text by other agents, so its word alone, without a surface, neither sends nor decides anything.
   */
  tainted: "tool.policy.blocked.tainted",
  /** The client's sign-in does not let its AI pass on a yes. */
  not_passed_on: "tool.policy.blocked.not_passed_on",
  /** No program of this home submitted the demand. */
  not_own: "tool.policy.blocked.not_submitted_here",
  /** No form of this client shows the whole text, and a text that the person has not seen is never sent. */
  in_no_form: "tool.policy.blocked.in_no_form",
};

/** Returns the params of an error about a text that waits for its decision. */
export const byConfirm = (negotiation_id: string) => ({ args: `confirm ${negotiation_id}`, negotiation_id });

/**
 * Returns the error that says what was decided, by whom and when, and what came of the decision. `now` stands in for an
 * unknown time. Times are in ms since the epoch.
 */
export const alreadyDecidedBy = (negotiation_id: string, { as, by, at }: Told, now: number): AlreadyDecided =>
  new AlreadyDecided({ negotiation_id, decision: as, decided_by: by, decided_at: toIsoSeconds(at ?? now) });
