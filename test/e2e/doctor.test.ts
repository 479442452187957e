import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { runningMock } from "../support/backend.ts";
import { cli, finished, start } from "../support/cli.ts";
import { legacyClient } from "../support/clients.ts";
import { soon } from "../support/soon.ts";
import { answering, examined, homeWith } from "./doctor-support.ts";

const snapshot = async (home: string) =>
  Promise.all(
    (await readdir(home, { recursive: true })).sort(byCodeUnits).map(async (name) => {
      const { mode, mtimeMs, size } = await stat(join(home, name));
      return [name, mode, mtimeMs, size];
    }),
  );

describe("a healthy installation", () => {
  it("is in order; only GETs are sent, and nothing is written", async () => {
    const mock = await runningMock();
    const home = await homeWith({ backend_url: mock.url });
    const env = { TOWOW_HOME: home };
    await cli(["call", "towow_list_scenes", "--mode", "developer"], { env });
    const [before, asked] = [await snapshot(home), mock.journal.length];
    const { problems, warnings, unchecked } = await examined(env);
    expect([problems, warnings, unchecked]).toEqual([0, 0, 0]);
    // Six endpoints, and one of them without the token.
    expect(mock.journal.slice(asked).map(({ method }) => method)).toEqual(Array(7).fill("GET"));
    expect(mock.negotiations()).toEqual([]);
    expect(await snapshot(home)).toEqual(before);
  });

  it("prints each finding as it comes, in either language, and the end last", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const url = await answering(async (_, response) => {
      await held;
      response.writeHead(404, { "content-type": "application/json" }).end('{"detail":"Negotiation x not found"}');
    });
    const env = { TOWOW_HOME: await homeWith({ backend_url: url, lang: "zh" }), TOWOW_LANG: "" };
    const child = start(["doctor"], { env });
    const ended = finished(child);
    let seen = "";
    child.stdout?.on("data", (chunk: string) => {
      seen += chunk;
    });
    await soon(() => seen).toContain("✓ Node ");
    expect(seen).not.toContain("后端 http");
    release();
    const { stdout } = await ended;
    expect(stdout).toContain("有应答");
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/个问题/);
  });
});

it("an open pause that a running program has taken over is watched", async () => {
  const mock = await runningMock();
  const home = await homeWith({ backend_url: mock.url });
  const env = { TOWOW_HOME: home };
  const args = ["call", "towow_demand", `scene_id=${mock.sceneId}`, "intent=A designer"];
  await cli(args, { env: { ...env, TOWOW_ON_UNCONFIRMED: "leave" } });
  expect((await examined(env)).of("pauses")?.message).toMatch(/no program watches it/);
  const session = await legacyClient({ env });
  await session.call("towow_status"); // takes the guard over
  expect((await examined(env)).of("pauses")?.message).toMatch(/a running program watches it/);
});
