import { describe, expect, it, vi } from "vitest";
import { ROOM_STAGES } from "../../src/room/room-state.ts";
import { buttonsOn, STAGE_TOOLS } from "../../src/room/tools.ts";
import { uiSpec } from "../../src/room/ui-spec.ts";
import type { UiSpec } from "../../src/room/ui-spec-schema.ts";
import { DRAWING } from "../support/room-parts.ts";
import { roomStates } from "../support/room-states.ts";
import { toSheet, world } from "./world.ts";

describe("an outside agent in the room", () => {
  it("has in no stage a tool that sends, decides or ends", () => {
    const decides = ["broadcast", "withdraw", "cancel", "takeOut", "putBack", "edit", "reset", "useProposal", "ask"];
    for (const stage of ROOM_STAGES)
      for (const name of [...decides, "restart", "openDemand", "removeAgent", "letIn"])
        expect((STAGE_TOOLS[stage] as Record<string, string>)[name] ?? "person").toBe("person");
    expect([STAGE_TOOLS.profile.next, STAGE_TOOLS.demand.next, STAGE_TOOLS.done.next]).toEqual([
      "person",
      "person",
      "person",
    ]);
  });

  it.each(["en", "zh"] as const)("what it did is told in words, never by the name of a tool: %s", (lang) => {
    const all = ROOM_STAGES.flatMap((stage) => Object.entries(STAGE_TOOLS[stage]));
    const itsOwn = new Set(all.filter(([, by]) => by === "anyone").map(([name]) => name));
    expect(itsOwn.size).toBeGreaterThan(5);
    for (const toolName of itsOwn) {
      const state = roomStates(lang)["decide-with-agent"]!;
      const agent = { ...state.agent!, proposal: undefined, lastCall: { toolName, reason: "because" } };
      const section = uiSpec({ ...state, agent }, DRAWING).sections.find(({ kind }) => kind === "agent");
      const lines = section?.kind === "agent" ? section.lines : [];
      expect(lines).toEqual([{ text: expect.stringMatching(/[.。]$/), reason: expect.stringContaining("because") }]);
      expect(lines[0]?.text.split(/[^A-Za-z]+/)).not.toContain(toolName);
    }
  });

  it("is given no advice before its person is: for a field that they have left, or that it has filled in itself", async () => {
    const { room, world: w } = await world();
    room.room.agentArrives("Scout", true);
    await room.call("select", { itemId: w.sceneId });
    await room.press("next");
    const advised = () =>
      [room.room.show(), room.room.snapshot("agent")].map(({ uiSpec }) =>
        uiSpec.sections
          .flatMap((one) => ("fields" in one ? one.fields.filter(({ thin }) => thin) : []))
          .map(({ id }) => id),
      );
    expect(advised()).toEqual([[], []]);
    await room.call("setField", { fieldId: "bio", value: "Queues" });
    expect(advised()).toEqual([[], []]);
    room.room.left(["bio", "no such field"]);
    expect(advised()).toEqual([["bio"], ["bio"]]);
    await room.call("setField", { fieldId: "skills", value: "one" }, "agent");
    expect(advised()).toEqual([
      ["bio", "skills"],
      ["bio", "skills"],
    ]);
    room.room.left(["experience"]);
    expect(advised()[1]).toEqual(["bio", "skills", "experience"]);
  });

  it("is refused whatever is the person's, with nothing changed", async () => {
    const { room, world: w } = await toSheet();
    room.room.agentArrives("helper", true);
    await room.room.readable();
    const before = room.room.state;
    for (const action of buttonsOn(room.spec()).filter(({ by }) => by === "person"))
      await expect(room.call(action.toolName, action.params, "agent")).rejects.toMatchObject({ code: "UNKNOWN_TOOL" });
    expect(room.room.state).toEqual(before);
    expect(w.mock.negotiations()[0]).toMatchObject({ confirmCount: 0, cancelled: false });
  });

  it("chooses only what is on the screen", async () => {
    const { room, world: w } = await world();
    const names = () => room.room.snapshot().toolSchema.map(({ toolName }) => toolName);
    room.room.agentArrives("helper", true);
    expect(names()).toEqual(["postMessage", "refresh", "select", "setField"]);
    await room.call("select", { itemId: w.sceneId }, "agent");
    expect(names()).toEqual(["postMessage", "refresh", "select", "setField", "next"]);
    await expect(room.call("select", { itemId: "no_such" }, "agent")).rejects.toMatchObject({ code: "INVALID_PARAMS" });
    await expect(room.call("setField", { fieldId: "intent", value: "x" }, "agent")).rejects.toMatchObject({
      code: "INVALID_PARAMS",
    });
  });

  it("does nothing before the person has let it in, nor after it was sent away", async () => {
    const { room, world: w } = await world();
    room.room.agentArrives("helper", false);
    const call = () => room.call("select", { itemId: w.sceneId }, "agent");
    await expect(call()).rejects.toMatchObject({ code: "UNKNOWN_TOOL" });
    await room.press("letIn");
    await call();
    await room.press("removeAgent");
    await expect(call()).rejects.toMatchObject({ code: "UNKNOWN_TOOL" });
  });
  it("is not let in by a click that was meant for the one before it", async () => {
    const { room } = await world();
    room.room.agentArrives("helper", false);
    const meant = buttonsOn(room.spec()).find(({ toolName }) => toolName === "letIn");
    room.room.agentLeaves();
    room.room.agentArrives("another", false);
    await expect(room.call("letIn", meant?.params)).rejects.toMatchObject({ code: "INVALID_PARAMS" });
    expect(room.room.state.agent).toMatchObject({ name: "another", isWaiting: true });
  });

  it("hears what the person says to it, and says what the person sees", async () => {
    const { room } = await world();
    room.room.agentArrives("helper", true);
    await room.call("setField", { fieldId: "message", value: "Which scene is nearest?" });
    await room.press("say");
    await room.call("postMessage", { text: "The first one." }, "agent");
    const { messageHistory } = room.room.snapshot();
    expect(messageHistory.map(({ role, text }) => [role, text])).toEqual([
      ["user", "Which scene is nearest?"],
      ["agent", "The first one."],
    ]);
    expect(JSON.stringify(room.section("agent"))).toContain("The first one.");
    await expect(room.call("say", {}, "agent")).rejects.toMatchObject({ code: "UNKNOWN_TOOL" });
    await expect(room.call("setField", { fieldId: "message", value: "x" }, "agent")).rejects.toMatchObject({
      code: "INVALID_PARAMS",
    });
  });

  const broadcastOf = (spec: UiSpec) => buttonsOn(spec).find(({ toolName }) => toolName === "broadcast");

  it("takes away nothing that its person is told", async () => {
    const { room } = await toSheet();
    room.room.agentArrives("helper", true);
    const stale = broadcastOf(room.spec())?.params;
    await room.press("edit");
    await room.call("setField", { fieldId: "text", value: "Remote." });
    await room.call("broadcast", stale);
    const { notice } = room.room.state;
    expect(notice?.tone).toBe("error");
    await room.call("postMessage", { text: "Well?" }, "agent");
    await room.call("refresh", {}, "agent");
    expect(room.room.state.notice).toEqual(notice);
    await room.call("refresh");
    expect(room.room.state.notice).toBeUndefined();
  });

  it("frees no button of what its person has on the way, and tells them no error, when its own look fails", async () => {
    const { room, process, world: w } = await toSheet();
    room.room.agentArrives("helper", true);
    let answer = () => {};
    const answered = new Promise<never>((_, reject) => {
      answer = () => reject(new Error("lost"));
    });
    vi.spyOn(process.negotiations, "decide").mockReturnValue(answered);
    const sent = room.call("broadcast", broadcastOf(room.spec())?.params).catch((error: unknown) => error);
    expect(room.room.state.busy).toBe("broadcasting");
    for (let i = 0; i < 20; i++) w.mock.faults.add({ route: "get", kind: "status", status: 500 });
    await expect(room.call("refresh", {}, "agent")).rejects.toMatchObject({ code: "TOOL_EXECUTION_FAILED" });
    expect(room.room.state).toMatchObject({ busy: "broadcasting", notice: undefined });
    expect(broadcastOf(room.spec())?.enabled).toBe(false);
    answer();
    expect(await sent).toMatchObject({ code: "TOOL_EXECUTION_FAILED" });
    expect(room.room.state).toMatchObject({ busy: undefined, notice: { tone: "error" } });
  });
});
