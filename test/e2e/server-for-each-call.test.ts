import { describe, expect, it } from "vitest";
import { runningMock } from "../support/backend.ts";
import { type Called, legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { PROFILE } from "./bad-input-support.ts";

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
});
