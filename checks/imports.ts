// Imports go one way, and in no circle. Run: node checks/imports.ts (part of `npm run lint`).
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";

const { dirname, join, normalize } = posix; // on Windows too: files are named here as imports name them

/** The layers of `src`, from the top down: a file imports from its own layer and from those below it. */
const LAYERS = [
  "cli.ts",
  "commands",
  "app",
  "watch",
  "relay",
  "room",
  "mcp",
  "tools",
  "use",
  "report",
  "ask",
  "setup",
  "view",
  "negotiation",
  "session",
  "result",
  "terminal",
  "safety",
  "style",
  "home",
  "store",
  "feed",
  "backend",
  "text",
  "question",
  "platform.ts",
  "markdown.ts",
  "log.ts",
  "clock.ts",
  "duration.ts",
  "once.ts",
  "sha256.ts",
  "remember.ts",
  "errors.ts",
  "frozen.ts",
  "json.ts",
  "own.ts",
  "newer.ts",
  "by-code-units.ts",
  "ink.ts",
  "quotation.ts",
  "bounded-lines.ts",
  "search-path.ts",
  "node-variables.ts",
  "turn.ts",
  "text-width.ts",
];

/** What is loaded in these folders only: the network, the machine, and what is slow to load. */
const PACKAGES: Record<string, readonly string[]> = {
  "@clack/prompts": ["commands"],
  "node:child_process": ["commands", "app"],
  "node:fs": ["commands", "app", "home"],
  "node:fs/promises": ["commands", "app", "home", "negotiation/stores"],
  "node:http": ["app", "ask/page", "room/server", "relay"],
  "node:os": ["commands", "app", "home"],
  "@hono/node-server": ["app/endpoint", "ask/page", "room/server"],
  "@modelcontextprotocol/client": ["commands"],
  "@modelcontextprotocol/ext-apps": ["room/page"],
  "@modelcontextprotocol/server": ["mcp"],
  commander: ["commands"],
  conf: ["home"],
  hono: ["mcp/http", "ask/page", "report/page", "room/server"],
  preact: ["room/page"],
  "@preact/signals": ["room/page"],
  "preact-render-to-string": ["room/page"],
  ioredis: ["store"],
  marked: ["markdown.ts"],
  "prom-client": ["mcp/http"],
  undici: ["backend"],
};

const SPECIFIER = /(?:^import|^} from|^import .*from|import\(|require\(import\.meta\.url\)\()\s*"([^"]+)"/gm;

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file.replaceAll("\\", "/")));

const specifiersOf = (file: string): string[] =>
  [...readFileSync(file, "utf8").matchAll(SPECIFIER)].map(([, specifier]) => specifier!);

const layerOf = (file: string): string => file.split("/")[1]!;

/** A view is facts for whoever draws them: no sentence, and nothing of the machine. */
const isForbiddenInView = (specifier: string): boolean => /^node:|^\.\.\/text\//.test(specifier);

function problemOf(file: string, specifier: string): string | undefined {
  if (layerOf(file) === "view" && isForbiddenInView(specifier)) return `${file} imports ${specifier}`;
  if (specifier.startsWith(".")) {
    const target = normalize(join(dirname(file), specifier));
    if (target.startsWith("mock-backend/") && layerOf(file) === "commands") return undefined; // `mock`, `demo`
    const [from, to] = [LAYERS.indexOf(layerOf(file)), LAYERS.indexOf(layerOf(target))];
    return to >= 0 && from >= 0 && from <= to ? undefined : `${file} imports ${target}`;
  }
  const folders = PACKAGES[specifier] ?? PACKAGES[specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")];
  const isAllowed = folders === undefined || folders.some((folder) => `${file}/`.startsWith(`src/${folder}/`));
  return isAllowed ? undefined : `${file} imports ${specifier}`;
}

/** The mock must not inherit the program's mistakes: it shares the clock, and nothing else. */
const problemOfMock = (file: string, specifier: string): string | undefined =>
  specifier.startsWith("../src/") && specifier !== "../src/clock.ts" ? `${file} imports ${specifier}` : undefined;

const targetsOf = (file: string): string[] =>
  specifiersOf(file)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => normalize(join(dirname(file), specifier)));

/** Files of a circle can only be read, moved and tested together; a type in the lower file undoes most. */
function circleOf(file: string, targets: ReadonlyMap<string, string[]>): string | undefined {
  const ways = new Map(targets.get(file)?.map((target) => [target, [file, target]]));
  for (const [at, way] of ways) {
    if (at === file) return way.join(" → ");
    for (const next of targets.get(at) ?? []) if (!ways.has(next)) ways.set(next, [...way, next]);
  }
  return undefined;
}

const sources = filesIn("src");
const targets = new Map(sources.map((file) => [file, targetsOf(file)]));

const problems = [
  ...sources.map((file) => circleOf(file, targets)),
  ...sources.flatMap((file) => specifiersOf(file).map((specifier) => problemOf(file, specifier))),
  ...filesIn("mock-backend").flatMap((file) => specifiersOf(file).map((specifier) => problemOfMock(file, specifier))),
].filter((problem) => problem !== undefined);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
