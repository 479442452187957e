// Asks the built server what a client asks first, in each mode and language, and keeps what it answers: the program gives
// these answers while it is still loading (src/app/handshake.ts).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const CLIENT = { name: "build", version: "1" };
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": CLIENT,
  "io.modelcontextprotocol/clientCapabilities": {},
};
/** A client before which a person sits declares the first, and one that draws pages the second. */
const PERSON = { "io.modelcontextprotocol/tasks": {} };
const PAGES = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
const VARIANTS = {
  " with a person": { extensions: PERSON },
  " with pages": { extensions: PAGES },
  " with a person with pages": { extensions: { ...PERSON, ...PAGES } },
};
const declaring = (capabilities) => ({ ...ENVELOPE, "io.modelcontextprotocol/clientCapabilities": capabilities });
const initialize = (capabilities) => [
  "initialize",
  { protocolVersion: "2025-11-25", capabilities, clientInfo: CLIENT },
  "",
];
const LISTS = ["tools/list", "prompts/list", "resources/templates/list"];

export async function keepAnswers(dist) {
  const home = await mkdtemp(join(tmpdir(), "towow-build-"));
  const [values, entries] = [keptOnce(), keptOnce()];
  const answers = {};
  for (const lang of ["zh", "en"]) {
    const asked = ["normal", "developer"].flatMap((mode) => ["legacy", "modern"].map((era) => ({ mode, era })));
    const all = await Promise.all(
      asked.map(async ({ mode, era }) => {
        const env = { PATH: process.env.PATH, TOWOW_HOME: home, TOWOW_MODE: mode, TOWOW_LANG: lang };
        return { mode, own: await answersOf(join(dist, "cli.js"), env, era) };
      }),
    );
    for (const { mode, own } of all)
      for (const [key, result] of Object.entries(own))
        answers[`${mode}.${lang} ${key}`] = shared(result, entries, values);
  }
  await mkdir(join(dist, "handshake"));
  await writeFile(
    join(dist, "handshake/answers.json"),
    JSON.stringify({ values: values.all, entries: entries.all, answers }),
  );
  await rm(home, { recursive: true });
}

/** Keeps equal values once. `placeOf` returns where a value stands in `all`. */
function keptOnce() {
  const all = [];
  const places = new Map();
  return {
    all,
    placeOf(value) {
      const text = JSON.stringify(value);
      if (!places.has(text)) places.set(text, all.push(value) - 1);
      return places.get(text);
    },
  };
}

/** Returns a result whose lists name places in `entries`. An object in an entry is named by its place in `values`. */
function shared(result, entries, values) {
  const lists = {};
  const rest = { ...result };
  const fieldOf = ([name, value]) => [name, typeof value === "object" ? values.placeOf(value) : String(value)];
  for (const [name, value] of Object.entries(result)) {
    if (!Array.isArray(value) || typeof value[0] !== "object") continue;
    rest[name] = [];
    lists[name] = value.map((entry) => entries.placeOf(Object.fromEntries(Object.entries(entry).map(fieldOf))));
  }
  return { result: rest, lists };
}

/**
 * Returns what servers answer, by `era method`. A client of the 2025 era says only once what it can do, so each has a
 * server of its own.
 */
async function answersOf(cli, env, era) {
  if (era === "modern") {
    const lists = LISTS.map((method) => [method, { _meta: ENVELOPE }]);
    const variants = Object.entries(VARIANTS).map(([name, capabilities]) => [
      "tools/list",
      { _meta: declaring(capabilities) },
      name,
    ]);
    return answersTo([["server/discover", { _meta: ENVELOPE }], ...lists, ...variants], cli, env, era);
  }
  const plain = await answersTo([initialize({}), ...LISTS.map((method) => [method, {}])], cli, env, era);
  const drawing = [initialize(VARIANTS[" with pages"]), ["tools/list", {}, " with pages"]];
  const { [`${era} initialize`]: _, ...pages } = await answersTo(drawing, cli, env, era);
  return { ...plain, ...pages };
}

async function answersTo(questions, cli, env, era) {
  const server = spawn(process.execPath, [cli], { env, stdio: ["pipe", "pipe", "inherit"] });
  for (const [id, [method, params]] of questions.entries())
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  const answers = {};
  for await (const line of createInterface({ input: server.stdout })) {
    const { id, result } = JSON.parse(line);
    if (result === undefined) throw new Error(`the server did not answer: ${line}`);
    const [method, , variant = ""] = questions[id];
    answers[`${era} ${method}${variant}`] = result;
    if (Object.keys(answers).length === questions.length) break;
  }
  server.stdin.end();
  await once(server, "exit");
  return answers;
}
