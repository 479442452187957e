import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import type { Settings } from "../home/settings.ts";
import type { Texts } from "../text/index.ts";
import type { Tool } from "../tools/define.ts";
import { mayRun } from "../tools/policy.ts";

/** The words that a client with tool search looks for. */
const SEARCH_HINT = "Towow 通爻 negotiation network: join a scene, ask for people or help, get offers and a plan";

/**
 * Builds the entry of a tool for clients from its declaration. `hasPerson` says whether a person uses the client. A
 * tool is marked for Claude Code to ask at each call only if there is a person, because Claude Code without a person
 * refuses every marked call, even one that is allowed.
 */
export function listing(
  tool: Tool,
  titles: Texts["tools"],
  settings: Pick<Settings, "profile" | "backend_url"> = { profile: "live", backend_url: undefined },
  hasPerson = false,
): ListedTool {
  const title = titles[tool.name as keyof Texts["tools"]];
  const everyday = tool.modes.includes("normal") && tool.open_world;
  return {
    name: tool.name,
    title,
    description: tool.description,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    annotations: {
      title,
      readOnlyHint: tool.read_only,
      destructiveHint: tool.destructive,
      idempotentHint: tool.idempotent,
      openWorldHint: tool.open_world,
    },
    _meta: {
      "towow/annotations": { sensitive_sink: tool.sensitive_sink },
      ...(!mayRun(tool, settings) && { "towow/active": { active: false, reason: `profile ${settings.profile}` } }),
      ...(tool.promptsPerson && hasPerson && { "anthropic/requiresUserInteraction": true }),
      ...(everyday && { "anthropic/alwaysLoad": true, "anthropic/searchHint": SEARCH_HINT }),
    },
  };
}
