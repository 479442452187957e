import { render } from "preact-render-to-string";
import { buttonsOn } from "../tools.ts";
import type { UiSpec } from "../ui-spec-schema.ts";
import { App } from "./app.tsx";
import { type Boot, store, storeOf } from "./store.ts";

/** How often a page without a script reloads while its state may still change, in seconds. */
const RELOAD_S = 3;
/** The same for a page with a button that asks first, because a reload closes the question while a person reads it. */
const RELOAD_ASKING_S = 20;

const reloadAfterS = (spec: UiSpec): number =>
  buttonsOn(spec).some(({ asks }) => asks !== undefined) ? RELOAD_ASKING_S : RELOAD_S;

/**
 * Returns the whole page as HTML for the first paint. The page can be read and the text decided on without a script,
 * and a script makes the page live. There is no inline code, and the data for the script is JSON. `script` and `style`
 * are the names of the files.
 */
export function paint(boot: Boot, { script, style }: { script: string; style: string }): string {
  store.value = storeOf(boot);
  const body = render(<App />);
  store.value = undefined;
  const { spec, base, isMoving } = boot;
  const data = JSON.stringify(boot).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="${spec.lang === "zh" ? "zh-CN" : "en"}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover"><meta name="color-scheme" content="light dark"><meta name="referrer" content="same-origin">
${isMoving ? `<noscript><meta http-equiv="refresh" content="${reloadAfterS(spec)}"></noscript>` : ""}<title>${escaped(spec.title)}</title>
<link rel="icon" href="${base}/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="${base}/${style}">
<script type="application/json" id="boot">${data}</script><script type="module" src="${base}/${script}"></script></head>
<body>${body}</body></html>`;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
