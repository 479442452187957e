import { AppBridge, type McpUiHostContext, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

/** A host of pages on the package's own bridge, in a window: `ChatHost` drives it from outside. */

type Capabilities = ConstructorParameters<typeof AppBridge>[2];
type Result = Parameters<AppBridge["sendToolResult"]>[0];
type Context = McpUiHostContext;

export interface Drawing {
  html: string;
  sandbox: string;
  capabilities: Capabilities;
  context: Context;
  /** The frame's own height in pixels; without one it is as high as the page says. */
  height?: number;
}

declare global {
  interface Window {
    /** Passes a call of the page on to the server. */
    callServer(params: unknown): Promise<Result>;
    /** What the page has asked of its host. */
    asked(what: string, params: unknown): Promise<void>;
    host: typeof host;
  }
}

let bridge: AppBridge | undefined;
let initialized: Promise<void> | undefined;
let context: Context = {};
/** What the page says it can do; the package's own reading of it leaves out what it does not know yet. */
let declared: object | undefined;
/** Taken as it comes. */
const ANSWER = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const;
const heights: number[] = [];

const host = {
  async draw({ html, sandbox, capabilities, context: first, height }: Drawing): Promise<void> {
    const frame = document.createElement("iframe");
    frame.sandbox.add("allow-scripts", "allow-same-origin", "allow-forms");
    if (height !== undefined) frame.style.height = `${height}px`;
    document.getElementById("chat")?.append(frame);
    context = first;
    const made = new AppBridge(null, { name: "host", version: "1" }, capabilities, { hostContext: first });
    bridge = made;
    made.oncalltool = (params, { mcpReq: { signal } }) => {
      signal.addEventListener("abort", () => void window.asked("give-up", params.name));
      return window.callServer(params);
    };
    made.onopenlink = async (params) => {
      await window.asked("open-link", params);
      return {};
    };
    made.onrequestdisplaymode = async ({ mode }) => {
      await window.asked("display-mode", { mode });
      return { mode };
    };
    made.onsizechange = ({ height: wanted = 0 }) => {
      heights.push(wanted);
      if (height === undefined) frame.style.height = `${wanted}px`;
    };
    initialized = new Promise((resolve) => {
      made.oninitialized = () => resolve();
    });
    const ready = new Promise<void>((resolve) => {
      addEventListener("message", function listen({ source, data }) {
        if (source !== frame.contentWindow || data?.method !== "ui/notifications/sandbox-proxy-ready") return;
        removeEventListener("message", listen);
        resolve();
      });
    });
    frame.src = sandbox;
    await ready;
    const inner = frame.contentWindow as Window;
    addEventListener("message", ({ source, data }) => {
      if (source === inner && data?.method === "ui/initialize") declared = data.params.appCapabilities;
    });
    await made.connect(new PostMessageTransport(inner, inner));
    await made.sendSandboxResourceReady({ html });
  },
  /** The whole result of the tool, as a host hands it on. */
  async result(result: Result): Promise<void> {
    await initialized;
    await bridge?.sendToolInput({ arguments: {} });
    await bridge?.sendToolResult(result);
  },
  /** A question that this page is drawn for in the place of a form (SEP-3118), until the page has answered it. */
  async form(params: object): Promise<unknown> {
    await initialized;
    if (bridge === undefined || !("elicitation" in (declared ?? {}))) throw new Error("the page declares no forms");
    return bridge.request({ method: "elicitation/create", params } as never, ANSWER, { timeout: 600_000 });
  },
  async cancelled(): Promise<void> {
    await initialized;
    await bridge?.sendToolCancelled({ reason: "stopped" });
  },
  context(changed: Context): void {
    context = { ...context, ...changed };
    bridge?.setHostContext(context);
  },
  teardown: () => bridge?.teardownResource({}),
  heights: (): readonly number[] => heights,
};
window.host = host;
