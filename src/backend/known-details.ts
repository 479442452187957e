import type { TowowError } from "../errors.ts";
import { SENT_FIELDS } from "./contract.ts";

/**
 * The sentences of the recorded engine, its framework and a proxy in front of it, word for word. A name in braces is a param of
 * the error, and stands only for an id, an agent or an action that this program has itself sent.
 */
const SENTENCES = [
  "Not Found",
  "Not authenticated",
  "Invalid or expired token",
  "Negotiation {negotiation_id} not found",
  "Scene {scene_id} not found",
  "Agent {agent_id} already registered in scene",
  "Negotiation already completed",
  "Engine is not waiting for confirmation",
  "Engine is not waiting for confirmation (may have timed out)",
  "Unknown action: {action}",
];
const STATES = "created|formulating|formulated|encoding|offering|barrier_waiting|synthesizing|completed";
const NOT_FORMULATED = new RegExp(
  `^cannot confirm: negotiation is in state (?:${STATES})(?:, expected 'formulated')?$`,
  "i",
);

/** The fields of this program's own requests. A detail holds `field: problem` for each, as this program joins them. */
const FIELDS = [...SENT_FIELDS, "body"];
const PROBLEMS = [
  "field required",
  "none is not an allowed value",
  "value is not a valid (?:dict|list|integer|float)",
  "str type expected",
  "input should be a valid (?:string|dictionary|list|integer|number)",
];
const FAULT = `(?:${FIELDS.join("|")}): (?:${PROBLEMS.join("|")})`;
const FAULTS = new RegExp(`^${FAULT}(?:; ${FAULT})*$`, "i");

/** A status line, either plain or as the page of a common proxy. */
const PHRASE =
  "(?:[45]\\d\\d )?(?:Bad Request|Unauthorized|Forbidden|Method Not Allowed|Request Entity Too Large|Too Many Requests|Internal Server Error|Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out)";
const STATUS = new RegExp(`^${PHRASE}(?: ${PHRASE})*(?: (?:nginx|openresty|cloudflare)(?:/[\\d.]{1,12})?)?$`, "i");

/** The tags of a common proxy's page. Other tags might hold words. */
const TAGS = /<!doctype html>|<\/?(?:html|head|title|body(?: bgcolor="white")?|center|h1|hr|p) ?\/?>/gi;

/** Returns whether a failure's detail holds nothing that others could have put into it. */
export function isKnownDetail(detail: string, params: TowowError["params"]): boolean {
  if (SENTENCES.some((sentence) => same(filled(sentence, params), detail))) return true;
  if (NOT_FORMULATED.test(detail) || FAULTS.test(detail)) return true;
  return STATUS.test(detail.replace(TAGS, " ").replace(/\s+/g, " ").trim());
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const filled = (sentence: string, params: TowowError["params"]): string =>
  sentence.replace(/\{(\w+)\}/, (_, name: string) => String(params[name] ?? "{}"));
