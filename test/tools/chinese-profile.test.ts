import { expect, it } from "vitest";
import { createWorld, PROFILE } from "../support/world.ts";

it("a profile is shown to a Chinese reader in their words, with the personal data in it", async () => {
  const world = await createWorld();
  const p = await world.process({ config: { lang: "zh" } });
  const guided = await p.call("towow_join", { scene: world.sceneId, raw_content: "产品经理，熟悉医院。" });
  // Who asks the person is the guide's to say, and nobody else's.
  expect(guided.result.summary).not.toContain("给当事人看");
  const bio = "1990年5月出生，VX 同手机";
  const { result } = await p.call("towow_join", {
    scene: world.sceneId,
    display_name: "林悦",
    profile_data: { ...PROFILE, bio },
  });
  expect(result.summary).toContain("技能：design、research、figma");
  expect(result.summary).toContain(`简介：${bio}`);
  expect(result.summary).toContain("其中含有个人信息：出生日期、微信号。");
  expect(result.summary).not.toMatch(/Profile|skills:|bio:/);
});
