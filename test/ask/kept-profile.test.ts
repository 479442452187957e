import { lstatSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readArguments } from "../../src/commands/call/arguments.ts";
import { keptIn } from "../../src/commands/forget/files.ts";
import { createKeptSends } from "../../src/home/kept-sends.ts";
import { cliTexts } from "../../src/text/cli.ts";
import { requests } from "../support/backend.ts";
import { temporaryHome } from "../support/home.ts";
import { platformWith } from "../support/platform.ts";
import { createWorld } from "../support/world.ts";

/** A profile that no form of the client shows whole, where no page can be opened. */
const BIO = "Ten years of calm hospital software. ".repeat(120).trim();
const profile_data = { skills: ["a", "b", "c"], bio: BIO };
const DAY_MS = 24 * 3_600_000;

async function sent(tool: "towow_join" | "towow_register_agent") {
  const home = await temporaryHome();
  const world = await createWorld();
  const sends = createKeptSends(platformWith(world.clock), home);
  const p = await world.process({
    answer: () => ({ action: "accept", content: { decision: "accept" } }),
    flags: { mode: "developer" },
    browser: "none",
    keepSend: sends.put,
  });
  const scene = tool === "towow_join" ? { scene: world.sceneId } : { scene_id: world.sceneId };
  const args = { ...scene, display_name: "Lin", profile_data };
  const { result, text } = await p.call(tool, args);
  const id = /call towow_\w+ --mode developer @([0-9a-f]{8})\b/.exec(text)?.[1] ?? "";
  return { home, world, p, sends, tool, args, result, text, id };
}

it.each(["towow_join", "towow_register_agent"] as const)(
  "%s: it is kept under a short id, which the person's own command takes; no result holds it",
  async (tool) => {
    const { home, world, p, sends, args, result, text, id } = await sent(tool);
    expect(result.error?.code).toBe("tool.policy.blocked.in_no_form");
    expect(id).not.toBe("");
    expect(text).not.toContain("…");
    expect(text + JSON.stringify(result)).not.toContain("calm hospital software");
    expect(requests(world.mock, "POST", /\/agents$/)).toEqual([]);
    expect(await sends.get(id)).toMatchObject({ tool, args });
    expect(lstatSync(join(home, "kept", `${id}.json`)).mode & 0o777).toBe(0o600);
    const again = await p.call(tool, args);
    expect(again.text).toContain(`@${id}`);
    expect(readdirSync(join(home, "kept"))).toEqual([`${id}.json`]);
  },
);

it("a command takes it by its id, for its own tool only", async () => {
  const { sends, args, id } = await sent("towow_join");
  const { problem } = cliTexts("en").call;
  const read = (given: string, tool: string) =>
    readArguments(
      [given],
      async () => "",
      problem,
      async (one) => {
        const kept = await sends.get(one);
        return kept?.tool === tool ? kept.args : undefined;
      },
    );
  expect(await read(`@${id}`, "towow_join")).toMatchObject(args);
  for (const [given, tool] of [
    [`@${id}`, "towow_demand"],
    ["@00000000", "towow_join"],
    ["@../config", "towow_join"],
  ] as const)
    await expect(read(given, tool), given).rejects.toMatchObject({ params: { problem: problem.notKept } });
});

it("it is kept for a day, and forgotten with the history", async () => {
  const { home, world, sends, id } = await sent("towow_join");
  const path = join(home, "kept", `${id}.json`);
  expect(keptIn(home, world.clock.now()).history).toContain(path);
  const older = join(home, "kept", "0123abcd.json");
  writeFileSync(older, "{}");
  utimesSync(older, 0, (world.clock.now() - DAY_MS - 1_000) / 1_000);
  await sends.put("89abcdef", { tool: "towow_join", args: {} });
  expect(readdirSync(join(home, "kept"))).not.toContain("0123abcd.json");
  await world.clock.advance(DAY_MS + 1);
  expect(await sends.get(id)).toBeUndefined();
  utimesSync(path, 0, (world.clock.now() - DAY_MS - 1_000) / 1_000);
  createKeptSends(platformWith(world.clock), home); // a program starts
  expect(readdirSync(join(home, "kept"))).toEqual(["89abcdef.json"]);
});
