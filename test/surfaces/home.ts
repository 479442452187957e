import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { onTestFinished, vi } from "vitest";
import type { MockBackend, MockOptions } from "../../mock-backend/main.ts";
import { machineWithBackend, NOON } from "../commands/screens-support.ts";
import { type Ask, decisionPage, type Fill } from "../support/decision-page.ts";
import { raw } from "../support/open-room.ts";
import { type ProgramOptions, program, ROOT } from "../support/program.ts";
import { QuietClock } from "../support/quiet-clock.ts";
import { WORDS } from "../support/room-words.ts";
import type { Lang } from "../support/screens.ts";
import { declaring, type Task } from "../support/task-client.ts";

/** A person's home at a backend, and the programs in it, all of them as they ship and on one clock. */

export type Home = Awaited<ReturnType<typeof homeWithBackend>>;
/** The person's own id. */
export const OWN = "u-1";
/** Calls come back at once. */
const NO_WAIT = { TOWOW_WAIT_BUDGET_S: "1" };
/** A pause of the backend between two states; created and formulating take two, each offer one and a half and more. */
export const STEP_MS = 10_000;

/** In which a program has given a read up that nothing answers, and says so. */
export const AWAY_MS = 10_000;

export async function homeWithBackend(lang: Lang, options: MockOptions = {}, env: Record<string, string> = {}) {
  const clock = new QuietClock(NOON);
  // How long a program waits between two reads would differ from run to run.
  const random = vi.spyOn(Math, "random").mockReturnValue(0.5);
  onTestFinished(() => random.mockRestore());
  const it = await machineWithBackend(
    lang,
    { auth: false, stepMs: STEP_MS, ...options },
    { ...NO_WAIT, ...env },
    clock,
  );
  const { mock } = it;
  const { me, skills, bio, scene, people, tags } = WORDS[lang];
  const made = await posted(mock, "scenes", { name: scene, description: scene, organizer_id: OWN });
  const join = (agent_id: string, display_name: string, own: readonly string[], about: string) =>
    posted(mock, `scenes/${made.scene_id}/agents`, {
      ...{ agent_id, display_name, source_type: "custom" },
      profile_data: { skills: own, bio: about, experience: about, interests: [], capabilities: [] },
    });
  await join(OWN, me, skills.split("\n"), bio);
  for (const [i, name] of people.entries())
    await join(`agent_${i}`, name, tags[i % tags.length]!, tags[i % tags.length]!.join(" "));
  it.known({ last_scene_id: made.scene_id });
  mock.engine.formulateWith(() => WORDS[lang].formulated);
  it.masks.push(...RANDOM, [fileURLToPath(ROOT), "/app/"]);
  const root = packageIn(it.base);
  const spend = <T>(work: Promise<T>) => clock.run(work);
  /** How long a reader looks at what goes on before it is printed, in ms: longer where the backend is away. */
  const patience = { ms: 0 };

  /** A command as a script runs it, and in a terminal: until it ends, or until it waits for somebody. */
  const piped = (line: string) => spend(it.runs(line));
  async function typed(line: string, { rows = 24, stop = "\x03" } = {}): Promise<string> {
    const child = program(line.split(" ").filter(Boolean), {
      env: it.env,
      root,
      clock,
      terminal: { columns: 100, rows },
    });
    let screen = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      screen += chunk;
    });
    await clock.pass(patience.ms);
    if (stripVTControlCharacters(screen).trim() === "") await clock.pass(AWAY_MS); // it asks the backend once more before it says anything
    const shown = drawn(screen);
    const isOver = child.exitCode !== null;
    if (!isOver) child.stdin?.write(stop);
    await spend(child.endsSoon());
    return it.shown(isOver && child.exitCode !== 0 ? `${shown}── exit ${child.exitCode}\n` : shown);
  }
  /** What a command that goes on has written when nothing more comes by itself. */
  async function follows(line: string): Promise<string> {
    const child = program(line.split(" "), { env: it.env, root, clock });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
    await clock.pass(patience.ms);
    if (text === "") await clock.pass(AWAY_MS);
    const shown = `${text}${child.exitCode ? `── exit ${child.exitCode}\n` : child.exitCode === 0 ? "── exit 0\n" : "── goes on\n"}`;
    await spend(child.endsSoon());
    return it.shown(shown);
  }
  /** A command in a terminal that stays, once it has written what matches. */
  async function stays(line: string, wanted: RegExp) {
    const child = program(line.split(" "), { env: it.env, root, clock, terminal: { columns: 200, rows: 50 } });
    let screen = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      screen += chunk;
    });
    await clock.pass(patience.ms);
    const [, found] = wanted.exec(stripVTControlCharacters(screen)) ?? [];
    if (found === undefined) throw new Error(`towow-mcp ${line} wrote:\n${screen}`);
    return { found, end: () => spend(child.endsSoon()) };
  }
  return {
    ...it,
    clock,
    spend,
    patience,
    sceneId: made.scene_id,
    piped,
    typed,
    follows,
    stays,
    serve: (args: readonly string[] = []) => serve({ env: it.env, root, clock }, args),
  };
}

async function posted(mock: MockBackend, path: string, body: object): Promise<{ scene_id: string }> {
  const headers = { "content-type": "application/json" };
  const url = `http://127.0.0.1/v1/api/${path}`;
  const answer = await mock.fetch(new Request(url, { method: "POST", headers, body: JSON.stringify(body) }));
  if (answer.status !== 201) throw new Error(await answer.text());
  return (await answer.json()) as { scene_id: string };
}

/** What differs from run to run beside times and the backend's port. */
const RANDOM: [RegExp, string][] = [
  [/(\/(?:approve|room|enter)(?:\/result)?)(?:\/[\w-]{21})+/g, "$1/‹random›"],
  [/(foreign |confirmation_id": ?"|questionId=)[\w-]{21}(?![\w-])/g, "$1‹random›"],
  [new RegExp(`\\b${process.pid}\\b`, "g"), "4321"],
  [/127\.0\.0\.1:(?!8080)\d+/g, "127.0.0.1:9090"],
  [/(cache_key: \w+:|towow:\/\/cache\/\w+%3A)[0-9a-f]{60,64}/g, "$1‹hash›"],
];

/** A package's folder without what only a browser loads, so that nothing has to be built first. */
function packageIn(base: string): URL {
  const root = join(base, "package");
  mkdirSync(join(root, "dist"), { recursive: true });
  writeFileSync(join(root, "dist/room.js"), "");
  for (const name of ["package.json", "prompts", "docs"]) symlinkSync(new URL(name, ROOT), join(root, name));
  return pathToFileURL(`${root}/`);
}

/** What stands on a terminal's rows in the end, where a program draws in place; else all that it wrote. */
function drawn(written: string): string {
  const rows: string[] = [];
  for (const [, row, text = ""] of written.matchAll(AT_ROW)) rows[Number(row) - 1] = text;
  return rows.length === 0 ? written : Array.from(rows, (row = "") => row).join("\n");
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal is told with
const AT_ROW = /\x1b\[(\d+);1H\x1b\[0m\x1b\[2K((?:[^\x1b]|\x1b\[[\d;]*m)*)/g;

export type Server = ReturnType<typeof serve>;
/** What a client of the 2026 era shows, as it says with each request. */
export type Capabilities = object;
/** No forms, no pages, no tasks: the AI passes the person's word on. */
export const NOTHING: Capabilities = {};

export interface Called {
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each story knows the data of the tool it calls
  result: any;
}

/** The program on its pipes. Each request says what its client is. */
function serve(options: ProgramOptions & { clock: QuietClock }, args: readonly string[]) {
  const { clock } = options;
  const child = program(args, options);
  const waiting = new Map<unknown, (message: Record<string, unknown>) => void>();
  const notices: string[] = [];
  createInterface({ input: child.stdout! }).on("line", (line) => {
    const { id, method, params, ...message } = JSON.parse(line);
    if (method === undefined) waiting.get(id)?.(message);
    else
      notices.push(`${method.replace("notifications/", "")}: ${params?.message ?? params?.uri ?? params?.data ?? ""}`);
  });
  let ids = 0;
  const request = (method: string, params: object = {}, capabilities: Capabilities = NOTHING): Promise<Task> => {
    const id = ++ids;
    const { promise, resolve } = Promise.withResolvers<Task>();
    waiting.set(id, ({ result, error }) => resolve((result ?? { error }) as unknown as Task));
    const _meta = { ...declaring(capabilities), progressToken: id };
    child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } })}\n`);
    return clock.run(promise);
  };
  return {
    child,
    /** What the client was told between its answers. */
    notices,
    request,
    async call(name: string, args: object = {}, capabilities: Capabilities = NOTHING): Promise<Called> {
      const answer = (await request("tools/call", { name, arguments: args }, capabilities)) as unknown as {
        content?: { text?: string; type: string; uri?: string }[];
        structuredContent?: object;
        error?: { message: string };
      };
      const { content = [], structuredContent, error } = answer;
      const links = content.flatMap(({ type, uri }) => (type === "resource_link" ? [`→ ${uri}`] : []));
      return {
        text: [content[0]?.text ?? error?.message ?? JSON.stringify(answer), ...links].join("\n"),
        result: structuredContent,
      };
    },
    end: () => clock.run(child.endsSoon()),
  };
}

/** A browser that keeps its cookies; time stands while it asks. */
export function browser() {
  const cookies = new Map<string, string>();
  async function get(url: string, form?: Fill): Promise<{ status: number; body: string; url: string }> {
    const { origin } = new URL(url);
    const reply = await raw(url, {
      ...(form && { method: "POST", body: String(new URLSearchParams(form)) }),
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        "sec-fetch-site": "same-origin",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
        ...(form && { origin, "content-type": "application/x-www-form-urlencoded" }),
      },
    });
    for (const cookie of reply.headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const { location } = reply.headers;
    if (form === undefined && reply.status === 303 && location) return get(new URL(location, url).href);
    return { status: reply.status, body: reply.body, url };
  }
  const decides = (url: string) => {
    const { origin, pathname } = new URL(url);
    const ask: Ask = async (path, form) => get(`${origin}${path}`, form);
    return decisionPage(pathname, ask);
  };
  return { get, decides };
}
