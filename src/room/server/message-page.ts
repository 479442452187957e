import { html, raw } from "hono/html";
import { roomTexts } from "../../text/room.ts";
import MESSAGE_CSS from "./message-page.css";

const frame = (lang: "zh" | "en", heading: string, body: ReturnType<typeof html>) => html`<!doctype html>
<html lang="${lang === "zh" ? "zh-CN" : "en"}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${roomTexts(lang).title(heading)}</title><style>${raw(MESSAGE_CSS)}</style></head>
<body><main class="wrap message"><h1>${heading}</h1>${body}</main></body></html>`;

/** Where the person's outside agent joins their room. The address alone lets an agent in. */
export function agentPage(lang: "zh" | "en", address: string) {
  const { invite } = roomTexts(lang);
  return frame(lang, invite.heading, html`<p>${invite.lead}</p><p><code id="agent-address">${address}</code></p>`);
}

export type Problem = "missing" | "failed" | "signedOut" | "busy";

/** Stands in for a page of a room: what is the matter, and the way on. `address`: of the room. */
export function problemPage(lang: "zh" | "en", what: Problem, address: string) {
  const say = roomTexts(lang);
  const { heading, lead } = say[what];
  const way = what === "signedOut" ? say.toSignIn : say.toRoom;
  return frame(lang, heading, html`<p>${lead}</p><p><a href="${address}">${way}</a></p>`);
}

/** A page on this machine that opens no room: it says how to get a key. */
export function closedPage(lang: "zh" | "en") {
  const { closed } = roomTexts(lang);
  return frame(lang, closed.heading, html`<p>${closed.lead}</p>`);
}
