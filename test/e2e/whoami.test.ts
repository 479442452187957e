import { describe, expect, it } from "vitest";
import { cli } from "../support/cli.ts";
import { homeWith, identities, ORIGIN } from "./home-commands-support.ts";

describe("whoami", () => {
  it("says who, where and until when", async () => {
    const file = { backend_url: ORIGIN, identities, last_scene_id: "scene_1", mode: "developer" };
    const { home, run, env } = await homeWith(file, { TZ: "UTC" });
    expect(JSON.parse((await run("whoami", "--json")).stdout)).toEqual({
      user_id: "u-1",
      browsers: [],
      backend_url: ORIGIN,
      backend_problem: null,
      token: {
        present: true,
        source: "file",
        expires_at: "2031-05-06T07:08:09Z",
        expired: false,
        of_other_origin: null,
      },
      last_scene_id: "scene_1",
      last_negotiation_id: null,
      mode: "developer",
      home,
    });
    const other = await cli(["whoami", "--json"], { env: { ...env, TOWOW_BACKEND_URL: "https://other.example" } });
    expect(JSON.parse(other.stdout)).toMatchObject({ user_id: null, token: { present: false } });
  });

  it.each([
    ["no address at all", "nonsense", "tool.config.invalid.value"],
    ["plain http to another machine", "http://towow.example", "tool.config.blocked.http_refused"],
  ])("an address that is not used is said to be refused: %s", async (_, backend_url, code) => {
    const { env, run } = await homeWith();
    const wrong = { env: { ...env, TOWOW_BACKEND_URL: backend_url } };
    const { stdout, stderr, status } = await cli(["whoami"], wrong);
    expect(stdout).toMatch(/^Backend +refused, see below$/m);
    expect([stderr, status]).toEqual([expect.stringMatching(new RegExp(`\\(${code}\\)`)), 1]);
    expect(JSON.parse((await cli(["whoami", "--json"], wrong)).stdout).backend_problem).toBe(code);
    // And a call says the same, instead of speaking of what is remembered.
    const called = await cli(["call", "towow_status", "--json"], wrong);
    expect(JSON.parse(called.stdout).error.code).toBe(code);
    const without = await run("call", "towow_status", "--json");
    expect(JSON.parse(without.stdout).error.code).toBe("tool.config.invalid.backend_url_missing");
  });
});
