import { Agent, MCPServerStdio, run, setDefaultOpenAIClient, setOpenAIAPI, setTracingDisabled } from "@openai/agents";
import OpenAI from "openai";
import { chat, model, server } from "./chat.mjs";

setTracingDisabled(true);
setOpenAIAPI("chat_completions");
setDefaultOpenAIClient(new OpenAI({ baseURL: model, apiKey: "none" }));
const towow = new MCPServerStdio({ name: "towow", ...server });
await towow.connect();
const agent = new Agent({ name: "Agent", instructions: "Help.", model: "scripted", mcpServers: [towow] });
let history = [];
await chat(async (said) => {
  const result = await run(agent, [...history, said.at(-1)], { maxTurns: 20 });
  history = result.history;
  return result.finalOutput ?? "";
});
