import { boundedLines } from "../../bounded-lines.ts";
import { toToolError } from "../../result/tool-error.ts";
import { failed, type ToolResult } from "../../result/tool-result.ts";
import { type CliTexts, cliTexts } from "../../text/cli.ts";
import { textsOf } from "../../text/index.ts";
import { InvalidArguments } from "../../tools/validate.ts";
import { objectOf, wrong } from "./arguments.ts";
import type { CallSession } from "./client.ts";

/** The longest line that is read. No text that a tool accepts is nearly as long. */
export const MAX_LINE_BYTES = 1024 * 1024;

/** One line of the answer, which names its request and holds the tool's whole envelope. */
interface Response {
  /** The number of the request's line in the input, from 1. */
  line: number;
  id: string | number | null;
  tool: string | null;
  ok: boolean;
  result: ToolResult;
}

interface Request {
  id: string | number | null;
  tool: string;
  params: Record<string, unknown>;
}

/**
 * `towow-mcp call --stdin` reads requests `{id?, tool, params?}` in one session, a line each, and writes their answers
 * in the same order. A line that is no request gets an error as its answer, and the session goes on. Returns whether
 * every request went well.
 */
export async function callLines(
  session: CallSession,
  input: AsyncIterable<Uint8Array>,
  write: (response: Response) => Promise<boolean>,
): Promise<boolean> {
  let allWell = true;
  let number = 0;
  for await (const line of boundedLines(input, MAX_LINE_BYTES)) {
    number += 1;
    if ("text" in line && line.text.trim() === "") continue;
    const response = await answer(session, line, number);
    allWell &&= response.ok;
    if (!(await write(response))) break; // Nobody reads the answers any more.
  }
  return allWell;
}

async function answer(
  session: CallSession,
  line: { text: string } | { tooLong: true },
  number: number,
): Promise<Response> {
  const { lang } = session.runtime.live.current();
  const words = cliTexts(lang).call.problem;
  const known: { id: Request["id"]; tool: string | null } = { id: null, tool: null };
  try {
    if ("tooLong" in line) throw wrongLine(number)(words.tooLong(MAX_LINE_BYTES));
    const { id, tool, params } = requestOf(objectOf(line.text, words, wrongLine(number)), known, words);
    const { result } = await session.call(tool, params);
    return { line: number, id, tool, ok: result.error === null, result };
  } catch (error) {
    const result = failed(toToolError(error, { texts: textsOf(lang), idempotent: false, callable: () => false }));
    return { line: number, ...known, ok: false, result };
  }
}

const wrongLine = (line: number) => (problem: string) =>
  new InvalidArguments("tool.input.invalid.line", { line, problem });

/**
 * Checks a request. Its id and tool are put into `known` as soon as they are read, so that the answer to a bad request can be
 * matched to that request.
 */
function requestOf(
  line: Record<string, unknown>,
  known: { id: Request["id"]; tool: string | null },
  words: CliTexts["call"]["problem"],
): Request {
  const { id = null, tool, params = {}, ...unknown } = line;
  if (id !== null && typeof id !== "string" && typeof id !== "number") throw wrong("id", words.id);
  known.id = id;
  if (typeof tool !== "string") throw wrong("tool", words.tool);
  known.tool = tool.slice(0, 80);
  if (typeof params !== "object" || params === null || Array.isArray(params)) throw wrong("params", words.notObject);
  const [first] = Object.keys(unknown);
  if (first !== undefined)
    throw new InvalidArguments("tool.input.invalid.unknown_argument", {
      field: first,
      known: ["id", "tool", "params"],
    });
  return { id, tool, params: params as Record<string, unknown> };
}
