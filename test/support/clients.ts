import { fileURLToPath } from "node:url";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as LegacyHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import type { ToolResult } from "../../src/result/tool-result.ts";
import { needsProcess } from "./cli.ts";
import { NODE_ENV } from "./node-env.ts";
import { ProgramTransport } from "./program-transport.ts";
import type { QuietClock } from "./quiet-clock.ts";

export interface Form {
  message: string;
  mode?: "form" | "url";
  /** What is to be opened, when the question is a page. */
  url?: string;
  elicitationId?: string;
  requestedSchema: { properties: Record<string, unknown> };
}
export type Answer = { action: "accept" | "decline" | "cancel"; content?: Record<string, string> };
export type Answerer = (form: Form) => Answer | Promise<Answer>;

/** What a person needs at least before they can say no, in milliseconds: a decline that comes sooner is their client's. */
export const READING_MS = 400;

/** A person who changes the text first, in the form that asks for theirs, and says yes where that is shown again. */
export const editing =
  (text: string) =>
  ({ message, requestedSchema: { properties } }: Form): Answer => {
    if ("confirmed_text" in properties) return { action: "accept", content: { confirmed_text: text } };
    return { action: "accept", content: { decision: message === text ? "accept" : "edit" } };
  };

/** A connected client, whatever its dialect. */
export interface Session {
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Called>;
  tools(): Promise<string[]>;
  /** The text of a resource. */
  read(uri: string): Promise<string>;
  /** The names of the prompts, and the text of one. */
  prompts(): Promise<string[]>;
  prompt(name: string, args?: Record<string, string>): Promise<string>;
  forms: Form[];
  listChanges(): number;
  pid(): number | null;
  close(): Promise<void>;
}
export interface CallOptions {
  onProgress?: (message: string, progress: number) => void;
  signal?: AbortSignal;
  /** The person says yes in every form while the call runs. Those forms are not kept. */
  agrees?: true;
}
export interface Called {
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the data of the tool it calls
  result: ToolResult<any>;
  text: string;
  isError: boolean;
  /** The addresses that the result links to. */
  links: string[];
  /** The id of the call, as the result's `_meta` tells it. */
  requestId: unknown;
}
export interface StdioTarget {
  env: Record<string, string>;
  args?: string[];
  /** Declare that the client opens addresses, and shows no forms. */
  pages?: true;
  /** Takes what the program writes to stderr, which is otherwise inherited. */
  onStderr?: (text: string) => void;
  /** The built program, in a process of its own. */
  spawned?: true;
  /** The program's, in this process: time passes while a client of the 2025 era waits for an answer. */
  clock?: QuietClock | undefined;
}

/** A running endpoint. */
export interface HttpTarget {
  url: string;
  headers?: Record<string, string>;
  /** Declare that the client opens addresses, and shows no forms. */
  pages?: true;
}
export type Target = StdioTarget | HttpTarget;

const http = ({ url, headers = {} }: HttpTarget) => [new URL(url), { requestInit: { headers } }] as const;
const canOnlyOpenPages = (target: Target) => "pages" in target && target.pages === true;

const SERVER = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const environment = (env: Record<string, string>) => ({ ...NODE_ENV, LANG: "en_US.UTF-8", ...env });
const command = ({ env, args = [] }: StdioTarget) => ({
  command: process.execPath,
  args: [SERVER, ...args],
  env: environment(env),
});

/** To the program in this process, where it needs none of its own. */
function inProcess({ env, args = [], onStderr, spawned, clock }: StdioTarget): ProgramTransport | undefined {
  if (spawned || needsProcess(env)) return undefined;
  return new ProgramTransport(args, { env: { PATH: NODE_ENV.PATH, LANG: "en_US.UTF-8", ...env }, clock }, onStderr);
}

interface RawResult {
  content?: unknown;
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

export const calledOf = (raw: unknown): Called => {
  const { content, structuredContent, isError, _meta = {} } = raw as RawResult;
  const [first, ...more] = (content ?? []) as { text?: string; type: string; uri?: string }[];
  return {
    result: structuredContent as ToolResult,
    text: first?.text ?? "",
    isError: isError ?? false,
    requestId: _meta["towow/request_id"],
    links: more.flatMap(({ type, uri }) => (type === "resource_link" && uri !== undefined ? [uri] : [])),
  };
};

const textOf = ({ contents }: { contents: object[] }): string => (contents[0] as { text?: string }).text ?? "";

const promptTextOf = ({ messages }: { messages: { content: object }[] }): string =>
  messages.map(({ content }) => (content as { text?: string }).text ?? "").join("\n");

const progressOf =
  ({ onProgress }: CallOptions) =>
  (p: { message?: string | undefined; progress: number }) =>
    onProgress?.(p.message ?? "", p.progress);

const YES: Answer = { action: "accept", content: { decision: "accept" } };

/** Who answers a client's forms: the test's answerer, but while a call runs to which the person agrees. */
function personAt(forms: Form[], answer: Answerer) {
  let agreed = 0;
  return {
    async answer(form: Form): Promise<Answer> {
      if (agreed > 0 && form.mode !== "url") return YES;
      forms.push(form);
      return answer(form);
    },
    async during<T>({ agrees }: CallOptions, call: () => Promise<T>): Promise<T> {
      if (agrees !== true) return call();
      agreed += 1;
      return call().finally(() => {
        agreed -= 1;
      });
    },
  };
}

/** The v1 SDK: a 2025-era client. With an answerer it declares forms. */
export async function legacyClient(target: Target, answer?: Answerer, name = "legacy-test"): Promise<Session> {
  const forms: Form[] = [];
  const person = personAt(forms, answer ?? (() => ({ action: "cancel" })));
  let changes = 0;
  const client = new LegacyClient(
    { name, version: "1" },
    {
      capabilities: answer ? { elicitation: canOnlyOpenPages(target) ? { url: {} } : {} } : {},
      listChanged: {
        tools: {
          autoRefresh: false,
          onChanged: () => {
            changes += 1;
          },
        },
      },
    },
  );
  if (answer)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => (await person.answer(params as Form)) as never);
  const transport =
    "url" in target
      ? new LegacyHttp(...http(target))
      : (inProcess(target) ??
        new LegacyStdio({ ...command(target), ...(target.onStderr && { stderr: "pipe" as const }) }));
  if ("env" in target && target.onStderr && "stderr" in transport)
    transport.stderr?.on("data", (chunk: Buffer) => target.onStderr?.(chunk.toString()));
  const spend = <T>(work: Promise<T>) => ("clock" in target && target.clock ? target.clock.run(work) : work);
  await spend(client.connect(transport as never));
  onTestFinished(() => spend(client.close()));
  return {
    forms,
    listChanges: () => changes,
    pid: () => ("pid" in transport ? transport.pid : null),
    close: () => spend(client.close()),
    tools: async () => (await spend(client.listTools())).tools.map((t) => t.name),
    read: async (uri) => textOf(await spend(client.readResource({ uri }))),
    prompts: async () => (await spend(client.listPrompts())).prompts.map((p) => p.name),
    prompt: async (name, args = {}) => promptTextOf(await spend(client.getPrompt({ name, arguments: args }))),
    call: async (name, args = {}, options = {}) =>
      calledOf(
        await person.during(options, () =>
          spend(
            client.callTool({ name, arguments: args }, undefined, {
              onprogress: progressOf(options),
              ...(options.signal && { signal: options.signal }),
              timeout: 120_000,
            }),
          ),
        ),
      ),
  };
}

/** The v2 SDK, pinned to 2026-07-28. With an answerer it declares forms. */
export async function modernClient(target: Target, answer?: Answerer): Promise<Session> {
  const forms: Form[] = [];
  const person = personAt(forms, answer ?? (() => ({ action: "cancel" })));
  let changes = 0;
  const client = new ModernClient(
    { name: "modern-test", version: "1" },
    {
      capabilities: answer ? { elicitation: canOnlyOpenPages(target) ? { url: {} } : { form: {} } } : {},
      versionNegotiation: { mode: { pin: "2026-07-28" } },
      listChanged: {
        tools: {
          autoRefresh: false,
          onChanged: () => {
            changes += 1;
          },
        },
      },
    },
  );
  if (answer)
    client.setRequestHandler(
      "elicitation/create",
      async ({ params }) => (await person.answer(params as unknown as Form)) as never,
    );
  const transport =
    "url" in target ? new ModernHttp(...http(target)) : (inProcess(target) ?? new ModernStdio(command(target)));
  await client.connect(transport as never);
  onTestFinished(() => client.close());
  return {
    forms,
    listChanges: () => changes,
    pid: () => ("pid" in transport ? transport.pid : null),
    close: () => client.close(),
    tools: async () => (await client.listTools()).tools.map((t) => t.name),
    read: async (uri) => textOf(await client.readResource({ uri })),
    prompts: async () => (await client.listPrompts()).prompts.map((p) => p.name),
    prompt: async (name, args = {}) => promptTextOf(await client.getPrompt({ name, arguments: args })),
    call: async (name, args = {}, options = {}) =>
      calledOf(
        await person.during(options, () =>
          client.callTool(
            { name, arguments: args },
            {
              onprogress: progressOf(options),
              ...(options.signal && { signal: options.signal }),
              timeout: 120_000,
            },
          ),
        ),
      ),
  };
}
