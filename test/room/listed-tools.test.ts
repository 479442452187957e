import { describe, expect, it } from "vitest";
import { buttonsOn } from "../../src/room/tools.ts";
import { questionTexts } from "../../src/text/question.ts";
import { toSheet, world } from "./world.ts";

const NARROW = [
  ["toolset", { toolset: "docs" }],
  ["allow_tools", { allow_tools: "towow_status" }],
  ["exclude_tools", { exclude_tools: "towow_list_scenes,towow_join,towow_submit_demand,towow_action" }],
] as const;

describe("a person in their own room", () => {
  it.each(NARROW)("is not narrowed by what is listed for a model: %s", async (_, config) => {
    const { room, world: w } = await toSheet(config);
    await room.press("broadcast");
    await room.until(() => room.stage() === "negotiating");
    await room.press("cancel");
    await room.until(() => room.stage() === "done");
    expect(w.mock.negotiations()).toMatchObject([{ confirmCount: 1, cancelled: true }]);
  });

  it.each(["en", "zh"] as const)(
    "is asked once before a broadcast negotiation ends, as a cancel asks: %s",
    async (lang) => {
      const { room, world: w } = await toSheet({ lang });
      const actionOf = (tool: string) => buttonsOn(room.spec()).find(({ toolName }) => toolName === tool);
      expect(actionOf("withdraw")).not.toHaveProperty("asks");
      await room.press("broadcast");
      await room.until(() => room.stage() === "negotiating");
      const { stop } = questionTexts(lang);
      expect(actionOf("cancel")?.asks).toEqual({
        heading: stop.heading,
        alert: stop.final,
        follows: [stop.ends, stop.reach.broadcast, stop.again],
        no: stop.no,
        yes: stop.yes,
      });
      expect(w.mock.negotiations()).toMatchObject([{ cancelled: false }]);
    },
  );

  it("is bound by what may be sent, whatever is listed", async () => {
    const { room, world: w, process } = await world({ toolset: "all" });
    const agents = () => w.mock.scenes().flatMap(({ agent_ids }) => agent_ids).length;
    const before = agents();
    await room.call("select", { itemId: w.sceneId });
    await room.press("next");
    await room.call("setField", { fieldId: "display_name", value: "Lin" });
    Object.assign(process.settings, { profile: "read_only" });
    await expect(room.press("next")).rejects.toMatchObject({ code: "TOOL_EXECUTION_FAILED" });
    expect([room.stage(), agents()]).toEqual(["profile", before]);
    Object.assign(process.settings, { profile: "live" });
    await room.press("next");
    expect([room.stage(), agents()]).toEqual(["demand", before + 1]);
  });

  it("is told under dry_run that nothing was sent", async () => {
    const { room, world: w, process } = await world();
    await room.call("select", { itemId: w.sceneId });
    await room.press("next");
    await room.call("setField", { fieldId: "display_name", value: "Lin" });
    Object.assign(process.settings, { profile: "dry_run" });
    await expect(room.press("next")).rejects.toThrow(/nothing was sent|什么都没有发送/);
    expect(room.stage()).toBe("profile");
  });
});
