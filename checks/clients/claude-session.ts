// One conversation of the real Claude Code, without an account: what the model would say is a script.
import { fileURLToPath } from "node:url";
import { PROFILE } from "./journeys/client.ts";
import type { Sandbox } from "./sandbox.ts";
import { type Step, scriptedModel } from "./scripted-model.ts";

const PERSON = `"${process.execPath}" "${fileURLToPath(new URL("person.ts", import.meta.url))}"`;
const HOOKS = { hooks: { Elicitation: [{ hooks: [{ type: "command", command: PERSON }] }] } };

export interface Conversation {
  results: { isError: boolean; text: string }[];
  tools: string[];
  /** The last request of the conversation, as it came. */
  last: unknown;
  seconds: number;
  err: string;
}

const NORMAL = ["join", "demand", "status"].map((tool) => `towow_${tool}`);

/**
 * With the servers that are configured in the sandbox. Its tools are named `mcp__<server>__<tool>`; `tools` are those
 * that may run without a question of the client's own.
 */
export async function converse(
  sandbox: Sandbox,
  steps: readonly Step[],
  { server = "towow", tools = NORMAL, prompt = "go", args = [] as string[], cwd = sandbox.project } = {},
): Promise<Conversation> {
  const model = await scriptedModel(steps);
  const allowed = tools.map((tool) => `mcp__${server}__${tool}`).join(",");
  const env = {
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    ENABLE_TOOL_SEARCH: "false",
  };
  // The person's yes to the client's own question whether a tool may run.
  const permission = ["--allowedTools", allowed, "--settings", JSON.stringify(HOOKS)];
  try {
    const { ms, err } = await sandbox.run("claude", ["-p", prompt, ...permission, ...args], { env, cwd });
    return { results: model.results(), tools: model.tools(), last: model.last(), seconds: ms / 1000, err };
  } finally {
    model.close();
  }
}

/** From the person's own words to a plan: join, profile, demand with its question, wait. */
export function toThePlan(scene: string, server = "towow"): Step[] {
  const tool = (name: string) => `mcp__${server}__towow_${name}`;
  return [
    { tool: tool("join"), input: { scene, raw_content: "I am an engineer; I built a queue forecast for a hospital." } },
    { tool: tool("join"), input: { scene, display_name: "Lin", profile_data: PROFILE } },
    { tool: tool("demand"), input: { intent: "I need a product designer who knows hospital software." } },
    { tool: tool("status"), input: { wait: "done" } },
    { say: "There is a plan." },
  ];
}

/** Whether a status tells of an end with a plan. Claude Code shows the model the structured result, as JSON. */
export const hasPlan = (status = ""): boolean =>
  /"state":\s*"completed"/.test(status) && /"plan_output":\s*"[^"]/.test(status);
