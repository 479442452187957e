import { goLive } from "./live.tsx";

/** The page's one file: the program paints with it, and a browser makes alive what was painted. */
export { paint } from "./paint.tsx";

if (globalThis.document !== undefined) goLive();
