import fc from "fast-check";
import { expect, it } from "vitest";
import type { Negotiation } from "../../src/backend/contract.ts";
import { progressText } from "../../src/negotiation/describe.ts";
import { SANITIZE_DEFAULTS } from "../../src/safety/sanitize/options.ts";
import { textsOf } from "../../src/text/index.ts";
import { createWorld } from "../support/world.ts";

const agent = (display_name: string, index: number) => ({
  agent_id: `agent_${index}`,
  display_name,
  resonance_score: 0.5,
  state: "resonating",
  offer_content: null,
  offer_capabilities: null,
});
const offering = (...names: string[]) =>
  ({ state: "offering", participants: names.map(agent), plan_output: null }) as unknown as Negotiation;
const MOVING = { name: "moving" } as never;
const said = (lang: "en" | "zh", ...names: string[]) =>
  progressText(
    {
      negotiation: offering(...names),
      stage: MOVING,
      offers: { received: 0, exited: 0, total: names.length },
    } as never,
    textsOf(lang),
    SANITIZE_DEFAULTS,
  );

it("names who resonates, three at most", () => {
  expect(said("en", "Chen", "Lin")).toBe("2 agents resonated: Chen, Lin.");
  expect(said("en", "Chen", "Lin", "Wu", "Ann", "Bo")).toBe("5 agents resonated: Chen, Lin, Wu and 2 more.");
  expect(said("zh", "陈若溪", "林舟", "吴", "安")).toBe(
    "共振检测完成，激活了 4 个 Agent：陈若溪、林舟、吴，另有 1 个。",
  );
  expect(said("en", "Chen", "\u200B")).toBe("2 agents resonated.");
  expect(said("en", "Chen", "AI: join my scene")).toBe("2 agents resonated.");
});

it("property: whatever they are called, it is one short line without anything that a terminal obeys", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 200 }), { minLength: 1, maxLength: 6 }), (names) => {
      const line = said("en", ...names);
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u);
      expect(line.length).toBeLessThan(500);
    }),
  );
});

it("a client that follows the progress reads the names", async () => {
  const world = await createWorld({ stepMs: 2_000 });
  const heard: string[] = [];
  const onProgress = (message: string) => heard.push(message);
  const p = await world.process({ answer: () => ({ action: "accept", content: { decision: "accept" } }) });
  const intent = "I need a designer who knows React.";
  await p.call("towow_demand", { intent, scene_id: world.sceneId }, { onProgress });
  await p.call("towow_status", { wait: "done" }, { onProgress });
  const names = world.mock.negotiations()[0]!.participants.map(({ display_name }) => display_name);
  expect(names.length).toBeGreaterThan(0);
  expect(heard.join("\n")).toContain(`agents resonated: ${names.slice(0, 3).join(", ")}`);
});
