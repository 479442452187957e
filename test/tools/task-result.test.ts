import { expect, it } from "vitest";
import type { ToolResult } from "../../src/result/tool-result.ts";
import { taskResult } from "../../src/tools/task-result.ts";
import { towowDemand } from "../../src/tools/towow_demand.ts";
import { answer, asks, decided, demand, isOver, until } from "../support/task-client.ts";
import { createWorld } from "../support/world.ts";

const NOBODY_KNOWN = { decision: undefined, writers: { submitted: undefined, text: undefined } };
/** What a model that is woken by it has to read, in characters. */
const LONGEST = 3_000;
/** As long as a form of Codex shows it. */
const LONG_DEMAND = Array.from(
  { length: 8 },
  (_, i) => `In week ${i + 1} two designers sit in the hall and watch the queue.`,
).join(" ");

it.each([
  ["a plan", "accept", ["/formulated_text", "/participants", "/plan_output"]],
  ["a withdrawal", "reject", ["/formulated_text"]],
])("%s: the result is one of towow_demand, as its schema declares it, and short", async (_, decision, foreign) => {
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
  const paths = structuredContent.meta.tainted_paths ?? [];
  expect(paths).toEqual(expect.arrayContaining(foreign));
  for (const path of paths) expect(structuredContent.data).toHaveProperty(path.slice(1));
  if (decision === "accept") expect(structuredContent.data).toMatchObject({ plan_output: expect.any(String) });
});

it("a long text stands in it once, by its beginning, and its plan is read whole elsewhere", async () => {
  const world = await createWorld();
  const codex = { name: "codex-mcp-client", version: "0.169.0" };
  const request = (await world.process({ client: codex })).taskClient();
  const { taskId } = await demand(request, world.sceneId, LONG_DEMAND);
  const pause = () => world.clock.advance(1_000);
  await answer(request, await until(request, taskId, asks, pause), decided("accept"));
  const { result } = await until(request, taskId, isOver, pause);
  const [{ negotiation_id = "", demand_formulated = "", plan_output = "" } = {}] = world.mock.negotiations();
  const text = String(demand_formulated);
  const head = `${text.slice(0, 79)}…`;
  const { data, meta } = result.structuredContent;
  expect(data.formulated_text).toBe(head);
  expect(data.plan_output).toBe(String(plan_output).replace(text, head));
  const uri = `towow://negotiations/${negotiation_id}`;
  expect(meta).toMatchObject({ truncated: true, truncated_paths: { "": uri } });
  const { contents } = (await request("resources/read", { uri })) as unknown as { contents: [{ text: string }] };
  for (const whole of [text, plan_output]) expect(contents[0].text).toContain(JSON.stringify(whole));
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
  const { data, meta } = taskResult(status, NOBODY_KNOWN);
  expect(data).toMatchObject({ formulated_text: "b", participants: [{ display_name: "X", offer_content: "o" }] });
  expect(Object.keys(data as object)).not.toContain("evidence");
  expect(meta).toEqual({
    tainted: true,
    tainted_paths: ["/formulated_text", "/participants", "/plan_output"],
    truncated_paths: { "/participants/0/offer_content": "towow://o" },
  });
  const failure = { ...status, data: null };
  expect(taskResult(failure, NOBODY_KNOWN)).toBe(failure);
  // Somebody who is not known here is no word for the schema.
  const decision = { at: 0, kind: "accept", by: "form", number: 1, owner: { instance: "i", pid: 1 } } as const;
  for (const text of ["others", undefined] as const)
    expect(taskResult(status, { decision, writers: { submitted: undefined, text } }).data).toMatchObject({
      decision: "accept",
      written_by: null,
    });
});
