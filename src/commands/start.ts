import { readFileSync } from "node:fs";
import { useCompileCache } from "../app/compile-cache.ts";
import { serveHandshake } from "../app/handshake.ts";
import { answersFor, answersName, type HandshakeAnswers } from "../app/handshake-answers.ts";
import { type Io, ownIo, silenceNodeDebug } from "../app/io.ts";

/** Commands that clients start often. Only these write a compile cache. Undefined means a start without arguments. */
const SERVERS: (string | undefined)[] = [undefined, "stdio", "serve"];

/** Runs a command line as the program of this process. `root` is the package's folder. */
export function start(argv: string[], root: URL): Promise<void> {
  silenceNodeDebug();
  if (SERVERS.includes(argv[0]) && !isPerson(argv, ownIo)) useCompileCache(ownIo.env);
  return run(argv, ownIo, root);
}

/**
 * Runs a command line, and resolves once only listeners are left. A server without arguments, which is how clients start it,
 * answers the handshake before anything else is loaded.
 */
export async function run(argv: string[], io: Io, root: URL): Promise<void> {
  io.onCrash((error) => void import("./crash.ts").then(({ crash }) => crash(io, error)).catch(() => io.exit(1)));
  const kept = argv.length === 0 && !isPerson(argv, io) ? handshakeAnswers(io, root) : undefined;
  if (kept === undefined) return (await import("./main.ts")).main(argv, io, root);
  serveHandshake(kept, io, (streams) => void import("./main.ts").then(({ main }) => main(argv, io, root, streams)));
}

const isPerson = (argv: readonly string[], io: Io): boolean => argv.length === 0 && io.stdin.isTTY === true;

/**
 * Returns the stored answers to a client's first questions. Without stored answers for this environment, or if they cannot be
 * read, the real server answers and the result is undefined.
 */
function handshakeAnswers({ env }: Io, root: URL): HandshakeAnswers | undefined {
  try {
    const name = answersName(env);
    if (name === undefined) return undefined;
    return answersFor(JSON.parse(readFileSync(new URL("dist/handshake/answers.json", root), "utf8")), name);
  } catch {
    return undefined;
  }
}
