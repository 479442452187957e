import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import type { Browser, BrowserContextOptions, Frame } from "playwright-core";
import { onTestFinished } from "vitest";
import type { Drawing } from "./chat-host-page.ts";
import { ownWindow } from "./windows.ts";

/** The page as it ships. */
export const QUESTION_PAGE_FILE = new URL("../../dist/question.html", import.meta.url);

const HOST_SCRIPT = fileURLToPath(new URL("chat-host-page.ts", import.meta.url));
const HOST_PAGE = (script: string) => `<!doctype html><meta charset="utf-8"><title>Host</title>
<style>body{margin:0;font:15px system-ui;background:#eee}#chat{margin:0 auto}iframe{display:block;width:100%;border:0;height:150px}</style>
<div id="chat"></div><script>${script}</script>`;

/** As hosts have it: another origin between the conversation and the page, whose policy the page inherits. */
const SANDBOX_PAGE = `<!doctype html><meta charset="utf-8"><style>html,body{margin:0;height:100%}iframe{width:100%;height:100%;border:0;display:block}</style><body><script>
const host = new URL(document.referrer).origin;
const inner = document.createElement("iframe");
inner.setAttribute("sandbox", "allow-scripts allow-forms");
document.body.append(inner);
addEventListener("message", ({ source, origin, data }) => {
  if (source === parent && origin === host) {
    if (data?.method === "ui/notifications/sandbox-resource-ready") inner.srcdoc = data.params.html;
    else inner.contentWindow.postMessage(data, "*");
  } else if (source === inner.contentWindow) parent.postMessage(data, host);
});
parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/sandbox-proxy-ready", params: {} }, host);
</script>`;
const SANDBOX_POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'none'; connect-src 'none'; frame-src 'self'; base-uri 'none'";

let script: string | undefined;
const hostScript = () =>
  (script ??= buildSync({
    entryPoints: [HOST_SCRIPT],
    bundle: true,
    format: "iife",
    platform: "browser",
    write: false,
    logLevel: "error",
  }).outputFiles[0]?.text.replaceAll("</script", "<\\/script"));

/** Both origins: `localhost` is another than `127.0.0.1`. */
async function serve(): Promise<{ host: string; sandbox: string }> {
  const server = createServer(({ url }, response) => {
    const isSandbox = url === "/sandbox";
    response.writeHead(200, {
      "Content-Type": "text/html; charset=utf-8",
      "Referrer-Policy": "origin",
      ...(isSandbox && { "Content-Security-Policy": SANDBOX_POLICY }),
    });
    response.end(isSandbox ? SANDBOX_PAGE : HOST_PAGE(hostScript() ?? ""));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { host: `http://127.0.0.1:${port}/`, sandbox: `http://localhost:${port}/sandbox` };
}

/** What a page calls, as its host gets it. */
export interface CallOfPage {
  name: string;
  arguments?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

interface HostOptions extends Pick<Drawing, "height"> {
  /** Brings a call to the server. */
  call: (params: CallOfPage) => Promise<unknown>;
  width?: number;
  context?: Drawing["context"];
  capabilities?: Drawing["capabilities"];
  window?: BrowserContextOptions;
  /** The browser says nothing of what covers an element, as not every one does. */
  seesNoCovers?: true;
}

const SEES_NO_COVERS = "<script>delete IntersectionObserver.prototype.trackVisibility</script>";

/** A conversation in which the page in the chat is drawn. It goes with its test. */
export async function chatHost(browser: Browser, options: HostOptions) {
  const { call, width = 720, context = {}, height, seesNoCovers } = options;
  const { capabilities = { serverTools: {}, openLinks: {} } } = options;
  const { page } = await ownWindow(browser, { viewport: { width, height: 900 }, ...options.window });
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  const asked: [what: string, params: unknown][] = [];
  const calls: CallOfPage[] = [];
  await page.exposeFunction("asked", (what: string, params: unknown) => void asked.push([what, params]));
  await page.exposeFunction("callServer", (params: CallOfPage) => {
    calls.push(params);
    return call(params);
  });
  const at = await serve();
  await page.goto(at.host);
  const html = readFileSync(QUESTION_PAGE_FILE, "utf8").replace(
    "<head>",
    `<head>${seesNoCovers ? SEES_NO_COVERS : ""}`,
  );
  const drawing: Drawing = {
    html,
    sandbox: at.sandbox,
    capabilities,
    context: { theme: "light" as const, displayMode: "inline" as const, ...context },
    ...(height !== undefined && { height }),
  };
  await page.evaluate((given) => window.host.draw(given as Drawing), drawing as unknown);
  const outer = await (await page.waitForSelector("iframe")).contentFrame();
  const inner = await (await outer?.waitForSelector("iframe"))?.contentFrame();
  return {
    window: page,
    /** The page itself. */
    page: inner as Frame,
    asked,
    calls,
    /** What the page and the host have complained of. */
    complaints,
    result: (result: object) => page.evaluate((handed) => window.host.result(handed as never), result),
    form: (params: object) => page.evaluate((handed) => window.host.form(handed), params),
    cancelled: () => page.evaluate(() => window.host.cancelled()),
    context: (changed: Drawing["context"]) =>
      page.evaluate((it) => window.host.context(it as Drawing["context"]), changed as unknown),
    teardown: () => page.evaluate(() => window.host.teardown()),
    heights: () => page.evaluate(() => window.host.heights()),
  };
}
