import { html } from "hono/html";
import { roomTexts } from "../../text/room.ts";

/** A page that opens no room: who has no key is told how to get one. */
export function closedPage(lang: "zh" | "en", base: string) {
  const say = roomTexts(lang);
  return html`<!doctype html>
<html lang="${lang === "zh" ? "zh-CN" : "en"}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${say.title(say.closed.heading)}</title><link rel="icon" href="${base}/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="${base}/room.css"></head>
<body><main class="wrap"><div class="head"><h1>${say.closed.heading}</h1><p>${say.closed.lead}</p></div></main></body></html>`;
}
