import { CONFIG } from "../home/schema.ts";
import type { Settings } from "../home/settings.ts";
import type { Mode } from "../session/session.ts";
import type { Tool } from "./define.ts";

/** The sets of tools that can be chosen. */
export const TOOLSETS = CONFIG.toolset.schema.options;
export type ToolsetName = (typeof TOOLSETS)[number];

export type ProfileSetting = Settings["profile"];

/** The names in a comma-separated list. */
export const namesIn = (list: string | undefined): string[] =>
  (list ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** Whether a list shows a tool: the mode or the toolset, then the allow and exclude lists (agent layer §6). */
export function isListed(
  tool: Tool,
  mode: Mode,
  settings: Pick<Settings, "toolset" | "allow_tools" | "exclude_tools">,
): boolean {
  const { toolset } = settings;
  const inSet = toolset === undefined ? tool.modes.includes(mode) : isInToolset(tool, toolset);
  const allowed = namesIn(settings.allow_tools);
  return (
    inSet &&
    (allowed.length === 0 || allowed.includes(tool.name)) &&
    !namesIn(settings.exclude_tools).includes(tool.name)
  );
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

/** Whether the profile lets a tool run. `dry_run` runs all of them: its writes stop before they are sent. */
export const mayRun = (tool: Tool, profile: ProfileSetting): boolean =>
  profile !== "read_only" || tool.read_only || !tool.open_world;
