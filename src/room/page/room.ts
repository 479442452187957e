import { h, hydrate } from "preact";
import { App } from "./app.tsx";
import { goLive } from "./live.ts";
import { overHttp } from "./over-http.ts";
import type { Boot } from "./store.ts";

// This is the script of the room's page. The server has painted the page with `paint.tsx`, and the script makes it
// live.
const boot = JSON.parse(document.getElementById("boot")?.textContent as string) as Boot;
goLive(boot, overHttp(boot.base), () => hydrate(h(App, null), document.body));
