import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type Answerer, type Called, calledOf, type Form } from "./clients.ts";

/** `2026`: stateless, with forms. `2025`: a session, with forms. `plain`: single POSTs, no session, no forms. */
export type Kind = "2026" | "2025" | "plain";

export interface EndpointUser {
  token: string;
  userId?: string;
  /** Told of every byte that this user receives, as text. */
  onText?: (text: string) => void;
  /** Where the next request goes instead, as a load balancer would have it. */
  route?: () => string;
}

export interface EndpointClient {
  forms: Form[];
  call(name: string, args?: Record<string, unknown>, timeoutMs?: number): Promise<Called>;
  close(): Promise<void>;
}

/** The HTTP status of a request that the endpoint or the proxy refused. */
export class HttpRefused extends Error {
  readonly status: number;
  readonly body: string;
  constructor(status: number, body: string) {
    super(`${status} ${body.slice(0, 300)}`);
    this.status = status;
    this.body = body;
  }
}

const TIMEOUT_MS = 90_000;

export async function endpointClient(
  kind: Kind,
  url: string,
  user: EndpointUser,
  answer?: Answerer,
): Promise<EndpointClient> {
  const headers = {
    authorization: `Bearer ${user.token}`,
    ...(user.userId !== undefined && { "x-towow-user-id": user.userId }),
  };
  const heard: typeof fetch = async (input, init) => {
    const response = await fetch(user.route?.() ?? input, init);
    if (user.onText !== undefined && response.body !== null) {
      const { onText } = user;
      void (async () => {
        const decoder = new TextDecoder();
        for await (const chunk of response.clone().body ?? []) onText(decoder.decode(chunk, { stream: true }));
      })().catch(() => {}); // cut off: the client itself hears of it
    }
    return response;
  };
  if (kind === "plain") return plainClient(url, headers, heard);
  const forms: Form[] = [];
  const answering = async (params: unknown) => {
    forms.push(params as Form);
    return (await answer?.(params as Form)) as never;
  };
  const capabilities = answer === undefined ? {} : { elicitation: { form: {} } };
  const options = { fetch: heard, requestInit: { headers } };
  const client =
    kind === "2026" ? modern(capabilities) : new LegacyClient({ name: "t", version: "1" }, { capabilities });
  if (client instanceof LegacyClient) {
    if (answer) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answering(params));
    await client.connect(new LegacyHttp(new URL(url), options) as never);
  } else {
    if (answer) client.setRequestHandler("elicitation/create", ({ params }) => answering(params));
    await client.connect(new ModernHttp(new URL(url), options));
  }
  return {
    forms,
    close: () => client.close(),
    async call(name, args = {}, timeout = TIMEOUT_MS) {
      const params = { name, arguments: args };
      const raw = await (client instanceof LegacyClient
        ? client.callTool(params, undefined, { timeout })
        : client.callTool(params, { timeout }));
      return calledOf(raw);
    },
  };
}

const modern = (capabilities: object) =>
  new ModernClient({ name: "t", version: "1" }, { capabilities, versionNegotiation: { mode: { pin: "2026-07-28" } } });

function plainClient(url: string, headers: Record<string, string>, send: typeof fetch): EndpointClient {
  let id = 0;
  return {
    forms: [],
    close: async () => {},
    async call(name, args = {}, timeoutMs = TIMEOUT_MS) {
      const response = await send(url, {
        method: "POST",
        headers: {
          ...headers,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2025-11-25",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method: "tools/call", params: { name, arguments: args } }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      if (!response.ok) throw new HttpRefused(response.status, text);
      const lines = text.split("\n").filter((line) => line.startsWith("data:"));
      const messages = lines.length === 0 ? [text] : lines.map((line) => line.slice(5));
      const message = messages.map((line) => JSON.parse(line)).find((m) => m.result ?? m.error);
      if (message?.result === undefined) throw new Error(`no result: ${text.slice(0, 300)}`);
      return calledOf(message.result);
    },
  };
}
