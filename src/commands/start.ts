import { readFileSync } from "node:fs";
import { useCompileCache } from "../app/compile-cache.ts";
import { serveHandshake } from "../app/handshake.ts";
import { type KeptAnswers, keptAnswersName, keptAnswersOf } from "../app/kept-answers.ts";

/** What clients start often: only these write a compile cache. */
const SERVERS: (string | undefined)[] = [undefined, "stdio", "serve"];

/**
 * Starts the program. A server without arguments, which is how clients start it, answers the handshake before anything
 * else is loaded. `root` is the package's folder.
 */
export async function start(argv: string[], root: URL): Promise<void> {
  const isPerson = argv.length === 0 && process.stdin.isTTY === true;
  if (SERVERS.includes(argv[0]) && !isPerson) useCompileCache(process.env);
  const kept = argv.length === 0 && !isPerson ? keptAnswers(root) : undefined;
  if (kept === undefined) return (await import("./main.ts")).main(argv, root);
  serveHandshake(kept, process, (streams) => void import("./main.ts").then(({ main }) => main(argv, root, streams)));
}

/** Where nothing is kept for this environment, or nothing can be read, the real server answers. */
function keptAnswers(root: URL): KeptAnswers | undefined {
  try {
    const [mode, lang] = keptAnswersName(process.env)?.split(".") ?? [];
    if (mode === undefined) return undefined;
    return keptAnswersOf(JSON.parse(readFileSync(new URL(`dist/handshake/${lang}.json`, root), "utf8")), mode);
  } catch {
    return undefined;
  }
}
