// A stand-in for the model's endpoint (the Messages API, streamed): it plays a list of tool calls, so that a real client
// makes real calls without an account.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Step = { tool: string; input: Record<string, unknown> } | { say: string };

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

export interface ScriptedModel {
  url: string;
  /** What the model was told of each call, in order. */
  results(): { isError: boolean; text: string }[];
  /** The tools that the client offered last. */
  tools(): string[];
  close(): void;
}

/** Serves the steps on loopback: the n-th answer of a conversation is the n-th step, then the end. */
export async function scriptedModel(steps: readonly Step[]): Promise<ScriptedModel> {
  let last: Request = {};
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const path = request.url?.split("?")[0];
    const body: Request = text === "" ? {} : JSON.parse(text);
    if (path !== "/v1/messages") {
      response.writeHead(path === "/v1/messages/count_tokens" ? 200 : 404, { "content-type": "application/json" });
      return response.end(JSON.stringify({ input_tokens: text.length }));
    }
    const isConversation = (body.tools?.length ?? 0) > 0;
    if (isConversation) last = body;
    const turn = body.messages?.filter(({ role }) => role === "assistant").length ?? 0;
    const step: Step = (isConversation ? steps[turn] : undefined) ?? { say: "Done." };
    answer(response, body, step, turn);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    results: () =>
      (last.messages ?? [])
        .flatMap(({ content }) => (Array.isArray(content) ? (content as Block[]) : []))
        .filter(({ type }) => type === "tool_result")
        .map(({ is_error, content }) => ({ isError: is_error ?? false, text: textOf(content) })),
    tools: () => (last.tools ?? []).map(({ name }) => name),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(response: import("node:http").ServerResponse, body: Request, step: Step, turn: number): void {
  const block =
    "say" in step
      ? { type: "text", text: step.say }
      : { type: "tool_use", id: `toolu_${turn}`, name: step.tool, input: step.input };
  const stop_reason = "say" in step ? "end_turn" : "tool_use";
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: `msg_${turn}`, type: "message", role: "assistant", model: body.model, usage };
  if (body.stream !== true) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...message, content: [block], stop_reason, stop_sequence: null }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send("message_start", { message: { ...message, content: [], stop_reason: null, stop_sequence: null } });
  send("content_block_start", {
    index: 0,
    content_block: "say" in step ? { type: "text", text: "" } : { ...block, input: {} },
  });
  const delta =
    "say" in step
      ? { type: "text_delta", text: step.say }
      : { type: "input_json_delta", partial_json: JSON.stringify(step.input) };
  send("content_block_delta", { index: 0, delta });
  send("content_block_stop", { index: 0 });
  send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage });
  send("message_stop", {});
  response.end();
}

const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : ((content ?? []) as { text?: string }[]).map(({ text = "" }) => text).join("\n");
