import type { Io } from "../../app/io.ts";
import { createRuntime, type Runtime, type RuntimeOptions } from "../../app/runtime.ts";
import type { AtTerminal } from "../../ask/context.ts";
import { buildServer } from "../../mcp/server.ts";
import type { ServerDeps } from "../../mcp/server-deps.ts";
import { once } from "../../once.ts";
import type { ToolResult } from "../../result/tool-result.ts";
import { showInvisible } from "../../safety/invisible.ts";
import { cliTexts } from "../../text/cli.ts";
import { NO_WORDS, terminalTexts } from "../../text/terminal.ts";
import { checkToolNames, knownName, noSuchTool } from "../../tools/index.ts";
import { onEnd } from "../ending.ts";
import { atTerminal } from "../home.ts";
import { printError, printText } from "../print.ts";
import { typedCode } from "../typed-code.ts";
import { closeRuntime, endingOf } from "../with-runtime.ts";

/** The longest delay that a timer accepts. The client must not time out, because a call ends by its own budget. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

export interface Called {
  result: ToolResult;
  /** The text that a client's model gets. */
  text: string;
}

/** A session in which tools are called through the same server that MCP clients talk to, in this process. */
export interface CallSession {
  readonly runtime: Runtime;
  /** True if the end of the session withdraws what is left open. */
  readonly withdraws: boolean;
  call(tool: string, params: Record<string, unknown>): Promise<Called>;
  /** Lists the negotiations that this session submitted and nobody has decided on, newest first. */
  leftOpen(): Promise<string[]>;
  /**
   * Ends the session. What is left open is withdrawn, unless the person's own `leave` says otherwise, and stderr says
   * so. `asked` lists the negotiations about which the person was asked here.
   */
  end(shown: string, asked?: readonly string[]): Promise<void>;
}

/**
 * Opens a session over an in-memory transport. Its client declares no way to ask the person, so a demand that waits for a
 * decision comes back as a result. At the end of the session, and at an interrupt, submitted texts that nobody has decided on
 * are withdrawn (contract §6).
 */
export async function openCallSession({
  textsOf,
  ...options
}: RuntimeOptions & Pick<ServerDeps, "textsOf">): Promise<CallSession> {
  const { io } = options;
  const runtime = await createRuntime({ ...options, terminalFlags: io.stdin.isTTY === true });
  const { deps, live } = runtime;
  tellIgnored(runtime);
  checkToolNames(live.current()); // A filter that names no tool is an error at the start, and is never silently ignored.
  const { Client, InMemoryTransport } = await import("@modelcontextprotocol/client");
  const client = new Client({ name: "towow-mcp-call", version: deps.version }, { capabilities: {} });
  const askAtTerminal = atTerminal(io) ? askYes(io, live.current().lang) : undefined;
  const withdraws = live.current().on_unconfirmed !== "leave";
  const server = buildServer({ ...deps, fromCommandLine: true, withdrawsAtEnd: withdraws, askAtTerminal, textsOf });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);

  const leftOpen = () =>
    runtime
      .account()
      .negotiations.leftOpen()
      .catch(() => []);
  const close = once(() => closeRuntime(runtime, withdraws ? "withdraw_own" : "leave"));
  onEnd(io, endingOf(runtime, close));

  let said = "";
  const tellProgress = (message: string) => {
    if (message !== "" && message !== said) void printError(io, `… ${message}\n`);
    said = message;
  };

  return {
    runtime,
    withdraws,
    async call(tool, params) {
      if (knownName(tool) !== tool) throw noSuchTool(tool, live.current().mode, live.current());
      const { structuredContent, content } = await client.callTool(
        { name: tool, arguments: params },
        {
          timeout: NO_TIMEOUT_MS,
          ...(io.stderr.isTTY && { onprogress: ({ message = "" }) => tellProgress(message) }),
        },
      );
      const [first] = content as { text?: string }[];
      return { result: structuredContent as unknown as ToolResult, text: first?.text ?? "" };
    },
    async leftOpen() {
      return (await leftOpen()).map(({ negotiationId }) => negotiationId);
    },
    async end(shown, asked = []) {
      const texts = cliTexts(live.current().lang).call;
      const open = await leftOpen();
      const isSuspended = !withdraws && open.some(({ silence }) => silence.as === "withdrawn");
      for (const { negotiationId: id, silence } of open)
        if (withdraws || silence.as === "withdrawn")
          void printError(io, `${asked.includes(id) ? texts.withdrawnUndecided(id) : texts.withdrawn(id)}\n`);
        else if (silence.at !== undefined && !shown.includes(`towow-mcp confirm ${id}`))
          void printError(io, `${texts.leftOpen(id, deps.timeOfDay(silence.at))}\n`);
      if (isSuspended && (await deps.session.taint.isTainted(true))) void printError(io, `${texts.leaveSuspended}\n`);
      await client.close();
      await close();
    },
  };
}

/**
 * Warns on stderr about flags that would loosen a limit of the config file. Such flags have no effect, and no other output says
 * so.
 */
function tellIgnored({ io, ignored, live }: Runtime): void {
  const { notFollowed } = cliTexts(live.current().lang).call;
  for (const { key, source, where, value } of ignored)
    if (source === "flag") void printError(io, `${notFollowed(where, String(value), String(live.current()[key]))}\n`);
}

/**
 * Returns a function that shows all that would be sent, and asks for a typed code until it is right or the answer is
 * no. Ctrl-C and Ctrl-D count as no.
 */
const askYes =
  (io: Io, lang: "zh" | "en") =>
  async ({ title, text, beside }: AtTerminal): Promise<boolean> => {
    const texts = terminalTexts(lang);
    void printText(io, `\n${[title, "", showInvisible(text), "", ...beside].join("\n")}\n`);
    for (;;) {
      const { line, isCode } = await typedCode(io, texts.codeOrNo);
      if (isCode) return true;
      if (line === undefined || NO_WORDS.includes(line.toLowerCase())) return false;
      void printText(io, `${texts.wrongCode}\n`);
    }
  };
