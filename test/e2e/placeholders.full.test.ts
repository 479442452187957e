// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables that nobody filled in are what is tested here
import { describe, expect, it } from "vitest";
import { runningMock } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import { legacyClient } from "../support/clients.ts";
import { examined, homeWith } from "./doctor-support.ts";

/** An id or a token that a client's entry, a shell or the file left unfilled. */

const UNFILLED = ["${X}", "undefined", "null", "<your-token>", "{env:X}", "%X%", "$X", "{{X}}"];

describe.each(["TOWOW_USER_ID", "TOWOW_API_TOKEN"])("%s", (variable) => {
  it.each(UNFILLED)("%s is refused before the backend is asked, and named", async (value) => {
    const mock = await runningMock({ legacyRoutes: true });
    const env = { TOWOW_HOME: await homeWith({}), TOWOW_BACKEND_URL: mock.url, [variable]: value };
    const session = await legacyClient({ env });
    const { result, text } = await session.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
    expect(result.error).toMatchObject({ code: "tool.config.invalid.unfilled", can_retry: false });
    expect(text).toContain(variable);
    expect(result.error?.recovery_suggestion).toContain(`Put the real value into ${variable}`);
    expect(mock.journal).toEqual([]);
  });
});

it("two people with the same entry are not one account", async () => {
  const mock = await runningMock({ legacyRoutes: true });
  const people = await Promise.all(
    [1, 2].map(async () => {
      const env = { TOWOW_HOME: await homeWith({}), TOWOW_BACKEND_URL: mock.url, TOWOW_USER_ID: "${TOWOW_USER_ID}" };
      return legacyClient({ env });
    }),
  );
  for (const { call } of people)
    expect((await call("towow_demand", { intent: "Mine", scene_id: mock.sceneId })).result.status).toBe("error");
  expect(mock.negotiations()).toEqual([]);
});

it("in the file: refused, never sent, and the doctor names what fixes it", async () => {
  const mock = await runningMock();
  const home = await homeWith({
    api_token: "${TOWOW_TOKEN}",
    backend_url: mock.url,
    identities: { [new URL(mock.url).origin]: { user_id: "<your-id>", api_token: "${TOWOW_TOKEN}" } },
  });
  const env = { TOWOW_HOME: home };
  const session = await legacyClient({ env });
  const { result } = await session.call("towow_status");
  expect(result.error?.code).toBe("tool.config.invalid.unfilled");
  const { of } = await examined(env);
  expect(of("settings.api_token")).toMatchObject({
    level: "problem",
    message: expect.stringContaining("placeholder"),
    fix: "towow-mcp forget --identity",
  });
  expect(JSON.stringify(mock.journal)).not.toContain("TOWOW_TOKEN");
  expect((await cli(["forget", "--identity", "--yes"], { env })).status).toBe(0);
  expect((await session.call("towow_list_scenes")).result.error?.code).not.toBe("tool.config.invalid.unfilled");
});

it("the doctor and config name a variable, in both languages; config set takes none either", async () => {
  const env = { TOWOW_HOME: await homeWith({}), TOWOW_API_TOKEN: "${TOWOW_API_TOKEN}" };
  expect((await examined(env)).of("settings.api_token")).toMatchObject({
    level: "problem",
    message: expect.stringContaining("api_token is a placeholder that nobody filled in (TOWOW_API_TOKEN)"),
    fix: "unset TOWOW_API_TOKEN",
  });
  expect((await cli(["doctor"], { env: { ...env, TOWOW_LANG: "zh" } })).stdout).toContain("占位符");
  expect((await cli(["config"], { env })).stdout).toMatch(/^api_token +.*TOWOW_API_TOKEN/m);
  const set = await cli(["config", "set", "user_id", "<your-id>"], { env });
  expect(set).toMatchObject({ status: 1, stderr: expect.stringContaining("(tool.config.invalid.unfilled)") });
});
