import { expect, it } from "vitest";
import type { ToolResult } from "../../src/result/tool-result.ts";
import { taskResult } from "../../src/tools/task-result.ts";
import { towowDemand } from "../../src/tools/towow_demand.ts";
import { answer, asks, decided, demand, isOver, until } from "../support/task-client.ts";
import { createWorld } from "../support/world.ts";

/** What a model that is woken by it has to read, in characters. */
const LONGEST = 3_000;

it.each([
  ["a plan", "accept"],
  ["a withdrawal", "reject"],
])("%s: the result is one of towow_demand, as its schema declares it, and short", async (_, decision) => {
  const world = await createWorld();
  const request = (await world.process()).taskClient();
  const { taskId } = await demand(request, world.sceneId, "产品设计、前端开发、增长");
  const pause = () => world.clock.advance(1_000);
  await answer(request, await until(request, taskId, asks, pause), decided(decision));
  const { result } = await until(request, taskId, isOver, pause);
  const { structuredContent } = result as { structuredContent: ToolResult<Record<string, unknown>> };
  expect(towowDemand.envelope.safeParse(structuredContent).error).toBeUndefined();
  expect(structuredContent.data).toMatchObject({ decision, decided_by: "form", state: "completed" });
  expect(JSON.stringify(structuredContent).length).toBeLessThan(LONGEST);
  for (const path of structuredContent.meta.tainted_paths ?? [])
    expect(structuredContent.data).toHaveProperty(path.slice(1));
  if (decision === "accept") expect(structuredContent.data).toMatchObject({ plan_output: expect.any(String) });
});

it("paths follow what they point at, and an error stays as it is", () => {
  const status: ToolResult = {
    status: "ok",
    summary: "done",
    data: {
      negotiation_id: "n",
      state: "completed",
      demand_raw: "a",
      demand_formulated: "b",
      participants: [{ agent_id: "x", display_name: "X", offer_content: "o", offer_capabilities: ["c"] }],
      plan_output: "p",
      deadline: null,
      resume_with: null,
      evidence: { much: true },
    },
    warnings: [],
    error: null,
    meta: {
      tainted: true,
      tainted_paths: ["/demand_raw", "/demand_formulated", "/participants", "/plan_output", "/evidence"],
      truncated_paths: { "/participants/0/offer_content": "towow://o", "/demand_raw": "towow://d" },
    },
  };
  const { data, meta } = taskResult(status, undefined);
  expect(data).toMatchObject({ formulated_text: "b", participants: [{ display_name: "X", offer_content: "o" }] });
  expect(Object.keys(data as object)).not.toContain("evidence");
  expect(meta).toEqual({
    tainted: true,
    tainted_paths: ["/formulated_text", "/participants", "/plan_output"],
    truncated_paths: { "/participants/0/offer_content": "towow://o" },
  });
  const failure = { ...status, data: null };
  expect(taskResult(failure, undefined)).toBe(failure);
});
