import { html, raw } from "hono/html";
import { BASE } from "../../style/base.ts";
import { TOKENS } from "../../style/tokens.ts";
import { roomTexts } from "../../text/room.ts";

/** A page that opens no room: who has no key is told how to get one. */
export function closedPage(lang: "zh" | "en") {
  const say = roomTexts(lang);
  return html`<!doctype html>
<html lang="${lang === "zh" ? "zh-CN" : "en"}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${say.title(say.closed.heading)}</title><style>${raw(TOKENS + BASE)}</style></head>
<body><main class="wrap"><h1>${say.closed.heading}</h1><p>${say.closed.lead}</p></main></body></html>`;
}
