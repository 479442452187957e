import { shellWord } from "../../terminal/shell-word.ts";
import type { NegotiationsTexts } from "../../text/negotiations.ts";

/** What is known of where somebody stands. */
export interface Standing {
  hasNetwork: boolean;
  /** An MCP client starts this program. */
  isConnected: boolean;
  /** A client that has it is told not to start it. */
  isOff: boolean;
  /** What moves older copies to this version, where there are any. */
  update: string | undefined;
  /** A setting is refused, or the backend cannot be used now. */
  inTrouble: boolean;
  /** Ids of negotiations that wait for the person's decision, and of those under way; newest first. */
  waiting: readonly string[];
  open: readonly string[];
  hasHistory: boolean;
  /** The backend lists scenes. */
  canList: boolean;
}

export interface NextStep {
  /** As it is typed. */
  command: string;
  /** What it is for, as a key of the texts. */
  step: keyof NegotiationsTexts["overview"]["step"];
}

/** What somebody can do next, the most pressing first. Pure. */
export function stepsFor(at: Standing): NextStep[] {
  const { waiting, open } = at;
  const named = (ids: readonly string[]) => (ids.length === 1 ? "" : ` ${shellWord(ids[0] ?? "")}`);
  const steps: readonly (NextStep & { wanted: boolean })[] = [
    { command: `towow-mcp confirm${named(waiting)}`, step: "confirm", wanted: waiting.length > 0 },
    { command: `towow-mcp watch${named(open)}`, step: "watch", wanted: open.length > 0 },
    { command: "towow-mcp doctor", step: "doctor", wanted: at.inTrouble || (at.isOff && !at.isConnected) },
    { command: at.update ?? "", step: "update", wanted: at.update !== undefined },
    { command: "towow-mcp setup", step: "setup", wanted: !at.hasNetwork },
    { command: "towow-mcp setup", step: "connect", wanted: at.hasNetwork && !at.isConnected && !at.isOff },
    { command: "towow-mcp demo", step: "demo", wanted: !at.hasHistory },
    { command: "towow-mcp open", step: "open", wanted: at.hasNetwork && !at.inTrouble },
    { command: "towow-mcp list", step: "list", wanted: at.hasHistory },
    { command: "towow-mcp scenes", step: "scenes", wanted: at.canList && !at.inTrouble },
    { command: "towow-mcp --help", step: "help", wanted: true },
  ];
  return steps.filter(({ wanted }) => wanted).map(({ command, step }) => ({ command, step }));
}
