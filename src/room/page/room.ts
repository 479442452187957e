import { h, hydrate } from "preact";
import { App } from "./app.tsx";
import { goLive } from "./live.ts";
import { overHttp } from "./over-http.ts";
import type { Boot } from "./store.ts";

/** The page's one file. The server paints the page with it, and in the browser it makes the painted page live. */
export { paint } from "./paint.tsx";

if (globalThis.document) {
  const boot = JSON.parse(document.getElementById("boot")?.textContent as string) as Boot;
  goLive(boot, overHttp(boot.base), () => hydrate(h(App, null), document.body));
}
