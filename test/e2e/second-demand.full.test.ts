import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { confirms, runningMock } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import { legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { INTENT, PROFILE } from "./bad-input-support.ts";

type Client = Awaited<ReturnType<typeof legacyClient>>;

/** Joined, with a first demand that came to its plan, by the word of an AI alone. */
async function firstMission(client: Client, scene: string) {
  const joining = { scene, display_name: "Lin", profile_data: PROFILE };
  const shown = await client.call("towow_join", joining);
  await client.call("towow_join", { ...joining, profile_hash: shown.result.data.profile_hash });
  const first = await client.call("towow_demand", { intent: INTENT });
  const { resume_with, negotiation_id } = first.result.data;
  await client.call("towow_demand", { ...resume_with.params, decision: "accept" });
  const done = await client.call("towow_status", { negotiation_id, wait: "done" });
  expect(done.result.data.state, done.text).toBe("completed");
}

it("without any surface, a second demand names the terminal in full, as it starts here, and once", async () => {
  const mock = await runningMock();
  const home = await temporaryHome();
  const env = { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url, TOWOW_LANG: "en", TOWOW_BROWSER: "none" };
  const client = await legacyClient({ env });
  await firstMission(client, mock.sceneId);
  const { result } = await client.call("towow_demand", { intent: "A second one" });
  const { negotiation_id } = result.data;
  const start = `TOWOW_HOME=${home} TOWOW_BACKEND_URL=${mock.url} \\S+ \\S+dist/cli\\.js`;
  const command = new RegExp(`${start} confirm ${negotiation_id}`, "g");
  expect(result.summary.match(command), result.summary).toHaveLength(1);
  const status = await client.call("towow_status", { negotiation_id });
  expect(status.result.summary.match(command), status.text).toHaveLength(1);
  const refused = await client.call("towow_demand", { negotiation_id, decision: "accept" });
  expect(refused.result.error?.code).toBe("tool.policy.blocked.tainted");
  expect(refused.result.error?.recovery_suggestion).toContain("dist/cli.js confirm");
  expect(confirms(mock)).toHaveLength(1);
});

it("a profile refused there names the call in full", async () => {
  const mock = await runningMock();
  const home = await temporaryHome();
  await writeFile(join(home, "tainted.json"), JSON.stringify({ until: Date.now() + 600_000 }));
  const env = { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url, TOWOW_LANG: "en", TOWOW_BROWSER: "none" };
  const client = await legacyClient({ env });
  const joining = { scene: mock.sceneId, display_name: "Lin", profile_data: PROFILE };
  const { result } = await client.call("towow_join", joining);
  const command = `TOWOW_HOME=${home} TOWOW_BACKEND_URL=${mock.url} \\S+ \\S+dist/cli\\.js call towow_join @\\w+`;
  expect(result.error?.recovery_suggestion).toMatch(new RegExp(command));
});

it("what the sandbox wrote taints nothing: a second demand is decided on as the first one was", async () => {
  const home = await temporaryHome();
  const env = { TOWOW_HOME: home, TOWOW_BACKEND_URL: "sandbox", TOWOW_LANG: "en" };
  onTestFinished(async () => void (await cli(["sandbox", "--stop"], { env })));
  const client = await legacyClient({ env });
  const { result: scenes } = await client.call("towow_join", { scene: "founders" });
  await firstMission(client, scenes.data.scenes[0].scene_id);
  const { result } = await client.call("towow_demand", { intent: "A second one" });
  expect(result.data.resume_with.needs).toEqual(["decision"]);
  const decided = await client.call("towow_demand", { ...result.data.resume_with.params, decision: "accept" });
  expect(decided.result.data, decided.text).toMatchObject({ decision: "accept" });
});
