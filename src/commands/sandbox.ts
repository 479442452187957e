import { rmSync } from "node:fs";
import { readData, type SavedData } from "../../mock-backend/datafile.ts";
import { isAlive } from "../app/process.ts";
import { readRunning, removeRunning, sandboxData, sandboxFolder } from "../app/sandbox/running-file.ts";
import { createSandbox } from "../app/sandbox/sandbox.ts";
import { systemClock } from "../clock.ts";
import { networkTexts } from "../text/network.ts";
import { openHome } from "./home.ts";
import { printJson } from "./print.ts";
import { Printer, terminalOf } from "./printer.ts";

export interface SandboxArguments {
  env: NodeJS.ProcessEnv;
  root: URL;
  /** Ends it; its data stays. */
  stop?: boolean;
  /** Ends it, and erases its data. */
  reset?: boolean;
  json?: boolean;
}

const END_PATIENCE_MS = 3_000;
const LOOK_MS = 20;

/** `towow-mcp sandbox`: how this home's sandbox is, or its end. */
export async function sandbox({ env, root, stop, reset, json }: SandboxArguments): Promise<void> {
  const home = openHome(env);
  const texts = networkTexts(home.lang).sandbox;
  const printer = new Printer(terminalOf(process.stdout, env));
  if (stop || reset) {
    await endSandbox(home.path);
    if (reset) rmSync(sandboxFolder(home.path), { recursive: true, force: true });
    return printer.text(reset ? texts.reset : texts.ended);
  }
  const running = await createSandbox({ home: home.path, root, env }).running();
  const found = dataOf(home.path);
  const data = found === "broken" ? undefined : found;
  if (json) {
    const counts = data && {
      scenes: data.scenes.length,
      agents: data.agents.length,
      negotiations: data.negotiations.length,
    };
    return void printJson(
      { running: running !== undefined, pid: running?.pid ?? null, folder: sandboxFolder(home.path), ...counts },
      2,
    );
  }
  printer.text(running === undefined ? texts.sleeps : texts.runs(running.pid));
  if (found === "broken") printer.text(texts.broken(sandboxData(home.path)));
  else if (data === undefined) printer.text(texts.empty);
  else printer.text(texts.holds(data.scenes.length, data.agents.length, data.negotiations.length));
  printer.text(texts.kept(sandboxFolder(home.path)), { style: "dim" });
  if (home.settings().get("backend_url")?.value !== "sandbox") printer.text(texts.use, { style: "dim" });
}

function dataOf(home: string): SavedData | "broken" | undefined {
  try {
    return readData(sandboxData(home));
  } catch {
    return "broken";
  }
}

/** Ends the process that is named, if it lives, and takes the name away: whatever it does after that, it writes nothing. */
export async function endSandbox(home: string): Promise<void> {
  const named = readRunning(home);
  if (named === undefined) return;
  const lives = await isAlive(named);
  // Without a start time a number may belong to another program by now; one that no home names ends by itself.
  if (lives && named.started !== undefined) process.kill(named.pid, "SIGTERM");
  for (let waited = 0; waited < END_PATIENCE_MS && lives && (await isAlive(named)); waited += LOOK_MS)
    await systemClock.sleep(LOOK_MS);
  removeRunning(home, named.instance);
}
