import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMockBackend } from "../../../mock-backend/main.ts";
import { sandboxCommunity } from "../../../mock-backend/sandbox/community.ts";
import type { Io } from "../../app/io.ts";
import type { ToolResult } from "../../result/tool-result.ts";

/** A form that the server shows to the person: a text to decide on, or a field for their own. */
export interface DemoForm {
  asks: "decision" | "text";
  message: string;
  /** The lines beside the text, which say by when to decide, where the text goes, and what it contains. */
  beside: string | undefined;
}

/** The person's answer, as a form returns it. */
export type FormAnswer = { action: "accept"; content: Record<string, string> } | { action: "cancel" };

export interface SessionOptions {
  io: Io;
  root: URL;
  lang: "zh" | "en";
  ask: (form: DemoForm) => Promise<FormAnswer>;
}

export interface DemoSession {
  backendUrl: string;
  call(
    tool: string,
    args: Record<string, unknown>,
    onProgress?: (message: string) => void,
    // biome-ignore lint/suspicious/noExplicitAny: the demo knows the data of the tool that it calls
  ): Promise<ToolResult<any>>;
  /** Ends the server, then the backend, and removes the home. A second call waits for the same end. */
  close(): Promise<void>;
}

/** The steps are slow enough to follow, and the whole run stays below twenty seconds. */
const STEP_MS = 900;
/** A person may take as long as the deadline allows. */
const CALL_TIMEOUT_MS = 600_000;

/**
 * Opens the mock in this process, this program's own server as a child, and a real client between them (contract §9).
 * `close` ends all of them.
 */
export async function openSession({ io, root, lang, ask }: SessionOptions): Promise<DemoSession> {
  const endings: (() => Promise<unknown>)[] = [];
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      for (const end of endings.reverse()) await end().catch(() => {});
    })();
    return closing;
  };
  try {
    const home = await mkdtemp(join(tmpdir(), "towow-demo-"));
    // This also removes the home if something ends this process early.
    io.once("exit", () => rmSync(home, { recursive: true, force: true }));
    endings.push(() => rm(home, { recursive: true, force: true }));
    const mock = createMockBackend({ stepMs: STEP_MS, seed: 7, community: sandboxCommunity });
    endings.push(() => mock.close());
    const { url: backendUrl } = await mock.listen();

    const [{ Client }, { StdioClientTransport }] = await Promise.all([
      import("@modelcontextprotocol/client"),
      import("@modelcontextprotocol/client/stdio"),
    ]);
    const level = io.env.TOWOW_LOG_LEVEL;
    const connect = async (capabilities: object) => {
      const client = new Client(
        { name: "towow-mcp-demo", version: "1" },
        { capabilities, versionNegotiation: { mode: { pin: "2026-07-28" } } },
      );
      if ("elicitation" in capabilities)
        client.setRequestHandler("elicitation/create", ({ params }) => ask(formOf(params)));
      const connected = client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [...process.execArgv, entryOf(root)],
          // The server gets only the mock and an empty home, and none of the person's settings.
          env: {
            TOWOW_HOME: home,
            TOWOW_BACKEND_URL: backendUrl,
            TOWOW_LANG: lang,
            ...(io.env.TZ && { TZ: io.env.TZ }),
            ...(level && { TOWOW_LOG_LEVEL: level }),
          },
          stderr: level ? "inherit" : "ignore",
        }),
      );
      // This also ends a server that is still starting.
      endings.push(() => connected.catch(() => {}).then(() => client.close()));
      await connected;
      return client;
    };
    // The profile is shown whole in the terminal, as an AI shows it, because forms can show a profile only in many parts.
    const joining = await connect({});
    let asking: ReturnType<typeof connect> | undefined;
    const clientFor = (tool: string) => {
      if (tool === "towow_join") return joining;
      asking ??= connect({ elicitation: { form: {} } });
      return asking;
    };
    return {
      backendUrl,
      close,
      async call(name, args, onProgress) {
        let last = -1;
        const client = await clientFor(name);
        const { structuredContent } = await client.callTool(
          { name, arguments: args },
          {
            timeout: CALL_TIMEOUT_MS,
            onprogress({ progress, message }) {
              if (progress <= last) return; // The client added this message to a question, so it does not come from the server.
              last = progress;
              onProgress?.(message ?? "");
            },
          },
        );
        return structuredContent as unknown as ToolResult;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function formOf(params: { message: string; requestedSchema?: unknown }): DemoForm {
  const { properties = {} } = (params.requestedSchema ?? {}) as {
    properties?: Record<string, { description?: string }>;
  };
  const asks = "confirmed_text" in properties ? "text" : "decision";
  return { asks, message: params.message, beside: properties.decision?.description };
}

/** Returns the path of the program as it runs now, built or from its sources. */
export function entryOf(root: URL): string {
  const built = import.meta.url.startsWith(new URL("dist/", root).href);
  return fileURLToPath(new URL(built ? "dist/cli.js" : "src/cli.ts", root));
}
