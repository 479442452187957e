import { createHash } from "node:crypto";
import type { Context } from "hono";
import { html, raw } from "hono/html";
import { frame } from "../../ask/page/html.ts";
import { textsFor } from "../../ask/page/visitor.ts";
import { shellWord } from "../../terminal/shell-word.ts";
import { type FrontTexts, frontTexts } from "../../text/front.ts";

/** A button behind each block that can be copied; where there is no script or no clipboard, there is none. */
const SCRIPT = `for (const pre of navigator.clipboard ? document.querySelectorAll("pre[data-copy]") : []) {
  const button = document.createElement("button");
  button.textContent = pre.dataset.copy;
  button.ariaLabel = pre.dataset.label;
  button.addEventListener("click", () =>
    navigator.clipboard.writeText(pre.textContent).then(() => (button.textContent = button.ariaLabel = pre.dataset.copied)));
  pre.after(button);
}`;
export const COPY_SCRIPT = html`<script>${raw(SCRIPT)}</script>`;
/** As a content security policy names it. */
export const COPY_SCRIPT_SOURCE = `'sha256-${createHash("sha256").update(SCRIPT).digest("base64")}'`;

/** People's pages that this endpoint has, by path; `token`: where they get a token. */
export interface FrontPageLinks {
  room: boolean;
  browsers: boolean;
  token?: string | undefined;
}

/** What a person sees who opens the endpoint's address in a browser: what it is, and how each client connects. */
export function frontPage(c: Context, origin: string, links: FrontPageLinks) {
  const texts = textsFor(c);
  const say = frontTexts(texts.lang);
  const pages = [
    ...(links.room ? [["/room", say.room]] : []),
    ...(links.browsers ? [["/browsers", say.browsers]] : []),
  ];
  pageHeaders(c, COPY_SCRIPT_SOURCE, links.token === undefined ? "'none'" : "'self'");
  const body = html`<h1>${say.title}</h1><p>${say.lead}</p><p>${say.token}</p>
${
  links.token === undefined
    ? html`<p>${say.none.ask}</p>`
    : html`<h2>${say.none.title}</h2><p>${say.none.lead}</p>
<form method="post" action="${links.token}"><button class="main">${say.none.get}</button></form>`
}
${waysIn(origin, say)}
${pages.length === 0 ? "" : html`<h2>${say.people}</h2><ul>${pages.map(([path, name]) => html`<li><a href="${path}">${name}</a></li>`)}</ul>`}
${COPY_SCRIPT}`;
  return c.html(frame(texts, body, say.title));
}

/** How each client connects, as what is to be copied; with this token filled in, or a word in its place. */
export function waysIn(origin: string, say: FrontTexts, token = "<token>") {
  const url = `${origin}/mcp`;
  const Authorization = `Bearer ${token}`;
  const header =
    token === "<token>" ? `"Authorization: ${Authorization}"` : shellWord(`Authorization: ${Authorization}`);
  const ways = [
    ["Claude Code", `claude mcp add --transport http towow ${url} --header ${header}`],
    ["Codex (~/.codex/config.toml)", `[mcp_servers.towow]\nurl = "${url}"\nbearer_token_env_var = "TOWOW_TOKEN"`],
    [say.others, JSON.stringify({ mcpServers: { towow: { type: "http", url, headers: { Authorization } } } }, null, 2)],
    [say.address, url],
  ] as const;
  return ways.map(
    ([name, text]) =>
      html`<h2>${name}</h2><pre data-copy="${say.copy}" data-label="${say.copyOf(name)}" data-copied="${say.copied}">${text}</pre>`,
  );
}

/** Stands at an address of this endpoint that leads nowhere, for somebody who has opened it in a browser. */
export function missingPage(c: Context) {
  const texts = textsFor(c);
  const say = frontTexts(texts.lang);
  pageHeaders(c);
  const body = html`<h1>${say.missing}</h1>
<p>${c.req.path.startsWith("/approve/") ? texts.page.refused.gone : say.missingLead}</p><p><a href="/">${say.toFront}</a></p>`;
  return c.html(frame(texts, body, say.missing), 404);
}

/** Whether a person is looking, and not a program. */
export const isBrowser = (c: Context): boolean =>
  c.req.method === "GET" && (c.req.header("accept") ?? "").includes("text/html");

export function pageHeaders(c: Context, script = "'none'", form = "'none'"): void {
  c.header(
    "Content-Security-Policy",
    `default-src 'none'; style-src 'unsafe-inline'; script-src ${script}; frame-ancestors 'none'; base-uri 'none'; form-action ${form}`,
  );
  c.header("Cache-Control", "no-store");
  c.header("Vary", "Accept-Language");
  c.header("Referrer-Policy", "same-origin");
  c.header("X-Content-Type-Options", "nosniff");
}
