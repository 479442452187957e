import { expect, it } from "vitest";
import { runningMock } from "../support/backend.ts";
import { type Called, legacyClient, modernClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { INTENT, PROFILE } from "./bad-input-support.ts";

it("two sessions of one home look at the negotiation that each of them began last; a third at the newest", async () => {
  const mock = await runningMock();
  const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url, TOWOW_LANG: "en" };
  const first = await legacyClient({ env });
  const second = await modernClient({ env });
  const joining = { scene: mock.sceneId, display_name: "Lin", profile_data: PROFILE };
  const { result: shown } = await first.call("towow_join", joining);
  const joined = await first.call("towow_join", { ...joining, profile_hash: shown.data.profile_hash });
  expect(joined.isError, joined.text).toBe(false);
  const begin = async (session: typeof first, intent: string) => idIn(await session.call("towow_demand", { intent }));
  const mine = await begin(first, INTENT);
  const theirs = await begin(second, "Somebody who repairs looms");
  const idOf = async (session: typeof first) => idIn(await session.call("towow_status"));
  expect([await idOf(first), await idOf(second)]).toEqual([mine, theirs]);
  expect(await idOf(await legacyClient({ env }))).toBe(theirs);
});

it("a session knows at once of the scene that another of its home has joined", async () => {
  const mock = await runningMock();
  const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url, TOWOW_LANG: "en" };
  const [first, second] = [await legacyClient({ env }), await modernClient({ env })];
  const joining = { scene: mock.sceneId, display_name: "Lin", profile_data: PROFILE };
  const { result: shown } = await first.call("towow_join", joining);
  await first.call("towow_join", { ...joining, profile_hash: shown.data.profile_hash });
  const { isError, text } = await second.call("towow_demand", { intent: INTENT });
  expect(isError, text).toBe(false);
});

const idIn = ({ result, text }: Called): string => result.data?.negotiation_id ?? expect.fail(text);
