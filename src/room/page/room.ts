import { h, hydrate } from "preact";
import { App } from "./app.tsx";
import { goLive } from "./live.ts";
import { overHttp } from "./over-http.ts";
import type { Boot } from "./store.ts";

/** The page's one file: the program paints with it, and a browser makes alive what was painted. */
export { paint } from "./paint.tsx";

if (globalThis.document) {
  const boot = JSON.parse(document.getElementById("boot")?.textContent as string) as Boot;
  goLive(boot, overHttp(boot.base), () => hydrate(h(App, null), document.body));
}
