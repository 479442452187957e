import { describe, expect, it } from "vitest";
import { FIVE_MINUTES, INTENT, only } from "../ask/pause-support.ts";
import { cancels, confirms } from "../support/backend.ts";
import { createWorld, type Process, type World } from "../support/world.ts";

/** One program whose demand waits, and others of the same home that know of it. */
async function waiting(others = 1, world?: World) {
  world ??= await createWorld();
  const first = await world.process();
  const { result } = await first.call("towow_demand", { intent: INTENT });
  const rest: Process[] = [];
  for (let i = 0; i < others; i++) {
    const p = await world.process({ keepsOthers: true });
    await world.clock.run(p.negotiations.recover());
    rest.push(p);
  }
  await world.clock.advance(100);
  return { world, first, others: rest, params: result.data.resume_with.params };
}

const end = (world: World, p: Process, how: "to_keeper" | "withdraw" = "to_keeper") =>
  world.clock.run(p.negotiations.shutdown(how));
/** Nothing went out without its person, whatever else happened. */
const expectGuarded = async (world: World) => {
  await world.clock.advance(FIVE_MINUTES * 2);
  expect(only(world).state).toBe("completed");
  expect(confirms(world.mock)).toEqual([]);
  expect(cancels(world.mock).length).toBeGreaterThan(0);
  expect(only(world).plan_output ?? null).toBeNull();
};

describe("a program that ends with an undecided demand", () => {
  it("leaves it to one that has written that it watches it, which goes on guarding it", async () => {
    const { world, first, others, params } = await waiting();
    expect(await first.negotiations.keeper(params.negotiation_id)).toMatchObject({ pid: others[0]!.pid });
    await end(world, first);
    world.dead.add(first.pid);
    await world.clock.advance(60_000);
    expect(cancels(world.mock)).toEqual([]);
    await expectGuarded(world);
  });

  it("leaves it to none that cannot read it, or that would not withdraw it", async () => {
    const { world, first, params } = await waiting(0);
    const { negotiation_id } = params;
    world.mock.faults.add({ route: "get", kind: "status", status: 503, times: Number.POSITIVE_INFINITY });
    const other = await world.process({ keepsOthers: true });
    const passing = await world.process();
    for (const p of [other, passing]) await world.clock.run(p.negotiations.recover());
    expect(await first.negotiations.keeper(negotiation_id)).toBeUndefined();
    world.mock.faults.clear();
    await world.clock.advance(40_000); // now it has been read
    expect(await first.negotiations.keeper(negotiation_id)).toMatchObject({ pid: other.pid });
    await world.clock.run(end(world, other));
    expect(await first.negotiations.keeper(negotiation_id)).toBeUndefined();
    await end(world, first);
    expect(cancels(world.mock)).toHaveLength(1);
  });

  it("leaves it to the second of two that look at the same moment, where the first was killed", async () => {
    const { world, first, params } = await waiting(0);
    const pair = [await world.process({ keepsOthers: true }), await world.process({ keepsOthers: true })];
    await world.clock.run(Promise.all(pair.map((p) => p.negotiations.recover())));
    await world.clock.advance(100);
    const named = await first.negotiations.keeper(params.negotiation_id);
    const [killed, other] = named?.pid === pair[0]!.pid ? pair : pair.toReversed();
    world.dead.add(killed!.pid);
    expect(await first.negotiations.keeper(params.negotiation_id)).toMatchObject({ pid: other!.pid });
    await end(world, first);
    world.dead.add(first.pid);
    expect(cancels(world.mock)).toEqual([]);
    await expectGuarded(world);
  });

  it.each(["to_keeper", "withdraw"] as const)(
    "a third program's end (%s) leaves the others' offers as they are",
    async (how) => {
      const { world, first, others, params } = await waiting(3);
      const [second, third, fourth] = others as [Process, Process, Process];
      await end(world, second, how);
      expect(await first.negotiations.keeper(params.negotiation_id)).toMatchObject({ pid: third.pid });
      await end(world, third, how);
      expect(await first.negotiations.keeper(params.negotiation_id)).toMatchObject({ pid: fourth.pid });
      await end(world, first);
      for (const p of [first, second, third]) world.dead.add(p.pid);
      await world.clock.advance(60_000);
      expect(cancels(world.mock)).toEqual([]);
      await expectGuarded(world);
    },
  );

  it("leaves it to another at the very moment at which a third takes its offer back", async () => {
    const world = await createWorld();
    const { facts } = world;
    const programs: Process[] = [];
    let third: Process | undefined;
    world.facts = {
      ...facts,
      async create(...args) {
        const { handed, owner } = args[2] as { handed?: string; owner?: { pid: number } };
        if (handed === "on" && third === undefined) {
          third = programs.find(({ pid }) => pid !== owner?.pid);
          await third?.negotiations.shutdown("withdraw");
        }
        return facts.create(...args);
      },
    };
    const { first, others } = await waiting(2, world);
    programs.push(...others);
    await end(world, first);
    for (const p of [first, third!]) world.dead.add(p.pid);
    expect(cancels(world.mock)).toEqual([]);
    await expectGuarded(world);
  });

  it.each([
    [7_900, true],
    [8_000, false],
    [14_000, false],
  ])("leaves it to one that has been silent for %i ms: %s", async (silentMs, isLeft) => {
    const { world, first, others, params } = await waiting();
    world.silentMs.set(others[0]!.pid, silentMs);
    const keeper = await first.negotiations.keeper(params.negotiation_id);
    expect(keeper?.pid).toBe(isLeft ? others[0]!.pid : undefined);
    await end(world, first);
    expect(cancels(world.mock)).toHaveLength(isLeft ? 0 : 1);
  });

  it.each([
    [false, 0],
    [true, 1],
  ])("leaves what it took over to the program that has it back (which is silent again: %s)", async (isSilent, sent) => {
    const { world, first, others } = await waiting();
    world.dead.add(first.pid);
    await world.clock.advance(20_000); // the other takes it over
    world.dead.delete(first.pid);
    if (isSilent) world.silentMs.set(first.pid, 15_000);
    await end(world, others[0]!);
    expect(cancels(world.mock)).toHaveLength(sent);
  });

  it("names none where it is too late to leave it, and withdraws it at its end", async () => {
    const { world, first, params } = await waiting();
    await world.clock.advance(FIVE_MINUTES - 25_000);
    expect(await first.negotiations.keeper(params.negotiation_id)).toBeUndefined();
    await end(world, first);
    expect(cancels(world.mock)).toHaveLength(1);
  });

  it("so that a third program of the home takes the person's decision", async () => {
    const { world, first, params } = await waiting();
    await end(world, first);
    world.dead.add(first.pid);
    const third = await world.process();
    const decided = await third.call("towow_demand", { ...params, decision: "accept" });
    expect(decided.result.data, decided.text).toMatchObject({ decision: "accept" });
    expect(confirms(world.mock)).toHaveLength(1);
    expect(decided.result.warnings).not.toContain("pause_was_unguarded");
  });

  it.each<[string, (world: World, a: Process, b: Process) => Promise<unknown>]>([
    ["both end at once", (world, a, b) => Promise.all([end(world, a), end(world, b)])],
    ["both end at once, the other first", (world, a, b) => Promise.all([end(world, b), end(world, a)])],
    [
      "the other ends a moment later",
      async (world, a, b) => {
        await end(world, a);
        await end(world, b);
      },
    ],
    [
      "the other has ended before",
      async (world, a, b) => {
        await end(world, b);
        await end(world, a);
      },
    ],
    [
      "the other was killed or stopped",
      async (world, a, b) => {
        world.dead.add(b.pid);
        await end(world, a);
      },
    ],
    ["it ends by a signal", async (world, a) => end(world, a, "withdraw")],
  ])("and nothing is left unguarded where %s", async (_, ends) => {
    const { world, first, others } = await waiting();
    await ends(world, first, others[0]!);
    expect(cancels(world.mock).length).toBeGreaterThan(0); // at once: there may be nobody at the deadline
    world.dead.add(first.pid);
    world.dead.add(others[0]!.pid);
    await expectGuarded(world);
  });

  it("takes it back where the other is killed or stopped in that very moment", async () => {
    const world = await createWorld();
    const { facts } = world;
    world.facts = {
      ...facts,
      async create(...args) {
        const { handed, owner } = args[2] as { handed?: string; owner?: { pid: number } };
        const created = await facts.create(...args);
        if (handed === "on") world.dead.add(owner?.pid ?? 0);
        return created;
      },
    };
    const { first } = await waiting(1, world);
    await end(world, first);
    expect(cancels(world.mock)).toHaveLength(1);
    await expectGuarded(world);
  });

  it("of several that watch, one answers for it; that one hands it on in its turn", async () => {
    const { world, first, others } = await waiting(2);
    await end(world, first);
    world.dead.add(first.pid);
    await world.clock.advance(25_000); // the last one sees whose it is now, and offers again
    const [second, third] = others as [Process, Process];
    await end(world, second);
    await end(world, third);
    await expectGuarded(world);
    expect(cancels(world.mock).length).toBeLessThanOrEqual(2);
  });

  it("withdraws it where nobody watches, and shortly before the deadline in any case", async () => {
    const alone = await waiting(0);
    await end(alone.world, alone.first);
    expect(cancels(alone.world.mock)).toHaveLength(1);
    const late = await waiting(1);
    await late.world.clock.advance(FIVE_MINUTES - 25_000);
    await end(late.world, late.first);
    expect(cancels(late.world.mock)).toHaveLength(1);
  });
});

/** A store whose answers take their time, so that what several programs write meets in every order. */
function slow(world: World, random: () => number): void {
  const { facts } = world;
  const late = async <T>(work: () => Promise<T>): Promise<T> => {
    await world.clock.sleep(Math.floor(random() * 40));
    const result = await work();
    await world.clock.sleep(Math.floor(random() * 40));
    return result;
  };
  world.facts = {
    ...facts,
    read: (key) => late(() => facts.read(key)),
    create: (...args) => late(() => facts.create(...args)),
  };
}

it("whatever the order in which programs end, and one of them may be killed, the demand is withdrawn", async () => {
  for (let seed = 1; seed <= 40; seed++) {
    let state = seed * 2_654_435_761;
    const random = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state / 2 ** 32;
    };
    const world = await createWorld();
    slow(world, random);
    const first = await world.process();
    await first.call("towow_demand", { intent: INTENT });
    const keepers: Process[] = [];
    for (let i = 0; i < 2 + (seed % 2); i++) keepers.push(await world.process({ keepsOthers: true }));
    const programs = [first, ...keepers];
    for (const p of programs.slice(1)) await world.clock.run(p.negotiations.recover());
    await world.clock.advance(Math.floor(random() * 12_000));
    const killed = random() < 0.3 ? programs[1 + Math.floor(random() * 2)] : undefined;
    if (killed !== undefined) world.dead.add(killed.pid);
    const ending = programs.filter((p) => p !== killed);
    await world.clock.run(
      Promise.all(
        ending.map(async (p) => {
          await world.clock.sleep(Math.floor(random() * 200));
          await p.negotiations.shutdown(random() < 0.7 ? "to_keeper" : "withdraw");
        }),
      ),
    );
    for (const p of programs) world.dead.add(p.pid);
    await world.clock.advance(FIVE_MINUTES * 2);
    expect([seed, cancels(world.mock).length > 0, confirms(world.mock).length]).toEqual([seed, true, 0]);
  }
}, 60_000);

describe("a call that ends with an open pause, of a client that starts a server for each", () => {
  const client = { name: "mcporter", version: "1" };
  /** How long the call takes longer than one for which nobody can come, and what it says. */
  async function asked(comesAfterMs?: number, lang: "en" | "zh" = "en") {
    const world = await createWorld();
    const alone = await world.process({ config: { lang }, stranger: "somebody_else", client });
    if (comesAfterMs !== undefined) world.peers = async () => true;
    const first = await world.process({ config: { lang }, client });
    const began = world.clock.now();
    await alone.call("towow_demand", { intent: `${INTENT} Elsewhere.` });
    const usualMs = world.clock.now() - began;
    const call = first.start("towow_demand", { intent: INTENT });
    const start = world.clock.now();
    let tookMs = 0;
    const done = call.then((called) => {
      tookMs = world.clock.now() - start - usualMs;
      return called;
    });
    const other = await world.process({ keepsOthers: true });
    await world.clock.advance(usualMs + (comesAfterMs ?? 0));
    if (comesAfterMs !== undefined && comesAfterMs < 5_000) await world.clock.run(other.negotiations.recover());
    const { result } = await world.clock.run(done);
    return { world, first, other, tookMs, summary: result.summary as string };
  }

  it("waits for a program that can come, and names it", async () => {
    const { world, first, other, tookMs, summary } = await asked(3_000);
    expect(summary).toContain(
      `When your client closes this server, another program of yours (pid ${other.pid}) goes on watching this demand.`,
    );
    expect(tookMs).toBeGreaterThan(2_900);
    expect(tookMs).toBeLessThan(3_500);
    await end(world, first);
    expect(cancels(world.mock)).toEqual([]);
  });

  it("waits for five seconds at most, and says what to do", async () => {
    const { world, first, tookMs, summary } = await asked(5_000);
    expect(summary).toContain("it is withdrawn when this call is over.");
    expect(summary).toContain("run towow-mcp open beside it, then submit the demand again.");
    expect(tookMs).toBeGreaterThan(4_900);
    expect(tookMs).toBeLessThan(5_200);
    await end(world, first);
    expect(cancels(world.mock)).toHaveLength(1);
  });

  it("does not wait where no other program can come", async () => {
    const { tookMs, summary } = await asked(undefined, "zh");
    expect(summary).toContain("这次调用一结束就会撤回它。");
    expect(tookMs).toBeLessThan(100);
  });
});
