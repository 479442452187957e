import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createMockBackend, type MockBackend } from "../../../mock-backend/main.ts";
import { CLI } from "../../harness.ts";
import { type ScriptedModel, type Step, scriptedModel } from "../scripted-model.ts";
import { modulesBeside, ran } from "./programs.ts";

/** What stands ready for one journey: an empty home and project, a backend, a model that plays a script. */
export interface Place {
  home: string;
  project: string;
  /** Of everything that is started here. */
  env: Record<string, string>;
  /** For what belongs to nobody else: sockets. */
  folder: string;
  /** What the client starts as the server. */
  server: readonly [command: string, ...args: string[]];
  /** The program, without the server's options. */
  program: readonly [command: string, ...args: string[]];
  /** Where the clients' packages are. */
  modules: string;
  model: ScriptedModel;
  mock: MockBackend;
  backendUrl: string;
  /** Runs a program to its end. */
  run: (program: string, ...args: string[]) => Promise<string>;
  /** Puts the server into the client's file, by `towow-mcp setup`. */
  setup: (client: string) => Promise<void>;
  /** By whose hand each demand that was confirmed went out, as the home's log has it. */
  decidedBy: () => string[];
  /** What was opened in the browser so far: addresses and files. */
  opened: () => string[];
  close: () => Promise<void>;
}

export interface PlaceOptions {
  lang?: "en" | "zh";
  /** How long the mock backend takes for each of its steps, in milliseconds. */
  stepMs?: number;
}

/** `bin`: where the clients' programs are. */
export async function openPlace(
  bin: string,
  steps: readonly Step[],
  { lang = "en", stepMs = 60 }: PlaceOptions = {},
): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "towow-journey-"));
  const at = (name: string) => join(folder, name);
  for (const name of ["home", "project", "bin"]) mkdirSync(at(name));
  // A browser that keeps the address: somebody else opens it.
  const browser = join(at("bin"), "xdg-open");
  writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${at("opened")}'\n`);
  chmodSync(browser, 0o755);
  const mock = createMockBackend({ stepMs, seed: 7 });
  const { url: backendUrl } = await mock.listen();
  const model = await scriptedModel(steps);
  const env = {
    HOME: at("home"),
    PATH: [at("bin"), dirname(process.execPath), bin, "/usr/bin", "/bin"].join(":"),
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    SHELL: "/bin/sh",
    BROWSER: browser,
    DISPLAY: ":99",
  };
  const program = [process.execPath, CLI] as const;
  const options = ["--backend-url", backendUrl, "--lang", lang];
  const run = (command: string, ...args: string[]) => ran(command, args, { env, cwd: at("project") });
  return {
    home: at("home"),
    project: at("project"),
    env,
    folder,
    server: [...program, ...options],
    program,
    modules: modulesBeside(bin),
    model,
    mock,
    backendUrl,
    run,
    setup: async (client) => void (await run(program[0], program[1], "setup", client, ...options)),
    opened: () => (existsSync(at("opened")) ? readFileSync(at("opened"), "utf8").trim().split("\n") : []),
    decidedBy: () => confirmedIn(at("home")),
    async close() {
      endLeftBehind(folder);
      model.close();
      await mock.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

function confirmedIn(home: string): string[] {
  const logs = readdirSync(home, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.towow\/logs\/.+\.\w+$/.test(name),
  );
  return logs
    .flatMap((name) => readFileSync(join(home, name), "utf8").split("\n"))
    .filter((line) => line.includes('"negotiation_confirmed"'))
    .map((line) => JSON.parse(line) as { time: number; decided_by: string })
    .sort((a, b) => (a.time < b.time ? -1 : 1))
    .map(({ decided_by }) => decided_by);
}

/** Codex and Cline leave servers of their own behind, which their terminal does not take along. */
function endLeftBehind(folder: string): void {
  for (const pid of readdirSync("/proc").map(Number).filter(Number.isInteger)) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(`${folder}/`)) process.kill(pid, "SIGKILL");
    } catch {
      // It has ended already, or is somebody else's.
    }
  }
}
