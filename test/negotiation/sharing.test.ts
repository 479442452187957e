import { describe, expect, it } from "vitest";
import * as z from "zod";
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

describe("one poller a negotiation, over all replicas", () => {
  it.each([1, 10, 100])("%i who wait: each reads once for itself, one goes on reading", async (watchers) => {
    const { world, a, b, id } = await twoReplicas();
    const waits = Array.from({ length: watchers }, (_, i) => wait((i % 2 ? b : a).user(`user-${i}`), id));
    const results = await world.clock.run(Promise.all(waits));
    expect(results.every(({ met, snapshot }) => met && snapshot.plan_output !== null)).toBe(true);
    // One goes on looking; the others read when something has changed, which it does at most a dozen times here.
    expect(world.reads()).toBeLessThan(30 + 14 * watchers);
  });

  it("what one user's token reads reaches no other user, in one process or over the store", async () => {
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
    const { demand_formulated, plan_output } = results[0]!.snapshot;
    const channels = world.published.join("\n");
    expect(channels).toContain("version");
    for (const text of [demand_formulated, plan_output, "offering", "synthesizing", "A designer"])
      expect(channels).not.toContain(String(text).slice(0, 12));
  });

  it("what one user alone gets to see is found as well: each looks in turn", async () => {
    const world = createReplicas();
    const a = world.replica();
    const { id } = await world.clock.run(
      a.user().submit({ scene_id: world.sceneId, user_id: "ada", intent: "A designer" }),
    );
    let note = "";
    world.view = (user, n) => (user === "two" ? { ...n, plan_output: note } : n);
    void wait(a.user("one"), id).catch(() => {});
    const until = (n: { plan_output: unknown }) => n.plan_output === "for two";
    const second = a.user("two").wait(id, { until, budgetMs: BUDGET_MS });
    await world.clock.advance(10_000); // formulated: for minutes nothing else changes
    note = "for two";
    world.mock.journal.length = 0;
    await world.clock.advance(8_000);
    expect(await second).toMatchObject({ met: true });
    expect(world.reads()).toBeLessThan(10);
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

  it("each change is told once, in order, on the replica that does not poll", async () => {
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

  it("the one that polls is killed: another takes over when its lease has ended", async () => {
    const { world, a, b, id } = await twoReplicas();
    void wait(a.user("one"), id).catch(() => {});
    await world.clock.advance(1_000);
    const second = wait(b.user("two"), id);
    await world.clock.advance(1_000);
    a.kill();
    world.mock.journal.length = 0;
    await world.clock.advance(4_000);
    expect(world.reads()).toBe(0); // the lease of the killed one still stands
    expect(await world.clock.run(second)).toMatchObject({ met: true });
    expect(world.reads()).toBeGreaterThan(0);
  });

  it("the one that polls has what it waits for: the other goes on at once", async () => {
    const { world, a, b, id } = await twoReplicas();
    const first = a.user("one").wait(id, { until: (n) => n.state === "offering", budgetMs: BUDGET_MS });
    await world.clock.advance(100);
    const second = wait(b.user("two"), id);
    await world.clock.run(first);
    expect(a.pollers()).toBe(0);
    expect(await world.clock.run(second)).toMatchObject({ met: true });
  });

  it("a message that was missed is caught up with the next", async () => {
    const { world, a, b, id } = await twoReplicas();
    const first = wait(a.user("one"), id);
    await world.clock.advance(100);
    const told: string[] = [];
    const second = b.user("two").wait(id, {
      until: isOver,
      budgetMs: BUDGET_MS,
      onChange: (n) => told.push(n.state),
    });
    await world.clock.advance(100);
    b.deaf = true;
    await world.clock.until(() => world.mock.negotiations()[0]?.state === "synthesizing");
    await world.clock.advance(2_000);
    expect(told).not.toContain("synthesizing");
    b.deaf = false; // nothing changes for seconds now: only the fingerprints tell that something was missed
    await world.clock.until(() => told.includes("synthesizing"), { limitMs: 3_500 });
    expect(world.mock.negotiations()[0]?.state).toBe("synthesizing");
    await world.clock.run(Promise.all([first, second]));
  });

  it.each([
    ["on the replica that polls", 0],
    ["on the other one", 1],
  ])("a reader whose token ends does not end the waits of others, %s", async (_, at) => {
    const { world, a, b, id } = await twoReplicas();
    const ends = [a, b][at]!;
    const doomed = wait(ends.user("doomed"), id).catch((error) => error);
    const others = [wait(ends.user("beside"), id), wait([b, a][at]!.user("elsewhere"), id)];
    await world.clock.advance(1_000);
    world.refused.add("doomed");
    ends.deaf = true; // so that its readers must read for themselves
    await world.clock.advance(3_000);
    ends.deaf = false;
    const results = await world.clock.run(Promise.all(others));
    expect(results.every(({ met }) => met)).toBe(true);
    const last = await world.clock.run(doomed);
    expect([undefined, "tool.auth.unauthorized.token_rejected"]).toContain((last as { code?: string }).code);
    if (at === 0) expect(last).toMatchObject({ code: "tool.auth.unauthorized.token_rejected" });
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

  it("after the waits nothing is left: no listener, no poller, no lease", async () => {
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
    expect(await world.shared.store.get(`backend:poll:${id}`, z.unknown())).toBeUndefined();
  });

  it("a lease that is granted after its poller has left is given back", async () => {
    const { world, a, b, id } = await twoReplicas();
    world.shared.answerMs = 200;
    const abort = new AbortController();
    const first = wait(a.user("one"), id, abort.signal).catch(() => {});
    await world.clock.until(() => world.shared.listeners() > 0, { stepMs: 10 });
    await world.clock.advance(20); // asked for, and not answered
    abort.abort();
    await first;
    world.shared.answerMs = 0;
    await world.clock.advance(7_000);
    expect(await world.shared.store.get(`backend:poll:${id}`, z.unknown())).toBeUndefined();
    world.mock.journal.length = 0;
    const second = wait(b.user("two"), id);
    await world.clock.advance(3_000);
    expect(world.reads()).toBeGreaterThan(3);
    expect(await world.clock.run(second)).toMatchObject({ met: true });
  });
});
