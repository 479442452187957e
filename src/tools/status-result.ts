import { deadlineIn } from "../ask/choose-surface.ts";
import { howToDecide } from "../ask/pause-result.ts";
import type { Negotiation } from "../backend/contract.ts";
import { ignoreTowowError } from "../errors.ts";
import { sentencesOf, summarise } from "../negotiation/describe.ts";
import type { Stage } from "../negotiation/stage.ts";
import { negotiationUri } from "../safety/resource-uris.ts";
import type { Parts } from "../session/shown-marks.ts";
import { joinLines } from "../text/join.ts";
import type { ToolContext } from "./define.ts";
import { isSame, partsOf, shortView } from "./status-view.ts";
import { type WholeStatus, wholeStatus } from "./status-whole.ts";

interface Wanted {
  view: "summary" | "full" | undefined;
  /** The wait ended without what it was for. */
  waitedInVain: boolean;
  /** What opened it is over: it stays as it is. */
  isStopped: boolean;
}

/** The result of a status: all of it, or what is new since this session was given it last. */
export async function statusResult(negotiation: Negotiation, stage: Stage, wanted: Wanted, ctx: ToolContext) {
  const id = negotiation.negotiation_id;
  const { shown, isOwned } = ctx.session;
  // Before what is owed to the person is taken: from there on nothing may fail.
  const before = isOwned ? await shown.parts(ctx.origin, id) : undefined;
  const whole = await wholeStatus(negotiation, stage, wanted.isStopped, ctx);
  const given = await givenOf(whole, { id, before, view: wanted.view }, ctx);
  const { isNews, isShort } = given;
  const others = whole.result.data.open.filter(({ negotiation_id }) => negotiation_id !== id);
  const where = summarise(whole.said, ctx.texts);
  const { status } = ctx.texts;
  const lines = [
    isNews ? where : status.unchanged(where),
    ...sentencesOf(whole.codesToSay.filter(given.isUnsaid), ctx.texts),
    // Without a program that watches, the policy is not carried out: the time is the backend's own.
    whole.isUnwatched ? deadlineIn({ decideBy: stage.deadlineAt, isLeftToBackend: true }, ctx) : undefined,
    whole.path && isNews ? howToDecide(id, whole.path, ctx) : undefined,
    wanted.waitedInVain && isNews ? status.waited : undefined,
    others.length > 0 && isNews ? openSentence(others, ctx) : undefined,
    given.result.tainted?.includes("/participants") ? status.others : undefined,
    isShort ? status.short : undefined,
  ];
  return { ...given.result, summary: joinLines(lines) };
}

/** What of a status this session is given, and keeps as given. */
async function givenOf(
  { result, path }: Pick<WholeStatus, "result" | "path">,
  { id, before, view }: { id: string; before: Parts | undefined; view: Wanted["view"] },
  { session: { shown, isOwned }, origin }: ToolContext,
) {
  const now = partsOf(result, shown);
  // Where the AI passes the decision on, the text stands in the result that gives the way to do it (contract §6).
  const isShort = view === "summary" || (view === undefined && before !== undefined && path !== "argument");
  if (isOwned && (!isShort || before !== undefined)) await shown.setParts(origin, id, now).catch(ignoreTowowError); // it is given once more
  return {
    result: isShort ? shortView(result, before, now, negotiationUri(id)) : result,
    isShort,
    isNews: !isShort || before === undefined || !isSame(before, now),
    isUnsaid: (code: string) => before === undefined || !isShort || !(`warning ${code}` in before),
  };
}

function openSentence(open: WholeStatus["result"]["data"]["open"], { texts: { status } }: ToolContext): string {
  const unchecked = open.filter((one) => one.unchecked).length;
  return status.open(open.length) + (unchecked > 0 ? status.unchecked(unchecked) : "");
}
