import { describe, expect, it } from "vitest";
import { submits } from "../support/backend.ts";
import { sendProfile } from "../support/profile.ts";
import { dialects, expectRefusals, INTENT, join, PROFILE, start, writes } from "./bad-input-support.ts";

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
        /Quantum gardeners.*AI 创业合伙人 \(scene_[0-9a-f]{12}\), 社区活动共创 .*Indie product studio/s,
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

  it("profiles and texts of the wrong kind", async () => {
    const world = await start(connect, lang);
    const { mock, session } = world;
    const scene = "AI 创业合伙人";
    const withProfile = (profile_data: unknown) => ({ scene, display_name: "Lin", profile_data });
    await expectRefusals(world, [
      ["nothing at all", "towow_join", {}, "tool.input.invalid.argument_missing", /scene/],
      ["only a name", "towow_join", { scene, display_name: "Lin" }, "tool.input.invalid.join_incomplete"],
      [
        "a yes to a profile, without that profile",
        "towow_join",
        { scene, profile_hash: "0123456789abcdef" },
        "tool.input.invalid.join_incomplete",
      ],
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

    const listed = await sendProfile(
      session.call,
      "towow_join",
      withProfile({ ...PROFILE, skills: '["Go", "Rust", "Go"]' }),
    );
    expect(listed.result.status).toBe("ok");
    expect(writes(mock).map((entry) => (entry.body as { profile_data: object }).profile_data)).toMatchObject([
      { skills: ["Go", "Rust"] },
    ]);
    const again = await sendProfile(session.call, "towow_join", withProfile(PROFILE));
    expect(again.isError).toBe(false);
    expect(again.result).toMatchObject({ status: "ok", data: { already_joined: true } });
    expect(again.result.warnings).toContain("already_joined");
  });
});
