import { expect, it } from "vitest";
import { cancels, confirms, requests } from "../support/backend.ts";
import type { Answer } from "../support/clients.ts";
import { answer, isOver } from "../support/task-client.ts";
import { createWorld, PROFILE, type World } from "../support/world.ts";
import { INTENT } from "./pause-support.ts";
import { asking } from "./task-support.ts";

/** A form that is declined after more than a moment is a no (contract §6), and is told as what its client did. */

const TOLD = { en: "Your client declined the form after 1.2 s.", zh: "你的客户端在 1.2 秒后拒绝了这个表单。" };
const LANGUAGES = ["en", "zh"] as const;

const declining = (world: World) => async (): Promise<Answer> => {
  await world.clock.sleep(1_200);
  return { action: "decline" };
};

it.each(LANGUAGES)(
  "in %s: a text's form is a no that withdraws, and nobody is told that they rejected it",
  async (lang) => {
    const world = await createWorld();
    const p = await world.process({ config: { lang }, answer: declining(world) });
    const { result } = await p.call("towow_demand", { intent: INTENT });
    expect(cancels(world.mock)).toHaveLength(1);
    expect(confirms(world.mock)).toHaveLength(0);
    expect(result.data.decision).toBe("reject");
    expect(result.summary.split("\n")[0]).toBe(TOLD[lang]);
    expect(result.summary).not.toMatch(/You withdrew|你撤回/);
  },
);

it.each(LANGUAGES)(
  "in %s: a profile's form sends nothing, and nobody is told that the person said no",
  async (lang) => {
    const world = await createWorld();
    const p = await world.process({ config: { lang }, answer: declining(world) });
    const profile = { scene: world.sceneId, display_name: "Lin", profile_data: PROFILE };
    const { result } = await p.call("towow_join", profile);
    expect(requests(world.mock, "POST", /\/agents$/)).toEqual([]);
    expect(result).toMatchObject({ status: "empty", warnings: ["declined"] });
    expect(result.summary).toContain(TOLD[lang]);
    expect(result.summary).not.toMatch(/The person said no|当事人不同意/);
  },
);

it("a task says so to its end", async () => {
  const { world, request, task, next } = await asking();
  await world.clock.advance(1_200);
  await answer(request, task, { action: "decline" });
  expect(cancels(world.mock)).toHaveLength(1);
  const { result } = await next(request, isOver);
  expect(result.structuredContent.summary).toMatch(/^Your client declined the form after [12]\.\d s\.\n/);
});

it("a person who chooses to withdraw in the form has not declined it", async () => {
  const world = await createWorld();
  const p = await world.process({ answer: () => ({ action: "accept", content: { decision: "reject" } }) });
  const { result } = await p.call("towow_demand", { intent: INTENT });
  expect(cancels(world.mock)).toHaveLength(1);
  expect(result.summary).not.toContain("declined");
});
