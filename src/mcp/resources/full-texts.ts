import { ResourceNotFoundError } from "@modelcontextprotocol/server";
import { toIsoSeconds } from "../../home/iso-time.ts";
import { fitData } from "../../result/fit-data.ts";
import { MAX_RESULT_TOKENS } from "../../result/tokens.ts";
import { fence } from "../../safety/fence.ts";
import { negotiationUri } from "../../safety/resource-uris.ts";
import { sanitizeInTurns } from "../../safety/sanitize/foreign.ts";
import { sanitizePage, writeOffer } from "../../safety/sanitize/full-text.ts";
import { SANITIZE_DEFAULTS, sanitizeOptions } from "../../safety/sanitize/options.ts";
import { evidenceInResult, holdsTexts } from "../../tools/evidence-in-result.ts";
import { holdsOthersText } from "../../tools/negotiation-in-result.ts";
import { inTurns, turn } from "../../turn.ts";
import { pageAt, pagesOf } from "../text-pages.ts";
import { type Contents, negotiationsOf, type Reading } from "./reading.ts";

/** Reads a negotiation as it is now for this user. The negotiation is sanitized and cut as in a tool's result. */
export async function readNegotiation(reading: Reading): Promise<Contents> {
  const { ids, settings } = reading;
  const id = ids.negotiation_id ?? "";
  const negotiations = negotiationsOf(reading);
  const negotiation = await negotiations.get(id);
  const stage = await negotiations.stage(id, negotiation);
  const { value, warnings } = await sanitizeInTurns(negotiation, sanitizeOptions(settings), turn);
  const { text, _meta } = fitting(value, warnings, reading);
  return {
    text,
    holdsOthersText: holdsOthersText(negotiation, stage) || warnings.includes("suspicious_instructions"),
    _meta,
  };
}

/** Cuts data so that its JSON fits every client, even if `towow_docs_read` returns that JSON as a text. */
function fitting(whole: object, known: readonly string[], { deps }: Reading) {
  // The rest is room for the JSON's spaces and its quoting.
  const { value, cut } = fitData({ ...whole }, MAX_RESULT_TOKENS * 0.8, new Set());
  const warnings = cut.length === 0 ? known : [...new Set([...known, "truncated_output"])];
  const _meta = { "towow/warnings": warnings, ...(cut.length > 0 && { "towow/truncated": cut }) };
  return { text: fence(JSON.stringify(value, null, 1), deps.boundary), _meta };
}

/** Reads what the backend's live events have said about the negotiation so far and its answers do not show. */
export async function readEvidence(reading: Reading): Promise<Contents> {
  const { uri, ids, settings, texts } = reading;
  const negotiations = negotiationsOf(reading);
  const negotiation = await negotiations.get(ids.negotiation_id ?? "");
  const shown = await evidenceInResult(negotiations.evidence(negotiation), sanitizeOptions(settings));
  if (shown === undefined) throw new ResourceNotFoundError(uri, texts.unknown);
  return {
    ...fitting(shown.value, shown.warnings, reading),
    holdsOthersText: holdsTexts(shown.value) || shown.warnings.includes("suspicious_instructions"),
  };
}

/** Reads a plan in full, as the backend holds it now for this user. */
export async function readPlan(reading: Reading): Promise<Contents> {
  const { plan_output } = await negotiationsOf(reading).get(reading.ids.negotiation_id ?? "");
  if (plan_output === null) throw new ResourceNotFoundError(reading.uri, reading.texts.unknown);
  return paged(reading, plan_output);
}

/** Reads one agent's offer in full, with the agent's name and capabilities. */
export async function readOffer(reading: Reading): Promise<Contents> {
  const { ids } = reading;
  const { participants } = await negotiationsOf(reading).get(ids.negotiation_id ?? "");
  const participant = participants.find(({ agent_id }) => agent_id === ids.agent_id);
  if (participant === undefined) throw new ResourceNotFoundError(reading.uri);
  const { value, warnings } = await inTurns(writeOffer(participant, optionsOf(reading)));
  return paged(reading, value, warnings);
}

const optionsOf = ({ settings }: Reading) => ({ ...SANITIZE_DEFAULTS, redactPii: settings.redact_pii });

/** Returns the requested page, cleaned and fenced as in a tool's result, with the address of the next page. */
async function paged(reading: Reading, whole: string, known: readonly string[] = []): Promise<Contents> {
  await turn();
  const pages = pagesOf(whole);
  await turn();
  const { text: raw, above, place } = pageAt(reading, pages);
  const { value: text, warnings: found } = await inTurns(sanitizePage(raw, optionsOf(reading)));
  const warnings = [...new Set([...known, ...found])];
  return {
    text: [
      ...above,
      ...(warnings.length > 0 ? [`warnings: ${warnings.join(", ")}`] : []),
      fence(text, reading.deps.boundary),
    ].join("\n"),
    holdsOthersText: true,
    _meta: { "towow/page": place, "towow/warnings": warnings },
  };
}

/**
 * Lists the results that the person should look at a second time (seed 003 §5). Only the person can close a review, and
 * the sentence in `about` says how.
 */
export async function readReviews({ deps, settings }: Reading): Promise<Contents> {
  const pending = await deps.account().negotiations.reviews.pending();
  const reviews = pending.map(({ negotiation_id, at, codes }) => ({
    negotiation_id,
    since: toIsoSeconds(at),
    codes,
    uri: negotiationUri(negotiation_id),
  }));
  const text = JSON.stringify({ reviews, about: deps.textsOf(settings.lang).note.review_pending }, null, 1);
  return { text, holdsOthersText: false };
}
