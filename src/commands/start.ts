import { readFileSync } from "node:fs";
import { useCompileCache } from "../app/compile-cache.ts";
import { serveHandshake } from "../app/handshake.ts";
import { type Io, ownIo, silenceNodeDebug } from "../app/io.ts";
import { type KeptAnswers, keptAnswersName, keptAnswersOf } from "../app/kept-answers.ts";

/** What clients start often: only these write a compile cache. */
const SERVERS: (string | undefined)[] = [undefined, "stdio", "serve"];

/** Runs a command line in this process, as its program. `root` is the package's folder. */
export function start(argv: string[], root: URL): Promise<void> {
  silenceNodeDebug();
  if (SERVERS.includes(argv[0]) && !isPerson(argv, ownIo)) useCompileCache(ownIo.env);
  return run(argv, ownIo, root);
}

/**
 * Runs a command line, and is done where nothing but listeners is left of it. A server without arguments, which is how
 * clients start it, answers the handshake before anything else is loaded.
 */
export async function run(argv: string[], io: Io, root: URL): Promise<void> {
  io.onCrash((error) => void import("./crash.ts").then(({ crash }) => crash(io, error)).catch(() => io.exit(1)));
  const kept = argv.length === 0 && !isPerson(argv, io) ? keptAnswers(io, root) : undefined;
  if (kept === undefined) return (await import("./main.ts")).main(argv, io, root);
  serveHandshake(kept, io, (streams) => void import("./main.ts").then(({ main }) => main(argv, io, root, streams)));
}

const isPerson = (argv: readonly string[], io: Io): boolean => argv.length === 0 && io.stdin.isTTY === true;

/** Where nothing is kept for this environment, or nothing can be read, the real server answers. */
function keptAnswers({ env }: Io, root: URL): KeptAnswers | undefined {
  try {
    const [mode, lang] = keptAnswersName(env)?.split(".") ?? [];
    if (mode === undefined) return undefined;
    return keptAnswersOf(JSON.parse(readFileSync(new URL(`dist/handshake/${lang}.json`, root), "utf8")), mode);
  } catch {
    return undefined;
  }
}
