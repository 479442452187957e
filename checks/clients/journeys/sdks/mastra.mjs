import { Agent } from "@mastra/core/agent";
import { MCPClient } from "@mastra/mcp";
import { chat, model, server } from "./chat.mjs";

const mcp = new MCPClient({ servers: { towow: server } });
const agent = new Agent({
  id: "agent",
  name: "agent",
  instructions: "Help.",
  model: { id: "scripted/scripted", url: model, apiKey: "none" },
  tools: await mcp.listTools(),
});
let history = [];
await chat(async (said) => {
  const { text, messages } = await agent.generate([...history, said.at(-1)], { maxSteps: 20 });
  history = messages;
  return text;
});
