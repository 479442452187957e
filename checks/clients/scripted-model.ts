// A stand-in for a model's endpoint: it plays a list of tool calls, in whichever API the client speaks, so that a real
// client makes real calls without an account.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { completions } from "./dialects/completions.ts";
import { type Conversation, type Dialect, json, type Move, type Told } from "./dialects/dialect.ts";
import { gemini } from "./dialects/gemini.ts";
import { messages } from "./dialects/messages.ts";
import { responses } from "./dialects/responses.ts";

/** A move, or one that depends on what the model was told so far. A tool is named by the end of its name. */
export type Step = Move | ((results: Told[]) => Move);

export interface ScriptedModel {
  url: string;
  /** What the model was told of each call, in order. */
  results(): Told[];
  /** The tools that the client offered last. */
  tools(): string[];
  /** What clients asked for that no API here knows. */
  strangers: string[];
  /** The last request of the conversation, as it came. */
  last(): unknown;
  close(): void;
}

const DIALECTS: Dialect[] = [messages, completions, responses, gemini];
const OURS = /towow_(?:join|demand|status)$/;

/** Serves the steps on loopback: the n-th answer of a conversation is the n-th step, then the end. */
export async function scriptedModel(steps: readonly Step[]): Promise<ScriptedModel> {
  let last: Conversation = { turns: 0, results: [], tools: [] };
  let lastBody: unknown;
  const strangers: string[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const path = (request.url ?? "").split("?")[0] ?? "";
    if (/count_?tokens$/i.test(path)) return json(response, { input_tokens: text.length, totalTokens: text.length });
    if (/\/models(?:\/|$)/.test(path) && request.method === "GET")
      return json(response, { object: "list", data: [{ id: "scripted", object: "model" }], models: [] });
    const dialect = DIALECTS.find((one) => one.matches(path));
    if (dialect === undefined) {
      strangers.push(`${request.method} ${path}`);
      return json(response, { error: { message: `not here: ${path}` } }, 404);
    }
    const body = JSON.parse(text) as never;
    const conversation = dialect.read(body);
    // A client also asks for titles and the like, without the tools.
    const isMain = conversation.tools.some((name) => OURS.test(name));
    if (isMain) [last, lastBody] = [conversation, body];
    const step = (isMain ? steps[conversation.turns] : undefined) ?? { say: "Done." };
    const move = typeof step === "function" ? step(conversation.results) : step;
    dialect.write(response, body, withFullName(move, conversation.tools), conversation.turns);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    results: () => last.results,
    tools: () => last.tools,
    strangers,
    last: () => lastBody,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const withFullName = (move: Move, tools: readonly string[]): Move =>
  "say" in move ? move : { ...move, tool: tools.find((name) => name.endsWith(move.tool)) ?? move.tool };
