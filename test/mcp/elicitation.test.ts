import { describe, expect, it } from "vitest";
import { lastQuestionId, seenOn } from "../support/facts.ts";
import { sendProfile } from "../support/profile.ts";
import { asks, demand, until, WITH_PAGES } from "../support/task-client.ts";
import { createWorld, type ProcessOptions } from "../support/world.ts";

const LONG = "Wanted: somebody who knows hospital software. ".repeat(33);
const COPILOT = { name: "copilot-cli", version: "1.0.200" };

async function longDemand(options: ProcessOptions) {
  const world = await createWorld();
  world.mock.engine.formulateWith(() => LONG);
  const p = await world.process({ elicitation: { form: {}, url: {} }, ...options });
  const decide = async () => {
    const negotiationId = world.mock.negotiations()[0]!.negotiation_id;
    const confirmationId = await lastQuestionId(world, negotiationId);
    const rendering = { ...seenOn("page", LONG), browser: "elicited" } as const;
    return p.negotiations.decide({ negotiationId, confirmationId, kind: "accept", rendering });
  };
  return { world, p, decide };
}

describe("a page in the 2025 era", () => {
  it("its dialog is told when the page has been decided, while the call still waits and after it", async () => {
    for (const waits of [true, false]) {
      const { world, p, decide } = await longDemand({
        answer: () => ({ action: waits ? "accept" : "cancel" }),
      });
      const completed: string[] = [];
      p.client.setNotificationHandler("notifications/elicitation/complete", ({ params }) => {
        completed.push(params.elicitationId);
      });
      const call = p.start("towow_demand", { intent: "A designer" });
      await world.clock.until(() => p.forms.length === 1);
      if (!waits) await world.clock.run(call);
      await world.clock.advance(20_000);
      expect(completed).toEqual([]);
      await world.clock.run(decide());
      await world.clock.advance(1_000);
      expect(p.forms[0]!.elicitationId).toBeTruthy();
      expect(completed).toEqual([p.forms[0]!.elicitationId]);
      await world.clock.run(call);
    }
  });

  it("a page about a profile is closed by its decision as well", async () => {
    const { world, p } = await longDemand({ answer: () => ({ action: "cancel" }) });
    const completed: string[] = [];
    p.client.setNotificationHandler("notifications/elicitation/complete", ({ params }) => {
      completed.push(params.elicitationId);
    });
    const profile_data = { skills: ["design"], bio: LONG };
    await sendProfile(p.call, "towow_join", { scene: world.sceneId, display_name: "Lin", profile_data });
    await p.sends[0]!.decide("reject", "own_window");
    await world.clock.advance(1_000);
    expect(completed).toEqual([p.forms[0]!.elicitationId]);
  });
});

it.each([
  ["a client that wants it has an id beside the address in the 2026 era too", COPILOT, true],
  ["the others have none, because that era has none", { name: "claude-code", version: "2.1.330" }, false],
])("%s", async (_, client, hasId) => {
  const { world, p } = await longDemand({ client });
  const request = p.taskClient(WITH_PAGES);
  const { taskId } = await demand(request, world.sceneId);
  const task = await until(request, taskId, asks, () => world.clock.advance(1_000));
  const [question] = Object.values(task.inputRequests!);
  expect(question!.params).toMatchObject({ mode: "url" });
  expect(question!.params.elicitationId !== undefined).toBe(hasId);
});

it("Codex, which declines pages unseen, is asked for a longer text in its form, and for none by a page", async () => {
  const world = await createWorld();
  world.mock.engine.formulateWith(() => `Two lines,\n${"and a long second one ".repeat(20)}`);
  const p = await world.process({
    client: { name: "codex-mcp-client", version: "0.170.1" },
    elicitation: { form: {}, url: {} },
    answer: () => ({ action: "accept", content: { decision: "accept" } }),
  });
  const { result } = await p.call("towow_demand", { intent: "A designer" });
  expect(p.forms.map(({ mode }) => mode)).toEqual(["form"]);
  expect(p.forms[0]!.message).toBe(world.mock.negotiations()[0]!.confirmedText);
  expect(result.data).toMatchObject({ decision: "accept", decided_by: "form" });
});
