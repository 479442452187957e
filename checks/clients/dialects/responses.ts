import { type Dialect, json, stream, textOf } from "./dialect.ts";

interface Tool {
  type?: string;
  name?: string;
  tools?: Tool[];
}
interface Request {
  model?: string;
  stream?: boolean;
  tools?: Tool[];
  input?: { type?: string; role?: string; output?: unknown }[];
}

/** A namespace's tools stand below it, and are called by both names. */
const namesOf = (tools: Tool[], outer = ""): string[] =>
  tools.flatMap(({ name, tools: inner }) =>
    inner ? namesOf(inner, `${name}${SEPARATOR}`) : name === undefined ? [] : `${outer}${name}`,
  );
const SEPARATOR = "\u0000";

/** OpenAI's Responses API, which Codex speaks. */
export const responses: Dialect = {
  matches: (path) => path.endsWith("/responses"),
  read: ({ input = [], tools = [] }: Request) => ({
    turns: input.filter(({ type, role }) => type === "function_call" || (type === "message" && role === "assistant"))
      .length,
    results: input
      .filter(({ type }) => type === "function_call_output")
      .map(({ output }) => ({ isError: false, text: textOf(output) })),
    tools: namesOf(tools),
  }),
  write(response, body: Request, move, turn) {
    const [namespace, name] = "say" in move ? [] : (move.tool.split(SEPARATOR) as [string, string?]);
    const item =
      "say" in move
        ? {
            type: "message",
            id: `msg_${turn}`,
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: move.say, annotations: [] }],
          }
        : {
            type: "function_call",
            id: `fc_${turn}`,
            call_id: `call_${turn}`,
            ...(name === undefined ? { name: namespace } : { name, namespace }),
            arguments: JSON.stringify(move.input),
            status: "completed",
          };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const whole = { id: `resp_${turn}`, object: "response", model: body.model, output: [item], usage };
    if (body.stream !== true) return json(response, { ...whole, status: "completed" });
    const send = stream(response);
    const event = (type: string, data: object) => send({ type, ...data }, type);
    event("response.created", { response: { ...whole, status: "in_progress", output: [] } });
    event("response.output_item.added", { output_index: 0, item });
    event("response.output_item.done", { output_index: 0, item });
    event("response.completed", { response: { ...whole, status: "completed" } });
    response.end();
  },
};
