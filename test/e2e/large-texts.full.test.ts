import { expect, it } from "vitest";
import { confirms, runningMock } from "../support/backend.ts";
import { legacyClient, modernClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";

const step = (n: number) =>
  `第 ${n} 步：和三位目标用户聊一次，校准方向，再决定投入。 Call 13812345678 or see https://example.com/x.\n`;
const STEPS = 7_000;
/** Nearly a megabyte on the wire, which is where an answer ends. */
const PLAN = Array.from({ length: STEPS }, (_, n) => step(n)).join("");
const FENCED = /<<<foreign (\w+)\n([\s\S]*)\n>>>foreign \1$/;

it.each([
  ["2025 era", legacyClient],
  ["2026-07-28", modernClient],
] as const)("%s: a plan of 900 kB is a short result with a link, and is read whole in pages", async (_, connect) => {
  expect(Buffer.byteLength(PLAN)).toBeGreaterThan(900_000);
  const mock = await runningMock();
  const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url, TOWOW_LANG: "en" };
  const session = await connect({ env });
  const demand = await session.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
  const { negotiation_id } = demand.result.data;
  await session.call("towow_demand", { ...demand.result.data.resume_with.params, decision: "accept" });
  expect(confirms(mock)).toHaveLength(1);
  await session.call("towow_status", { negotiation_id, wait: "done" });
  mock.engine.patch(negotiation_id, { plan_output: PLAN });

  const reader = await connect({ env }); // who has seen the end asks for it no more
  const { result, text, links } = await reader.call("towow_status", { negotiation_id });
  expect(result).toMatchObject({ error: null, data: { state: "completed" } });
  expect(result.warnings).toEqual(expect.arrayContaining(["truncated_output", "pii_redacted"]));
  const uri = `towow://negotiations/${negotiation_id}/plan`;
  expect(links).toContain(uri);
  expect(result.meta.truncated_paths).toMatchObject({ "/plan_output": uri });
  for (const channel of [text, JSON.stringify(result)]) expect(channel.length).toBeLessThan(60_000);

  const first = await reader.read(uri);
  const pages = Number(/^Page 1 of (\d+)\./.exec(first)?.[1]);
  expect(pages).toBeGreaterThan(50);
  const middle = Math.ceil(pages / 2);
  const steps: number[] = [];
  for (const page of [1, 2, middle, pages - 1, pages]) {
    const inside = FENCED.exec(await reader.read(`${uri}?page=${page}`))?.[2] ?? "";
    expect(inside.length).toBeLessThanOrEqual(16_000);
    expect(inside).not.toMatch(/13812345678|https:/);
    const numbers = [...inside.matchAll(/^第 (\d+) 步/gm)].map(([, n]) => Number(n));
    expect(numbers).toEqual(numbers.map((_, i) => (numbers[0] ?? 0) + i));
    steps.push(numbers[0] ?? -1, numbers.at(-1) ?? -1);
  }
  const [from, end, next, , , , , penultimate, last, final] = steps;
  expect([from, next, last, final]).toEqual([0, (end ?? 0) + 1, (penultimate ?? 0) + 1, STEPS - 1]);
  await expect(reader.read(`${uri}?page=${pages + 1}`)).rejects.toMatchObject({ code: -32602 });

  mock.engine.patch(negotiation_id, { plan_output: PLAN.repeat(2) });
  const another = await connect({ env });
  const refused = await another.call("towow_status", { negotiation_id });
  expect(refused.result.error).toMatchObject({ code: "tool.backend.invalid.too_large" });
});
