import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ownIo } from "../../src/app/io.ts";
import { runningMock } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import { legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { sendProfile } from "../support/profile.ts";
import { soon } from "../support/soon.ts";

const MARK = "marked-4711";

/** Every file below a folder, with its content and mode. */
async function filesBelow(dir: string): Promise<{ path: string; text: string; mode: number }[]> {
  const entries = await readdir(dir, { withFileTypes: true, recursive: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        return { path, text: await readFile(path, "utf8"), mode: (await stat(path)).mode & 0o777 };
      }),
  );
}

it("a marked token, profile and demand appear in no log, no history and no error", async () => {
  const mock = await runningMock();
  const home = await temporaryHome();
  const env = { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url, TOWOW_LOG_LEVEL: "debug" };
  const session = await legacyClient({ env });
  const shown: string[] = [];
  const call = async (name: string, args: Record<string, unknown>) => {
    const called = await session.call(name, args);
    if (called.isError) shown.push(called.text, JSON.stringify(called.result));
    return called;
  };
  await call("towow_join", { scene: mock.sceneId, raw_content: `Résumé ${MARK}` });
  const profile_data = { skills: [`skill ${MARK}`, "b", "c"], bio: `Somebody ${MARK} with a long enough bio.` };
  await sendProfile(call, "towow_join", { scene: mock.sceneId, display_name: `Name ${MARK}`, profile_data });
  const demand = await call("towow_demand", { intent: `Need ${MARK}` });
  const { params } = demand.result.data.resume_with;
  await call("towow_demand", { ...params, confirmation_id: "wrong", decision: "accept" });
  await call("towow_demand", { ...params, decision: "edit", confirmed_text: `Edited ${MARK}` });
  await call("towow_status", { wait: "done" });
  mock.faults.add({ route: "get", kind: "html", times: Number.POSITIVE_INFINITY });
  await call("towow_status", {});
  await session.close();

  const config = JSON.parse(await readFile(join(home, "config.json"), "utf8"));
  const token: string = config.api_token;
  expect(token.length).toBeGreaterThan(10);
  const files = await filesBelow(home);
  expect(files.length).toBeGreaterThan(3);
  for (const { path, text, mode } of files) {
    expect({ path, mode }).toEqual({ path, mode: 0o600 });
    expect(text, path).not.toContain(MARK);
    if (!path.endsWith("config.json")) expect(text, path).not.toContain(token);
  }
  expect(shown.length).toBeGreaterThan(0);
  for (const text of shown) expect(text).not.toContain(token);

  const { stdout } = await cli(["doctor"], { env: { TOWOW_HOME: home } });
  expect(stdout).toContain("towow_demand");
  expect(stdout).toContain("tool.negotiation.invalid.confirmation_id");
});

it("secrets that reach the log by accident are masked, and a large file is rotated", async () => {
  const home = await temporaryHome();
  const path = join(home, "towow.log");
  await writeFile(path, "x".repeat(6 * 1024 * 1024));
  const { createLog } = await import("../../src/app/log-file.ts");
  const log = createLog({ io: ownIo, stderrLevel: "silent", dir: home });
  log.info("test", { header: "Authorization: Bearer abcdefghijk", url: "https://u:p@host/?token=abc&x=1" });
  const written = () => readFile(path, "utf8");
  await soon(written).toContain("Bearer ***");
  const text = await written();
  expect(text).toContain("https://***@host/?token=***&x=1");
  expect((await stat(`${path}.1`)).size).toBe(6 * 1024 * 1024);
});
