import { Failure, type TowowError } from "../errors.ts";
import { namesIn } from "../home/limits.ts";
import { hostOf, isHere } from "../home/origin.ts";
import { CONFIG } from "../home/schema.ts";
import type { Settings } from "../home/settings.ts";
import type { Mode } from "../session/session.ts";
import type { Tool } from "./define.ts";

/** The values that the setting `toolset` can have. */
export const TOOLSETS = CONFIG.toolset.schema.options;
export type ToolsetName = (typeof TOOLSETS)[number];

type ListSettings = Pick<Settings, "toolset" | "allow_tools" | "exclude_tools">;

/**
 * Returns whether a list shows a tool: the mode or toolset decides first, then the allow and exclude lists (agent layer §6).
 */
export const isListed = (tool: Tool, mode: Mode, settings: ListSettings): boolean =>
  isInSet(tool, mode, settings) && leftOutBy(tool, settings) === undefined;

const isInSet = (tool: Tool, mode: Mode, { toolset }: ListSettings): boolean =>
  toolset === undefined ? tool.modes.includes(mode) : isInToolset(tool, toolset);

/** Returns the setting that leaves the tool out. Undefined if neither setting does. */
function leftOutBy({ name }: Tool, settings: ListSettings): "allow_tools" | "exclude_tools" | undefined {
  const allowed = namesIn(settings.allow_tools);
  if (allowed.length > 0 && !allowed.includes(name)) return "allow_tools";
  return namesIn(settings.exclude_tools).includes(name) ? "exclude_tools" : undefined;
}

/**
 * Returns the error that says why no list shows a tool. The error names only a setting whose change would show the
 * tool.
 */
export function whyUnlisted(tool: Tool, mode: Mode, settings: ListSettings): TowowError {
  const { name, modes, toolsets = [] } = tool;
  const setting = leftOutBy(tool, settings);
  if (setting !== undefined) return new Failure("tool.policy.blocked.tool_left_out", { tool: name, setting });
  if (settings.toolset === undefined && modes.length > 0)
    return new Failure("tool.policy.blocked.inactive_tool", { tool: name, mode });
  return new Failure("tool.policy.blocked.inactive_toolset", { tool: name, toolset: modes[0] ?? toolsets.join(", ") });
}

function isInToolset({ modes, toolsets, read_only, open_world }: Tool, toolset: ToolsetName): boolean {
  switch (toolset) {
    case "all":
      return true;
    case "normal":
    case "developer":
      return modes.includes(toolset);
    case "readonly":
      return modes.length > 0 && (read_only || !open_world);
    default:
      return toolsets?.includes(toolset) === true;
  }
}

/** Returns whether results are stored, so that a later call can refer to them (agent layer §8). */
export const keepsResults = ({ toolset }: Pick<Settings, "toolset">): boolean =>
  toolset === "reports" || toolset === "all";

type ProfileSettings = Pick<Settings, "profile" | "backend_url">;

/**
 * Returns the error that says why the profile does not let a tool run, or undefined if the tool may run. `dry_run`
 * runs all tools, and their writes stop before they are sent.
 */
export function whyNotRun(tool: Tool, { profile, backend_url: address }: ProfileSettings): TowowError | undefined {
  if (!tool.open_world) return undefined;
  if (profile === "read_only" && !tool.read_only)
    return new Failure("tool.policy.blocked.profile", { tool: tool.name, profile });
  const isAway = profile === "offline" && address !== undefined && !isHere(address);
  return isAway ? new Failure("tool.policy.blocked.offline", { host: hostOf(address) }) : undefined;
}

export const mayRun = (tool: Tool, settings: ProfileSettings): boolean => whyNotRun(tool, settings) === undefined;
