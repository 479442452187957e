import { html, raw } from "hono/html";
import { showInvisible } from "../../safety/invisible.ts";
import { BASE } from "../../style/base.ts";
import { mark } from "../../style/mark.ts";
import { TOKENS } from "../../style/tokens.ts";
import type { Texts } from "../../text/index.ts";
import type { PermissionPageRequest } from "../questions.ts";

type Html = ReturnType<typeof html>;

/** As the negotiation room looks: the same colours, which mean the same. */
const STYLE = `${TOKENS}${BASE}
body{display:block}main{max-width:760px;margin:0 auto;padding:0 var(--6) var(--7)}
h1{padding-block:var(--5) var(--2)}h2{margin-top:var(--6)}p{margin-top:var(--2)}ul{margin-top:var(--4)}li+li{margin-top:var(--3)}
.text{white-space:pre-wrap;overflow-wrap:anywhere;font:var(--l) var(--sans);background:var(--surface);border:1px solid var(--line);border-radius:var(--r3);box-shadow:var(--shadow);padding:var(--4) var(--5);margin-top:var(--3)}
button{font:500 15px/24px var(--sans);min-height:44px;padding:9px 18px;margin:var(--4) var(--2) 0 0;border-radius:var(--r2);border:1px solid var(--edge);background:var(--surface);color:var(--ink);cursor:pointer}button:hover{background:var(--sunk)}
button.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600}button.main:hover{background:color-mix(in srgb,var(--accent) 88%,var(--ink))}
button[value=reject]{color:var(--me)}button[value=reject]:hover{background:var(--me-bg)}
.note{border-inline-start:3px solid var(--add);background:var(--sunk);border-radius:var(--r1);padding:var(--2) var(--3)}
.facts{display:block;color:var(--muted)}
label{display:block;margin-top:var(--4)}
#code{font-size:2rem;line-height:2.5rem;letter-spacing:.1em}
input{width:100%;max-width:28rem}
pre,input{font:inherit;font-family:var(--mono);color:inherit;background:var(--surface);border:1px solid var(--edge);border-radius:var(--r2);padding:var(--2) var(--4);margin:var(--2) 0 0;overflow-wrap:anywhere;white-space:pre-wrap}
@media (max-width:720px){main{padding-inline:var(--4)}.text{font:17px/29px var(--sans);padding-inline:var(--4)}}
`;

/** The frame of every page. It holds no script and needs none. `head`: more of what stands there. */
export function frame(texts: Texts, body: Html | Html[], title = texts.page.decision, head: Html | "" = "") {
  return html`<!doctype html>
<html lang="${texts.lang === "zh" ? "zh-CN" : "en"}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="same-origin"><title>${title}</title>${head}<style>${raw(STYLE)}</style></head>
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
