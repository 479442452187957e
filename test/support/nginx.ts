import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endingWithTest } from "./children.ts";
import { freePort } from "./free-port.ts";

export const hasNginx = (): boolean => {
  try {
    execFileSync("nginx", ["-v"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

/** nginx as people first set it up: `proxy_pass` and nothing else, so that no header says that it was there. */
export async function startStockNginx(upstream: number): Promise<{ port: number; close(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), "towow-nginx-"));
  const port = await freePort();
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((it) => `${it}_temp_path ${dir}/${it};`);
  writeFileSync(
    join(dir, "nginx.conf"),
    `worker_processes 1; pid ${dir}/nginx.pid; events {}
http {
  ${folders.join(" ")} access_log off; error_log ${dir}/error.log;
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${upstream}; } }
}`,
  );
  const args = ["-p", dir, "-e", join(dir, "error.log"), "-c", join(dir, "nginx.conf"), "-g", "daemon off;"];
  const child = endingWithTest(spawn("nginx", args, { stdio: "ignore" }), "SIGTERM");
  const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const giveUpAt = Date.now() + 10_000;
  while (!(await answers())) {
    if (Date.now() > giveUpAt) throw new Error("nginx does not answer");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    port,
    async close() {
      child.kill("SIGTERM");
      await exit;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
