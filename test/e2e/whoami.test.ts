import { describe, expect, it } from "vitest";
import { cli } from "../support/cli.ts";
import { homeWith, identities, ORIGIN, TOKEN } from "./home-commands-support.ts";

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
    const text = (await run("whoami")).stdout;
    expect(text).toMatch(/^User id +u-1$/m);
    expect(text).toMatch(/^Token +kept, until 2031-05-06 07:08$/m);
    const zh = (await cli(["whoami"], { env: { ...env, TOWOW_LANG: "zh" } })).stdout;
    expect(zh).toMatch(/^令牌 +已保存，有效期至 2031-05-06 07:08$/m);
    const other = await cli(["whoami", "--json"], { env: { ...env, TOWOW_BACKEND_URL: "https://other.example" } });
    expect(JSON.parse(other.stdout)).toMatchObject({ user_id: null, token: { present: false } });
  });

  it("an expired token, a given one, and nothing at all", async () => {
    const expired = { [ORIGIN]: { user_id: "u-1", api_token: TOKEN, expires_at: "2020-01-01T00:00:00Z" } };
    const { run, env } = await homeWith({ backend_url: ORIGIN, identities: expired });
    expect((await run("whoami")).stdout).toMatch(/^Token +expired 20/m);
    const given = await cli(["whoami"], { env: { ...env, TOWOW_API_TOKEN: "another-token" } });
    expect(given.stdout).toMatch(/^Token +from environment$/m);
    const empty = await homeWith();
    expect((await empty.run("whoami")).stdout).toMatch(/^Backend +none chosen yet$/m);
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
