import { type Dialect, json, stream, textOf } from "./dialect.ts";

interface Request {
  model?: string;
  stream?: boolean;
  tools?: { function?: { name: string } }[];
  messages?: { role: string; content: unknown }[];
}

/** OpenAI's Chat Completions API, which most clients speak to a provider of one's own. */
export const completions: Dialect = {
  matches: (path) => path.endsWith("/chat/completions"),
  read: ({ messages = [], tools = [] }: Request) => ({
    turns: messages.filter(({ role }) => role === "assistant").length,
    results: messages
      .filter(({ role }) => role === "tool")
      .map(({ content }) => ({ isError: false, text: textOf(content) })),
    tools: tools.flatMap((tool) => tool.function?.name ?? []),
  }),
  write(response, body: Request, move, turn) {
    const id = `chatcmpl-${turn}`;
    const head = { id, created: 1, model: body.model ?? "scripted" };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const call = (index?: number) =>
      "say" in move
        ? []
        : [
            {
              ...(index !== undefined && { index }),
              id: `call_${turn}`,
              type: "function",
              function: { name: move.tool, arguments: JSON.stringify(move.input) },
            },
          ];
    const finish_reason = "say" in move ? "stop" : "tool_calls";
    if (body.stream !== true) {
      const message = { role: "assistant", content: "say" in move ? move.say : null, tool_calls: call() };
      const choices = [{ index: 0, message, finish_reason }];
      return json(response, { ...head, object: "chat.completion", choices, usage });
    }
    const send = stream(response);
    const chunk = (delta: object, reason: string | null = null) =>
      send({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: reason }] });
    chunk({ role: "assistant", content: "say" in move ? move.say : null });
    if (!("say" in move)) chunk({ tool_calls: call(0) });
    chunk({}, finish_reason);
    send({ ...head, object: "chat.completion.chunk", choices: [], usage });
    send("[DONE]");
    response.end();
  },
};
