import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { ChatOpenAI } from "@langchain/openai";
import { chat, model, server } from "./chat.mjs";

const client = new MultiServerMCPClient({ mcpServers: { towow: { transport: "stdio", ...server } } });
const tools = await client.getTools();
const llm = new ChatOpenAI({ model: "scripted", apiKey: "none", configuration: { baseURL: model } });
const agent = createReactAgent({ llm, tools });
let history = [];
await chat(async (said) => {
  const { messages } = await agent.invoke({ messages: [...history, said.at(-1)] }, { recursionLimit: 60 });
  history = messages;
  return String(messages.at(-1).content);
});
