import { type Dialect, json, stream } from "./dialect.ts";

interface Part {
  text?: string;
  functionCall?: unknown;
  functionResponse?: { response?: unknown };
}
interface Request {
  contents?: { role?: string; parts?: Part[] }[];
  tools?: { functionDeclarations?: { name: string }[] }[];
}

/** Google's Gemini API. */
export const gemini: Dialect = {
  matches: (path) => /:(?:streamGenerateContent|generateContent)$/.test(path),
  read: ({ contents = [], tools = [] }: Request) => ({
    turns: contents.filter(({ role }) => role === "model").length,
    results: contents
      .flatMap(({ parts = [] }) => parts)
      .flatMap(({ functionResponse }) => (functionResponse ? [functionResponse.response] : []))
      .map((response) => ({ isError: false, text: plain(response) })),
    tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
  }),
  write(response, _, move, turn) {
    const part =
      "say" in move ? { text: move.say } : { functionCall: { id: `call_${turn}`, name: move.tool, args: move.input } };
    const candidates = [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }];
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    const answer = { candidates, usageMetadata, modelVersion: "scripted" };
    if (!response.req.url?.includes(":streamGenerateContent")) return json(response, answer);
    stream(response)(answer);
    response.end();
  },
};

const plain = (response: unknown): string =>
  typeof (response as { output?: unknown })?.output === "string"
    ? (response as { output: string }).output
    : JSON.stringify(response);
