import { readFileSync } from "node:fs";
import { look } from "../../../src/app/process.ts";
import { sleep } from "../../harness.ts";
import { type Result, Server } from "./server.ts";

/** What becomes of the program that opened the pause. `elsewhere`: in a pid namespace of its own, as in a container. */
export const DEATHS = [
  "killed",
  "unreaped",
  "stopped",
  "continued",
  "hangs",
  "killed elsewhere",
  "stopped elsewhere",
  "continued elsewhere",
  "lives elsewhere",
] as const;
export type Death = (typeof DEATHS)[number];

const isElsewhere = (death: Death): boolean => death.endsWith("elsewhere");

/** Never waits for what it started: killed, that stays a zombie. */
const UNREAPED = ["bash", "-c", 'exec 3<&0; "$@" <&3 3<&- & echo "pid $!" >&2; exec 3<&-; exec sleep 900', "unreaped"];
const ELSEWHERE = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];
const HANGS = "process.on('SIGUSR2',()=>Atomics.wait(new(Int32Array)(new(SharedArrayBuffer)(4)),0,0))";

/** The program that opens the pause, and its death. */
export class Keeper {
  readonly #death: Death;
  readonly #begin: () => Server;
  #server: Server | undefined;
  #pid: number | undefined;

  constructor(root: string, env: Record<string, string>, death: Death, answer?: (form: Result) => Promise<Result>) {
    this.#death = death;
    const under = death === "unreaped" ? UNREAPED : isElsewhere(death) ? ELSEWHERE : [];
    const options = death === "hangs" ? { NODE_OPTIONS: `--import=data:text/javascript,${HANGS}` } : {};
    this.#begin = () => new Server(root, { ...env, ...options }, answer, under);
  }

  get server(): Server {
    this.#server ??= this.#begin();
    return this.#server;
  }

  /** Its own process, and not the one that started it. */
  async #find(): Promise<number> {
    const { pid = 0 } = this.server.child;
    for (let tries = 0; tries < 2_000; tries++) {
      const found = Number(
        this.#death === "unreaped"
          ? /^pid (\d+)$/m.exec(this.server.stderr)?.[1]
          : isElsewhere(this.#death)
            ? readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]
            : pid,
      );
      if (found > 1) return found;
      await sleep(10);
    }
    throw new Error("the keeper has no process");
  }

  async start(): Promise<void> {
    this.#pid = await this.#find();
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#pid !== undefined) process.kill(this.#pid, signal);
  }

  die(): void {
    if (this.#death === "lives elsewhere") return;
    if (this.#death === "hangs") this.#signal("SIGUSR2");
    else this.#signal(/stopped|continued/.test(this.#death) ? "SIGSTOP" : "SIGKILL");
  }

  /** Until the system shows what a signal has done to it, which takes it a moment. */
  async isDown(): Promise<void> {
    while (look({ pid: this.#pid ?? 0 }) === "runs") await sleep(5);
  }

  goOn(): void {
    this.#signal("SIGCONT");
  }

  /** Nothing of it is left. */
  async remove(): Promise<void> {
    try {
      this.#signal("SIGKILL"); // one that has not been waited for keeps its number
    } catch {}
    await this.#server?.kill();
  }
}
