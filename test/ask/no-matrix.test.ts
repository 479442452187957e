import { describe, expect, it } from "vitest";
import { cancels, confirms } from "../support/backend.ts";
import { type Answer, READING_MS } from "../support/clients.ts";
import { fillDisk, hangHome, lastQuestionId, leaveDecision, takeHome } from "../support/facts.ts";
import { openRoom } from "../support/room.ts";
import { answer, asks, decided, demand, until } from "../support/task-client.ts";
import { createWorld, type Process, type World } from "../support/world.ts";
import { INTENT, only } from "./pause-support.ts";

/**
 * A person's no, on every surface, while nothing can be written, nothing can be read, or the backend is away: it is sent
 * as soon as it can be, and what was refused is never left to the backend (contract §6, §10). What the backend received
 * is the judge.
 */

interface Asked {
  world: World;
  p: Process;
  id: string;
  /** Says no, and gives what the person is told; resolves when the surface has answered. */
  no: () => Promise<string>;
}

type Surface = (world: World, config: Record<string, unknown>) => Promise<Omit<Asked, "world" | "id">>;

const byArgument =
  (decision: "reject" | "cancel"): Surface =>
  async (world, config) => {
    const p = await world.process({ config });
    const { result } = await p.call("towow_demand", { intent: INTENT });
    const { negotiation_id } = result.data.resume_with.params;
    return {
      p,
      async no() {
        const said = await p.call("towow_demand", { negotiation_id, decision });
        return said.text;
      },
    };
  };

const inForm: Surface = async (world, config) => {
  let reply: (answer: Answer) => void = () => {};
  const p = await world.process({ config, answer: () => new Promise((resolve) => (reply = resolve)) });
  const call = p.start("towow_demand", { intent: INTENT });
  await world.clock.until(() => p.forms.length === 1);
  await world.clock.advance(READING_MS);
  return {
    p,
    async no() {
      reply({ action: "decline" });
      return (await world.clock.run(call)).text;
    },
  };
};

const onPage: Surface = async (world, config) => {
  const p = await world.process({ config });
  await p.call("towow_demand", { intent: INTENT });
  const room = await openRoom(world, p, only(world).negotiation_id);
  await room.until(() => room.stage() === "decision" && room.room.state.demand?.question !== undefined);
  return {
    p,
    async no() {
      await room.press("withdraw").catch(() => {}); // what failed is said on the page
      const { heading, lead, notes } = room.spec();
      return [heading, lead, ...notes.map(({ text }) => text)].join("\n");
    },
  };
};

const inTerminal: Surface = async (world, config) => {
  const p = await world.process({ config });
  await p.call("towow_demand", { intent: INTENT });
  const { negotiation_id: negotiationId } = only(world);
  const confirmationId = await lastQuestionId(world, negotiationId);
  return {
    p,
    async no() {
      const no = { negotiationId, confirmationId, kind: "reject", by: "terminal" } as const;
      return world.clock.run(
        p.negotiations.decide(no).then(
          ({ kind }) => kind,
          ({ code }: { code: string }) => code,
        ),
      );
    },
  };
};

/** The same, and nobody moves the clock meanwhile. */
const byTerminal: Surface = async (world, config) => {
  const { p } = await inTerminal(world, config);
  const { negotiation_id: negotiationId } = only(world);
  const no = () => p.negotiations.decide({ negotiationId, kind: "reject", by: "terminal" });
  return { p, no: () => no().then(({ kind }) => kind, String) };
};

const byTask =
  (how: "update" | "cancel"): Surface =>
  async (world, config) => {
    const p = await world.process({ config });
    const request = p.taskClient();
    const { taskId } = await demand(request, world.sceneId, INTENT);
    const task = await until(request, taskId, asks, () => world.clock.advance(1_000));
    await world.clock.advance(READING_MS);
    return {
      p,
      async no() {
        const { error } =
          how === "cancel" ? await request("tasks/cancel", { taskId }) : await answer(request, task, decided("reject"));
        expect(error).toBeUndefined();
        const seen = await request("tasks/get", { taskId });
        return [seen.statusMessage, seen.result?.structuredContent.summary].join("\n");
      },
    };
  };

const SURFACES: Record<string, Surface> = {
  "an argument that rejects": byArgument("reject"),
  "an argument that cancels": byArgument("cancel"),
  "a form that is declined": inForm,
  "the page's Withdraw": onPage,
  "a terminal": inTerminal,
  "a task's answer": byTask("update"),
  "a task that is cancelled": byTask("cancel"),
};

const away = ({ mock }: World): (() => void) => {
  for (const route of ["get", "action", "confirm"] as const)
    mock.faults.add({ route, kind: "drop_before", times: Number.POSITIVE_INFINITY });
  return () => mock.faults.clear();
};

/** What goes wrong just before the no; the returned function brings the backend back, and nothing else. */
const FAULTS: Record<string, (world: World) => () => void> = {
  "the disk is full": (world) => {
    fillDisk(world);
    return () => {};
  },
  "the home cannot even be read": (world) => {
    takeHome(world);
    return () => {};
  },
  "the backend is away": away,
  "the disk is full and the backend away": (world) => {
    fillDisk(world);
    return away(world);
  },
  "the home does not answer": (world) => {
    hangHome(world);
    return () => {};
  },
  "the home does not answer and the backend is away": (world) => {
    hangHome(world);
    return away(world);
  },
  "the home cannot be read and the backend is away": (world) => {
    takeHome(world);
    return away(world);
  },
};

const BACKEND_IS_THERE = Object.keys(FAULTS).filter((name) => !name.includes("backend"));

const POLICIES = ["cancel", "leave"] as const;

async function asked(surface: Surface, onUnconfirmed: string): Promise<Asked> {
  const world = await createWorld();
  const opened = await surface(world, { on_unconfirmed: onUnconfirmed });
  return { world, id: only(world).negotiation_id, ...opened };
}

const REFUSED = { cancelled: true, confirmCount: 0, confirmedBy: undefined };

describe.each(Object.entries(SURFACES))("%s", (_, surface) => {
  it.each(Object.entries(FAULTS).flatMap(([name, fault]) => POLICIES.map((policy) => [name, policy, fault] as const)))(
    "%s, %s: the no arrives, and nothing goes out at the deadline",
    async (_, policy, fault) => {
      const { world, p, no } = await asked(surface, policy);
      const restore = fault(world);
      const told = await no();
      expect(told).not.toMatch(/already been broadcast|goes on/i);
      restore();
      // One try a second, and a look at what the store has before it.
      await world.clock.advance(15_000);
      expect(only(world)).toMatchObject(REFUSED);
      await world.clock.advance(310_000);
      expect(only(world)).toMatchObject(REFUSED);
      expect(confirms(world.mock)).toEqual([]);
      expect(p.negotiations.isBusy).toBe(false);
    },
  );

  it.each(BACKEND_IS_THERE)("%s: the no goes out at once, and its result says so", async (name) => {
    const { world, no } = await asked(surface, "leave");
    FAULTS[name]!(world);
    const from = world.clock.now();
    const told = await no();
    expect(only(world)).toMatchObject(REFUSED);
    expect(cancels(world.mock)[0]!.at - from).toBeLessThan(10_000); // of the manual clock
    expect(told).toMatch(/rejected|withdr|not broadcast|no agent was asked/i);
    expect(told).not.toMatch(/home_unwritable|cannot be written|ENOSPC|EIO|ETIMEDOUT/);
  });

  it("once there is room it is written down", async () => {
    const { world, id, no } = await asked(surface, "cancel");
    const free = fillDisk(world);
    await no();
    free();
    await world.clock.advance(5_000);
    const other = await world.process();
    const { decision } = await other.negotiations.stage(id);
    expect(["reject", "cancel"]).toContain(decision?.kind);
  });
});

it.each(POLICIES)("%s: a no in a form arrives though its client ends the call behind it", async (policy) => {
  const world = await createWorld();
  let reply: (answer: Answer) => void = () => {};
  const p = await world.process({
    config: { on_unconfirmed: policy },
    answer: () => new Promise((resolve) => (reply = resolve)),
  });
  const stop = new AbortController();
  const call = p.start("towow_demand", { intent: INTENT }, { signal: stop.signal }).catch(String);
  await world.clock.until(() => p.forms.length === 1);
  await world.clock.advance(READING_MS);
  hangHome(world);
  reply({ action: "decline" });
  await new Promise((resolve) => setImmediate(resolve)); // it is on its way
  stop.abort();
  await world.clock.run(call);
  await world.clock.advance(15_000);
  expect(only(world)).toMatchObject(REFUSED);
});

describe("the program is asked to end while its no has not arrived", () => {
  it.each(
    POLICIES.flatMap(
      (policy) =>
        [
          [policy, "is nowhere but in its memory", fillDisk],
          [policy, "is written down, for no other program may run", () => {}],
        ] as const,
    ),
  )("%s: it stays until the no has arrived, where that %s", async (policy, _, first) => {
    const { world, p, no } = await asked(byArgument("reject"), policy);
    first(world);
    const restore = away(world);
    await no();
    const ending = p.negotiations.shutdown();
    await world.clock.advance(120_000);
    expect(only(world).cancelled).toBe(false);
    restore();
    await world.clock.run(ending);
    expect(only(world)).toMatchObject(REFUSED);
  });

  it.each(POLICIES)("%s: so it does where it is asked to end while the home has not answered yet", async (policy) => {
    const { world, p, no } = await asked(byTerminal, policy);
    hangHome(world);
    const restore = away(world);
    const said = no();
    await world.clock.advance(500);
    const ending = p.negotiations.shutdown();
    await world.clock.advance(60_000);
    restore();
    await world.clock.run(Promise.all([ending, said]));
    expect(only(world)).toMatchObject(REFUSED);
  });

  it("or the deadline is past", async () => {
    const { world, p, no } = await asked(byArgument("reject"), "leave");
    fillDisk(world);
    away(world);
    await no();
    const from = world.clock.now();
    await world.clock.run(p.negotiations.shutdown());
    expect(world.clock.now() - from).toBeGreaterThan(200_000);
  });

  it("a no that is written down is carried out by the next program", async () => {
    const { world, p, no } = await asked(byArgument("reject"), "leave");
    const restore = away(world);
    await no();
    world.dead.add(p.pid);
    restore();
    const heir = await world.process({ config: { on_unconfirmed: "leave" } });
    await world.clock.run(heir.negotiations.recover());
    await world.clock.advance(310_000);
    expect(only(world)).toMatchObject(REFUSED);
  });
});

it("where a yes stands that can be read, a reject says so and sends nothing; a cancel stops it", async () => {
  const { world, id, no } = await asked(byArgument("reject"), "leave");
  const other = await world.process();
  await leaveDecision(world, other, id, { kind: "accept" });
  fillDisk(world);
  expect(await no()).toMatch(/already/i);
  expect(cancels(world.mock)).toEqual([]);
});

it("where nothing can be read and the text is out, a reject sends nothing", async () => {
  const { world, id, no } = await asked(byArgument("reject"), "leave");
  world.mock.engine.confirm(id, "Another text", "other");
  await world.clock.advance(1_000);
  takeHome(world);
  await no();
  expect(cancels(world.mock)).toEqual([]);
});
