import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** A program in a terminal of a given size, as a person has it: tmux draws it and can be asked what is on the screen. */
export interface Terminal {
  type(...keys: string[]): void;
  /** What is on the screen; with colours as SGR sequences. */
  screen(colours?: boolean): string;
  /** Everything since the start, what has scrolled away included. */
  all(): string;
  /** Waits until the screen shows it. */
  sees(pattern: RegExp, timeoutMs?: number): Promise<string>;
  /** Ends it. */
  end(): void;
}

let count = 0;

export function openTerminal(
  command: readonly string[],
  size: { columns: number; rows: number },
  env: Readonly<Record<string, string>>,
): Terminal {
  const server = `towow-record-${process.pid}-${++count}`;
  const tmux = (...args: string[]) =>
    execFileSync("tmux", ["-L", server, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      env: { ...process.env, ...env },
    });
  const quoted = command.map((word) => `'${word}'`).join(" ");
  // The shell stays when its program is interrupted, and keeps the last picture there.
  const line = `trap : INT; ${quoted}; exec sleep 600`;
  tmux("new-session", "-d", "-x", `${size.columns}`, "-y", `${size.rows}`, line);
  tmux("set", "-g", "status", "off");
  tmux("resize-window", "-x", `${size.columns}`, "-y", `${size.rows}`);
  const screen = (colours = false) => tmux("capture-pane", "-p", ...(colours ? ["-e"] : []));
  return {
    type: (...keys) => void tmux("send-keys", ...keys),
    screen,
    all: () => tmux("capture-pane", "-p", "-S", "-"),
    async sees(pattern, timeoutMs = 60_000) {
      for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(100)) {
        const shown = screen();
        if (pattern.test(shown)) return shown;
      }
      throw new Error(`not seen: ${pattern}\n${screen()}`);
    },
    end: () => void tmux("kill-server"),
  };
}
