import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount } from "ai";
import { chat, model, server } from "./chat.mjs";

const client = await createMCPClient({ transport: new StdioTransport(server) });
const tools = await client.tools();
const scripted = createOpenAICompatible({ name: "scripted", baseURL: model, apiKey: "none" })("scripted");
const messages = [];
await chat(async (said) => {
  messages.push(said.at(-1));
  const { text, responseMessages } = await generateText({
    model: scripted,
    tools,
    messages,
    stopWhen: isStepCount(20),
  });
  messages.push(...responseMessages);
  return text;
});
