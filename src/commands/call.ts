import { boundedLines } from "../bounded-lines.ts";
import type { ConfigKey } from "../home/schema.ts";
import { toToolError } from "../result/tool-error.ts";
import { failed, textOf } from "../result/tool-result.ts";
import { cliTexts } from "../text/cli.ts";
import { textsOf } from "../text/index.ts";
import { InvalidArguments } from "../tools/validate.ts";
import { readArguments } from "./call/arguments.ts";
import { type Called, type CallSession, openCallSession } from "./call/client.ts";
import { callLines, MAX_LINE_BYTES } from "./call/lines.ts";
import { decideAtTerminal } from "./confirm.ts";
import { atTerminal } from "./home.ts";
import { print, printError, printJson } from "./print.ts";

export interface CallOptions {
  env: NodeJS.ProcessEnv;
  root: URL;
  flags: Partial<Record<ConfigKey, unknown>>;
  json?: boolean | undefined;
}

/**
 * `towow-mcp call <tool> [arguments]`: one tool, as an MCP client calls it. Exit status 0 when it went well, 1 when the
 * result is an error. In a terminal the person is asked about what it submits. Nothing watches another's open pause once
 * the command has ended, so the result must not promise it.
 */
export async function call(tool: string, given: readonly string[], options: CallOptions): Promise<void> {
  const { json, flags, ...rest } = options;
  const session = await openCallSession({ ...rest, flags: { ...flags, on_unconfirmed: "leave" } });
  keepGoingWithoutReader();
  const { result, text } = await callOnce(session, tool, given);
  const isError = result.error !== null;
  const undecided = json || !atTerminal() ? [] : await session.leftOpen();
  if (json) printJson(result, 2);
  else if (undecided.length === 0) (isError ? printError : print)(`${text}\n`);
  let status = isError ? 1 : 0;
  for (const id of undecided) status ||= await askHere(session, id, options.env);
  await session.end(json ? "" : text);
  process.exitCode = status;
}

/** Waits for the text, asks about it as `confirm` does, and gives that command's exit status. */
async function askHere(session: CallSession, negotiation_id: string, env: NodeJS.ProcessEnv): Promise<number> {
  const { data, text } = await session
    .call("towow_demand", { negotiation_id })
    .then(({ result, text }) => ({ data: result.data as { state?: string } | null, text }));
  if (data?.state === "formulated") return decideAtTerminal(session.runtime, negotiation_id, { env });
  print(`${text}\n`);
  return 1;
}

async function callOnce(session: CallSession, tool: string, given: readonly string[]): Promise<Called> {
  const { lang } = session.runtime.live.current();
  try {
    return await session.call(tool, await readArguments(given, readStdin, cliTexts(lang).call.problem));
  } catch (error) {
    if (!(error instanceof InvalidArguments)) throw error;
    const result = failed(toToolError(error, { texts: textsOf(lang), idempotent: false, callable: () => false }));
    return { result, text: textOf(result, () => "") };
  }
}

/** `towow-mcp call --stdin`: a session for scripts. Exit status 1 when any of its requests failed. */
export async function callFromStdin({ json: _, ...options }: CallOptions): Promise<void> {
  const session = await openCallSession(options);
  keepGoingWithoutReader();
  const allWell = await callLines(session, process.stdin, (response) => printJson(response));
  process.stdin.destroy();
  await session.end("");
  process.exitCode = allWell ? 0 : 1;
}

/** A reader that leaves early must not end the command before it has said what it leaves open. */
const keepGoingWithoutReader = () => process.stdout.on("error", () => {});

async function readStdin(): Promise<string> {
  const lines: string[] = [];
  let bytes = 0;
  for await (const line of boundedLines(process.stdin, MAX_LINE_BYTES)) {
    bytes += "text" in line ? Buffer.byteLength(line.text) + 1 : Number.POSITIVE_INFINITY;
    if (bytes > MAX_LINE_BYTES) throw new InvalidArguments("tool.input.invalid.text_too_long", { field: "stdin" });
    if ("text" in line) lines.push(line.text);
  }
  return lines.join("\n");
}
