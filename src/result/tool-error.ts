import { isKnownDetail } from "../backend/known-details.ts";
import { roughDuration } from "../duration.ts";
import { TowowError } from "../errors.ts";
import { stripInvisible } from "../safety/invisible.ts";
import { sanitizeLine } from "../safety/sanitize/foreign.ts";
import { sanitizePage } from "../safety/sanitize/full-text.ts";
import { isOrder } from "../safety/sanitize/instructions.ts";
import { SANITIZE_DEFAULTS } from "../safety/sanitize/options.ts";
import type { Texts } from "../text/index.ts";
import { joinList } from "../text/join.ts";
import { decisionIn, operationIn } from "../text/params.ts";
import { reasonIn } from "../text/reasons.ts";
import { atOnce } from "../turn.ts";

/** When it can help to try the same call again: never, always, or only if repeating it does no harm. */
type Retry = "no" | "yes" | "if_idempotent";

interface CodeRule {
  retry: Retry;
  /** The tools to go on with. A tool that cannot be called now is left out of a result. */
  next: readonly string[];
}

const rule = (retry: Retry, ...next: string[]): CodeRule => ({ retry, next });
const STATUS = ["towow_status", "towow_get_negotiation"];
const SCENES = ["towow_list_scenes"];

/**
 * The table of all error codes (agent layer §2). The sentences are in `text/`, and the page about errors in docs is
 * generated from both.
 */
export const ERROR_CODES: Readonly<Record<keyof Texts["errors"], CodeRule>> = {
  "tool.input.invalid.arguments": rule("no"),
  "tool.input.invalid.line": rule("no"),
  "tool.input.invalid.argument_missing": rule("no"),
  "tool.input.invalid.unknown_argument": rule("no"),
  "tool.input.invalid.unknown_tool": rule("no"),
  "tool.input.invalid.intent_empty": rule("no", "towow_demand", "towow_submit_demand"),
  "tool.input.invalid.intent_too_long": rule("no", "towow_demand", "towow_submit_demand"),
  "tool.input.invalid.text_too_long": rule("no"),
  "tool.input.invalid.ill_formed": rule("no"),
  "tool.input.invalid.skills_not_a_list": rule("no", "towow_join", "towow_register_agent"),
  "tool.input.invalid.id_malformed": rule("no", ...STATUS),
  "tool.input.invalid.address": rule("no", "towow_docs_list"),
  "tool.input.invalid.cursor": rule("no", "towow_list_scenes", "towow_list_agents"),
  "tool.input.invalid.join_incomplete": rule("no", "towow_join"),
  "tool.input.not_found.missing_inputs": rule("no"),
  "tool.input.invalid.demand_incomplete": rule("no", "towow_demand", "towow_status"),
  "tool.input.invalid.yes_missing": rule("no"),
  "tool.input.invalid.rejected_by_backend": rule("no"),
  "tool.scene.not_found.unknown_scene": rule("no", ...SCENES, "towow_join"),
  "tool.scene.not_found.no_match": rule("no", "towow_join"),
  "tool.scene.conflict.ambiguous": rule("no", "towow_join"),
  "tool.scene.not_found.none_joined": rule("no", "towow_join"),
  "tool.scene.unavailable.cannot_list": rule("no", "towow_join"),
  "tool.agent.conflict.already_registered": rule("no", "towow_demand", "towow_submit_demand"),
  "tool.agent.conflict.registration_unclear": rule("no", "towow_demand", "towow_submit_demand"),
  "tool.negotiation.not_found.unknown_negotiation": rule("no", "towow_status"),
  "tool.negotiation.not_found.other_backend": rule("no", "towow_status"),
  "tool.negotiation.not_found.none_yet": rule("no", "towow_demand"),
  "tool.negotiation.invalid.unknown_action": rule("no", "towow_action"),
  "tool.negotiation.invalid.confirmation_id": rule("no", "towow_demand", "towow_confirm"),
  "tool.negotiation.invalid.confirmed_text_empty": rule("no", "towow_demand", "towow_confirm"),
  "tool.negotiation.invalid.two_texts": rule("no", "towow_demand", "towow_confirm"),
  "tool.negotiation.conflict.already_decided": rule("no", ...STATUS),
  "tool.negotiation.conflict.not_waiting": rule("no", ...STATUS),
  "tool.negotiation.conflict.not_formulated": rule("no", ...STATUS),
  "tool.negotiation.conflict.engine_not_waiting": rule("yes", ...STATUS),
  "tool.negotiation.conflict.already_completed": rule("no", ...STATUS),
  "tool.negotiation.conflict.several_open": rule("no"),
  "tool.negotiation.unavailable.shutting_down": rule("no", "towow_status"),
  "tool.negotiation.unavailable.no_on_its_way": rule("no", ...STATUS),
  "tool.negotiation.conflict.submit_outcome_open": rule("no", "towow_status"),
  "tool.policy.blocked.confirmation_required": rule("no", "towow_status"),
  "tool.policy.blocked.not_passed_on": rule("no", "towow_status"),
  "tool.policy.blocked.in_no_form": rule("no", "towow_join", "towow_register_agent"),
  "tool.policy.blocked.tainted": rule("no", "towow_status"),
  "tool.policy.blocked.too_many_windows": rule("no", "towow_join", "towow_register_agent"),
  "tool.policy.blocked.decide_on_page": rule(
    "no",
    "towow_join",
    "towow_register_agent",
    "towow_create_scene",
    "towow_action",
  ),
  "tool.policy.blocked.not_submitted_here": rule("no", "towow_status"),
  "tool.policy.blocked.inactive_tool": rule("no", "towow_set_mode"),
  "tool.policy.blocked.inactive_toolset": rule("no", "towow_status"),
  "tool.policy.blocked.tool_left_out": rule("no", "towow_status"),
  "tool.policy.blocked.reference_unseen": rule("no", "towow_demand"),
  "tool.policy.blocked.mode_pinned": rule("no"),
  "tool.policy.blocked.profile": rule("no"),
  "tool.policy.blocked.offline": rule("no"),
  "tool.policy.blocked.dry_run": rule("no"),
  "tool.policy.blocked.terminal_needed": rule("no"),
  "tool.config.invalid.unknown_tool_name": rule("no"),
  "tool.config.invalid.backend_url_missing": rule("no"),
  "tool.config.invalid.value": rule("no"),
  "tool.config.invalid.network": rule("no"),
  "tool.config.invalid.unfilled": rule("no"),
  "tool.config.invalid.serve_option": rule("no"),
  "tool.config.invalid.serve_host": rule("no"),
  "tool.config.invalid.unknown_key": rule("no"),
  "tool.config.blocked.http_refused": rule("no"),
  "tool.config.invalid.file": rule("no"),
  "tool.config.invalid.file_encoding": rule("no"),
  "tool.config.invalid.newer_version": rule("no"),
  "tool.config.invalid.home": rule("no"),
  "tool.config.unavailable.home_unwritable": rule("no"),
  "tool.config.unavailable.port": rule("no"),
  "tool.config.unavailable.mock_data": rule("no"),
  "tool.config.unavailable.sandbox": rule("yes"),
  "tool.config.invalid.sandbox_not_shared": rule("no"),
  "tool.config.unavailable.store": rule("yes"),
  "tool.config.invalid.proxy": rule("no"),
  "tool.config.invalid.relative_path": rule("no"),
  "tool.config.timeout.locked": rule("yes"),
  "tool.config.invalid.unknown_client": rule("no"),
  "tool.config.invalid.client_scope": rule("no"),
  "tool.config.invalid.client_endpoint": rule("no"),
  "tool.config.invalid.endpoint_address": rule("no"),
  "tool.config.invalid.client_config_syntax": rule("no"),
  "tool.config.invalid.client_config_shape": rule("no"),
  "tool.config.unavailable.client_config": rule("no"),
  "tool.config.conflict.client_config_changed": rule("no"),
  "tool.config.conflict.client_entry": rule("no"),
  "tool.config.conflict.newer_copy": rule("no"),
  "tool.config.unavailable.program_copy": rule("no"),
  "tool.config.unavailable.program_files": rule("no"),
  "tool.config.unavailable.client_command": rule("no"),
  "tool.config.unavailable.working_folder": rule("no"),
  "tool.config.blocked.secret_argument": rule("no"),
  "tool.config.invalid.own_key": rule("no"),
  "tool.config.invalid.identity_key": rule("no"),
  "tool.config.not_found.browser": rule("no"),
  "tool.config.unavailable.report_file": rule("no"),
  "tool.config.blocked.report_link": rule("no"),
  "tool.budget.blocked.negotiations": rule("no", "towow_status"),
  "tool.budget.blocked.backend_requests": rule("no"),
  "tool.auth.unauthorized.token_rejected": rule("no"),
  "tool.auth.unavailable.token": rule("yes"),
  "tool.auth.unavailable.not_issued": rule("no"),
  "tool.auth.blocked.forbidden": rule("no"),
  "tool.auth.blocked.dry_run": rule("no"),
  "tool.backend.unavailable.unreachable": rule("yes"),
  "tool.backend.blocked.connection": rule("no"),
  "tool.backend.unavailable.route_missing": rule("no"),
  "tool.backend.unavailable.server_error": rule("if_idempotent"),
  "tool.backend.unavailable.rate_limited": rule("yes"),
  "tool.backend.unavailable.new_tokens": rule("yes"),
  "tool.backend.timeout.read": rule("if_idempotent"),
  "tool.backend.timeout.outcome_unknown": rule("if_idempotent", ...STATUS),
  "tool.backend.timeout.submit_outcome_unknown": rule("no", "towow_status"),
  "tool.backend.timeout.registration_outcome_unknown": rule("yes", "towow_list_agents"),
  "tool.backend.timeout.scene_outcome_unknown": rule("no", "towow_list_scenes"),
  "tool.backend.invalid.not_json": rule("no"),
  "tool.backend.invalid.not_towow": rule("no"),
  "tool.backend.invalid.not_http": rule("no"),
  "tool.backend.invalid.cut_body": rule("if_idempotent"),
  "tool.backend.invalid.wrong_shape": rule("no"),
  "tool.backend.invalid.too_large": rule("no"),
  "tool.backend.invalid.redirect": rule("no"),
  "tool.backend.conflict.unexpected": rule("no", ...STATUS),
  "tool.backend.internal.unexpected": rule("if_idempotent"),
  "tool.backend.internal.output_invalid": rule("no"),
};

export type ErrorCode = keyof typeof ERROR_CODES;

/** The call with which to go on. The call can be made as it is, and then neither sends nor decides anything. */
export interface ResumeWith {
  tool: string;
  params: Record<string, unknown>;
  /**
   * What to ask the person for, such as the argument that carries their decision, or their consent to what they were
   * shown.
   */
  needs?: string[];
  /** The arguments that the AI adds, either from this result or from what it wrote itself. */
  pass_back?: string[];
  /** The cost of the call. Given only if the failed call was blocked. */
  cost?: Cost;
}

interface Cost {
  backend_reads: number;
  backend_writes: number;
  negotiations: number;
}

export interface ToolError {
  code: string;
  message: string;
  detail?: string;
  recovery_suggestion: string;
  next_steps: string[];
  can_retry: boolean;
  retry_after_seconds?: number;
  resume_with?: ResumeWith;
  /** The cost of the blocked call itself. Given only if there is no call with which to go on. */
  cost?: Cost;
}

/**
 * Returns the options for one line of the backend's own words or of names, at most `columns` long. The line keeps no
 * markup that runs and no personal data.
 */
const lineOf = (columns: number) => ({
  ...SANITIZE_DEFAULTS,
  limits: { ...SANITIZE_DEFAULTS.limits, nameChars: columns },
});
const DETAIL = lineOf(300);
const NAMES = lineOf(1_200);
const MAX_PARAM_LENGTH = 2_000;
const isCode = (code: string): code is ErrorCode => code in ERROR_CODES;

/**
 * The writes that have an error code of their own if their answer is lost, because the status of a negotiation cannot
 * show whether they took effect.
 */
const LOST: Readonly<Record<string, ErrorCode>> = {
  submitDemand: "tool.backend.timeout.submit_outcome_unknown",
  registerAgent: "tool.backend.timeout.registration_outcome_unknown",
  createScene: "tool.backend.timeout.scene_outcome_unknown",
};

function codeOf(error: unknown): ErrorCode {
  if (!(error instanceof TowowError)) return "tool.backend.internal.unexpected";
  const lost = LOST[String(error.params.operation)];
  if (error.code === "tool.backend.timeout.outcome_unknown" && lost !== undefined) return lost;
  return isCode(error.code) ? error.code : "tool.backend.internal.unexpected";
}

/**
 * Turns any failure into the error that a model and a person read. The error says how to go on, and holds no stack
 * trace and no secret.
 */
export function toToolError(
  error: unknown,
  { texts, idempotent, callable }: { texts: Texts; idempotent: boolean; callable: (tool: string) => boolean },
): ToolError {
  const code = codeOf(error);
  const { message, recovery, recoveryOfWrite = recovery, recoveryLater, recoveryOnPage } = texts.errors[code];
  const { retry, next } = ERROR_CODES[code];
  const canRetry = retry === "yes" || (retry === "if_idempotent" && idempotent);
  const known = error instanceof TowowError ? error : undefined;
  const values = known ?? { params: {}, foreignParams: [] };
  const seconds = known?.retryAfterSeconds;
  const again = known?.params.page === "open" && recoveryOnPage !== undefined ? recoveryOnPage : recoveryOfWrite;
  return {
    code,
    message: fill(message, values, texts),
    ...(known?.detail && { detail: detailOf(known.detail, known.detailFrom) }),
    recovery_suggestion:
      seconds !== undefined && recoveryLater !== undefined
        ? recoveryLater.replace("{wait}", roughDuration(seconds * 1000, texts.lang))
        : fill(canRetry ? recovery : again, values, texts),
    next_steps: next.filter(callable),
    can_retry: canRetry,
    ...(seconds !== undefined && { retry_after_seconds: seconds }),
  };
}

/** Returns one sentence that says what happened, but not what to do about it. */
export const messageOf = (error: unknown, texts: Texts): string =>
  toToolError(error, { texts, idempotent: false, callable: () => false }).message;

function detailOf(detail: string, from: TowowError["detailFrom"]): string {
  if (from === "text") return atOnce(sanitizePage(detail, SANITIZE_DEFAULTS)).value;
  if (from === "program") return oneLine(detail, MAX_PARAM_LENGTH);
  return sanitizeLine(detail, from === "names" ? NAMES : DETAIL).value;
}

/**
 * Returns whether others wrote the detail of a failure, so that the detail must be fenced. Details of the backend
 * that this server knows need no fence.
 */
export const isForeignDetail = (error: unknown): boolean =>
  error instanceof TowowError &&
  error.detail !== undefined &&
  error.detailFrom !== "program" &&
  !isKnownDetail(error.detail, error.params);

/**
 * Returns whether the detail may hold text of other agents. Names do not count, because they are cut to a maximum
 * length.
 */
export const holdsOthersText = (error: unknown): boolean =>
  isForeignDetail(error) && (error as TowowError).detailFrom !== "names";

/** The params that are codes, by name, each with the function that puts them into words. */
const WORDS: Readonly<Record<string, typeof reasonIn>> = {
  operation: operationIn,
  reason: reasonIn,
  problem: reasonIn,
  decision: decisionIn,
  decided_by: decisionIn,
};

/** Puts the params into a sentence. A missing param reads as "?", so that nobody ever sees a template. */
const fill = (
  sentence: string,
  { params, foreignParams }: Pick<TowowError, "params" | "foreignParams">,
  { lang }: Texts,
): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
    const given = params[name] ?? "?";
    const value = typeof given === "object" ? joinList(given, lang) : String(given);
    const known = WORDS[name]?.(lang, value);
    if (known !== undefined) return known;
    return foreignParams.includes(name) ? wordsOnly(value) : oneLine(value, MAX_PARAM_LENGTH);
  });

/**
 * Keeps the parts of a list that are a single word, such as a field's name, an address or a code. Any other part
 * becomes "…", and is only found in the detail.
 */
const wordsOnly = (text: string): string =>
  text
    .slice(0, MAX_PARAM_LENGTH)
    .split(", ")
    .map((word) => (/^[!-~]{1,80}$/.test(word) && !isOrder(word) ? word : "…"))
    .map((word) => sanitizeLine(word, SANITIZE_DEFAULTS).value)
    .join(", ");

/**
 * Puts text that others may have written on one line, because a line of its own could pass for one of this server's
 * lines.
 */
const oneLine = (text: string, longest: number): string =>
  stripInvisible(text).replaceAll(/\s+/g, " ").slice(0, longest).toWellFormed();
