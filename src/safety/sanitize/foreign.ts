import type { AgentSummary, Negotiation, Participant, Scene, SceneSummary } from "../../backend/contract.ts";
import { atOnce, inTurns, type Steps } from "../../turn.ts";
import { offerUri, planUri } from "../resource-uris.ts";
import { sanitizeJson } from "./json.ts";
import {
  addFindings,
  type Findings,
  MAX_OFFER_CHARS,
  MAX_SHOWN,
  noFindings,
  type Sanitized,
  type SanitizeOptions,
  sanitized,
} from "./options.ts";
import { sanitizeId, sanitizeName, sanitizeText, sanitizeWord } from "./text.ts";

/** Cleans one line that others wrote, such as a scene's name in a summary. The line is cut to the length of a name. */
export function sanitizeLine(text: string, options: SanitizeOptions): Sanitized<string> {
  const found = noFindings();
  return sanitized(sanitizeName(text, options.limits.nameChars, options, found), found);
}

/** Cleans a demand or a plan by others, which has several lines. The text is cut to the length of a plan. */
export async function sanitizePlan(text: string, options: SanitizeOptions): Promise<Sanitized<string>> {
  const found = noFindings();
  const { limits, redactPii } = options;
  const clean = await inTurns(sanitizeText(text, limits.planChars, { redactPii }, found));
  return sanitized(clean.text, found);
}

/**
 * Cleans a negotiation before a model reads it (agent layer §4). Ids stay exact. `meta.truncated_paths` names what
 * was cut, each with the resource that holds the whole. The result has at most 200 participants, and at most 64,000
 * graphemes of all their offers.
 */
export function sanitizeNegotiation(n: Negotiation, options: SanitizeOptions): Sanitized<Negotiation> {
  return atOnce(cleaning(n, options));
}

/**
 * Caches the cleaned negotiations with the options that they were cleaned with. A negotiation that is read again
 * unchanged is the same object.
 */
const cleaned = new WeakMap<Negotiation, { under: string; clean: Sanitized<Negotiation> }>();

/**
 * Cleans a negotiation like {@link sanitizeNegotiation}, and calls `turn` between two passes over a text, so that
 * other work can run. Nobody may change the result, because it is cached.
 */
export async function sanitizeInTurns(
  n: Negotiation,
  options: SanitizeOptions,
  turn: () => Promise<void>,
): Promise<Sanitized<Negotiation>> {
  const under = JSON.stringify(options);
  const known = cleaned.get(n);
  if (known?.under === under) return known.clean;
  const clean = await inTurns(cleaning(n, options), turn);
  cleaned.set(n, { under, clean });
  return clean;
}

function* cleaning(n: Negotiation, options: SanitizeOptions): Steps<Sanitized<Negotiation>> {
  const found = noFindings();
  const { limits, redactPii } = options;
  const paths: Record<string, string> = {};
  const id = (text: string) => sanitizeId(text, limits.nameChars, found);
  function* part<T>(path: string, whole: string | undefined, clean: (found: Findings) => Steps<T>): Steps<T> {
    const own = noFindings();
    const value = yield* clean(own);
    if (own.truncated && whole !== undefined) paths[path] = whole;
    addFindings(found, own);
    yield;
    return value;
  }
  const negotiation_id = id(n.negotiation_id);
  if (Math.max(n.participants.length, n.sub_session_ids.length) > MAX_SHOWN) found.truncated = true;
  yield;
  const participants: Participant[] = [];
  for (const [i, p] of n.participants.slice(0, MAX_SHOWN).entries()) {
    const uri = wholeOffer(negotiation_id, p.agent_id, id(p.agent_id));
    const left = MAX_OFFER_CHARS - found.spent;
    participants.push(yield* part(`/participants/${i}`, uri, (own) => sanitizeParticipant(p, left, options, own)));
  }
  const plan = n.plan_output;
  function* demand(text: string): Steps<string> {
    return (yield* sanitizeText(text, limits.planChars, { redactPii }, found)).text;
  }
  const value: Negotiation = {
    ...n,
    negotiation_id,
    state: sanitizeWord(n.state, limits.nameChars, { redactPii }, found),
    demand_raw: yield* demand(n.demand_raw),
    demand_formulated: n.demand_formulated === null ? null : yield* demand(n.demand_formulated),
    participants,
    plan_output:
      plan &&
      (yield* part("/plan_output", planUri(negotiation_id), (own) =>
        sanitizeText(plan, limits.planChars, { redactPii }, own),
      )).text,
    parent_negotiation_id: n.parent_negotiation_id && id(n.parent_negotiation_id),
    sub_session_ids: n.sub_session_ids.slice(0, MAX_SHOWN).map(id),
  };
  const clean = sanitized(value, found);
  return Object.keys(paths).length === 0 ? clean : { ...clean, meta: { ...clean.meta, truncated_paths: paths } };
}

/**
 * Returns the address of an agent's whole offer. Undefined if the id is not shown as it is, because it held a secret
 * or something invisible.
 */
const wholeOffer = (negotiationId: string, agentId: string, shown: string): string | undefined =>
  shown === agentId ? offerUri(negotiationId, agentId) : undefined;

/** Cleans a participant. `left` is how many graphemes the offers of a result may still use. */
function* sanitizeParticipant(
  p: Participant,
  left: number,
  options: SanitizeOptions,
  found: Findings,
): Steps<Participant> {
  const { limits, redactPii } = options;
  const name = (text: string) => sanitizeName(text, limits.nameChars, { redactPii }, found);
  const agent_id = sanitizeId(p.agent_id, limits.nameChars, found);
  const json = (value: unknown) =>
    sanitizeJson(value, Math.min(limits.offerChars, Math.max(1, left - found.spent)), options, found);
  return {
    agent_id,
    display_name: name(p.display_name) || agent_id,
    resonance_score: p.resonance_score,
    state: sanitizeWord(p.state, limits.nameChars, { redactPii }, found),
    offer_content: (yield* json(p.offer_content)) ?? null,
    offer_capabilities: p.offer_capabilities && ((yield* json(p.offer_capabilities)) as string[]),
  };
}

/** The fields of a scene or agent in a list that other calls need unchanged. */
const IDS = new Set(["scene_id", "agent_id", "organizer_id"]);
const LONG = new Set(["description"]);

/**
 * Cleans one scene or agent of a list. Ids stay exact, and names are put on one line. Descriptions are cut to the
 * length of an offer or, with `isBrief`, of a name.
 */
export function* sanitizeListedItem<T extends Scene | SceneSummary | AgentSummary>(
  item: T,
  options: SanitizeOptions,
  isBrief = false,
): Steps<Sanitized<T>> {
  const found = noFindings();
  const { limits, redactPii } = options;
  function* field(key: string, value: unknown): Steps<unknown> {
    if (typeof value !== "string") return yield* sanitizeJson(value, limits.offerChars, options, found);
    if (IDS.has(key)) return sanitizeId(value, limits.nameChars, found);
    if (LONG.has(key) && !isBrief) return (yield* sanitizeText(value, limits.offerChars, { redactPii }, found)).text;
    return sanitizeName(value, limits.nameChars, { redactPii }, found);
  }
  const clean: [string, unknown][] = [];
  for (const [key, value] of Object.entries(item)) clean.push([key, yield* field(key, value)]);
  return sanitized(Object.fromEntries(clean) as T, found);
}
