import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { runningMock } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";

export const PROFILE = { skills: ["TypeScript"], bio: "Builds small services." };

export async function world(more: Record<string, string> = {}, options: Parameters<typeof runningMock>[0] = {}) {
  const { clock } = options;
  const mock = await runningMock(options);
  const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url, TZ: "UTC", ...more };
  const call = (tool: string, args: object, ...flags: string[]) =>
    cli(["call", tool, JSON.stringify(args), "--json", ...flags], { env, ...(clock && { clock }) });
  return { mock, env, call };
}

/** A demand whose text waits, opened by a command that has ended, as its person's settings want it. */
export async function openPause(more: Record<string, string> = {}) {
  const it = await world(more);
  await writeFile(join(it.env.TOWOW_HOME, "config.json"), JSON.stringify({ on_unconfirmed: "leave" }));
  const asked = await it.call("towow_demand", { intent: "A designer", scene_id: it.mock.sceneId });
  const { data } = JSON.parse(asked.stdout);
  expect(data.state).toBe("formulated");
  return { ...it, asked, id: data.negotiation_id as string, data };
}
