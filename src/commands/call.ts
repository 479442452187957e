import { localeOf } from "../app/home-folder.ts";
import type { Io } from "../app/io.ts";
import { boundedLines } from "../bounded-lines.ts";
import { TowowError } from "../errors.ts";
import { createKeptSends } from "../home/kept-sends.ts";
import { createLiveSettings } from "../home/live-settings.ts";
import type { ConfigKey } from "../home/schema.ts";
import { toToolError } from "../result/tool-error.ts";
import { failed, type ToolResult, textOf } from "../result/tool-result.ts";
import { withMasksIn } from "../safety/pii/masks.ts";
import { paintWith } from "../terminal/paint.ts";
import { table } from "../terminal/table.ts";
import { cliTexts } from "../text/cli.ts";
import { type Texts, textsForPerson, textsOf } from "../text/index.ts";
import { watchTexts } from "../text/watch.ts";
import { checkToolNames, TOOLS } from "../tools/index.ts";
import { isListed } from "../tools/policy.ts";
import { InvalidArguments } from "../tools/validate.ts";
import type { Format } from "../watch/format.ts";
import { readArguments } from "./call/arguments.ts";
import { type Called, type CallSession, openCallSession } from "./call/client.ts";
import { callLines, MAX_LINE_BYTES } from "./call/lines.ts";
import { resultLines } from "./call/shown.ts";
import { decideAtTerminal } from "./confirm.ts";
import { tellFailure } from "./failure.ts";
import { atTerminal, openHome } from "./home.ts";
import { goOnWithoutReader, isOnePlace } from "./pipe.ts";
import { printError, printJson, printPainted } from "./print.ts";
import { Printer, terminalOf } from "./printer.ts";

export interface CallOptions {
  io: Io;
  root: URL;
  flags: Partial<Record<ConfigKey, unknown>>;
  json?: boolean | undefined;
}

/**
 * `towow-mcp call <tool> [arguments]` calls one tool as an MCP client does. The exit status is 0 if the call succeeds, and 1 if
 * its result is an error. A terminal gets paragraphs and tables, and a pipe gets the whole result as JSON. At a terminal the
 * person is asked about the text that the call submits, and a text that they leave undecided is withdrawn before its deadline.
 * Without a terminal the command ends at once, so its result must not promise that withdrawal.
 */
export async function call(tool: string, given: readonly string[], options: CallOptions): Promise<void> {
  const { json, ...rest } = options;
  const { io } = options;
  const asks = !json && atTerminal(io);
  const isForPerson = !json && io.stdout.isTTY === true;
  const texts = isForPerson ? textsForPerson : textsOf;
  const session = await openCallSession({ ...rest, textsOf: texts });
  goOnWithoutReader(io); // Even if nobody reads the output, the command must still say what it leaves open.
  const { result, text } = await callOnce(session, tool, given, texts);
  const isError = result.error !== null;
  const undecided = asks ? await session.leftOpen() : [];
  if (!isForPerson) void printJson(io, result, 2);
  if (!json && isError && !isForPerson && !isOnePlace(io)) void printError(io, `${text}\n`);
  if (isForPerson && undecided.length === 0) printResult(session, result);
  let status = isError ? 1 : 0;
  for (const id of undecided) status ||= await askHere(session, id);
  io.exitCode ||= status; // A result that could not be written is a failure.
  await session.end(isForPerson ? text : "", undecided);
}

/** Returns a function that finds the stored arguments of an earlier call of this tool by that call's short id. */
const keptFor =
  (tool: string, { runtime: { platform, config } }: CallSession) =>
  async (id: string): Promise<Record<string, unknown> | undefined> => {
    const sends = createKeptSends(platform, config.home);
    const kept = await sends.get(id);
    return kept?.tool === tool ? kept.args : undefined;
  };

/** Prints a result as paragraphs and tables, to stderr if it is an error and otherwise to stdout. */
function printResult({ runtime }: CallSession, result: ToolResult): void {
  const { io } = runtime;
  const stream = result.error === null ? io.stdout : io.stderr;
  const { lang } = runtime.live.current();
  const format: Format = {
    width: io.stdout.columns || 80,
    paint: paintWith(terminalOf(stream, io.env).colour),
    texts: watchTexts(lang),
    all: textsForPerson(lang),
    timeOfDay: runtime.deps.timeOfDay,
  };
  void printPainted(`${resultLines(withMasksIn(lang, result), cliTexts(lang).call, format).join("\n")}\n`, stream);
}

/**
 * Asks as `askAbout` does. Failures are printed instead of thrown, because the session must still end and say what it
 * withdraws.
 */
async function askHere(session: CallSession, id: string): Promise<number> {
  try {
    return await askAbout(session, id);
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    await tellFailure(session.runtime.io, error, session.runtime.live.current().lang);
    return 1;
  }
}

/** Waits for the text, asks about it as `confirm` does, and returns that command's exit status. */
async function askAbout(session: CallSession, negotiation_id: string): Promise<number> {
  const { result } = await session.call("towow_demand", { negotiation_id });
  const { state } = (result.data ?? {}) as { state?: string };
  const { withdraws, runtime } = session;
  const { negotiations } = runtime.account();
  const withdrawsIfOpen = withdraws || !negotiations.isLeftToBackend(await negotiations.stage(negotiation_id));
  if (state === "formulated") return decideAtTerminal(runtime, negotiation_id, { withdrawsIfOpen });
  printResult(session, result);
  return 1;
}

async function callOnce(
  session: CallSession,
  tool: string,
  given: readonly string[],
  textsOf: (lang: "zh" | "en") => Texts,
): Promise<Called> {
  const { lang } = session.runtime.live.current();
  try {
    return await session.call(
      tool,
      await readArguments(
        given,
        () => readStdin(session.runtime.io),
        cliTexts(lang).call.problem,
        keptFor(tool, session),
      ),
    );
  } catch (error) {
    if (!(error instanceof InvalidArguments)) throw error;
    const result = failed(toToolError(error, { texts: textsOf(lang), idempotent: false, callable: () => false }));
    return { result, text: textOf(result, () => "") };
  }
}

/** `towow-mcp call --stdin` is a session for scripts. The exit status is 1 if any of its requests failed. */
export async function callFromStdin({ json: _, ...options }: CallOptions): Promise<void> {
  const { io } = options;
  const session = await openCallSession(options);
  goOnWithoutReader(io); // Even if nobody reads the output, the command must still say what it leaves open.
  const allWell = await callLines(session, io.stdin, (response) => printJson(io, response));
  io.stdin.destroy();
  if (!allWell) io.exitCode = 1;
  await session.end("");
}

async function readStdin({ stdin }: Io): Promise<string> {
  const lines: string[] = [];
  let bytes = 0;
  for await (const line of boundedLines(stdin, MAX_LINE_BYTES)) {
    bytes += "text" in line ? Buffer.byteLength(line.text) + 1 : Number.POSITIVE_INFINITY;
    if (bytes > MAX_LINE_BYTES) throw new InvalidArguments("tool.input.invalid.text_too_long", { field: "stdin" });
    if ("text" in line) lines.push(line.text);
  }
  return lines.join("\n");
}

/** `towow-mcp call` alone lists the tools that the settings allow. @throws the error of the first invalid setting */
export function listTools({ io, flags, json }: Omit<CallOptions, "root">): void {
  const live = createLiveSettings(openHome(io).store, { flags, env: io.env, locale: localeOf(io.env) });
  const settings = live.current();
  const refused = live.problem();
  if (refused !== undefined) throw refused;
  checkToolNames(settings);
  const { mode, lang } = settings;
  const titles = textsOf(lang).tools;
  const tools = TOOLS.filter((tool) => isListed(tool, mode, settings)).map(({ name }) => ({
    name,
    title: titles[name as keyof typeof titles],
  }));
  if (json) return void printJson(io, { mode, tools }, 2);
  const printer = new Printer(terminalOf(io.stdout, io.env));
  const rows = tools.map(({ name, title }) => [{ text: name, style: "bold" as const }, { text: title }]);
  const columns = [{ title: "" }, { title: "", tooWide: "wrap" as const }];
  const width = io.stdout.isTTY ? printer.width : Number.POSITIVE_INFINITY;
  for (const line of table(columns, rows, { width, paint: printer.style, titles: false })) printer.line(line);
  printer.gap();
  const texts = cliTexts(lang).call.list;
  printer.text(texts.example, { style: "dim" });
  if (mode === "normal" && settings.toolset === undefined) printer.text(texts.developer, { style: "dim" });
}
