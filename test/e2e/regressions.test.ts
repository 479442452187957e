import { writeFile } from "node:fs/promises";
import { join as path } from "node:path";
import { expect, it } from "vitest";
import { confirms, runningMock } from "../support/backend.ts";
import { legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { sendProfile } from "../support/profile.ts";

const profile_data = { skills: ["a", "b", "c"], bio: "Engineer who builds small services." };

it("without a writable home a demand says which folder", async () => {
  const mock = await runningMock({ auth: false });
  const file = path(await temporaryHome(), "file");
  await writeFile(file, "");
  const env = {
    TOWOW_HOME: path(file, "home"),
    TOWOW_BACKEND_URL: mock.url,
    TOWOW_USER_ID: "u1",
    TOWOW_API_TOKEN: "t1",
  };
  const session = await legacyClient({ env });
  const { result } = await session.call("towow_demand", { intent: "I need a designer", scene_id: mock.sceneId });
  expect(result.error?.code).toBe("tool.config.unavailable.home_unwritable");
});

it("cancelled elsewhere while the confirm was on its way is not told as broadcast", async () => {
  const mock = await runningMock();
  const session = await legacyClient({ env: { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url } });
  await sendProfile(session.call, "towow_join", { scene: mock.sceneId, display_name: "L", profile_data });
  const { result } = await session.call("towow_demand", { intent: "I need a designer" });
  const { negotiation_id, resume_with } = result.data;
  const body = JSON.stringify({ detail: "Cannot confirm: negotiation is in state COMPLETED" });
  mock.faults.add({ route: "confirm", kind: "status", status: 409, delayMs: 300, body });
  const decided = session.call("towow_demand", { ...resume_with.params, decision: "accept" });
  await expect.poll(() => confirms(mock).length, { interval: 10 }).toBe(1);
  mock.engine.cancel(negotiation_id);
  expect((await decided).result.warnings).not.toContain("auto_confirmed");
});
