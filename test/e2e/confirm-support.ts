import { expect } from "vitest";
import { runningMock } from "../support/backend.ts";
import { CLI } from "../support/cli.ts";
import { legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { atTerminal } from "../support/terminal.ts";

/** A home in which a demand waits for its person. */
export async function openPause(policy = "strict") {
  const mock = await runningMock();
  const home = await temporaryHome();
  const env = {
    PATH: process.env.PATH ?? "",
    TOWOW_HOME: home,
    TOWOW_BACKEND_URL: mock.url,
    TOWOW_CONFIRMATION_POLICY: policy,
    TOWOW_LANG: "en",
  };
  const session = await legacyClient({ env });
  const demand = await session.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
  expect(demand.result.data.state).toBe("formulated");
  return { mock, env, session, text: String(mock.negotiations()[0]?.demand_formulated) };
}

export const inTerminal = (env: Record<string, string>) => atTerminal([CLI, "confirm"], env);
