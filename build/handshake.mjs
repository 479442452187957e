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
/** What a client declares before which a person sits. */
const WITH_PERSON = {
  ...ENVELOPE,
  "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
};
const LISTS = ["tools/list", "prompts/list", "resources/templates/list"];
const FIRST = {
  legacy: [["initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: CLIENT }]],
  modern: [["server/discover", { _meta: ENVELOPE }]],
};

export async function keepAnswers(dist) {
  const home = await mkdtemp(join(tmpdir(), "towow-build-"));
  await mkdir(join(dist, "handshake"));
  for (const lang of ["zh", "en"]) {
    const kept = { entries: [], answers: {} };
    const places = new Map();
    const asked = ["normal", "developer"].flatMap((mode) => ["legacy", "modern"].map((era) => ({ mode, era })));
    const all = await Promise.all(
      asked.map(async ({ mode, era }) => {
        const env = { PATH: process.env.PATH, TOWOW_HOME: home, TOWOW_MODE: mode, TOWOW_LANG: lang };
        return { mode, answers: await answersOf(join(dist, "cli.js"), env, era) };
      }),
    );
    for (const { mode, answers } of all)
      for (const [key, result] of Object.entries(answers))
        kept.answers[`${mode} ${key}`] = shared(result, kept.entries, places);
    await writeFile(join(dist, `handshake/${lang}.json`), JSON.stringify(kept));
  }
  await rm(home, { recursive: true });
}

/** A result whose lists name places in `entries`, where what several of them hold stands once. */
function shared(result, entries, places) {
  const lists = {};
  const rest = { ...result };
  for (const [name, value] of Object.entries(result)) {
    if (!Array.isArray(value) || typeof value[0] !== "object") continue;
    rest[name] = [];
    lists[name] = value.map((entry) => {
      const text = JSON.stringify(entry);
      if (!places.has(text)) places.set(text, entries.push(entry) - 1);
      return places.get(text);
    });
  }
  return { result: rest, lists };
}

/** By `era method`, what one server answers. */
async function answersOf(cli, env, era) {
  const server = spawn(process.execPath, [cli], { env, stdio: ["pipe", "pipe", "inherit"] });
  const questions = [...FIRST[era], ...LISTS.map((method) => [method, era === "modern" ? { _meta: ENVELOPE } : {}])];
  if (era === "modern") questions.push(["tools/list", { _meta: WITH_PERSON }, " with a person"]);
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
