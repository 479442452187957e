import { expect, it } from "vitest";
import { guardNow } from "../../src/negotiation/keeper.ts";
import type { Stage } from "../../src/negotiation/stage.ts";
import type { Supervisor } from "../../src/negotiation/supervisor.ts";

it("the time to decide by is the same at each look, also where the clock moves on within one", async () => {
  const deadlineAt = 300_000;
  const seen = [0, 1, 2, 3].map(async (ticksAt) => {
    let looks = 0;
    const now = () => 1_000 + (looks++ >= ticksAt ? 1 : 0);
    const policy = () => ({ confirmDeadlineMs: 300_000, onUnconfirmed: "leave" });
    const supervisor = { deps: { clock: { now }, policy }, leftMs: () => deadlineAt - now() };
    const { silence } = await guardNow(supervisor as unknown as Supervisor, { deadlineAt, isOwn: true } as Stage);
    return silence;
  });
  const left = { of: "silence", as: "broadcast", at: deadlineAt };
  expect(await Promise.all(seen)).toEqual([left, left, left, left]);
});
