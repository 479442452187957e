import type { Negotiation } from "../../backend/contract.ts";
import { collect, sourcesOf } from "../../report/collect.ts";
import type { Dossier } from "../../report/dossier.ts";
import type { Sanitized, SanitizedMeta, SanitizeOptions } from "../../safety/sanitize/options.ts";
import type { Warning } from "../../text/warnings.ts";
import { turn } from "../../turn.ts";
import type { ToolContext } from "../define.ts";
import { sanitizing } from "../fields.ts";
import { InvalidArguments } from "../validate.ts";

/** The maximum number of negotiations in one result. Each costs a request to the backend. */
const MAX_NEGOTIATIONS = 10;
/** The maximum size of all participants together as JSON, in UTF-16 units. A single negotiation is never refused. */
const MAX_TEXT = 1_500_000;
/** The number of graphemes of an offer that are compared. The whole offer has an address of its own. */
const OFFER_CHARS = 1_000;

interface Dossiers {
  dossiers: Dossier[];
  warnings: Warning[];
  meta: SanitizedMeta;
}

/**
 * Reads each negotiation once, for the tools that compare and merge.
 * @throws InvalidArguments, and what the backend answered
 */
export async function readDossiers(argument: string, ids: readonly string[], ctx: ToolContext): Promise<Dossiers> {
  const wanted = [...new Set(ids)];
  if (wanted.length > MAX_NEGOTIATIONS)
    throw new InvalidArguments("tool.input.invalid.arguments", {
      field: argument,
      problem: ctx.texts.tooManyNegotiations(MAX_NEGOTIATIONS),
    });
  const negotiations = await readTogether(argument, wanted, ctx);
  const dossiers: Dossier[] = [];
  const warnings = new Set<Warning>();
  let meta: SanitizedMeta = {};
  for (const negotiation of negotiations) {
    const clean = await dossierFrom(negotiation, { ...ctx, options: optionsOf(ctx) });
    dossiers.push(clean.value);
    // The warning about a cut offer is left out, because the whole offer can be read at its own address.
    for (const code of clean.warnings) if (code !== "truncated_output") warnings.add(code);
    if (clean.meta.redaction_applied) meta = { redaction_applied: true };
  }
  return { dossiers, warnings: [...warnings], meta };
}

/**
 * Reads all negotiations and checks their size before any is cleaned, because cleaning takes about a second for a
 * million characters.
 * @throws InvalidArguments if the negotiations are too large together
 */
async function readTogether(argument: string, ids: readonly string[], ctx: ToolContext): Promise<Negotiation[]> {
  const read: Negotiation[] = [];
  let length = 0;
  for (const id of ids) {
    const negotiation = await ctx.negotiations.get(id);
    length += JSON.stringify(negotiation.participants).length;
    if (length > MAX_TEXT && read.length > 0)
      throw new InvalidArguments("tool.input.invalid.arguments", {
        field: argument,
        problem: ctx.texts.tooLargeTogether(read.length),
      });
    read.push(negotiation);
    await turn();
  }
  return read;
}

interface DossierDeps extends Pick<ToolContext, "negotiations" | "settings" | "texts" | "now" | "timeOfDay"> {
  options: SanitizeOptions;
}

/**
 * Reads one negotiation from the backend, or its final state from memory if it is finished, and builds its dossier.
 * @throws what the backend answered
 */
export const readDossier = async (id: string, deps: DossierDeps): Promise<Sanitized<Dossier>> =>
  dossierFrom(await deps.negotiations.get(id), deps);

async function dossierFrom(
  negotiation: Negotiation,
  { negotiations, settings, texts, now, timeOfDay: timeOf, options }: DossierDeps,
): Promise<Sanitized<Dossier>> {
  const reader = { ownId: settings.user_id, observedAt: now(), texts, lowScore: settings.low_resonance, timeOf };
  return collect(await sourcesOf(negotiation, negotiations, reader), options);
}

function optionsOf(ctx: ToolContext): SanitizeOptions {
  const options = sanitizing(ctx);
  return { ...options, limits: { ...options.limits, offerChars: Math.min(OFFER_CHARS, options.limits.offerChars) } };
}
