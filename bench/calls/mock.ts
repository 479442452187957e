import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

export interface Mock {
  url: string;
  /** What the backend's own routes want: a token of nobody in particular. */
  headers: Record<string, string>;
  stop(): Promise<void>;
}

/** The mock backend in a process of its own, so that it takes no time of the one that measures. `more`: its options. */
export async function startMock(...more: string[]): Promise<Mock> {
  const child = spawn(process.execPath, [CLI, "mock", "--port", "0", "--seed", "7", ...more], {
    env: { PATH: process.env.PATH ?? "", LANG: "en_US.UTF-8" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\/\/[^\s/]+/.exec(line) ?? [];
    if (url === undefined) continue;
    const stop = async () => {
      child.kill("SIGTERM");
      await once(child, "exit");
    };
    const response = await fetch(`${url}/v1/api/auth/mcp-token`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ user_id: "", device_info: "bench" }),
    });
    const { api_token } = (await response.json()) as { api_token: string };
    return { url, headers: { Authorization: `Bearer ${api_token}` }, stop };
  }
  throw new Error("the mock backend printed no address");
}
