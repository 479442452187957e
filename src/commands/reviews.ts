import type { Io } from "../app/io.ts";
import type { Runtime, RuntimeOptions } from "../app/runtime.ts";
import type { Negotiation } from "../backend/contract.ts";
import { ignoreTowowError, TowowError } from "../errors.ts";
import { toIsoSeconds } from "../home/iso-time.ts";
import { type Risk, reviewReasons, riskOf, summarise, unreadReasons } from "../negotiation/describe.ts";
import type { Listed } from "../negotiation/records.ts";
import { findRisks, type Review, type Verdict } from "../negotiation/risks.ts";
import { messageOf } from "../result/tool-error.ts";
import { textsForPerson } from "../text/index.ts";
import { reviewTexts } from "../text/reviews.ts";
import { atTerminal } from "./home.ts";
import { printJson, printText } from "./print.ts";
import { typedLine } from "./terminal.ts";
import { withRuntime } from "./with-runtime.ts";

interface ListedReview extends Review {
  summary: string;
  risks: Risk[];
  /** One sentence for each code, which says why the negotiation waits for a second look. */
  reasons: string[];
}

/** The most negotiations that are listed at once, because nobody looks at more. */
const MAX_LISTED = 50;
const READS_AT_ONCE = 8;
const READ_TIMEOUT_MS = 4_000;

/**
 * `towow-mcp reviews [id]` shows the negotiations that the person should look at a second time, and takes their answers in a
 * terminal (seed 003 §5). The exit status is 1 if an answer is missing, and otherwise 0.
 */
export async function reviews({
  id,
  json,
  ...options
}: RuntimeOptions & { id?: string | undefined; json?: boolean | undefined }): Promise<void> {
  await withRuntime({ ...options, fallbackBackend: { negotiationId: id } }, (runtime) =>
    goThrough(runtime, id, json === true),
  );
}

/**
 * Lists the negotiations that wait for the person's second look, or only the named negotiation. `listed` holds the first {@link
 * MAX_LISTED} of them, with reasons.
 */
export async function waitingReviews(
  runtime: Runtime,
  id?: string,
): Promise<{ waiting: Review[]; listed: ListedReview[] }> {
  const { negotiations } = runtime.account();
  if (id === undefined) await noteUnread(runtime);
  const unread = id === undefined ? undefined : await noteOne(id, runtime);
  const pending = id === undefined ? await negotiations.reviews.pending() : [await negotiations.reviews.of(id)];
  const waiting = pending.filter((review) => review !== undefined);
  if (unread !== undefined && waiting.length === 0) throw unread;
  const listed: ListedReview[] = [];
  for (const review of waiting.slice(0, MAX_LISTED)) listed.push(await withReasons(review, runtime));
  return { waiting, listed };
}

async function goThrough(runtime: Runtime, id: string | undefined, json: boolean): Promise<number> {
  const { io } = runtime;
  const { negotiations } = runtime.account();
  const refused = runtime.live.problem();
  if (refused !== undefined) throw refused; // Negotiations at a wrong address cannot be seen.
  const texts = reviewTexts(runtime.live.current().lang);
  const { waiting, listed } = await waitingReviews(runtime, id);
  if (json)
    await printJson(
      io,
      { reviews: listed.map(({ at, reasons: _, ...rest }) => ({ ...rest, since: toIsoSeconds(at) })) },
      2,
    );
  else if (waiting.length === 0) await printText(io, `${texts.none}\n`);
  let open = waiting.length;
  for (const one of json ? [] : listed) {
    await printText(io, `\n${reviewText(one)}\n`);
    if (!atTerminal(io)) continue;
    const verdict = await askHere(io, texts.ask);
    if (verdict === undefined) continue;
    await negotiations.reviews.answer(one.negotiation_id, one.codes, verdict, "terminal");
    await printText(io, `${texts.noted}\n`);
    open -= 1;
  }
  if (!json && waiting.length > listed.length) await printText(io, `\n${texts.more(waiting.length - listed.length)}\n`);
  return open > 0 ? 1 : 0;
}

export const reviewText = ({ negotiation_id, summary, reasons }: ListedReview): string =>
  [`${negotiation_id} · ${summary}`, ...reasons.map((reason) => `  ! ${reason}`)].join("\n");

/**
 * Reads the newest negotiations, because a negotiation that nobody has read yet may need the person's second look too. A
 * negotiation that the backend does not return soon is left out.
 */
async function noteUnread(runtime: Runtime): Promise<void> {
  const { negotiations, ...account } = runtime.account();
  const fits = ({ ended }: Listed) => ended?.as !== "rejected" && ended?.as !== "gone";
  const newest = await negotiations.records({ count: MAX_LISTED, fits });
  const backend = await account.backend().catch(ignoreTowowError);
  if (backend === undefined) return;
  for (let from = 0; from < newest.length; from += READS_AT_ONCE)
    await Promise.all(
      newest.slice(from, from + READS_AT_ONCE).map(async ({ negotiation_id }) => {
        const seen = await backend
          .getNegotiation(negotiation_id, { timeoutMs: READ_TIMEOUT_MS })
          .catch(ignoreTowowError);
        if (seen !== undefined) await noteReasons(seen, runtime);
      }),
    );
}

/** Reads one negotiation. Returns the error if it could not be read, and leaves the reasons that were noted before. */
async function noteOne(id: string, runtime: Runtime): Promise<TowowError | undefined> {
  try {
    await noteReasons(await runtime.account().negotiations.get(id), runtime);
    return undefined;
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    return error;
  }
}

/** Writes down why a negotiation needs the person's second look. */
async function noteReasons(negotiation: Negotiation, { account, live }: Runtime): Promise<void> {
  const { negotiations } = account();
  const said = negotiations.says(await negotiations.stage(negotiation.negotiation_id, negotiation), negotiation);
  const { low_resonance: lowScore } = live.current();
  await negotiations.reviews.note({ said, evidence: negotiations.evidence(negotiation), lowScore });
}

/** Adds what the backend shows of the negotiation now, or why the backend does not answer. */
async function withReasons(review: Review, { account, live }: Runtime): Promise<ListedReview> {
  const { negotiations } = account();
  const texts = textsForPerson(live.current().lang);
  try {
    const negotiation = await negotiations.recent(review.negotiation_id, 10_000);
    const said = negotiations.says(await negotiations.stage(review.negotiation_id, negotiation), negotiation);
    const { low_resonance: lowScore } = live.current();
    const found = findRisks({ said, evidence: negotiations.evidence(negotiation), lowScore });
    const risks = found.filter(({ code }) => review.codes.includes(code));
    return {
      ...review,
      summary: summarise(said, texts),
      risks: risks.map((one) => riskOf(one, said, texts)),
      reasons: reviewReasons(review.codes, found, said, texts),
    };
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    return { ...review, summary: messageOf(error, texts), risks: [], reasons: unreadReasons(review.codes, texts) };
  }
}

const VERDICTS: ReadonlyMap<string, Verdict> = new Map([
  ["f", "fine"],
  ["fine", "fine"],
  ["c", "concern"],
  ["concern", "concern"],
]);

/** Asks for a verdict. Ctrl-C, Ctrl-D and any word that is no verdict mean later, so the result is undefined. */
async function askHere(io: Io, question: string): Promise<Verdict | undefined> {
  const answer = (await typedLine(io, () => question)) ?? "";
  return VERDICTS.get(answer.trim().toLowerCase());
}
