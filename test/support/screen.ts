import type { ChildProcess } from "node:child_process";
import { onTestFailed } from "vitest";

/** What a program has written to stdout, as it grows. */
export interface Screen {
  text(): string;
  /** Waits until it stands there, and gives what its first group holds. @throws where the program ends without it */
  sees(pattern: RegExp): Promise<string>;
}

export function screenOf(child: ChildProcess): Screen {
  let text = "";
  let isOver = false;
  const waiting = new Set<() => void>();
  const look = () => {
    for (const one of waiting) one();
  };
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    look();
  });
  child.once("close", () => {
    isOver = true;
    look();
  });
  return {
    text: () => text,
    sees(pattern) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const one = () => {
        const found = pattern.exec(text);
        if (found === null && !isOver) return;
        waiting.delete(one);
        if (found !== null) resolve(found[1] ?? "");
        else reject(new Error(`it ended without ${pattern}:\n${text}`));
      };
      waiting.add(one);
      onTestFailed(() => {
        if (waiting.has(one)) console.error(`${pattern} did not come:\n${text}`);
      });
      one();
      return promise;
    },
  };
}
