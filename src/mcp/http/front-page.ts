import { createHash } from "node:crypto";
import type { Context } from "hono";
import { html, raw } from "hono/html";
import { frame } from "../../ask/page/html.ts";
import { textsFor } from "../../ask/page/language.ts";
import { frontTexts } from "../../text/front.ts";

/** A button behind each block that can be copied; where there is no script or no clipboard, there is none. */
const SCRIPT = `for (const pre of navigator.clipboard ? document.querySelectorAll("pre[data-copy]") : []) {
  const button = document.createElement("button");
  button.textContent = pre.dataset.copy;
  button.addEventListener("click", () =>
    navigator.clipboard.writeText(pre.textContent).then(() => (button.textContent = pre.dataset.copied)));
  pre.after(button);
}`;
const SCRIPT_HASH = createHash("sha256").update(SCRIPT).digest("base64");

/** People's pages that this endpoint has, by path. */
export interface FrontPageLinks {
  room: boolean;
  browsers: boolean;
}

/** What a person sees who opens the endpoint's address in a browser: what it is, and how each client connects. */
export function frontPage(c: Context, origin: string, links: FrontPageLinks) {
  const texts = textsFor(c);
  const say = frontTexts(texts.lang);
  const url = `${origin}/mcp`;
  const entry = { type: "http", url, headers: { Authorization: "Bearer <token>" } };
  const ways = [
    ["Claude Code", `claude mcp add --transport http towow ${url} --header "Authorization: Bearer <token>"`],
    ["Codex (~/.codex/config.toml)", `[mcp_servers.towow]\nurl = "${url}"\nbearer_token_env_var = "TOWOW_TOKEN"`],
    [say.others, JSON.stringify({ mcpServers: { towow: entry } }, null, 2)],
    [say.address, url],
  ] as const;
  const pages = [
    ...(links.room ? [["/room", say.room]] : []),
    ...(links.browsers ? [["/browsers", say.browsers]] : []),
  ];
  pageHeaders(c, `'sha256-${SCRIPT_HASH}'`);
  const body = html`<h1>${say.title}</h1><p>${say.lead}</p><p>${say.token}</p>
${ways.map(([name, text]) => html`<h2>${name}</h2><pre data-copy="${say.copy(name)}" data-copied="${say.copied}">${text}</pre>`)}
${pages.length === 0 ? "" : html`<h2>${say.people}</h2><ul>${pages.map(([path, name]) => html`<li><a href="${path}">${name}</a></li>`)}</ul>`}
<script>${raw(SCRIPT)}</script>`;
  return c.html(frame(texts, body, say.title));
}

/** Stands at an address of this endpoint that leads nowhere, for somebody who has opened it in a browser. */
export function missingPage(c: Context) {
  const texts = textsFor(c);
  const say = frontTexts(texts.lang);
  pageHeaders(c, "'none'");
  const body = html`<h1>${say.missing}</h1>
<p>${c.req.path.startsWith("/approve/") ? texts.page.refused.gone : say.missingLead}</p><p><a href="/">${say.toFront}</a></p>`;
  return c.html(frame(texts, body, say.missing), 404);
}

/** Whether a person is looking, and not a program. */
export const isBrowser = (c: Context): boolean =>
  c.req.method === "GET" && (c.req.header("accept") ?? "").includes("text/html");

function pageHeaders(c: Context, script: string): void {
  c.header(
    "Content-Security-Policy",
    `default-src 'none'; style-src 'unsafe-inline'; script-src ${script}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  );
  c.header("Cache-Control", "no-store");
  c.header("Vary", "Accept-Language");
  c.header("Referrer-Policy", "same-origin");
  c.header("X-Content-Type-Options", "nosniff");
}
