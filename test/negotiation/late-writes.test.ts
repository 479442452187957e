import { describe, expect, it } from "vitest";
import { confirms, submits } from "../support/backend.ts";
import { seenOn } from "../support/facts.ts";
import { createReplicas, type Replicas } from "../support/replicas.ts";
import { accept, DEADLINE_MS, demand, only, paused } from "./store-support.ts";

describe("a decision is reported as not written, and the store writes it a moment later", () => {
  /** Somebody accepts, and hears that the store does not answer. */
  async function failedYes(writesLateMs: number) {
    const world = createReplicas();
    const a = world.replica();
    const id = await paused(world, a);
    const question = await world.clock.run(a.user().claimQuestion(await a.user().get(id), textOf(world)));
    world.shared.writesLateMs = writesLateMs;
    const accepted = () => accept(world, a.user(), id);
    await expect(
      world.clock.run(
        a.user().decide({
          negotiationId: id,
          confirmationId: question.id,
          kind: "accept",
          rendering: seenOn("argument", textOf(world)),
        }),
      ),
    ).rejects.toMatchObject({ code: "tool.config.unavailable.store" });
    world.shared.writesLateMs = undefined;
    return { world, a, id, accepted };
  }
  const textOf = (world: Replicas) => only(world).demand_formulated as string;

  it.each([500, 5_000])("a yes that was said to have failed is not sent (after %s ms)", async (late) => {
    const { world, a, id } = await failedYes(late);
    await world.clock.advance(60_000);
    expect(confirms(world.mock)).toEqual([]);
    expect((await a.user().stage(id)).name).toBe("asking");
    await world.clock.advance(DEADLINE_MS);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it.each(["to_replicas", "leave"] as const)("nor by who goes on with it when its program ends (%s)", async (atEnd) => {
    const { world, a, id } = await failedYes(1_500);
    const b = world.replica();
    await world.clock.run(a.user().shutdown(atEnd));
    a.kill();
    await world.clock.run(b.user().get(id));
    await world.clock.advance(DEADLINE_MS);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it.each(["accept", "reject"] as const)("%s, said again while the write comes, counts", async (kind) => {
    const { world, a, id, accepted } = await failedYes(1_000);
    world.mock.faults.add({ route: "get", kind: "delay", delayMs: 2_000, times: 20 });
    const reject = () => world.clock.run(a.user().decide({ negotiationId: id, kind: "reject", by: "page" }));
    if (kind === "accept") expect(await accepted()).toMatchObject({ kind: "confirmed" });
    else expect(await reject()).toMatchObject({ kind: "rejected" });
    await world.clock.advance(DEADLINE_MS);
    expect(only(world)).toMatchObject({ confirmCount: kind === "accept" ? 1 : 0, cancelled: kind === "reject" });
  });

  it("the person can withdraw then, and nothing has gone out", async () => {
    const { world, a, id } = await failedYes(500);
    await world.clock.advance(2_000);
    const rejected = await world.clock.run(a.user().decide({ negotiationId: id, kind: "reject", by: "page" }));
    expect(rejected.kind).toBe("rejected");
    await world.clock.advance(DEADLINE_MS);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it.each([0, 2_000])("or say yes again, which goes out once (after %s ms)", async (ms) => {
    const { world, id, accepted } = await failedYes(500);
    await world.clock.advance(ms);
    expect(await accepted()).toMatchObject({ kind: "confirmed" });
    await world.clock.advance(DEADLINE_MS);
    expect(only(world)).toMatchObject({ confirmCount: 1, cancelled: false, negotiation_id: id });
  });
});

it.each([
  ["there, at once", 0, 600],
  ["there", 0, 3_000],
  ["at another replica", 1, 3_000],
])(
  "a submit that was said to have failed before it was sent does not stand in the way, though the store writes its attempt (%s)",
  async (_, at, afterMs) => {
    const world = createReplicas();
    const replicas = [world.replica(), world.replica()];
    world.shared.writesLateMs = 500;
    const failed = world.clock.run(replicas[0]!.user().submit(demand(world)));
    await expect(failed).rejects.toMatchObject({ code: "tool.config.unavailable.store" });
    world.shared.writesLateMs = undefined;
    await world.clock.advance(afterMs);
    const { id } = await world.clock.run(replicas[at]!.user().submit(demand(world)));
    const again = await world.clock.run(replicas[1 - at]!.user().submit(demand(world)));
    expect(again).toMatchObject({ duplicate: true, id });
    expect(submits(world.mock)).toHaveLength(1);
  },
);
