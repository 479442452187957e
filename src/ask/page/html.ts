import { html } from "hono/html";
import { showInvisible } from "../../safety/invisible.ts";
import type { PermissionPageRequest } from "../questions.ts";
import { frame, type Shown } from "./frame.ts";

/** Whether something may be sent: all of it, and yes or no. */
export function permissionPage({ kind, title, text, findings, host }: PermissionPageRequest, shown: Shown) {
  const { page } = shown.texts;
  return frame(shown, {
    title,
    lines: 1,
    body: html`<div class="ask"><h1>${title}</h1>
${findings ? html`<p class="found" role="alert">${findings}</p>` : ""}
<div class="text card" id="sent">${showInvisible(text)}</div>
${host ? html`<p class="to">${page.goesTo(host)}</p>` : ""}
<form method="post" class="row"><button class="b big" name="decision" value="reject">${page[kind].reject}</button>
<button class="b go big" name="decision" value="accept">${page[kind].accept}</button></form></div>`,
  });
}
