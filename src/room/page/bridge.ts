import type {
  McpUiAppCapabilities,
  McpUiHostCapabilities,
  McpUiHostContext,
  McpUiInitializeRequest,
  McpUiInitializeResult,
  McpUiOpenLinkRequest,
  McpUiRequestDisplayModeRequest,
  McpUiToolCancelledNotification,
  McpUiToolResultNotification,
} from "@modelcontextprotocol/ext-apps";

/** The result of a tool, as a host hands it to the page. */
export type HandedResult = McpUiToolResultNotification["params"];

/** Handlers for what the host sends without being asked. */
export interface FromHost {
  /** Called with the host's whole context as it is now, such as the theme, the locale and the display mode. */
  onContext: (context: McpUiHostContext) => void;
  onResult: (result: HandedResult) => void;
  /** Called if the host draws this page in place of a form (SEP-3118). The host waits for one `answer`. */
  onForm: (asked: Pick<HandedResult, "_meta">, answer: (action: "accept" | "cancel") => void) => void;
  onCancelled: (reason: McpUiToolCancelledNotification["params"]) => void;
  /** Called before the page goes away, so that it can send what it still has to send. */
  onTeardown: () => void;
}

/** The page's side of MCP Apps (2026-01-26), with only the messages that this page needs. */
export interface Bridge {
  /** Resolves with the host's capabilities once it has answered, and never if the host does not answer. */
  ready: Promise<McpUiHostCapabilities>;
  /** Calls a tool of the page's server. @throws if the host refuses, or if `signal` aborts the call */
  call(name: string, args: object, meta: object, signal?: AbortSignal): Promise<HandedResult>;
  /** Asks the host to open an address outside the chat. @throws if the host does not */
  openLink(url: string): Promise<void>;
  /** Asks for the whole window, or to be shown within the conversation again. @throws if the host refuses */
  display(mode: McpUiRequestDisplayModeRequest["params"]["mode"]): Promise<void>;
  /** Tells the host how high the page is, in pixels. */
  resized(height: number): void;
}

interface Message {
  jsonrpc: "2.0";
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

const PROTOCOL: McpUiInitializeRequest["params"]["protocolVersion"] = "2026-01-26";
/** The capabilities of this page. The package's types do not know `elicitation` yet. */
const CAPABILITIES: McpUiAppCapabilities & { elicitation: object } = {
  availableDisplayModes: ["inline", "fullscreen"],
  elicitation: {},
};
const METHOD_NOT_FOUND = { code: -32601, message: "Method not found" };

/** Talks to the window that holds this page, and to nobody else. */
export function bridgeTo(host: Window, { onContext, onResult, onForm, onCancelled, onTeardown }: FromHost): Bridge {
  let asked = 0;
  const unanswered = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let context: McpUiHostContext = {};

  // The host's origin is not known before it speaks, so messages are addressed to its window alone.
  const post = (message: Omit<Message, "jsonrpc">) => host.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const notify = (method: string, params: object = {}) => post({ method, params });

  const request = (method: string, params: object, signal?: AbortSignal) =>
    new Promise<unknown>((resolve, reject) => {
      const id = asked++;
      unanswered.set(id, { resolve, reject });
      signal?.addEventListener("abort", () => {
        if (!unanswered.delete(id)) return;
        notify("notifications/cancelled", { requestId: id });
        reject(new Error(`no answer to ${method}`));
      });
      post({ id, method, params });
    });

  const answered = ({ id, result, error }: Message): void => {
    const waiting = unanswered.get(Number(id));
    unanswered.delete(Number(id));
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
  };

  const told = (method: string, params: unknown): void => {
    if (method === "ui/notifications/host-context-changed") {
      context = { ...context, ...(params as McpUiHostContext) };
      onContext(context);
    } else if (method === "ui/notifications/tool-result") onResult(params as HandedResult);
    else if (method === "ui/notifications/tool-cancelled")
      onCancelled(params as McpUiToolCancelledNotification["params"]);
  };

  const requested = (id: number | string, method: string, params: unknown): void => {
    if (method === "elicitation/create") {
      const answer: Parameters<FromHost["onForm"]>[1] = (action) =>
        post({ id, result: action === "accept" ? { action, content: {} } : { action } });
      onForm(params as Pick<HandedResult, "_meta">, answer);
      return;
    }
    if (method === "ui/resource-teardown") onTeardown();
    post(method === "ping" || method === "ui/resource-teardown" ? { id, result: {} } : { id, error: METHOD_NOT_FOUND });
  };

  addEventListener("message", ({ source, data }: MessageEvent<Message | undefined>) => {
    if (source !== host || data?.jsonrpc !== "2.0") return;
    if (data.method === undefined) answered(data);
    else if (data.id === undefined) told(data.method, data.params);
    else requested(data.id, data.method, data.params);
  });

  const initialize: McpUiInitializeRequest["params"] = {
    protocolVersion: PROTOCOL,
    appInfo: { name: "towow", version: "1" },
    appCapabilities: CAPABILITIES,
  };
  const ready = request("ui/initialize", initialize).then((result) => {
    const { hostCapabilities, hostContext } = result as McpUiInitializeResult;
    notify("ui/notifications/initialized"); // hosts hide the frame until then
    context = { ...hostContext, ...context };
    onContext(context);
    return hostCapabilities ?? {};
  });

  return {
    ready,
    call: (name, args, _meta, signal) =>
      request("tools/call", { name, arguments: args, _meta }, signal) as Promise<HandedResult>,
    async openLink(url) {
      const params: McpUiOpenLinkRequest["params"] = { url };
      const { isError } = ((await request("ui/open-link", params)) ?? {}) as { isError?: boolean };
      if (isError === true) throw new Error("the host opened nothing");
    },
    async display(mode) {
      await request("ui/request-display-mode", { mode });
    },
    resized: (height) => notify("ui/notifications/size-changed", { height }),
  };
}
