import { type Dialect, json, stream, textOf } from "./dialect.ts";

interface Block {
  type: string;
  content?: unknown;
  is_error?: boolean;
}
interface Request {
  model?: string;
  stream?: boolean;
  tools?: { name: string }[];
  messages?: { role: string; content: unknown }[];
}

/** Anthropic's Messages API. */
export const messages: Dialect = {
  matches: (path) => path === "/v1/messages",
  read: ({ messages: said = [], tools = [] }: Request) => ({
    turns: said.filter(({ role }) => role === "assistant").length,
    results: said
      .flatMap(({ content }) => (Array.isArray(content) ? (content as Block[]) : []))
      .filter(({ type }) => type === "tool_result")
      .map(({ is_error, content }) => ({ isError: is_error ?? false, text: textOf(content) })),
    tools: tools.map(({ name }) => name),
  }),
  write(response, body: Request, move, turn) {
    const block =
      "say" in move
        ? { type: "text", text: move.say }
        : { type: "tool_use", id: `toolu_${turn}`, name: move.tool, input: move.input };
    const stop_reason = "say" in move ? "end_turn" : "tool_use";
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: `msg_${turn}`, type: "message", role: "assistant", model: body.model, usage };
    if (body.stream !== true) return json(response, { ...message, content: [block], stop_reason, stop_sequence: null });
    const event = stream(response);
    const send = (type: string, data: object) => event({ type, ...data }, type);
    send("message_start", { message: { ...message, content: [], stop_reason: null, stop_sequence: null } });
    send("content_block_start", {
      index: 0,
      content_block: "say" in move ? { type: "text", text: "" } : { ...block, input: {} },
    });
    const delta =
      "say" in move
        ? { type: "text_delta", text: move.say }
        : { type: "input_json_delta", partial_json: JSON.stringify(move.input) };
    send("content_block_delta", { index: 0, delta });
    send("content_block_stop", { index: 0 });
    send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage });
    send("message_stop", {});
    response.end();
  },
};
