import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { MockOptions } from "../../mock-backend/main.ts";
import { type RunningMock, runningMock } from "./backend.ts";
import { legacyClient, type Session } from "./clients.ts";
import { temporaryHome } from "./home.ts";
import type { QuietClock } from "./quiet-clock.ts";
import { soon } from "./soon.ts";

/** The same seed makes both backends hand out the same ids. */
export const SAME_IDS = { seed: 7 };

/** Two backends and one home, whose config file names the first. */
export interface TwoBackends {
  a: RunningMock;
  b: RunningMock;
  home: string;
  /** The environment of a server that follows the config file. */
  env: Record<string, string>;
  file(): Record<string, unknown>;
  edit(values: Record<string, unknown>): void;
  server(env?: Record<string, string>, more?: { spawned: true }): Promise<Session>;
}

/** With a `clock`, it is both backends' and the servers'. */
export async function twoBackends(
  config: Record<string, unknown> = {},
  b: MockOptions = { seed: 8 },
  both: MockOptions & { clock?: QuietClock } = {},
): Promise<TwoBackends> {
  const [first, second] = [await runningMock({ seed: 7, ...both }), await runningMock({ ...both, ...b })];
  const home = await temporaryHome();
  const path = join(home, "config.json");
  const file = () => JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  const edit = (values: Record<string, unknown>) =>
    writeFileSync(path, JSON.stringify({ ...file(), ...values }, null, 2), { mode: 0o600 });
  writeFileSync(path, "{}", { mode: 0o600 });
  edit({ mode: "developer", wait_budget_s: 5, backend_url: first.url, ...config });
  const env = { TOWOW_HOME: home };
  return {
    a: first,
    b: second,
    home,
    env,
    file,
    edit,
    server: (more = {}, how) => legacyClient({ env: { ...env, ...more }, clock: both.clock, ...how }),
  };
}

/** Edits `backend_url` as a person does, and waits until the running server asks there. */
export async function switchTo(to: RunningMock, { edit }: TwoBackends, session: Session): Promise<void> {
  edit({ backend_url: to.url });
  const reads = () => to.journal.filter(({ method, path }) => method === "GET" && /\/scenes$/.test(path)).length;
  const before = reads();
  await soon(async () => {
    await session.call("towow_list_scenes", { fresh: true });
    return reads();
  }).toBeGreaterThan(before);
}

/** A demand that waits for its decision; gives what answers it. */
export async function pauseAt(
  mock: RunningMock,
  session: Session,
  intent = "A designer for a hospital queue pilot",
): Promise<Record<string, string>> {
  const demand = await session.call("towow_demand", { intent, scene_id: mock.sceneId });
  expect(demand.result.data, demand.text).toMatchObject({ state: "formulated" });
  return demand.result.data.resume_with.params as Record<string, string>;
}

/** Every request that names this negotiation. */
export const about = (mock: RunningMock, id: string | undefined) =>
  mock.journal
    .filter((entry) => JSON.stringify(entry).includes(id ?? "?"))
    .map(({ method, path }) => `${method} ${path}`);
