// A terminal of its own for a client that is driven by hand: what a person would see is read as text, what they would
// press is sent as keys. Needs tmux.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const LOOK_EVERY_MS = 150;

export interface Pane {
  /** What is on the screen, without empty lines. */
  screen(): string;
  type(text: string): void;
  /** Keys by tmux's names, one after the other. */
  press(...keys: string[]): Promise<void>;
  /** Waits until the screen shows it; whether it did. */
  until(pattern: RegExp, timeoutMs?: number): Promise<boolean>;
  /** Waits until the screen shows nothing new for a moment. */
  settled(quietMs?: number, timeoutMs?: number): Promise<void>;
  close(): void;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Starts a program in a terminal of the given size. */
export function openPane(
  command: readonly string[],
  { cwd, env, folder, columns = 100, rows = 45 }: PaneOptions,
): Pane {
  const tmux = (...words: string[]) =>
    execFileSync("tmux", ["-S", join(folder, "tmux.sock"), ...words], { encoding: "utf8" });
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  const line = ["cd", quoted(cwd), "&&", "exec", "env", "-i", ...variables, ...command.map(quoted)].join(" ");
  const size = ["-x", String(columns), "-y", String(rows)];
  tmux("-f", "/dev/null", "new-session", "-d", ...size, "sh", "-c", line);
  tmux("set-option", "-g", "remain-on-exit", "on");
  const screen = () =>
    tmux("capture-pane", "-p")
      .split("\n")
      .map((row) => row.trimEnd())
      .filter((row) => row !== "")
      .join("\n");
  return {
    screen,
    type: (text) => void tmux("send-keys", "-l", text),
    async press(...keys) {
      for (const key of keys) {
        tmux("send-keys", key);
        await delay(LOOK_EVERY_MS);
      }
    },
    async until(pattern, timeoutMs = 30_000) {
      for (const end = Date.now() + timeoutMs; Date.now() < end; await delay(LOOK_EVERY_MS))
        if (pattern.test(screen())) return true;
      return false;
    },
    async settled(quietMs = 1_200, timeoutMs = 20_000) {
      let [seen, since] = [screen(), Date.now()];
      for (const end = Date.now() + timeoutMs; Date.now() < end && Date.now() - since < quietMs; ) {
        await delay(LOOK_EVERY_MS);
        const now = screen();
        if (now !== seen) [seen, since] = [now, Date.now()];
      }
    },
    close() {
      try {
        // Some clients go on when their terminal is gone; each pane leads a group of processes of its own.
        const leader = Number(tmux("list-panes", "-F", "#{pane_pid}").trim());
        if (Number.isInteger(leader) && leader > 1) process.kill(-leader, "SIGKILL");
      } catch {
        // It has ended already; its terminal has not.
      }
      try {
        tmux("kill-server");
      } catch {
        // The terminal has gone with it.
      }
    },
  };
}

export interface PaneOptions {
  cwd: string;
  env: Record<string, string>;
  /** Where the terminal's own socket is. */
  folder: string;
  columns?: number;
  rows?: number;
}
