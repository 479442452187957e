import { describe, expect, it } from "vitest";
import { confirms } from "../support/backend.ts";
import { type Called, editing } from "../support/clients.ts";
import { endedAs, factsAbout, leaveDecision, outcomeOf } from "../support/facts.ts";
import { createWorld, type Process, type World } from "../support/world.ts";

/** What `checks/faults.ts` found, each as small as it gets. */

const INTENT = "A designer for a hospital queue pilot";
const FIVE_MINUTES = 300_000;
const only = (world: World) => world.mock.negotiations()[0]!;

async function pause(process: Process) {
  const demand = await process.call("towow_demand", { intent: INTENT });
  return demand.result.data.resume_with.params as { negotiation_id: string; confirmation_id: string };
}

describe("a decision whose request failed is carried out all the same", () => {
  for (const decision of ["reject", "cancel"])
    it(`${decision}: one lost answer does not broadcast the text`, async () => {
      const world = await createWorld();
      const p = await world.process();
      const params = await pause(p);
      world.mock.faults.add({ route: "action", kind: "drop_before" });
      const told = await p.call("towow_demand", { ...params, decision });
      expect(told.result.error?.code).toBe("tool.backend.timeout.outcome_unknown");
      await world.clock.advance(FIVE_MINUTES + 5_000);
      expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined });
    });

  it("edit: the text that the person replaced is not broadcast", async () => {
    const world = await createWorld();
    const p = await world.process();
    const params = await pause(p);
    const original = String(only(world).demand_formulated);
    world.mock.faults.add({ route: "confirm", kind: "drop_before" });
    await p.call("towow_demand", { ...params, decision: "edit", confirmed_text: "A nurse instead" });
    await world.clock.advance(FIVE_MINUTES + 5_000);
    expect(only(world).confirmedText).not.toBe(original);
  });

  it("accept: a text that came later and that nobody saw is not broadcast", async () => {
    const world = await createWorld();
    const p = await world.process();
    const params = await pause(p);
    world.mock.faults.add({ route: "confirm", kind: "drop_before" });
    await p.call("towow_demand", { ...params, decision: "accept" });
    world.mock.engine.setFormulatedText(params.negotiation_id, "Something else");
    await world.clock.advance(FIVE_MINUTES + 5_000);
    expect(only(world).confirmedText).not.toBe("Something else");
  });
});

describe("what a killed process leaves", () => {
  it("is taken over at a first call that is refused", async () => {
    const world = await createWorld();
    const killed = await world.process();
    await pause(killed);
    world.dead.add(killed.pid);
    const heir = await world.process();
    const refused = await heir.call("towow_action", {});
    expect(refused.result.error?.code).toBe("tool.policy.blocked.inactive_tool");
    await world.clock.advance(FIVE_MINUTES + 5_000);
    expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined });
  });

  it("is found by one that was called before there was a pause, and never again", async () => {
    const world = await createWorld();
    const idle = await world.process();
    await idle.call("towow_status", {});
    const killed = await world.process();
    await pause(killed);
    world.dead.add(killed.pid);
    await world.clock.advance(FIVE_MINUTES + 5_000);
    expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined });
  });

  it("is taken over by one that had made its first call before", async () => {
    const world = await createWorld();
    const killed = await world.process();
    const other = await world.process();
    const params = await pause(killed);
    await other.call("towow_status", { negotiation_id: params.negotiation_id });
    world.dead.add(killed.pid);
    await other.call("towow_status", { negotiation_id: params.negotiation_id });
    await world.clock.advance(FIVE_MINUTES + 5_000);
    expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined });
  });

  for (const [name, waitMs, faults] of [
    ["an edit, looked at within five seconds", 0, false],
    ["a rejection, while the backend fails once", 10_000, true],
  ] as const)
    it(`${name}: is not broadcast`, async () => {
      const world = await createWorld();
      const killed = await world.process();
      const params = await pause(killed);
      const original = String(only(world).demand_formulated);
      const decision = faults ? { kind: "reject" as const } : { kind: "edit" as const, text: "A nurse instead" };
      await leaveDecision(world, killed, params.negotiation_id, decision);
      await world.clock.advance(waitMs);
      if (faults) world.mock.faults.add({ route: "action", kind: "drop_before" });
      const heir = await world.process();
      for (let i = 0; i < 3; i++) {
        await heir.call("towow_status", { negotiation_id: params.negotiation_id });
        await world.clock.advance(20_000);
      }
      await world.clock.advance(FIVE_MINUTES);
      expect(only(world).confirmedText).not.toBe(original);
    });
});

describe("a 404 that passes, as of a backend with several workers,", () => {
  const unknown = (world: World, route: "action" | "get", times: number) => {
    for (let i = 0; i < times; i++) world.mock.faults.add({ route, kind: "status", status: 404 });
  };

  it.each([1, 20])("does not undo a rejection, %i times", async (times) => {
    const world = await createWorld();
    const p = await world.process();
    const params = await pause(p);
    unknown(world, "action", times);
    const told = await p.call("towow_demand", { ...params, decision: "reject" });
    expect(told.result.error?.code).toBe("tool.negotiation.not_found.unknown_negotiation");
    await world.clock.advance(60_000);
    expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined });
  });

  it("does not end what a killed program left", async () => {
    const world = await createWorld();
    const killed = await world.process();
    await pause(killed);
    world.dead.add(killed.pid);
    unknown(world, "get", 1);
    const heir = await world.process();
    await heir.call("towow_status", {});
    await world.clock.advance(FIVE_MINUTES);
    expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined });
  });

  it("is believed after a minute, once the deadline has passed", async () => {
    const world = await createWorld();
    const p = await world.process();
    const { negotiation_id: id } = await pause(p);
    unknown(world, "action", 1_000);
    await world.clock.advance(FIVE_MINUTES - 5_000);
    expect(await outcomeOf(world, id)).toBeUndefined();
    await world.clock.advance(60_000);
    expect(await outcomeOf(world, id)).toMatchObject({ kind: "not_found" });
    expect(await endedAs(p.negotiations, id)).toBe("gone");
  });
});

it("no call waits for more than some seconds for what a killed program left", async () => {
  const world = await createWorld();
  const killed = await world.process();
  const { negotiation_id: id } = await pause(killed);
  await leaveDecision(world, killed, id, { kind: "reject" });
  for (let i = 0; i < 20; i++)
    world.mock.faults.add({ route: "action", kind: "delay", delayMs: 60_000, delayWhen: "before" });
  const heir = await world.process();
  const from = world.clock.now();
  await heir.call("towow_status", {});
  expect(world.clock.now() - from).toBeLessThan(7_000);
});

it("two equal yeses a moment apart confirm once", async () => {
  const world = await createWorld();
  const p = await world.process();
  const params = await pause(p);
  world.mock.faults.add({ route: "get", kind: "delay", delayMs: 20, skip: 1 });
  await world.clock.run(Promise.all([1, 2].map(() => p.start("towow_demand", { ...params, decision: "accept" }))), {
    stepMs: 5,
  });
  expect(confirms(world.mock)).toHaveLength(1);
});

it("accept means the text that this confirmation id showed, not the one beneath an edit", async () => {
  const world = await createWorld();
  const edited = "A nurse instead, with patience, and with more to say than a field of a form shows.";
  const typing = editing(edited);
  const withForms = await world.process({
    answer: (form) => (form.message === edited ? { action: "cancel" } : typing(form)),
    flags: { mode: "developer" },
  });
  const without = await world.process({ flags: { mode: "developer" } });
  const { result } = await withForms.call("towow_submit_demand", { intent: INTENT, scene_id: world.sceneId });
  await world.clock.advance(2_000);
  const { negotiation_id } = result.data;
  // The form about the person's own text stays unanswered; its id is no word about the backend's.
  await withForms.call("towow_confirm", { negotiation_id });
  expect(withForms.forms.at(-1)?.message).toBe(edited);
  const { asked } = await factsAbout(world, negotiation_id);
  const confirmation_id = asked.find((it) => it.shown_hash !== it.formulated_hash)?.question_id;
  expect(confirmation_id).toBeDefined();
  await without.call("towow_confirm", { negotiation_id, confirmation_id, decision: "accept" });
  expect(confirms(world.mock).map((e) => (e.body as { confirmed_text: string }).confirmed_text)).toEqual([]);
});

describe("while nothing answers, a call ends within a minute", () => {
  const MINUTE = 60_000;
  /** As requests that time out: one that writes after 30 s, a look with its repeats after 15 s. */
  const hang = ({ mock }: World) => {
    mock.faults.add({ route: "action", kind: "drop_before", delayMs: 30_000, times: Number.POSITIVE_INFINITY });
    mock.faults.add({ route: "get", kind: "drop_before", delayMs: 15_000, times: Number.POSITIVE_INFINITY });
  };
  const timed = async ({ clock }: World, work: Promise<Called>) => {
    const from = clock.now();
    const { result } = await work;
    return { code: result.error?.code, tookMs: clock.now() - from };
  };

  it("also behind an earlier try for the same decision, which is carried out all the same", async () => {
    const world = await createWorld();
    const p = await world.process();
    const params = await pause(p);
    hang(world);
    await p.call("towow_demand", { ...params, decision: "reject" });
    await world.clock.advance(2_000); // the next try has just begun
    const { code, tookMs } = await timed(world, p.call("towow_demand", { ...params, decision: "reject" }));
    expect(code).toBe("tool.backend.timeout.outcome_unknown");
    expect(tookMs).toBeLessThan(MINUTE);
    world.mock.faults.clear();
    await world.clock.advance(MINUTE);
    expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined });
    const { result } = await p.call("towow_status", { negotiation_id: params.negotiation_id });
    expect(result.summary).toContain("The text was rejected, so the demand is withdrawn");
  });

  it("also behind other calls, and what it could not begin is not decided", async () => {
    const world = await createWorld();
    const p = await world.process();
    const params = await pause(p);
    hang(world);
    const accepts = Array.from({ length: 6 }, () => p.start("towow_demand", { ...params, decision: "accept" }));
    const ends = await world.clock.run(Promise.all(accepts.map((accept) => timed(world, accept))));
    expect(ends.map(({ code }) => code)).toContain("tool.backend.timeout.read");
    for (const { tookMs } of ends) expect(tookMs).toBeLessThan(MINUTE);
    world.mock.faults.clear();
    await world.clock.advance(MINUTE);
    expect(confirms(world.mock)).toEqual([]);
    expect((await factsAbout(world, params.negotiation_id)).decided).toEqual([]);
  });

  it("also behind another program's submit, and its own is guarded when it is answered", async () => {
    const world = await createWorld();
    const [other, p] = [await world.process(), await world.process()];
    world.mock.faults.add({ route: "submit", kind: "status", status: 422, delayMs: 38_000 });
    world.mock.faults.add({ route: "submit", kind: "delay", delayMs: 40_000, delayWhen: "after" });
    const first = other.start("towow_demand", { intent: INTENT });
    await world.clock.advance(1_000);
    const { code, tookMs } = await timed(world, p.call("towow_demand", { intent: INTENT }));
    expect((await first).result.status).toBe("error");
    expect(code).toBe("tool.backend.timeout.submit_outcome_unknown");
    expect(tookMs).toBeLessThan(MINUTE);
    await world.clock.advance(FIVE_MINUTES);
    expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined });
  });
});

it("somebody else confirms within a second of the last look: the next call does not list the demand as open", async () => {
  const world = await createWorld();
  const p = await world.process();
  const asked = await pause(p);
  const { result } = await p.call("towow_demand", { intent: "A nurse for nights", allow_duplicate: true });
  const other = result.data.negotiation_id as string;
  expect((await p.call("towow_status", { negotiation_id: other })).result.data.open).toHaveLength(2);
  const confirmed = await world.mock.fetch(
    new Request(`http://127.0.0.1:9/mock/negotiations/${asked.negotiation_id}/confirm`, {
      method: "POST",
      body: JSON.stringify({ text: "Another text" }),
    }),
  );
  expect(confirmed.status).toBe(200);
  await world.clock.advance(100);
  const { open } = (await p.call("towow_status", { negotiation_id: other })).result.data;
  expect(open.map(({ negotiation_id }: { negotiation_id: string }) => negotiation_id)).toEqual([other]);
});

it("a demand about which the backend does not answer is listed as one that may have moved on", async () => {
  const world = await createWorld();
  const p = await world.process();
  const lost = await pause(p);
  await p.call("towow_demand", { intent: "A nurse for nights", allow_duplicate: true });
  const { result } = await p.call("towow_demand", { intent: "A cook for noons", allow_duplicate: true });
  const { params } = result.data.resume_with;
  await p.call("towow_demand", { ...params, decision: "reject" });
  world.rewrite = (body, { method, url }) => (method === "GET" && url.endsWith(lost.negotiation_id) ? {} : body);
  const { data, summary } = (await p.call("towow_status", { negotiation_id: params.negotiation_id })).result;
  const unchecked = data.open.filter((one: { unchecked?: true }) => one.unchecked);
  expect(data.open).toHaveLength(2);
  expect(unchecked).toMatchObject([{ negotiation_id: lost.negotiation_id }]);
  expect(summary).toMatch(
    /2 other demands waiting for your decision\. The backend did not answer about 1 of them just now/,
  );
});
