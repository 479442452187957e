import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { cancels, confirms, runningMock } from "../support/backend.ts";
import { SCRIPT } from "../support/cli.ts";
import { type Called, legacyClient, type Session } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { NODE_ENV } from "../support/node-env.ts";
import { INTENT, PROFILE } from "./bad-input-support.ts";

/** A client that starts the server for each call, as mcporter and the inspector's `--cli` do. */
function eachCall(env: Record<string, string>, how: { spawned?: true } = {}) {
  return async (name: string, args: Record<string, unknown> = {}): Promise<Called> => {
    const session = await legacyClient({ env, ...how }, undefined, "mcporter");
    const called = await session.call(name, args);
    await session.close();
    return called;
  };
}

/** Until that program shows in the home that it looks at what others begin, some seconds after its start. */
const looks = (env: Record<string, string>, session: Session) =>
  expect
    .poll(() => {
      const folder = join(env.TOWOW_HOME ?? "", "running");
      const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".looks")) : [];
      return files.map((name) => readFileSync(join(folder, name), "utf8")).join();
    })
    .toContain(`"pid":${session.pid()},`);

async function network(how: { spawned?: true } = {}) {
  const mock = await runningMock();
  const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url, TOWOW_LANG: "en" };
  return { mock, env, call: eachCall(env, how) };
}

describe("a client that starts the server for each call", () => {
  it("joins: what was shown is remembered in the home, and a hash of something else is told so", async () => {
    const { mock, call } = await network({ spawned: true });
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

  const keptBy = (called: Called) =>
    Number(/another program of yours \(pid (\d+)\) goes on watching this demand/.exec(called.result.summary)?.[1]);

  it("leaves its demand to another session of the home, says which, and the next call decides", async () => {
    const { mock, env, call } = await joined();
    const other = await legacyClient({ env, spawned: true });
    await looks(env, other);
    const asked = await call("towow_demand", { intent: INTENT });
    expect(keptBy(asked), asked.text).toBe(other.pid());
    const { resume_with, negotiation_id } = asked.result.data;
    const again = await call("towow_demand", resume_with.params);
    expect(keptBy(again), again.text).toBe(other.pid());
    expect(cancels(mock)).toEqual([]);
    const decided = await call("towow_demand", { ...resume_with.params, decision: "accept" });
    expect(decided.result.data, decided.text).toMatchObject({ decision: "accept", decided_by: "argument" });
    const done = await call("towow_status", { negotiation_id, wait: "done" });
    expect(done.result.data.state, done.text).toBe("completed");
    expect([confirms(mock).length, cancels(mock).length]).toEqual([1, 0]);
    // The other one keeps what is left to it, until it ends itself.
    const second = await call("towow_demand", { intent: "Somebody who repairs looms" });
    expect(keptBy(second), second.text).toBe(other.pid());
    expect(cancels(mock)).toEqual([]);
    await other.close();
    await expect.poll(() => cancels(mock).length).toBe(1);
  });

  it.runIf(SCRIPT)("says what to do where none runs: that, done literally, keeps the next one", async () => {
    const { mock, env, call } = await joined();
    const asked = await call("towow_demand", { intent: INTENT });
    expect(keptBy(asked)).toBeNaN();
    const command = /run (.*? open) beside it, then submit the demand again/.exec(asked.result.summary)?.[1] ?? "";
    await expect.poll(() => cancels(mock).length).toBe(1);
    const gone = await call("towow_demand", asked.result.data.resume_with.params);
    expect(gone.isError, gone.text).toBe(false);
    // The person's own terminal does not see the client's settings.
    const { TOWOW_HOME: HOME } = env;
    const terminal = spawn(SCRIPT ?? "", ["-qefc", command, "/dev/null"], { env: { ...NODE_ENV, HOME } });
    onTestFinished(() => void terminal.kill());
    let said = "";
    terminal.stdout.on("data", (chunk) => {
      said += chunk;
    });
    await expect.poll(() => said).toContain("/enter/");
    const kept = await call("towow_demand", { intent: INTENT });
    expect(keptBy(kept), kept.text).toBeGreaterThan(0);
    const { resume_with } = kept.result.data;
    const decided = await call("towow_demand", { ...resume_with.params, decision: "accept" });
    expect(decided.result.data, decided.text).toMatchObject({ decision: "accept", decided_by: "argument" });
    expect([confirms(mock).length, cancels(mock).length]).toEqual([1, 1]);
  });
});
