import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { STATES } from "../../mock-backend/data.ts";
import { columns, enrich } from "../../mock-backend/formulation.ts";
import { createMockBackend } from "../../mock-backend/main.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { World } from "./world.ts";

describe("the confirmation", () => {
  it("comes by itself at the deadline, with the text that is there, and goes on to a plan", async () => {
    const world = new World();
    const id = await world.negotiationAt("formulated", await world.peopledScene());
    const { times, confirmDeadline } = world.view(id);
    expect(confirmDeadline! - times.formulated!).toBe(300_000);
    await world.clock.advance(confirmDeadline! - world.clock.now() - 1);
    expect(world.view(id)).toMatchObject({ state: "formulated", confirmedBy: undefined });
    await world.clock.advance(1);
    expect(world.view(id)).toMatchObject({ state: "encoding", confirmedBy: "timeout", confirmCount: 0 });
    await world.reach(id, "completed");
    expect(world.view(id)).toMatchObject({ plan_output: expect.any(String), cancelled: false });
    expect(world.view(id).confirmedText).toBe(world.view(id).demand_formulated);
  });

  it("takes two at once with 200, and the later text wins", async () => {
    const world = new World();
    const id = await world.negotiationAt("formulated", await world.peopledScene());
    const old = world.view(id).demand_formulated;
    const both = await Promise.all([
      world.confirm(id, { confirmed_text: "first" }),
      world.confirm(id, { confirmed_text: "second" }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both.map(({ body }) => [body.state, body.demand_formulated])).toEqual([
      ["formulated", old],
      ["formulated", old],
    ]);
    await world.reach(id, "encoding");
    expect(world.view(id)).toMatchObject({ confirmedText: "second", demand_formulated: "second", confirmCount: 2 });
    expect((await world.confirm(id)).status).toBe(409);
  });

  it("still reads formulated for a moment after the 200", async () => {
    const world = new World();
    const id = await world.negotiationAt("formulated", await world.peopledScene());
    await world.confirm(id);
    expect((await world.get(id)).body.state).toBe("formulated");
  });

  it("sends out a text that changed between question and answer", async () => {
    const world = new World();
    const id = await world.negotiationAt("formulated", await world.peopledScene());
    world.mock.engine.setFormulatedText(id, "something else");
    await world.confirm(id);
    await world.reach(id, "completed");
    expect(world.view(id).confirmedText).toBe("something else");
  });
});

describe("cancel", () => {
  it.each(STATES.filter((state) => state !== "completed"))(
    "at %s: completed without a plan, 409 afterwards, no event",
    async (state) => {
      const world = new World({ barrierMs: 50 });
      const id = await world.negotiationAt(state, await world.peopledScene());
      const events = world.view(id).events.length;
      const cancelled = await world.cancel(id);
      expect(cancelled).toMatchObject({ status: 200, body: { state: "completed", plan_output: null } });
      await world.clock.advance(400_000);
      expect((await world.get(id)).body).toEqual(cancelled.body);
      expect(world.view(id)).toMatchObject({ cancelled: true, error: undefined });
      expect(world.view(id).events).toHaveLength(events);
      expect((await world.cancel(id)).status).toBe(409);
      expect((await world.confirm(id)).body.detail).toContain("in state completed");
    },
  );
});

it.each([
  ["[[offers=partial]]", ["replied", "exited", "replied"]],
  ["[[offers=hang]]", ["exited", "replied", "replied"]],
  ["[[offers=object]]", ["replied", "replied", "replied"]],
])("honours %s", async (marker, states) => {
  const world = new World();
  const id = await world.submit(await world.peopledScene(), `machine learning product frontend ${marker}`);
  await world.reach(id, "formulated");
  await world.confirm(id);
  await world.reach(id, "completed");
  const { participants, plan_output } = (await world.get(id)).body;
  expect(participants.map((one: { state: string }) => one.state)).toEqual(states);
  expect(plan_output).toEqual(expect.any(String));
  if (marker.includes("object")) expect(typeof participants[0].offer_content).toBe("object");
});

describe("the snapshot of the agents", () => {
  it("is taken at the submit", async () => {
    const world = new World();
    const scene = await world.peopledScene();
    const id = await world.submit(scene);
    await world.call("POST", `/v1/api/scenes/${scene}/agents`, {
      agent_id: "late",
      display_name: "Late",
      profile_data: { skills: ["machine learning", "python", "frontend"] },
    });
    await world.reach(id, "formulated");
    await world.confirm(id);
    await world.reach(id, "completed");
    expect(world.view(id).participants.map((one) => one.agent_id)).toEqual(["agent_alice", "agent_bob", "agent_carol"]);
  });

  it("leaves out an agent whose skills are objects", async () => {
    const world = new World();
    const scene = await world.peopledScene();
    await world.call("POST", `/v1/api/scenes/${scene}/agents`, {
      agent_id: "broken",
      display_name: "B",
      profile_data: { skills: [{ name: "python" }], bio: "machine learning python frontend" },
    });
    const id = await world.negotiationAt("completed", scene);
    const data = world.view(id).events.find((event) => event.event_type === "resonance.activated")?.data;
    expect(JSON.stringify(data)).toContain("agent_zed");
    expect(JSON.stringify(data)).not.toContain("broken");
  });
});

describe("a seed", () => {
  const whole = async (seed: number) => {
    const world = new World({ seed, sampleData: true });
    const scenes = (await world.call("GET", "/v1/api/scenes")).body.scenes;
    const id = await world.negotiationAt("completed", scenes[0].scene_id, "找一位懂机器学习和产品设计的合伙人", {
      user_id: "agent_zhou_mu",
    });
    return { scenes, negotiation: (await world.get(id)).body };
  };

  it("gives the same ids, scores, offers and plan; another gives others", async () => {
    const [one, same, other] = await Promise.all([whole(7), whole(7), whole(8)]);
    expect(one).toEqual(same);
    expect(one.negotiation.negotiation_id).not.toBe(other.negotiation.negotiation_id);
    expect(one.negotiation.participants[0].resonance_score).not.toBe(other.negotiation.participants[0].resonance_score);
  });

  it("gives a Chinese demand Chinese texts, with the names in a plan of several lines", async () => {
    const { negotiation } = await whole(7);
    expect(negotiation.demand_formulated).toMatch(/^找一位懂机器学习和产品设计的合伙人。.+\p{Script=Han}/u);
    expect(negotiation.participants.length).toBeGreaterThanOrEqual(2);
    for (const one of negotiation.participants) {
      expect(one.offer_content).toMatch(/^我可以负责/);
      expect(negotiation.plan_output).toContain(one.display_name);
    }
    expect(negotiation.plan_output.split("\n").length).toBeGreaterThan(8);
  });

  it("is not needed for ids that differ between two backends", async () => {
    const [a, b] = [createMockBackend(), createMockBackend()];
    const first = (mock: typeof a) =>
      mock.fetch(
        new Request("http://x/v1/api/auth/mcp-token", {
          method: "POST",
          body: "{}",
          headers: { "content-type": "application/json" },
        }),
      );
    const ids = (await Promise.all([first(a), first(b)])).map(
      async (response) => ((await response.json()) as { user_id: string }).user_id,
    );
    expect(await ids[0]).not.toBe(await ids[1]);
  });
});

it("keeps the text of a normal demand within a form", () => {
  const intent = fc.oneof(
    fc.string({ unit: fc.constantFrom(..."我需要找一个会设计的人，帮做产品"), minLength: 1, maxLength: 70 }),
    fc.string({ unit: fc.constantFrom(..."need a designer for "), minLength: 1, maxLength: 140 }),
  );
  fc.assert(
    fc.property(intent, fc.array(fc.string({ maxLength: 30 })), fc.integer(), (text, skills, seed) => {
      const enriched = enrich(text, { skills }, seed);
      expect(columns(enriched)).toBeLessThanOrEqual(200);
      expect(enriched.startsWith(text.trimEnd())).toBe(true);
      expect(enriched).not.toBe(text);
    }),
  );
});

describe("a data file", () => {
  const folder = () => {
    const path = mkdtempSync(join(tmpdir(), "towow-mock-"));
    onTestFinished(() => rmSync(path, { recursive: true }));
    return join(path, "data.json");
  };

  it("brings scenes, agents, tokens and waiting negotiations back, and repeats no id", async () => {
    const dataFile = folder();
    const before = new World({ dataFile, auth: true });
    const token = (await before.call("POST", "/v1/api/auth/mcp-token", { user_id: "" })).body;
    const bearer = { authorization: `Bearer ${token.api_token}`, "idempotency-key": "k1" };
    const scene = (
      await before.call("POST", "/v1/api/scenes", { name: "n", description: "d", organizer_id: "o" }, bearer)
    ).body;
    const demand = { scene_id: scene.scene_id, user_id: token.user_id, intent: "x" };
    const submitted = (await before.call("POST", "/v1/api/negotiations/submit", demand, bearer)).body;
    await before.reach(submitted.negotiation_id, "formulated");
    const deadline = before.view(submitted.negotiation_id).confirmDeadline!;
    await before.mock.close();
    const saved = readFileSync(dataFile, "utf8");
    expect(saved).not.toContain(token.api_token);
    expect(statSync(dataFile).mode & 0o777).toBe(0o600);

    const after = new World({ dataFile, auth: true });
    expect((await after.call("GET", "/v1/api/scenes", undefined, bearer)).body.scenes).toHaveLength(1);
    expect((await after.call("POST", "/v1/api/negotiations/submit", demand, bearer)).body).toEqual(submitted);
    const fresh = await after.call("POST", "/v1/api/auth/mcp-token", { user_id: "" });
    expect(fresh.body.user_id).not.toBe(token.user_id);
    await after.clock.advance(deadline - after.clock.now());
    expect(after.view(submitted.negotiation_id)).toMatchObject({ confirmedBy: "timeout" });
    await after.reach(submitted.negotiation_id, "completed");
    await after.mock.close();
  });

  it("gives nobody more time to decide: the deadline is what it was, however much later it is read", async () => {
    const dataFile = folder();
    const before = new World({ dataFile });
    const id = await before.submit(await before.peopledScene());
    await before.reach(id, "formulated");
    const deadline = before.view(id).confirmDeadline!;
    await before.mock.close();

    const clock = new ManualClock(deadline - 1_000);
    const after = new World({ dataFile, clock });
    await clock.advance(999);
    expect(after.view(id)).toMatchObject({ state: "formulated", confirmDeadline: deadline });
    await clock.advance(1);
    expect(after.view(id)).toMatchObject({ state: "encoding", confirmedBy: "timeout" });
    await after.mock.close();
  });

  it("that is not the mock's is refused, not overwritten", () => {
    const dataFile = folder();
    writeFileSync(dataFile, "{half");
    expect(() => createMockBackend({ dataFile })).toThrow(/not a data file/);
    expect(readFileSync(dataFile, "utf8")).toBe("{half");
  });
});
