import { isDecidedText } from "./claims.ts";
import type { Decisions } from "./decisions.ts";
import type { Violation } from "./judge.ts";
import type { Texts } from "./texts.ts";

/** That somebody said yes to a text, having seen or typed all of it. */
export interface Approval {
  at: number;
  text: string;
}

interface KnownBefore {
  at: number;
  approvals: readonly Approval[];
  decisions: Decisions;
  texts: Texts;
  violate: (invariant: Violation["invariant"], kind: string, detail: string) => void;
}

/** Invariant (a), at the moment when the request leaves. */
export function checkConfirm(
  path: string,
  body: string,
  { at, approvals, decisions, texts, violate }: KnownBefore,
): void {
  const id = path.split("/").at(-2)!;
  const text = (JSON.parse(body || "{}") as { confirmed_text?: string }).confirmed_text;
  if (text === undefined) {
    violate("a", "confirm without its text", id);
    return;
  }
  decisions.confirmsSent.push({ id, at, text });
  const what = `${id}: ${text.slice(0, 40)}`;
  if (!approvals.some((approval) => approval.text === text && approval.at <= at))
    violate("a", "confirm of a text that nobody approved", what);
  if (texts.ownerOf(text) !== id) violate("a", "confirm of another negotiation's text", what);
  const mine = decisions.of(id);
  if (!mine.some((decision) => decision.text === text)) violate("a", "confirm without a decision", what);
  if (mine.some(({ took, kind }) => took === true && kind === "reject"))
    violate("a", "confirm after a rejection", what);
  if (!isDecidedText(text, mine)) violate("a", "confirm of another text than decided", what);
}
