import { expect, it } from "vitest";
import { cancels, requests } from "../support/backend.ts";
import type { Answer } from "../support/clients.ts";
import { createWorld, PROFILE, type World } from "../support/world.ts";

const LONG = { ...PROFILE, experience: "Ten years of work, told at length. ".repeat(30) };
const YES: Answer = { action: "accept", content: { decision: "accept" } };
const registrations = (world: World) => requests(world.mock, "POST", /\/agents$/);
const join = (world: World, profile_data: object = PROFILE) => ({
  scene: world.sceneId,
  display_name: "Lin",
  profile_data,
});

it("where pages can be opened, a profile goes there: its lines would be cut in a form", async () => {
  const world = await createWorld();
  const p = await world.process({ answer: () => YES, elicitation: { form: {}, url: {} } });
  const joined = await p.call("towow_join", join(world));
  expect(p.forms[0]).toMatchObject({ mode: "url" });
  for (const row of p.forms[0]?.message.split("\n") ?? []) expect(row.length).toBeLessThanOrEqual(56);
  expect(p.sends[0]?.text).toContain(PROFILE.bio);
  expect(joined.result.warnings).toEqual(["undecided"]);
  expect(registrations(world)).toHaveLength(0);
});

it("a yes is for exactly these arguments, and works once", async () => {
  const world = await createWorld({ legacyRoutes: true }); // which cannot say that the person has joined
  const isYes = () => registrations(world).length === 0;
  const p = await world.process({
    answer: () => (isYes() ? YES : { action: "cancel" }),
    flags: { mode: "developer" },
  });
  await p.call("towow_join", join(world));
  expect(registrations(world)).toHaveLength(1);
  const asked = p.forms.length;
  await p.call("towow_register_agent", {
    scene_id: world.sceneId,
    agent_id: "somebody_else",
    display_name: "Other",
    profile_data: PROFILE,
  });
  await p.call("towow_join", join(world));
  expect(p.forms).toHaveLength(asked + 2);
  expect(registrations(world)).toHaveLength(1);
});

it.each(["accept", "decline", "cancel"] as const)(
  "%s of the question that opens a page decides nothing: it returns at once, and the page's later yes sends it",
  async (action) => {
    const world = await createWorld();
    let answeredAt = 0;
    const answer = async (): Promise<Answer> => {
      await world.clock.sleep(2_000);
      answeredAt = world.clock.now();
      return { action };
    };
    const p = await world.process({ elicitation: { form: {}, url: {} }, answer });
    const undecided = await p.call("towow_join", join(world, LONG));
    expect(undecided.result.warnings).toEqual(["undecided"]);
    expect(undecided.result.summary).toContain("Not decided: nothing was sent.");
    expect(world.clock.now() - answeredAt).toBeLessThan(1_000);
    expect(registrations(world)).toHaveLength(0);
    expect(await p.sends[0]?.isOpen()).toBe(true);
    await p.sends[0]?.decide("accept", "own_window");
    expect((await p.call("towow_join", join(world, LONG))).result.error).toBeNull();
    expect(p.forms).toHaveLength(1);
    expect(registrations(world)).toHaveLength(1);
  },
);

it("a client whose accept comes as the page opens: the call waits for what is decided there", async () => {
  const world = await createWorld();
  const p = await world.process({
    client: { name: "copilot-cli", version: "1.0.102" },
    elicitation: { form: {}, url: {} },
    answer: () => {
      void world.clock.sleep(8_000).then(() => p.sends[0]?.decide("accept", "own_window"));
      return { action: "accept" };
    },
  });
  const { result } = await p.call("towow_join", join(world, LONG));
  expect([p.forms.map(({ mode }) => mode), result.error]).toEqual([["url"], null]);
  expect(registrations(world)).toHaveLength(1);
});

it("a yes on the page counts for the call that names the hash of what was shown before, too", async () => {
  const world = await createWorld();
  const p = await world.process();
  const shown = await p.call("towow_join", join(world));
  const { profile_hash } = shown.result.data;
  await world.tainted.keep(world.clock.now() + 3_600_000, 3_600_000);
  await p.call("towow_join", join(world));
  p.sends[0]?.decide("accept", "own_window");
  const joined = await p.call("towow_join", { ...join(world), profile_hash });
  expect(joined.result.error).toBeNull();
  expect(p.sends).toHaveLength(1);
  expect(registrations(world)).toHaveLength(1);
});

it.each([
  ["towow_action", { action: "cancel" }],
  ["towow_demand", { decision: "cancel" }],
  ["towow_demand", { decision: "reject" }],
])("%s %j of what is undecided asks nothing, under every policy", async (tool, how) => {
  for (const confirmation_policy of ["auto", "strict"]) {
    const world = await createWorld();
    const config = { confirmation_policy };
    const p = await world.process({ answer: () => ({ action: "cancel" }), flags: { mode: "developer" }, config });
    const demand = await p.call("towow_demand", { intent: "A designer" });
    const asked = p.forms.length;
    await p.call(tool, { negotiation_id: demand.result.data.negotiation_id, ...how });
    expect(p.forms).toHaveLength(asked);
    expect(cancels(world.mock)).toHaveLength(1);
  }
});

it.each(["towow_action", "towow_demand"])(
  "%s: whoever is asked to stop a demand knows which, and what each answer does",
  async (tool) => {
    const world = await createWorld();
    const answers: Answer[] = [YES, { action: "accept", content: { decision: "reject" } }, { action: "cancel" }, YES];
    const p = await world.process({ answer: () => answers.shift() ?? YES, flags: { mode: "developer" } });
    const demand = await p.call("towow_demand", { intent: "A designer for a hospital queue" });
    const { negotiation_id } = demand.result.data;
    const stop = async () =>
      (
        await p.call(tool, {
          negotiation_id,
          ...(tool === "towow_action" ? { action: "cancel" } : { decision: "cancel" }),
        })
      ).result;
    expect((await stop()).summary).toBe("The person said no: it was not withdrawn.");
    expect((await stop()).summary).toContain("Not decided: it was not withdrawn.");
    expect(p.forms[1]?.message).toContain(`“A designer for a hospital queue” (${negotiation_id})`);
    expect(p.forms[1]?.requestedSchema.properties.decision).toMatchObject({
      enumNames: ["Yes, withdraw it", "No, let it go on"],
    });
    expect(cancels(world.mock)).toEqual([]);
    expect((await stop()).error).toBeNull();
    expect(cancels(world.mock)).toHaveLength(1);
  },
);

it("a cancel that carries something is asked about with all of it, also while it is undecided", async () => {
  const world = await createWorld();
  const answers: Answer[] = [{ action: "decline" }, YES];
  const p = await world.process({ answer: () => answers.shift() ?? YES, flags: { mode: "developer" } });
  const submitted = await p.call("towow_submit_demand", { intent: "A designer", scene_id: world.sceneId });
  const { negotiation_id } = submitted.result.data;
  const args = { negotiation_id, action: "cancel", payload: { note: "Call 13800138000\u202E" } };
  await p.call("towow_action", args);
  expect(p.forms[0]?.message).toContain('{"note":"Call 13800138000\\u202e"}');
  expect(cancels(world.mock)).toEqual([]);
  await p.call("towow_action", args);
  expect(cancels(world.mock).map(({ body }) => body)).toEqual([{ action: "cancel", payload: args.payload }]);
});

it.each(["strict", "tainted"])("%s, without a surface: no cancel carries anything unseen", async (state) => {
  const world = await createWorld();
  const config = state === "strict" ? { confirmation_policy: "strict" } : {};
  const p = await world.process({ flags: { mode: "developer" }, config });
  const submitted = await p.call("towow_submit_demand", { intent: "A designer", scene_id: world.sceneId });
  if (state === "tainted") await world.tainted.keep(world.clock.now() + 3_600_000, 3_600_000);
  const { negotiation_id } = submitted.result.data;
  const args = { negotiation_id, action: "cancel" };
  const { result } = await p.call("towow_action", { ...args, payload: { note: "Call 13800138000" } });
  expect(result.error?.code).toBe(`tool.policy.blocked.${state === "strict" ? "confirmation_required" : "tainted"}`);
  expect(p.sends[0]?.text).toContain("13800138000");
  expect(cancels(world.mock)).toEqual([]);
  expect((await p.call("towow_action", args)).result.error).toBeNull(); // a withdrawal that carries nothing stays free
});

it("an action that does not exist is refused, and nobody is asked about it; an id that does not is refused first", async () => {
  const world = await createWorld();
  const p = await world.process({ answer: () => YES, flags: { mode: "developer" } });
  const { negotiation_id } = (await p.call("towow_submit_demand", { intent: "A", scene_id: world.sceneId })).result
    .data;
  const args = { negotiation_id, action: "confirm", payload: { confirmed_text: "Mine" } };
  const refused = await p.call("towow_action", args);
  expect(refused.result.error?.code).toBe("tool.negotiation.invalid.unknown_action");
  const unknown = await p.call("towow_action", { ...args, negotiation_id: "neg_000000000000" });
  expect(unknown.result.error?.code).toBe("tool.negotiation.not_found.unknown_negotiation");
  expect(p.forms).toEqual([]);
  expect(requests(world.mock, "POST", /\/action$/)).toEqual([]);
});

it("the question about a page names the display name, the scene and the personal data", async () => {
  const world = await createWorld();
  const p = await world.process({ answer: () => ({ action: "cancel" }), elicitation: { form: {}, url: {} } });
  const bio = `${PROFILE.bio} `.repeat(20);
  await p.call("towow_join", join(world, { ...PROFILE, bio, experience: "13800138000" }));
  const { mode, message } = p.forms[0]!;
  expect(mode).toBe("url");
  expect(message.split("\n").slice(0, 3)).toEqual([
    `Send this profile? To ${world.sceneId}`,
    `“${world.mock.scenes()[0]?.name}” · as Lin`,
    "It contains personal data: phone number.",
  ]);
});

it("a form or a page declined by the client itself: nothing is sent, and nobody is told that the person said no", async () => {
  const world = await createWorld();
  for (const elicitation of [{ form: {} }, { form: {}, url: {} }]) {
    const p = await world.process({ answer: () => ({ action: "decline" }), elicitation });
    const { result } = await p.start("towow_join", join(world)); // the clock stands still
    expect(result).toMatchObject({ status: "empty", data: null, warnings: ["undecided"] });
    expect(result.summary).not.toContain("said no");
  }
  expect(registrations(world)).toHaveLength(0);
});

it("a no at the first part of a profile is asked no further, and sends nothing", async () => {
  const world = await createWorld();
  const answer = (): Answer => ({ action: "accept", content: { decision: "reject" } });
  const p = await world.process({ answer });
  const profile_data = { skills: ["a", "b"], bio: "Ten years of calm hospital software. ".repeat(12) };
  const { result } = await p.call("towow_join", { scene: world.sceneId, display_name: "Lin", profile_data });
  expect(requests(world.mock, "POST", /\/agents$/)).toEqual([]);
  expect(result.warnings).toEqual(["declined"]);
  expect(p.forms).toHaveLength(1);
});
