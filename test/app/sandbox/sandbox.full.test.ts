import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { writeRunning } from "../../../src/app/sandbox/running-file.ts";
import { createSandbox } from "../../../src/app/sandbox/sandbox.ts";
import { temporaryHome } from "../../support/home.ts";

/** Answers as the sandbox of that name does, until it is ended. */
async function answering(instance: string): Promise<{ url: string; end: () => void }> {
  const server = createServer((_, response) => response.end(instance)).listen(0, "127.0.0.1");
  const end = () => void server.close().closeAllConnections();
  onTestFinished(end);
  await new Promise((resolve) => server.once("listening", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`, end };
}

it("where no start of a process is known, its number alone never stands for the sandbox", async () => {
  const home = await temporaryHome();
  const { url, end } = await answering("one");
  writeRunning(home, { instance: "one", pid: process.ppid, url });
  const sandbox = createSandbox({ home, root: new URL("file:///nowhere/"), env: {} });
  expect(await sandbox.running()).toMatchObject({ instance: "one" });
  end(); // from here on the number is another program's
  expect(await sandbox.running()).toBeUndefined();
});

it("what a sandbox that does not start has said is the reason, also where it is read after the process's end", async () => {
  const home = await temporaryHome();
  const root = await temporaryHome();
  mkdirSync(join(root, "dist"));
  // The line comes from a process that outlives the one that was started.
  const child =
    'const gone = setInterval(() => { if (process.ppid !== +process.argv[1]) { clearInterval(gone); console.log("EROFS"); } }, 5)';
  const program = `import { spawn } from "node:child_process"; spawn(process.execPath, ["-e", ${JSON.stringify(child)}, String(process.pid)], { stdio: "inherit" }).unref(); process.exit(1);`;
  writeFileSync(join(root, "package.json"), '{"type":"module"}');
  writeFileSync(join(root, "dist", "cli.js"), program);
  const sandbox = createSandbox({ home, root: pathToFileURL(`${root}/`), env: process.env });
  await expect(sandbox.address()).rejects.toMatchObject({
    code: "tool.config.unavailable.sandbox",
    params: { reason: "EROFS", path: join(home, "sandbox") },
  });
});

it("a copy of the program that is not whole is named", async () => {
  const home = await temporaryHome();
  const root = await temporaryHome();
  mkdirSync(join(root, "dist"));
  writeFileSync(join(root, "package.json"), '{"type":"module"}');
  writeFileSync(join(root, "dist", "cli.js"), 'await import("./run.js");');
  const sandbox = createSandbox({ home, root: pathToFileURL(`${root}/`), env: process.env });
  await expect(sandbox.address()).rejects.toMatchObject({
    code: "tool.config.unavailable.sandbox",
    params: { reason: "exit 1", path: join(root, "dist", "cli.js") },
  });
});
