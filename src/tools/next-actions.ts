import * as z from "zod";
import { callField } from "../result/tool-result.ts";
import type { ToolContext } from "./define.ts";
import { isListed, mayRun } from "./policy.ts";

/** A suggested call that can be made as it is (seed 000). The arguments hold ids and no text that others wrote. */
export interface NextAction {
  tool: string;
  params: Record<string, unknown>;
}

export const nextActionsField = z.array(callField()).describe("Calls that make sense now, as they stand");

/** Returns those of the actions that this mode, toolset and profile allow. */
export const possible = (wanted: readonly NextAction[], { toolNamed, mode, settings }: ToolContext): NextAction[] =>
  wanted.filter(({ tool: name }) => {
    const tool = toolNamed(name);
    return isListed(tool, mode, settings) && mayRun(tool, settings);
  });

/** Returns the call that waits until a negotiation ends or needs the person. */
export const waitFor = (negotiation_id: string): NextAction => ({
  tool: "towow_status",
  params: { negotiation_id, wait: "done" },
});
