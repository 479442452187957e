import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DrivenClient } from "../client.ts";
import type { Place } from "../place.ts";

/** A few lines of somebody's own around a library: a chat in a terminal, to which nobody shows a tool call. */
function chatWith(id: string, title: string, npm: string, beside: readonly string[]): DrivenClient {
  const prepare = async ({ home, model, server, modules }: Place) => {
    // A module finds its packages where it stands.
    const folder = join(dirname(modules), "sdks");
    cpSync(new URL("../sdks", import.meta.url), folder, { recursive: true });
    return {
      command: [process.execPath, join(folder, `${id}.mjs`)],
      env: { HOME: home, MODEL_URL: model.url, SERVER: JSON.stringify(server) },
    };
  };
  return { id, title, npm, beside, asks: false, long: "chat", prepare, rules: [], ready: /you>/, headless: prepare };
}

export const sdks = [
  chatWith("ai-sdk", "Vercel AI SDK", "@ai-sdk/mcp@2.0.99", ["ai@7.0.173", "@ai-sdk/openai-compatible@3.0.92"]),
  chatWith("openai-agents", "OpenAI Agents", "@openai/agents@0.20.0", ["openai"]),
  chatWith("langchain", "LangChain", "@langchain/mcp-adapters@1.1.4", [
    "@langchain/core",
    "@langchain/langgraph",
    "@langchain/openai",
  ]),
  chatWith("mastra", "Mastra", "@mastra/mcp@2.0.0", ["@mastra/core@1.71.0"]),
];
