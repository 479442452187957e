import { describe, expect, it } from "vitest";
import type { Negotiations } from "../../src/negotiation/service.ts";
import { seenOn } from "../support/facts.ts";
import { createReplicas, isOver, type Replica, type Replicas } from "../support/replicas.ts";

const BUDGET_MS = 45_000;
const moved = ["encoding", "offering", "barrier_waiting", "synthesizing", "completed"];

/** A confirmed negotiation that takes about 18 s from here to its plan. */
async function running(world: Replicas, replica: Replica): Promise<string> {
  const user = replica.user();
  const { clock, mock } = world;
  const { id } = await clock.run(
    user.submit({ scene_id: world.sceneId, user_id: "ada", intent: "A designer", k_star: 4, min_score: 0 }),
  );
  const seen = await clock.run(user.wait(id, { until: (n) => n.state === "formulated", budgetMs: BUDGET_MS }));
  const question = await user.claimQuestion(seen.snapshot, seen.snapshot.demand_formulated ?? "");
  const rendering = seenOn("argument", seen.snapshot.demand_formulated ?? "");
  const request = { negotiationId: id, confirmationId: question.id, rendering };
  await clock.run(user.decide({ ...request, kind: "accept" }));
  mock.journal.length = 0;
  return id;
}

const wait = (user: Negotiations, id: string, signal?: AbortSignal) =>
  user.forCall({ signal }).wait(id, { until: isOver, budgetMs: BUDGET_MS });

/** Two replicas, and a negotiation that both are asked about. */
async function twoReplicas() {
  const world = createReplicas({ stepMs: 1_900 });
  const [a, b] = [world.replica(), world.replica()];
  return { world, a, b, id: await running(world, a) };
}

describe("many who wait for one negotiation, at all replicas", () => {
  it("what one user's token reads reaches no other user, in one process or over the replicas", async () => {
    const { world, a, b, id } = await twoReplicas();
    world.view = (user, n) => ({ ...n, plan_output: n.plan_output && `for ${user} alone: ${n.plan_output}` });
    const users = { one: a, beside: a, elsewhere: b, there: b };
    const seen: Record<string, string[]> = { follower: [] };
    const waits = Object.entries(users).map(([name, replica]) => {
      seen[name] = [];
      const onChange = (n: object) => seen[name]?.push(JSON.stringify(n));
      return replica.user(name).wait(id, { until: isOver, budgetMs: BUDGET_MS, onChange });
    });
    const followed = b.user("follower").subscribe(id, {
      next: (n) => seen.follower?.push(JSON.stringify(n)),
      fail: () => {},
    });
    const results = await world.clock.run(Promise.all(waits));
    await world.clock.advance(5_000);
    followed();
    expect(results.every(({ met }) => met)).toBe(true);
    for (const [name, texts] of Object.entries(seen)) {
      const all = texts.join("\n");
      expect(all).toContain(`for ${name} alone`);
      for (const other of Object.keys(seen)) if (other !== name) expect(all).not.toContain(`for ${other} alone`);
    }
  });

  it("who has not read it yet cannot keep the others from looking", async () => {
    const { world, a, b, id } = await twoReplicas();
    world.unanswered.add("stranger");
    const gone = new AbortController();
    const stranger = wait(b.user("stranger"), id, gone.signal).catch((error) => error);
    await world.clock.advance(200);
    expect(await world.clock.run(wait(a.user("one"), id))).toMatchObject({ met: true });
    gone.abort();
    await stranger;
  });

  it("each change is told once, in order, at each replica", async () => {
    const { world, a, b, id } = await twoReplicas();
    const told: string[] = [];
    const first = wait(a.user("one"), id);
    await world.clock.advance(100);
    const second = b.user("two").wait(id, {
      until: isOver,
      budgetMs: BUDGET_MS,
      onChange: (n) => told.push(`${n.state} ${n.participants.filter((p) => p.offer_content !== null).length}`),
    });
    await world.clock.run(Promise.all([first, second]));
    expect(new Set(told).size).toBe(told.length);
    expect(told.at(-1)).toMatch(/^completed/);
    expect(told.map((line) => moved.indexOf(line.split(" ")[0] ?? ""))).toEqual(
      told.map((line) => moved.indexOf(line.split(" ")[0] ?? "")).sort((x, y) => x - y),
    );
  });

  it("a reader whose token ends does not end the waits of others", async () => {
    const { world, a, b, id } = await twoReplicas();
    const doomed = wait(a.user("doomed"), id).catch((error) => error);
    const others = [wait(a.user("beside"), id), wait(b.user("elsewhere"), id)];
    await world.clock.advance(1_000);
    world.refused.add("doomed");
    const results = await world.clock.run(Promise.all(others));
    expect(results.every(({ met }) => met)).toBe(true);
    expect(await world.clock.run(doomed)).toMatchObject({ code: "tool.auth.unauthorized.token_rejected" });
  });

  it("without the store each replica looks for itself, and nobody waits in vain", async () => {
    const { world, a, b, id } = await twoReplicas();
    const polled: string[] = [];
    const until = (name: string) => (n: { state: string }) => {
      if (polled.at(-1) !== name) polled.push(name);
      return n.state === "completed";
    };
    const first = a.user("one");
    const second = b.user("two");
    const both = [
      first.wait(id, { until: until("one"), budgetMs: BUDGET_MS }).catch((error) => error),
      second.wait(id, { until: until("two"), budgetMs: BUDGET_MS }).catch((error) => error),
    ];
    await world.clock.advance(500);
    world.shared.away = true;
    // Somebody else's negotiation needs no history: nothing is noted of it, and both see it through.
    const results = await world.clock.run(Promise.all(both));
    for (const result of results)
      expect(result).toSatisfy((r) => r.met === true || r.code === "tool.config.unavailable.store");
    expect(a.pollers() + b.pollers()).toBe(0);
  });

  it("after the waits nothing is left: no listener, no poller", async () => {
    const { world, a, b, id } = await twoReplicas();
    const gone = new AbortController();
    const waits = [
      wait(a.user("one"), id),
      wait(b.user("two"), id),
      wait(b.user("left"), id, gone.signal).catch(() => "left"),
    ];
    await world.clock.advance(700);
    gone.abort();
    await world.clock.run(Promise.all(waits));
    await world.clock.advance(100);
    expect([world.shared.listeners(), a.pollers(), b.pollers()]).toEqual([0, 0, 0]);
  });
});
