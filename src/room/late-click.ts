import type { RoomState } from "./room-state.ts";

/** Why a click changed nothing: another was first, or the page had moved on under it. A key of the texts. */
const LATE_CLICKS = ["decided", "elsewhere", "overdue", "deciding", "moved"] as const;
export type LateClick = (typeof LATE_CLICKS)[number];

/** What a click on one of these would have sent, or let in; everything else only changes the page, which shows it. */
const MATTERS = ["broadcast", "withdraw", "cancel", "next", "letIn", "review"];
/** Of these only that the page had moved on is worth a word. */
const ABOUT_NO_DECISION = ["next", "letIn", "review"];

/** What is said in the window whose click was refused, where the room stands by now; `demandId`: what it was about. Pure. */
export function lateClickOf(
  { demand, busy }: Pick<RoomState, "demand" | "busy">,
  tool: string,
  demandId?: string,
): LateClick | undefined {
  if (!MATTERS.includes(tool)) return undefined;
  if (ABOUT_NO_DECISION.includes(tool) || (demandId !== undefined && demandId !== demand?.id)) return "moved";
  const decision = demand?.said.decision;
  // The yes that stands is not what a cancel came too late for.
  const isAbout = decision !== undefined && (tool !== "cancel" || decision.kind === "cancel");
  if (isAbout && decision.by === "page") return "decided";
  if (isAbout) return decision.by === "guard" || decision.by === "shutdown" ? "overdue" : "elsewhere";
  return busy === undefined ? "moved" : "deciding";
}

export const isLateClick = (text: string | undefined): text is LateClick => LATE_CLICKS.some((one) => one === text);
