import { expect, it } from "vitest";
import { requests, runningMock } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import { legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { sendProfile } from "../support/profile.ts";

const PROFILE = { skills: ["a", "b", "c"], bio: "Designer of calm hospital software, looking for work." };

async function serve(...args: string[]) {
  const mock = await runningMock();
  const home = await temporaryHome();
  const session = await legacyClient({
    env: { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url },
    args: ["stdio", ...args],
  });
  return { mock, home, session };
}

it("dry_run: a write answers with the request that it would have been, and nothing at all is posted", async () => {
  const { mock, session } = await serve("--profile", "dry_run", "--mode", "developer");
  const demand = await session.call("towow_demand", { scene_id: mock.sceneId, intent: "A designer" });
  expect(demand.result).toMatchObject({
    status: "ok",
    warnings: ["dry_run"],
    meta: {
      would_send: {
        method: "POST",
        url: `${mock.url}/v1/api/negotiations/submit`,
        body: { scene_id: mock.sceneId, intent: "A designer" },
      },
    },
  });
  expect(demand.text).toContain("/negotiations/submit");
  const again = await session.call("towow_demand", { scene_id: mock.sceneId, intent: "A designer" });
  expect(again.result.warnings).toEqual(["dry_run"]);
  const join = await sendProfile(session.call, "towow_join", {
    scene: mock.sceneId,
    display_name: "Lin",
    profile_data: PROFILE,
  });
  expect(join.result.meta.would_send?.url).toContain("/agents");
  expect(requests(mock, "POST", /./)).toHaveLength(0);
});

it("dry_run: names are looked up with the token that is there, and none is asked for", async () => {
  const { mock, home, session } = await serve("--mode", "developer");
  expect((await session.call("towow_list_scenes")).result.status).toBe("ok"); // brings a token
  const { name } = mock.scenes()[0]!;
  const issued = mock.tokensIssued();
  const dry = await legacyClient({
    env: { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url },
    args: ["stdio", "--profile", "dry_run"],
  });
  const join = await sendProfile(dry.call, "towow_join", { scene: name, display_name: "Lin", profile_data: PROFILE });
  expect(join.result.meta.would_send?.url).toContain(`/scenes/${mock.sceneId}/agents`);
  expect(mock.tokensIssued()).toBe(issued);
});

it("dry_run: a fresh home asks for no token, and says so", async () => {
  const { mock, session } = await serve("--profile", "dry_run", "--mode", "developer");
  const { result } = await session.call("towow_list_scenes");
  expect(result.error).toMatchObject({ code: "tool.auth.blocked.dry_run", can_retry: false });
  expect(requests(mock, "POST", /./)).toHaveLength(0);
});

it.each([
  [
    ["--toolset", "readonly"],
    ["towow_status", "towow_set_mode", "towow_list_scenes", "towow_list_agents", "towow_get_negotiation"],
  ],
  [
    ["--allow-tools", "towow_status,towow_demand"],
    ["towow_demand", "towow_status"],
  ],
  [
    ["--exclude-tools", "towow_set_mode"],
    ["towow_join", "towow_demand", "towow_status"],
  ],
])("%s narrows the list", async (args, expected) => {
  const { session } = await serve(...args);
  expect(await session.tools()).toEqual(expected);
});

it("a profile from the environment that does not exist lets nothing run, and is named", async () => {
  const mock = await runningMock();
  const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url, TOWOW_PROFILE: "read-only" };
  const session = await legacyClient({ env });
  const { result } = await session.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
  expect(result.error).toMatchObject({ code: "tool.config.invalid.value" });
  expect(result.error?.message).toMatch(/profile.*TOWOW_PROFILE/s);
  expect(mock.journal).toEqual([]);
});

it.each([
  [["--allow-tools", "towow_nothing"], "towow_nothing"],
  [["--profile", "nothing"], "nothing"],
  [["--toolset", "nothing"], "nothing"],
])("%s is an error at start", async (args, named) => {
  const { status, stderr } = await cli(["stdio", ...args], { env: { TOWOW_HOME: await temporaryHome() } });
  expect(status).toBe(1);
  expect(stderr).toContain(named);
  expect(stderr).not.toMatch(/\n\s+at /);
});
