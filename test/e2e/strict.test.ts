import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { confirms, runningMock } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import { type Called, legacyClient, modernClient, type Session } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { factsInHome } from "../support/home-facts.ts";
import { soon } from "../support/soon.ts";

/** A model that may call every tool and run the program, and wants the demand out without asking anybody. */
async function attack() {
  const mock = await runningMock();
  const home = await temporaryHome();
  const env = {
    TOWOW_HOME: home,
    TOWOW_BACKEND_URL: mock.url,
    TOWOW_CONFIRMATION_POLICY: "strict",
    TOWOW_MODE: "developer",
  };
  const session = await legacyClient({ env });
  const seen: string[] = [];
  const call = async (on: Session, name: string, args: Record<string, unknown>): Promise<Called> => {
    const called = await on.call(name, args);
    seen.push(called.text, JSON.stringify(called.result));
    return called;
  };
  const demand = await call(session, "towow_demand", { intent: "A designer", scene_id: mock.sceneId });
  expect(demand.result.data.state).toBe("formulated");
  const { negotiation_id } = demand.result.data;
  const { asked } = await factsInHome(home, negotiation_id);
  expect(asked).toHaveLength(1);
  return { mock, env, session, seen, call, negotiation_id, confirmation_id: String(asked[0]?.question_id) };
}

it("strict: fourteen ways for a model to confirm by itself, none of which reaches the backend", async () => {
  const { mock, env, session, seen, call, negotiation_id, confirmation_id } = await attack();
  const both = { negotiation_id, confirmation_id };
  // 1–4: arguments, with and without an id, in both tools
  await call(session, "towow_demand", { negotiation_id, decision: "accept" });
  await call(session, "towow_demand", { ...both, decision: "accept" });
  await call(session, "towow_demand", { ...both, decision: "edit", confirmed_text: "Mine" });
  await call(session, "towow_confirm", { ...both, decision: "accept" });
  // 5: the text as the confirmation of itself
  await call(session, "towow_confirm", { ...both, confirmed_text: String(mock.negotiations()[0]?.demand_formulated) });
  // 6: an action that sounds right
  await call(session, "towow_action", { negotiation_id, action: "confirm" });
  // 7: what a status offers, with a decision added
  const status = await call(session, "towow_status", { negotiation_id });
  await call(session, "towow_demand", { ...status.result.data.resume_with.params, decision: "accept" });
  // 8: a second process of the same home, of the other era
  const second = await modernClient({ env });
  await call(second, "towow_confirm", { ...both, decision: "accept" });
  // 9: arguments that look like settings
  await call(session, "towow_confirm", { ...both, confirmation_policy: "auto", decided_by: "form" });
  // 10: the mode switch as a way round
  await call(session, "towow_set_mode", { mode: "normal" });
  await call(session, "towow_demand", { ...both, decision: "accept" });
  // 11: the terminal command without a terminal, and with answers piped in
  for (const input of ["a\n1234\n", ""])
    expect((await cli(["confirm", negotiation_id], { env, input })).status).toBe(2);
  // 12: the command line, also with another policy in its environment
  const run = async (args: string[], more: Record<string, string> = {}) =>
    (await cli(args, { env: { ...env, ...more } })).status;
  const accept = JSON.stringify({ ...both, decision: "accept" });
  for (const tool of ["towow_demand", "towow_confirm"])
    for (const policy of ["strict", "auto"])
      expect(await run(["call", tool, accept], { TOWOW_CONFIRMATION_POLICY: policy })).toBe(1);
  // 13: forgetting the question, so that the backend goes on by itself
  expect(await run(["forget", "--yes", "--force"])).toBe(1);
  // 14: the page, guessed or taken from any result
  expect(seen.join("\n")).not.toMatch(/\/approve\//);

  expect(confirms(mock)).toHaveLength(0);
  expect(mock.negotiations()[0]).toMatchObject({ cancelled: false, confirmCount: 0 });
});

it.each(["nothing", "another one, silent about it"])(
  "strict in a file that goes away (in its place: %s) stays",
  async (next) => {
    const mock = await runningMock();
    const home = await temporaryHome();
    const file = join(home, "config.json");
    await writeFile(file, JSON.stringify({ confirmation_policy: "strict", mode: "developer" }), { mode: 0o600 });
    const session = await legacyClient({ env: { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url } });
    const developers = (await session.tools()).length;
    await rm(file);
    await soon(async () => (await session.tools()).length).toBeLessThan(developers); // it is read that it is gone
    if (next !== "nothing") {
      await writeFile(file, JSON.stringify({ mode: "developer" }), { mode: 0o600 });
      await soon(async () => (await session.tools()).length).toBe(developers);
    }
    const demand = await session.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
    const { negotiation_id } = demand.result.data;
    await session.call("towow_demand", {
      ...demand.result.data.resume_with?.params,
      negotiation_id,
      decision: "accept",
    });
    expect(mock.negotiations()[0]).toMatchObject({ negotiation_id, confirmCount: 0 });
  },
);

it("strict in the file: no environment loosens it, in a server, in a call and in what is shown", async () => {
  const mock = await runningMock();
  const home = await temporaryHome();
  await writeFile(join(home, "config.json"), JSON.stringify({ confirmation_policy: "strict" }), { mode: 0o600 });
  const env = { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url, TOWOW_CONFIRMATION_POLICY: "auto", TOWOW_LANG: "en" };
  const session = await legacyClient({ env });
  const demand = await session.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
  const { negotiation_id } = demand.result.data;
  const { asked } = await factsInHome(home, negotiation_id);
  const args = { negotiation_id, confirmation_id: String(asked.at(-1)?.question_id), decision: "accept" };
  expect((await session.call("towow_demand", args)).result.error?.code).toBe(
    "tool.policy.blocked.confirmation_required",
  );
  expect(confirms(mock)).toEqual([]);
  const run = async (...args: string[]) => (await cli(args, { env })).stdout;
  expect(await run("config")).toMatch(/confirmation_policy +strict .*TOWOW_CONFIRMATION_POLICY: auto is looser/);
  expect((await run("config", "get", "confirmation_policy")).trim()).toBe("strict");
  expect(JSON.parse(await run("config", "--json"))).toContainEqual(
    expect.objectContaining({
      key: "confirmation_policy",
      value: "strict",
      source: "file",
      ignored: { value: "auto", source: "environment", where: "TOWOW_CONFIRMATION_POLICY" },
    }),
  );
});
