// A person before the real, interactive Claude Code, filmed: what stood on the screen when, and what they pressed.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openPlace, type Place } from "../journeys/place.ts";
import { openPane, type Pane } from "../pane.ts";
import type { Step } from "../scripted-model.ts";
import { clientEnv, startedWithPid, trustFolder } from "./client.ts";
import { newMember } from "./member.ts";
import { startReplicas } from "./replicas.ts";
import type { Lang } from "./words.ts";

export interface Frame {
  title: string;
  screen: string;
}

export interface Sitting {
  lang: Lang;
  place: Place;
  sceneId: string;
  /** With which their client calls an endpoint. */
  token: string | undefined;
  frames: Frame[];
  /** Keys pressed since the last `count`. */
  count: () => number;
  /** Keeps what is on the screen, once it stands still. */
  frame: (title: string) => Promise<void>;
  /** Keeps something else that the person saw. */
  keep: (title: string, screen: string) => void;
  /** @throws Error with the screen where it never shows */
  see: (pattern: RegExp, timeoutMs?: number) => Promise<void>;
  /** Whether it shows in time. */
  shows: (pattern: RegExp, timeoutMs: number) => Promise<boolean>;
  press: (...keys: string[]) => Promise<void>;
  /** Types a line and sends it. */
  say: (line: string) => Promise<void>;
  type: (text: string) => Promise<void>;
  screen: () => string;
  /** SIGKILL to the server that the client has started. */
  killServer: () => void;
  /** The same to both replicas, one after the other, and starts them again. */
  restartReplicas: () => Promise<void>;
  close: () => Promise<void>;
}

export interface SittingOptions {
  bin: string;
  lang: Lang;
  steps: readonly Step[];
  columns?: number;
  /** Two replicas behind a balancer instead of a program of the client's own. */
  overHttp?: boolean;
}

const STEP_MS = 1_000;
/** In this time the client has connected to its servers. */
const CONNECTED_MS = 2_500;
const BETWEEN_KEYS_MS = 700;
const TAKEN_MS = 1_500;
const PATIENCE_MS = 60_000;

/** Opens Claude Code with our server, in an empty home, for somebody who has joined a scene. */
export async function openSitting(options: SittingOptions): Promise<Sitting> {
  const { bin, lang, steps, columns = 100, overHttp = false } = options;
  const place = await openPlace(bin, steps, { lang, stepMs: STEP_MS });
  const person = await newMember(place, lang);
  const pids = join(place.folder, "pids");
  const replicas = overHttp ? await startReplicas(place, lang) : undefined;
  const server = replicas
    ? {
        type: "http",
        url: replicas.url,
        headers: { Authorization: `Bearer ${person.api_token}`, "X-Towow-User-Id": person.user_id },
      }
    : { command: startedWithPid(place, pids), env: place.env };
  const config = join(place.folder, "mcp.json");
  writeFileSync(config, JSON.stringify({ mcpServers: { towow: server } }));
  trustFolder(place);
  const command = ["claude", "--mcp-config", config, "--strict-mcp-config", "--allowedTools", "mcp__towow__*"];
  const pane = openPane(command, {
    cwd: place.project,
    env: { ...place.env, ...clientEnv(place) },
    folder: place.folder,
    columns,
  });
  const frames: Frame[] = [];
  const keep = (title: string, screen: string) => void frames.push({ title, screen: tidy(screen, place) });
  let pressed = 0;
  await pane.until(/❯/);
  await delay(CONNECTED_MS);
  await pane.settled();
  return {
    lang,
    place,
    sceneId: person.scene_id,
    token: overHttp ? person.api_token : undefined,
    frames,
    keep,
    count() {
      const keys = pressed;
      pressed = 0;
      return keys;
    },
    async frame(title) {
      await pane.settled();
      keep(title, pane.screen());
    },
    async see(pattern, timeoutMs = PATIENCE_MS) {
      if (!(await pane.until(pattern, timeoutMs))) throw new Error(`never seen: ${pattern}\n${pane.screen()}`);
      await delay(BETWEEN_KEYS_MS);
    },
    shows: pane.until,
    async press(...keys) {
      for (const key of keys) {
        await pane.press(key);
        await delay(BETWEEN_KEYS_MS);
      }
      pressed += keys.length;
    },
    type: (text) => typed(pane, text),
    async say(line) {
      await typed(pane, line);
      await pane.settled(BETWEEN_KEYS_MS);
      await send(pane, line);
    },
    screen: pane.screen,
    killServer: () => void process.kill(Number(readFileSync(pids, "utf8").trim().split("\n").at(-1)), "SIGKILL"),
    restartReplicas: async () => replicas?.restart(),
    async close() {
      pane.close();
      await replicas?.close();
      await place.close();
    },
  };
}

/** Sends what stands in the composer. A client that is busy may lose the key. */
async function send(pane: Pane, line: string): Promise<void> {
  const inComposer = () =>
    pane
      .screen()
      .split("\n")
      .findLast((row) => row.startsWith("❯"))
      ?.includes(line.slice(0, 10));
  for (let tries = 0; tries < 5 && inComposer(); tries++) {
    await pane.press("Enter");
    await delay(TAKEN_MS);
  }
}

async function typed(pane: Pane, text: string): Promise<void> {
  pane.type(text);
  await delay(BETWEEN_KEYS_MS);
}

/** Without the client's banner, and without what is another in each run. */
const tidy = (screen: string, { project }: Place): string =>
  screen
    .split("\n")
    .filter((row) => !/^[ ▐▝▗▛▜▘▎]*[▐▝▗▛▜▘▎]|medium · \/effort/.test(row))
    .join("\n")
    .replaceAll(project, "~/project")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080")
    .trim();
