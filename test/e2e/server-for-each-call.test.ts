import { describe, expect, it } from "vitest";
import { cancels, confirms, runningMock } from "../support/backend.ts";
import { type Called, legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { INTENT, PROFILE } from "./bad-input-support.ts";

/** A client that starts the server for each call, as mcporter and the inspector's `--cli` do. */
function eachCall(env: Record<string, string>) {
  return async (name: string, args: Record<string, unknown> = {}): Promise<Called> => {
    const session = await legacyClient({ env });
    const called = await session.call(name, args);
    await session.close();
    return called;
  };
}

async function network() {
  const mock = await runningMock();
  const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url, TOWOW_LANG: "en" };
  return { mock, env, call: eachCall(env) };
}

describe("a client that starts the server for each call", () => {
  it("joins: what was shown is remembered in the home, and a hash of something else is told so", async () => {
    const { mock, call } = await network();
    const joining = { scene: mock.sceneId, display_name: "Lin", profile_data: PROFILE };
    const shown = await call("towow_join", joining);
    const { profile_hash, resume_with } = shown.result.data;
    const other = await call("towow_join", { ...resume_with.params, display_name: "Min", profile_hash });
    expect(other.result.data).toMatchObject({
      agent_id: null,
      profile_hash: expect.not.stringContaining(profile_hash),
    });
    expect(other.result.summary).toContain("belongs to another profile");
    const made = await call("towow_join", {
      ...joining,
      profile_data: { ...PROFILE, bio: "Never shown." },
      profile_hash: "0".repeat(16),
    });
    expect(made.result.data.agent_id).toBeNull();
    const joined = await call("towow_join", { ...resume_with.params, profile_hash });
    expect(joined.result.data, joined.text).toMatchObject({ agent_id: expect.any(String), already_joined: false });
  });

  const joined = async () => {
    const world = await network();
    const joining = { scene: world.mock.sceneId, display_name: "Lin", profile_data: PROFILE };
    const { profile_hash } = (await world.call("towow_join", joining)).result.data;
    await world.call("towow_join", { ...joining, profile_hash });
    return world;
  };

  it("leaves its demand to another program of the home, says which, and the next call decides", async () => {
    const { mock, env, call } = await joined();
    const other = await legacyClient({ env });
    await other.call("towow_status").catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 6_000)); // it looks around five seconds after its start
    const asked = await call("towow_demand", { intent: INTENT });
    expect(asked.result.summary, asked.text).toContain(`Another program of yours (pid ${other.pid()})`);
    const { resume_with, negotiation_id } = asked.result.data;
    expect(cancels(mock)).toEqual([]);
    const decided = await call("towow_demand", { ...resume_with.params, decision: "accept" });
    expect(decided.result.data, decided.text).toMatchObject({ decision: "accept", decided_by: "argument" });
    const done = await call("towow_status", { negotiation_id, wait: "done" });
    expect(done.result.data.state, done.text).toBe("completed");
    expect([confirms(mock).length, cancels(mock).length]).toEqual([1, 0]);
    // The other one keeps what is left to it, until it ends itself.
    const second = await call("towow_demand", { intent: "Somebody who repairs looms" });
    expect(cancels(mock)).toEqual([]);
    await other.close();
    await expect.poll(() => cancels(mock).length, { timeout: 5_000 }).toBe(1);
    expect(second.result.data.negotiation_id).toBeTruthy();
  }, 60_000);

  it("withdraws its demand where no other program runs", async () => {
    const { mock, call } = await joined();
    const asked = await call("towow_demand", { intent: INTENT });
    expect(asked.result.summary).not.toContain("Another program");
    await expect.poll(() => cancels(mock).length, { timeout: 5_000 }).toBe(1);
  });
});
