import * as z from "zod";
import { callField } from "../result/tool-result.ts";
import type { ToolContext } from "./define.ts";
import { isListed, mayRun } from "./policy.ts";

/** A call that makes sense now and can be made as it is (seed 000). It holds ids, and no words of others. */
export interface NextAction {
  tool: string;
  params: Record<string, unknown>;
}

export const nextActionsField = z.array(callField()).describe("Calls that make sense now, as they stand");

/** Returns the actions that this mode, toolset and profile allow. */
export const possible = (wanted: readonly NextAction[], { toolNamed, mode, settings }: ToolContext): NextAction[] =>
  wanted.filter(({ tool: name }) => {
    const tool = toolNamed(name);
    return isListed(tool, mode, settings) && mayRun(tool, settings);
  });

/** Returns the action that waits for a negotiation that is not over. */
export const waitFor = (negotiation_id: string): NextAction => ({
  tool: "towow_status",
  params: { negotiation_id, wait: "done" },
});
