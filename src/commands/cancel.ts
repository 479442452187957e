import type { Runtime, RuntimeOptions } from "../app/runtime.ts";
import { isStrict } from "../ask/decision-path.ts";
import { isFreeToStop, stageNow } from "../ask/stop.ts";
import type { Negotiation } from "../backend/contract.ts";
import { Failure } from "../errors.ts";
import { requireBackend } from "../home/settings.ts";
import { tell } from "../negotiation/describe.ts";
import { NeedsOwnHand } from "../negotiation/errors.ts";
import { isKnown } from "../negotiation/records.ts";
import { whyOwnHand } from "../question/who.ts";
import { textsForPerson } from "../text/index.ts";
import { negotiationsTexts } from "../text/negotiations.ts";
import type { EndingGroup } from "../view/course.ts";
import { tellFailure } from "./failure.ts";
import { atTerminal, typedYes } from "./home.ts";
import { printOutline } from "./list.ts";
import { type Outline, outlines, outlinesOf } from "./negotiations/outline.ts";
import { Printer, terminalOf } from "./printer.ts";
import { withRuntime } from "./with-runtime.ts";

/** How many of the newest negotiations are searched for open ones. */
const MAX_READ = 50;

interface CancelOptions extends RuntimeOptions {
  id?: string | undefined;
  yes?: boolean;
}

/**
 * `towow-mcp cancel [id]` stops one of the person's negotiations, decided or not, after one question. The exit status is 0 if
 * the negotiation is stopped or none is open, 1 if it is not stopped, and 2 if nobody can be asked.
 */
export async function cancel({ id, yes = false, ...options }: CancelOptions): Promise<void> {
  const { io } = options;
  const work = (runtime: Runtime) => {
    const refused = runtime.live.problem();
    if (refused !== undefined) throw refused;
    const printer = new Printer(terminalOf(io.stdout, io.env));
    return cancelOne(runtime, id, yes, printer);
  };
  await withRuntime({ ...options, fallbackBackend: { negotiationId: id } }, work, "leave");
}

async function cancelOne(runtime: Runtime, wanted: string | undefined, yes: boolean, printer: Printer) {
  const { io } = runtime;
  const { negotiations } = runtime.account();
  const { lang } = requireBackend(runtime.live.current());
  const texts = negotiationsTexts(lang);
  if (wanted !== undefined) {
    await negotiations.refuseOtherBackend(wanted);
    if (!isKnown(await negotiations.facts(wanted))) {
      await negotiations.get(wanted); // Throws if the backend knows no such negotiation.
      throw new Failure("tool.negotiation.conflict.not_waiting", { negotiation_id: wanted });
    }
  }
  const found =
    wanted === undefined ? (await outlines(runtime, MAX_READ)).filter(isOpen) : await outlinesOf(runtime, [wanted]);
  const [it] = found;
  if (it === undefined) {
    printer.text(texts.cancel.none);
    return 0;
  }
  for (const outline of found) printOutline(outline, printer, texts);
  if (found.length > 1) throw new Failure("tool.negotiation.conflict.several_open");
  const { id, end, fate } = it;
  if (it.isBeingWithdrawn) return 0;
  if (end !== undefined) {
    printer.text(texts.cancel.over);
    return STOPPED.includes(end) ? 0 : 1;
  }
  // The person has already said no, so this command only sends that no again.
  const isSaidAlready = fate?.of === "no" && fate.isPersons;
  if (!yes && !isSaidAlready && !atTerminal(io)) {
    await tellFailure(io, new Failure("tool.input.invalid.yes_missing", { command: `cancel ${id}` }), lang);
    return 2;
  }
  if (!yes && !isSaidAlready && !(await typedYes(io, `\n${texts.cancel.ask}`, texts.cancel.yes))) {
    printer.text(texts.cancel.kept);
    return 1;
  }
  const negotiation = await (atTerminal(io) ? negotiations.cancel(id, "terminal") : cancelUnattended(runtime, id));
  const stage = await negotiations.stage(id, negotiation);
  printer.text(tell(negotiations.says(stage, negotiation), textsForPerson(lang)));
  return 0;
}

/** The endings that a person who cancels wants. */
const STOPPED: readonly EndingGroup[] = ["withdrawn", "cancelled"];

const isOpen = (one: Outline): boolean => one.kind === "waiting" || one.isUnderWay;

/**
 * Cancels without a terminal. A model can run a script that says `--yes`, so here `--yes` counts only as an AI's word. An
 * undecided demand can always be taken back. A broadcast demand is stopped only if an AI's word is enough (contract §6).
 * @throws NeedsOwnHand if an AI's word is not enough, and the backend's own errors
 */
async function cancelUnattended({ account, live, deps }: Runtime, id: string): Promise<Negotiation> {
  const { negotiations } = account();
  const { stage } = await stageNow(id, negotiations);
  if (isFreeToStop(stage)) return negotiations.cancel(id, "argument", { onlyUndecided: true });
  const isTainted = await deps.session.taint.isTainted(false);
  const given = { isStrict: isStrict(live.current()), isTainted };
  const why = whyOwnHand(stage.isOwn ? "stop" : "others_stop", { surface: "argument" }, given);
  if (why !== undefined && stage.name !== "over")
    throw new NeedsOwnHand(why, { args: `cancel ${id}`, negotiation_id: id });
  return negotiations.cancel(id, "argument"); // Throws if the negotiation is over.
}
