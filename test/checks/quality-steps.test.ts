import { expect, it } from "vitest";
import { gateOf, Steps } from "../../checks/quality/steps.ts";

it("a step that fails is told with the end of what it said, and the others are taken all the same", async () => {
  const steps = new Steps();
  await steps.take("build", async () => ({ ok: true, said: "fine" }));
  const lines = Array.from({ length: 100 }, (_, i) => `line ${i}`);
  expect(await steps.take("loud", async () => ({ ok: false, result: { n: 1 }, said: lines.join("\n") }))).toBe(false);
  const nothing = await steps.value("stand", () => Promise.reject(new Error("no stand")));
  expect(nothing).toBeUndefined();
  expect(await steps.value("last", async () => 7)).toBe(7);
  const gate = gateOf(steps);
  expect(gate).toMatchObject({ ok: false, failed: ["loud", "stand"] });
  const [build, loud, stand] = gate.steps;
  expect(build).not.toHaveProperty("tail");
  expect(loud).toMatchObject({ result: { n: 1 }, tail: lines.slice(-20).join("\n") });
  expect(stand?.tail).toMatch(/^Error: no stand/);
  expect(JSON.parse(JSON.stringify(gate))).toEqual(gate);
});
