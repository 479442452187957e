import { requireHistoryFolder } from "../app/history-folder.ts";
import { createRuntime, type RuntimeOptions } from "../app/runtime.ts";
import { toIsoSeconds } from "../home/iso-time.ts";
import { SANDBOX } from "../home/origin.ts";
import { requireBackend } from "../home/settings.ts";
import type { LostSubmit } from "../negotiation/submit.ts";
import { localTime } from "../terminal/local-time.ts";
import type { Style } from "../terminal/paint.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { ellipsis } from "../terminal/wrap.ts";
import { textsForPerson } from "../text/index.ts";
import { type NegotiationsTexts, negotiationsTexts } from "../text/negotiations.ts";
import { type Outline, remembered } from "./negotiations/outline.ts";
import { printJson } from "./print.ts";
import { Printer, terminalOf } from "./printer.ts";

/**
 * `towow-mcp list` shows the person's negotiations at the configured backend, newest first. The command only reads, and decides
 * nothing.
 */
export async function list({
  lines,
  json,
  ...options
}: RuntimeOptions & { lines: number; json?: boolean }): Promise<void> {
  const { io } = options;
  const runtime = await createRuntime({ ...options, fallbackBackend: { negotiationId: undefined } });
  try {
    const refused = runtime.live.problem();
    if (refused !== undefined) throw refused;
    requireHistoryFolder(runtime.config.home);
    const { lang } = requireBackend(runtime.live.current());
    const { origin } = runtime.account();
    const { known: found, lost } = await remembered(runtime, lines);
    if (json)
      return void printJson(
        io,
        { backend: origin, negotiations: found.map(asJson), answers_lost: lost.map(lostAsJson) },
        2,
      );
    const printer = new Printer(terminalOf(io.stdout, io.env));
    const texts = negotiationsTexts(lang);
    if (lost.length > 0) printLost(lost, printer, texts);
    if (found.length === 0) return lost.length > 0 ? undefined : printer.text(texts.list.none);
    if (lost.length > 0) printer.gap();
    if (!found.some(({ hasAnswered }) => hasAnswered)) printer.text(texts.list.noAnswer, { style: "yellow" });
    for (const [i, outline] of found.entries()) {
      if (i > 0) printer.gap();
      printOutline(outline, printer, texts);
    }
    printToDecide(found, printer, texts);
    if (origin !== SANDBOX) return;
    printer.gap();
    printer.text(textsForPerson(lang).sandbox.what, { style: "dim" });
  } finally {
    await runtime.close("leave");
  }
}

/** Prints the submits whose outcome is unknown, and what can be done about them. */
function printLost(lost: readonly LostSubmit[], printer: Printer, { list: texts }: NegotiationsTexts): void {
  for (const { at, sceneId } of lost) {
    printer.line(`${printer.style("yellow", "?")} ${printer.style("bold", texts.lost)}`);
    printer.text(texts.lostAt(localTime(at), sceneId), { first: "  ", style: "dim" });
  }
  printer.text(texts.lostMeans, { first: "  " });
  printer.text(texts.lostAgain, { first: "  " });
  printer.line("  towow-mcp call towow_demand intent='…'");
}

/** Prints the command to type for each negotiation that waits. */
function printToDecide(found: readonly Outline[], printer: Printer, { list: texts }: NegotiationsTexts): void {
  const waiting = found.filter(({ kind }) => kind === "waiting");
  if (waiting.length === 0) return;
  printer.gap();
  printer.text(texts.decide);
  for (const { id } of waiting) printer.line(`  towow-mcp confirm ${shellWord(id)}`);
}

const SIGNS: Readonly<Record<Outline["kind"], readonly [string, Style]>> = {
  waiting: ["●", ["bold", "yellow"]],
  open: ["…", "cyan"],
  plan: ["✓", "green"],
  over: ["–", "dim"],
  unknown: ["?", "dim"],
};

/** The sign of a plan without an offer, or of a plan that the person did not want. */
const UNWANTED: readonly [string, Style] = ["!", "yellow"];

/**
 * Prints a negotiation in three lines or more: the demand, where it stands and by when to decide, and the id with the
 * time.
 */
export function printOutline(outline: Outline, printer: Printer, { list: texts }: NegotiationsTexts): void {
  const { id, kind, deadline, demand, sentence, submittedAt, sceneId } = outline;
  const [sign, style] = kind === "plan" && !outline.hasSucceeded ? UNWANTED : SIGNS[kind];
  const title = ellipsis(demand ?? texts.unknown, printer.width - 2);
  printer.line(`${printer.style(style, sign)} ${printer.style("bold", title)}`);
  printer.text(sentence, { first: "  " });
  if (deadline !== undefined) printer.text(deadline, { first: "  ", style: "yellow" });
  printer.text(texts.id(id, localTime(submittedAt), sceneId), { first: "  ", style: "dim" });
}

const lostAsJson = ({ at, sceneId }: LostSubmit) => ({ sent_at: toIsoSeconds(at), scene_id: sceneId ?? null });

const asJson = ({ id, sceneId, submittedAt, decideBy, sentence, ...outline }: Outline) => ({
  negotiation_id: id,
  scene_id: sceneId ?? null,
  submitted_at: toIsoSeconds(submittedAt),
  decide_by: decideBy === undefined ? null : toIsoSeconds(decideBy),
  state: outline.state ?? null,
  stage: outline.stage,
  kind: outline.kind,
  offers: outline.offers ?? null,
  demand: outline.demand ?? null,
  summary: sentence,
  warnings: outline.warnings,
});
