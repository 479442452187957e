import { describe, expect, it } from "vitest";
import { cancels, confirms, type RunningMock, requests, runningMock, submits } from "../support/backend.ts";
import { type Called, legacyClient, modernClient, type Session } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";

/** Whatever a model sends: each mistake has its own code and a way on, and nothing of it reaches the backend. */

const PROFILE = {
  skills: ["TypeScript", "Python", "distributed systems"],
  bio: "Engineer who builds small, reliable services and likes to ship them.",
  experience: "Eight years of backend work.",
  capabilities: ["prototype in two weeks"],
};
const INTENT = "I need a product designer for a hospital queue pilot";
const STACK = /\n\s+at \S|\bat (async )?\S+ \(|node:internal|file:\/\/|\/(src|dist|node_modules)\/|\.[jt]s:\d+/;

type Lang = "en" | "zh";
type Mode = "normal" | "developer";
type Case = [what: string, tool: string, args: Record<string, unknown>, code: string, says?: RegExp];

interface World {
  mock: RunningMock;
  session: Session;
  lang: Lang;
  /** What `tools/list` names in this mode. */
  listed: string[];
}

const dialects = [
  ["2025 era, en", legacyClient, "en"],
  ["2026-07-28, zh", modernClient, "zh"],
] as const;

async function start(
  connect: typeof legacyClient,
  lang: Lang,
  mode: Mode = "normal",
  options: Parameters<typeof runningMock>[0] = {},
): Promise<World> {
  const mock = await runningMock(options);
  const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url, TOWOW_LANG: lang, TOWOW_MODE: mode };
  const session = await connect({ env });
  return { mock, session, lang, listed: await session.tools() };
}

/** A failure that a person and a model can go on from, in the channel that every client shows. */
function expectFailure({ result, text, isError }: Called, code: string, { lang, listed }: World, what = code) {
  expect(result.error?.code, what).toBe(code);
  expect([isError, result.status, result.data], what).toEqual([true, "error", null]);
  const { message, recovery_suggestion, next_steps } = result.error!;
  expect(text.startsWith(`${code}: ${message}\n${recovery_suggestion}`), `${what}: ${text}`).toBe(true);
  expect(text, what).toContain("can_retry: ");
  for (const tool of next_steps) expect(text, what).toMatch(new RegExp(`next_steps: .*\\b${tool}\\b`));
  expect(
    next_steps.filter((tool) => !listed.includes(tool)),
    what,
  ).toEqual([]);
  expect(/\p{Script=Han}/u.test(recovery_suggestion.replaceAll(/[^\p{L}]/gu, "")), what).toBe(lang === "zh");
  expect(message, what).not.toMatch(/\{\w+\}|(^|[\s(])\?($|[\s).,:])/);
  expect(text + JSON.stringify(result), what).not.toMatch(STACK);
}

async function expectRefusals(world: World, cases: Case[]) {
  for (const [what, tool, args, code, says] of cases) {
    const called = await world.session.call(tool, args);
    expectFailure(called, code, world, what);
    if (says) expect(called.text, what).toMatch(says);
  }
}

const writes = (mock: RunningMock) => requests(mock, "POST", /^(?!.*mcp-token)/);

async function join({ session }: World, scene = "AI 创业合伙人") {
  const joined = await session.call("towow_join", { scene, display_name: "Lin", profile_data: PROFILE });
  expect(joined.result).toMatchObject({ status: "ok", data: { already_joined: false } });
  return joined.result.data;
}

/** A demand whose text waits for a decision, and the call that decides. */
async function pause({ session }: World, intent = INTENT) {
  const { result } = await session.call("towow_demand", { intent });
  expect(result.data).toMatchObject({ state: "formulated", decision: null });
  return result.data.resume_with.params as { negotiation_id: string; confirmation_id: string };
}

describe.each(dialects)("%s", (_, connect, lang) => {
  it("scenes that are unknown, unlisted or not the only ones of their name", async () => {
    const world = await start(connect, lang);
    const { mock } = world;
    const profile = { display_name: "Lin", profile_data: PROFILE };
    const [first, , studio] = mock.scenes();
    await expectRefusals(world, [
      ["no scene yet", "towow_demand", { intent: INTENT }, "tool.scene.not_found.none_joined"],
      ["no negotiation yet", "towow_status", {}, "tool.negotiation.not_found.none_yet"],
      [
        "an unknown name",
        "towow_join",
        { scene: "Quantum gardeners", raw_content: "x" },
        "tool.scene.not_found.no_match",
        /Quantum gardeners.*AI 创业合伙人 \(scene_[0-9a-f]{12}\), 社区活动共创 .*Indie product studio/,
      ],
      [
        "an ambiguous name",
        "towow_join",
        { scene: "i", raw_content: "x" },
        "tool.scene.conflict.ambiguous",
        new RegExp(`^(?!.*社区).*${first?.scene_id}.*${studio?.scene_id}`, "s"),
      ],
      ["only signs", "towow_join", { scene: "！？", raw_content: "x" }, "tool.scene.not_found.no_match"],
    ]);
    expect(writes(mock)).toEqual([]);
    await expectRefusals(world, [
      [
        "an unknown id",
        "towow_join",
        { scene: "scene_000000000000", ...profile },
        "tool.scene.not_found.unknown_scene",
        /scene_000000000000/,
      ],
      [
        "a demand there",
        "towow_demand",
        { intent: INTENT, scene_id: "scene_000000000000" },
        "tool.scene.not_found.unknown_scene",
      ],
    ]);
    expect([submits(mock).length, mock.negotiations().length]).toEqual([1, 0]);
  });

  it("a name on a backend that cannot list; an id joins there", async () => {
    const world = await start(connect, lang, "normal", { legacyRoutes: true });
    await expectRefusals(world, [
      ["a name", "towow_join", { scene: "AI 创业合伙人", raw_content: "x" }, "tool.scene.unavailable.cannot_list"],
    ]);
    expect(writes(world.mock)).toEqual([]);
    await join(world, world.mock.sceneId);
  });

  it("intents that are empty, blank or huge", async () => {
    const world = await start(connect, lang);
    await join(world);
    await expectRefusals(world, [
      ["empty", "towow_demand", { intent: "" }, "tool.input.invalid.intent_empty"],
      ["blank", "towow_demand", { intent: " \n\t　" }, "tool.input.invalid.intent_empty"],
      ["300 kB", "towow_demand", { intent: "需求 ".repeat(75_000) }, "tool.input.invalid.intent_too_long"],
      ["one too many", "towow_demand", { intent: "x".repeat(20_001) }, "tool.input.invalid.intent_too_long"],
      ["neither intent nor negotiation", "towow_demand", {}, "tool.input.invalid.demand_incomplete"],
      [
        "a decision on nothing",
        "towow_demand",
        { intent: INTENT, decision: "accept" },
        "tool.input.invalid.demand_incomplete",
      ],
    ]);
    expect(submits(world.mock)).toEqual([]);
  });

  it("profiles and texts of the wrong kind", async () => {
    const world = await start(connect, lang);
    const { mock, session } = world;
    const scene = "AI 创业合伙人";
    const withProfile = (profile_data: unknown) => ({ scene, display_name: "Lin", profile_data });
    await expectRefusals(world, [
      ["nothing at all", "towow_join", {}, "tool.input.invalid.arguments", /scene/],
      ["only a scene", "towow_join", { scene }, "tool.input.invalid.join_incomplete"],
      ["a blank text", "towow_join", { scene, raw_content: "  " }, "tool.input.invalid.join_incomplete"],
      [
        "a profile without a name",
        "towow_join",
        { scene, profile_data: PROFILE },
        "tool.input.invalid.join_incomplete",
      ],
      [
        "skills as one text",
        "towow_join",
        withProfile({ skills: "TypeScript, Python" }),
        "tool.input.invalid.skills_not_a_list",
      ],
      [
        "skills as objects",
        "towow_join",
        withProfile({ skills: [{ name: "x" }] }),
        "tool.input.invalid.skills_not_a_list",
      ],
      ["skills as an object", "towow_join", withProfile({ skills: { a: 1 } }), "tool.input.invalid.skills_not_a_list"],
      ["a blank skill", "towow_join", withProfile({ skills: ["a", " "] }), "tool.input.invalid.skills_not_a_list"],
      [
        "a skill of a page",
        "towow_join",
        withProfile({ skills: ["x".repeat(201)] }),
        "tool.input.invalid.text_too_long",
        /skills\.0/,
      ],
      [
        "a bio of a book",
        "towow_join",
        withProfile({ bio: "x".repeat(5_001) }),
        "tool.input.invalid.text_too_long",
        /bio/,
      ],
      [
        "a number for a bio",
        "towow_join",
        withProfile({ bio: 5 }),
        "tool.input.invalid.arguments",
        /profile_data\.bio/,
      ],
      [
        "an unknown field",
        "towow_join",
        withProfile({ ...PROFILE, email: "a@b.c" }),
        "tool.input.invalid.unknown_argument",
        /profile_data\.email.*constraints/s,
      ],
      [
        "more than 200 kB",
        "towow_join",
        { scene, raw_content: "x".repeat(200_001) },
        "tool.input.invalid.text_too_long",
        /raw_content/,
      ],
    ]);
    const long = await session.call("towow_join", { scene, raw_content: `${"简历 ".repeat(60_000)}THE END` });
    expect(long.result).toMatchObject({ status: "ok", warnings: ["raw_content_omitted"] });
    expect(long.text).not.toContain("THE END");
    expect(long.text.length).toBeLessThan(20_000);
    expect(long.result.data.resume_with.params).toEqual({ scene: mock.sceneId });
    expect(writes(mock)).toEqual([]);

    const listed = await session.call("towow_join", withProfile({ ...PROFILE, skills: '["Go", "Rust", "Go"]' }));
    expect(listed.result.status).toBe("ok");
    expect(writes(mock).map((entry) => (entry.body as { profile_data: object }).profile_data)).toMatchObject([
      { skills: ["Go", "Rust"] },
    ]);
    const again = await session.call("towow_join", withProfile(PROFILE));
    expect(again.isError).toBe(false);
    expect(again.result).toMatchObject({ status: "ok", data: { already_joined: true } });
    expect(again.result.warnings).toContain("already_joined");
  });

  it("arguments, ids and tools that do not exist", async () => {
    const world = await start(connect, lang);
    const ids = [
      "a/b",
      "..",
      ".",
      "../x",
      "a%2e%2e",
      "%2e",
      "a b",
      "a?b",
      "a#b",
      "a\\b",
      "a\u0000b",
      "a\u202Eb",
      "a\nb",
      "",
      "x".repeat(129),
    ];
    await expectRefusals(world, [
      ["an unknown tool", "towow_destroy", {}, "tool.input.invalid.unknown_tool", /towow_destroy/],
      ["a prototype's name", "constructor", {}, "tool.input.invalid.unknown_tool"],
      ["a tool of the other mode", "towow_list_scenes", {}, "tool.policy.blocked.inactive_tool", /towow_set_mode/],
      [
        "an unknown argument",
        "towow_status",
        { negotiation: "x" },
        "tool.input.invalid.unknown_argument",
        /negotiation\b.*negotiation_id, wait/s,
      ],
      ["a wrong choice", "towow_status", { wait: "forever" }, "tool.input.invalid.arguments", /wait/],
      ["no mode", "towow_set_mode", {}, "tool.input.invalid.arguments", /mode/],
      ...ids.flatMap((id): Case[] => [
        [
          `status of ${JSON.stringify(id)}`,
          "towow_status",
          { negotiation_id: id },
          "tool.input.invalid.id_malformed",
          /negotiation_id/,
        ],
        [
          `a demand in ${JSON.stringify(id)}`,
          "towow_demand",
          { intent: INTENT, scene_id: id },
          "tool.input.invalid.id_malformed",
          /scene_id/,
        ],
      ]),
      [
        "an unknown negotiation",
        "towow_status",
        { negotiation_id: "neg_0" },
        "tool.negotiation.not_found.unknown_negotiation",
        /neg_0/,
      ],
      [
        "waiting for one",
        "towow_status",
        { negotiation_id: "neg_0", wait: "done" },
        "tool.negotiation.not_found.unknown_negotiation",
      ],
      ["resuming one", "towow_demand", { negotiation_id: "neg_0" }, "tool.negotiation.not_found.unknown_negotiation"],
      [
        "deciding one",
        "towow_demand",
        { negotiation_id: "neg_0", confirmation_id: "c", decision: "accept" },
        "tool.negotiation.conflict.not_waiting",
      ],
      [
        "rejecting one",
        "towow_demand",
        { negotiation_id: "neg_0", decision: "reject" },
        "tool.negotiation.conflict.not_waiting",
      ],
      [
        "cancelling one",
        "towow_demand",
        { negotiation_id: "neg_0", decision: "cancel" },
        "tool.negotiation.conflict.not_waiting",
      ],
    ]);
    expect(writes(world.mock)).toEqual([]);
    const looks = requests(world.mock, "GET", /negotiations\//).map((entry) => entry.path);
    expect(new Set(looks)).toEqual(new Set(["/v1/api/negotiations/neg_0"]));
  });

  it("decisions with ids that are forged, borrowed or used", async () => {
    const world = await start(connect, lang);
    const { mock, session } = world;
    await join(world);
    const one = await pause(world);
    const other = await pause(world, "I need a translator for a conference in May");
    const decide = { decision: "accept" };
    await expectRefusals(world, [
      [
        "forged",
        "towow_demand",
        { ...one, confirmation_id: "forged", ...decide },
        "tool.negotiation.invalid.confirmation_id",
      ],
      [
        "none",
        "towow_demand",
        { negotiation_id: one.negotiation_id, ...decide },
        "tool.negotiation.invalid.confirmation_id",
      ],
      [
        "of another",
        "towow_demand",
        { ...one, confirmation_id: other.confirmation_id, ...decide },
        "tool.negotiation.invalid.confirmation_id",
      ],
      [
        "a forged edit",
        "towow_demand",
        { ...one, confirmation_id: "forged", decision: "edit", confirmed_text: "x" },
        "tool.negotiation.invalid.confirmation_id",
      ],
      [
        "an edit to nothing",
        "towow_demand",
        { ...one, decision: "edit", confirmed_text: " \n" },
        "tool.negotiation.invalid.confirmed_text_empty",
      ],
      [
        "an edit without a text",
        "towow_demand",
        { ...one, decision: "edit" },
        "tool.negotiation.invalid.confirmed_text_empty",
      ],
      [
        "an edit that is a book",
        "towow_demand",
        { ...one, decision: "edit", confirmed_text: "x".repeat(20_001) },
        "tool.input.invalid.text_too_long",
      ],
      ["no such decision", "towow_demand", { ...one, decision: "yes" }, "tool.input.invalid.arguments"],
    ]);
    expect([confirms(mock).length, cancels(mock).length]).toEqual([0, 0]);

    const accepted = await session.call("towow_demand", { ...one, ...decide });
    expect(accepted.result.data).toMatchObject({ decision: "accept", decided_by: "argument" });
    const done = await session.call("towow_status", { negotiation_id: one.negotiation_id, wait: "done" });
    expect(done.result.data.state).toBe("completed");
    await expectRefusals(world, [
      ["accepting twice", "towow_demand", { ...one, ...decide }, "tool.negotiation.conflict.already_decided", /accept/],
      [
        "editing after it",
        "towow_demand",
        { ...one, decision: "edit", confirmed_text: "Another text" },
        "tool.negotiation.conflict.already_decided",
      ],
      [
        "rejecting after it",
        "towow_demand",
        { ...one, decision: "reject" },
        "tool.negotiation.conflict.already_decided",
      ],
      [
        "its id for the other",
        "towow_demand",
        { ...other, confirmation_id: one.confirmation_id, ...decide },
        "tool.negotiation.invalid.confirmation_id",
      ],
      [
        "cancelling what is over",
        "towow_demand",
        { negotiation_id: one.negotiation_id, decision: "cancel" },
        "tool.negotiation.conflict.already_completed",
      ],
    ]);
    expect(confirms(mock).map((entry) => entry.path)).toEqual([`/v1/api/negotiations/${one.negotiation_id}/confirm`]);
    expect(mock.negotiations().map((n) => n.confirmCount)).toEqual([1, 0]);
    expect(submits(mock)).toHaveLength(2);
  });

  it("the tools of developer mode", async () => {
    const world = await start(connect, lang, "developer");
    const { mock, session } = world;
    const scene_id = mock.sceneId;
    const register = { scene_id, display_name: "Lin", profile_data: PROFILE };
    const submit = { scene_id, intent: INTENT };
    await expectRefusals(world, [
      ["a scene without a name", "towow_create_scene", { description: "x" }, "tool.input.invalid.arguments", /name/],
      ["a blank name", "towow_create_scene", { name: " ", description: "x" }, "tool.input.invalid.arguments", /name/],
      [
        "too few responders",
        "towow_create_scene",
        { name: "x", description: "x", expected_responders: "0" },
        "tool.input.invalid.arguments",
        /expected_responders/,
      ],
      [
        "an unknown policy",
        "towow_create_scene",
        { name: "x", description: "x", access_policy: "secret" },
        "tool.input.invalid.arguments",
        /access_policy/,
      ],
      [
        "an agent without a scene",
        "towow_register_agent",
        { display_name: "Lin", profile_data: PROFILE },
        "tool.input.invalid.arguments",
        /scene_id/,
      ],
      [
        "skills as one text",
        "towow_register_agent",
        { ...register, profile_data: { skills: "x" } },
        "tool.input.invalid.skills_not_a_list",
      ],
      [
        "an agent id with a path",
        "towow_register_agent",
        { ...register, agent_id: "../x" },
        "tool.input.invalid.id_malformed",
        /agent_id/,
      ],
      ["a blank intent", "towow_submit_demand", { ...submit, intent: " " }, "tool.input.invalid.intent_empty"],
      ["half an agent", "towow_submit_demand", { ...submit, k_star: "2.5" }, "tool.input.invalid.arguments", /k_star/],
      [
        "a score above one",
        "towow_submit_demand",
        { ...submit, min_score: 1.5 },
        "tool.input.invalid.arguments",
        /min_score/,
      ],
      [
        "an edit to nothing",
        "towow_confirm",
        { negotiation_id: "neg_0", confirmation_id: "c", decision: "edit" },
        "tool.negotiation.invalid.confirmed_text_empty",
      ],
      ["a mode that was pinned", "towow_set_mode", { mode: "normal" }, "tool.policy.blocked.mode_pinned"],
    ]);
    expect(writes(mock)).toEqual([]);
    await expectRefusals(world, [
      [
        "an unknown scene",
        "towow_list_agents",
        { scene_id: "scene_000000000000" },
        "tool.scene.not_found.unknown_scene",
      ],
      [
        "an unknown negotiation",
        "towow_get_negotiation",
        { negotiation_id: "neg_0" },
        "tool.negotiation.not_found.unknown_negotiation",
      ],
      ["confirming it", "towow_confirm", { negotiation_id: "neg_0" }, "tool.negotiation.not_found.unknown_negotiation"],
      [
        "cancelling it",
        "towow_action",
        { negotiation_id: "neg_0", action: "cancel" },
        "tool.negotiation.not_found.unknown_negotiation",
      ],
    ]);

    const stringly = { ...submit, k_star: "3", min_score: "0.25", allow_duplicate: "true" };
    const submitted = await session.call("towow_submit_demand", stringly);
    expect(submitted.result.status).toBe("ok");
    expect(submits(mock).map((entry) => entry.body)).toMatchObject([{ k_star: 3, min_score: 0.25, intent: INTENT }]);
    const { negotiation_id } = submitted.result.data;
    await expectRefusals(world, [
      [
        "another action",
        "towow_action",
        { negotiation_id, action: "explode" },
        "tool.negotiation.invalid.unknown_action",
        /explode/,
      ],
    ]);
    const cancelled = await session.call("towow_action", {
      negotiation_id,
      action: "cancel",
      payload: '{"why":"test"}',
    });
    expect(cancelled.result.status).toBe("ok");
    expect(cancels(mock).at(-1)?.body).toEqual({ action: "cancel", payload: { why: "test" } });
    await expectRefusals(world, [
      [
        "cancelling twice",
        "towow_action",
        { negotiation_id, action: "cancel" },
        "tool.negotiation.conflict.already_completed",
      ],
    ]);
    expect((await session.call("towow_register_agent", register)).result.status).toBe("ok");
    await expectRefusals(world, [
      [
        "registering twice",
        "towow_register_agent",
        register,
        "tool.agent.conflict.already_registered",
        new RegExp(scene_id),
      ],
    ]);
    expect(confirms(mock)).toEqual([]);
  });
});

it("strict: a model can neither publish a profile nor confirm, with any id", async () => {
  const joined = await start(legacyClient, "en");
  await join(joined);
  const { mock } = joined;
  const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url, TOWOW_CONFIRMATION_POLICY: "strict" };
  const session = await legacyClient({ env });
  const world: World = { mock, session, lang: "en", listed: await session.tools() };
  const refused = "tool.policy.blocked.confirmation_required";
  const scene = mock.sceneId;
  const before = writes(mock).length;
  await expectRefusals(world, [
    ["joining", "towow_join", { scene, display_name: "Eve", profile_data: PROFILE }, refused],
    ["joining again", "towow_join", { scene, display_name: "Eve", profile_data: PROFILE }, refused],
  ]);
  expect(writes(mock)).toHaveLength(before);
  const { result } = await session.call("towow_demand", { intent: INTENT, scene_id: scene });
  const { negotiation_id, ...rest } = result.data.resume_with.params;
  expect(rest).toEqual({});
  await expectRefusals(world, [
    ["accepting", "towow_demand", { negotiation_id, decision: "accept" }, refused],
    ["with an id", "towow_demand", { negotiation_id, confirmation_id: "c", decision: "accept" }, refused],
    ["editing", "towow_demand", { negotiation_id, decision: "edit", confirmed_text: "x" }, refused],
  ]);
  expect(confirms(mock)).toEqual([]);
});
