import { Failure } from "../errors.ts";
import { namesIn } from "../home/limits.ts";
import type { Settings } from "../home/settings.ts";
import type { Mode } from "../session/session.ts";
import type { Tool } from "./define.ts";
import { isListed } from "./policy.ts";
import { towowAction } from "./towow_action.ts";
import { towowBriefExport } from "./towow_brief_export.ts";
import { towowCompare } from "./towow_compare.ts";
import { towowConfirm } from "./towow_confirm.ts";
import { towowCreateScene } from "./towow_create_scene.ts";
import { towowDemand } from "./towow_demand.ts";
import { towowDocsList } from "./towow_docs_list.ts";
import { towowDocsRead } from "./towow_docs_read.ts";
import { towowGetNegotiation } from "./towow_get_negotiation.ts";
import { towowGraphMerge } from "./towow_graph_merge.ts";
import { towowJoin } from "./towow_join.ts";
import { towowListAgents } from "./towow_list_agents.ts";
import { towowListScenes } from "./towow_list_scenes.ts";
import { towowPlanWorkflow } from "./towow_plan_workflow.ts";
import { towowRegisterAgent } from "./towow_register_agent.ts";
import { towowReport } from "./towow_report.ts";
import { towowResolveTarget } from "./towow_resolve_target.ts";
import { towowSetMode } from "./towow_set_mode.ts";
import { towowStatus } from "./towow_status.ts";
import { towowSubmitDemand } from "./towow_submit_demand.ts";
import { InvalidArguments } from "./validate.ts";

/** Every tool, in the order in which clients see them. */
export const TOOLS: readonly Tool[] = [
  towowJoin,
  towowDemand,
  towowStatus,
  towowSetMode,
  towowCreateScene,
  towowRegisterAgent,
  towowListScenes,
  towowListAgents,
  towowSubmitDemand,
  towowConfirm,
  towowGetNegotiation,
  towowAction,
  towowCompare,
  towowGraphMerge,
  towowBriefExport,
  towowReport,
  towowPlanWorkflow,
  towowResolveTarget,
  towowDocsList,
  towowDocsRead,
];

const byName = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** Returns the tool with this name, or undefined if there is none. */
export const findTool = (name: string): Tool | undefined => byName.get(name);

/**
 * Returns a tool that must exist.
 * @throws Error if there is no tool with this name
 */
export function toolNamed(name: string): Tool {
  const tool = findTool(name);
  if (tool === undefined) throw new Error(`no tool is called ${name}`);
  return tool;
}

/** Returns a tool's name for the log. An unknown name is not logged, because a client may send any text. */
export const knownName = (name: string): string => (byName.has(name) ? name : "(unknown)");

/** Builds the error for an unknown tool, which names the listed ones. */
export function noSuchTool(name: string, mode: Mode, settings: Parameters<typeof isListed>[2]): InvalidArguments {
  const known = TOOLS.filter((tool) => isListed(tool, mode, settings)).map((tool) => tool.name);
  return new InvalidArguments("tool.input.invalid.unknown_tool", { tool: name.slice(0, 80), known });
}

/**
 * Checks the settings that allow and exclude tools.
 * @throws `tool.config.invalid.unknown_tool_name` if either names a tool that does not exist
 */
export function checkToolNames(settings: Pick<Settings, "allow_tools" | "exclude_tools">): void {
  for (const key of ["allow_tools", "exclude_tools"] as const)
    for (const tool of namesIn(settings[key]))
      if (!byName.has(tool))
        throw new Failure("tool.config.invalid.unknown_tool_name", { key, tool, known: [...byName.keys()] });
}
