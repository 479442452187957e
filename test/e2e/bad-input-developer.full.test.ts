import { describe, expect, it } from "vitest";
import { cancels, confirms, submits } from "../support/backend.ts";
import { sendProfile } from "../support/profile.ts";
import { dialects, expectRefusals, INTENT, PROFILE, start, writes } from "./bad-input-support.ts";

describe.each(dialects)("%s", (_, connect, lang) => {
  it("the tools of developer mode", async () => {
    const world = await start(connect, lang, "developer");
    const { mock, session } = world;
    const scene_id = mock.sceneId;
    const register = { scene_id, display_name: "Lin", profile_data: PROFILE };
    const submit = { scene_id, intent: INTENT };
    await expectRefusals(world, [
      [
        "a scene without a name",
        "towow_create_scene",
        { description: "x" },
        "tool.input.invalid.argument_missing",
        /name/,
      ],
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
        "tool.input.invalid.argument_missing",
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
      [
        "a payload that nobody reads to its end",
        "towow_action",
        { negotiation_id, action: "cancel", payload: { why: "x".repeat(20_000) } },
        "tool.input.invalid.text_too_long",
        /payload/,
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
    expect((await sendProfile(session.call, "towow_register_agent", register)).result.status).toBe("ok");
    expect((await session.call("towow_register_agent", register)).result.warnings).toEqual(["duplicate_suppressed"]);
    const other = { ...register, profile_data: { ...register.profile_data, bio: "Another bio, for the same scene." } };
    await expectRefusals(world, [
      [
        "registering twice",
        "towow_register_agent",
        other,
        "tool.agent.conflict.already_registered",
        new RegExp(scene_id),
      ],
    ]);
    expect(confirms(mock)).toEqual([]);
  });
});
