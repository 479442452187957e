import { html, raw } from "hono/html";
import { showInvisible } from "../../safety/invisible.ts";
import { mark } from "../../style/mark.ts";
import type { Texts } from "../../text/index.ts";
import type { PermissionPageRequest } from "../questions.ts";
import PAGE_CSS from "./page.css";

type Html = ReturnType<typeof html>;

/** The frame of every page. It holds no script and needs none. `head`: more of what stands there. */
export function frame(texts: Texts, body: Html | Html[], title = texts.page.decision, head: Html | "" = "") {
  return html`<!doctype html>
<html lang="${texts.lang === "zh" ? "zh-CN" : "en"}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="same-origin"><title>${title}</title>${head}<style>${raw(PAGE_CSS)}</style></head>
<body><main><div class="top">${raw(mark())}</div>${body}</main></body></html>`;
}

/** Whether something may be sent: all of it, and yes or no. */
export function permissionPage({ kind, title, text, findings, host }: PermissionPageRequest, texts: Texts) {
  const { page } = texts;
  return frame(
    texts,
    html`<h1>${title}</h1>
${findings ? html`<p class="note" role="alert">${findings}</p>` : ""}
<div class="text" id="sent">${showInvisible(text)}</div>
${host ? html`<p class="facts">${page.goesTo(host)}</p>` : ""}
<form method="post"><button class="main" name="decision" value="accept">${page[kind].accept}</button>
<button name="decision" value="reject">${page[kind].reject}</button></form>`,
  );
}

/** One sentence, when there is nothing to decide here. */
export const messagePage = (message: string, texts: Texts) =>
  frame(texts, html`<h1>${texts.page.decision}</h1><p role="status" id="message">${message}</p>`);
