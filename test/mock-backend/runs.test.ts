import { describe, expect, it, onTestFinished } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { WIRE } from "../support/wire.ts";
import { World } from "./world.ts";

/** Whole runs that end badly or oddly: the final GET of each recording, against a run of the mock. */
interface Run {
  name: string;
  request?: { method: string };
  response?: {
    status: number;
    body: Record<string, unknown> & { participants: { agent_id: string; state: string }[] };
  };
}

const runs = Object.entries(WIRE)
  .filter(([name]) => /^(variant-|timeout-|default-timeout)/.test(name))
  .map(([, run]) => run as Run)
  .filter((run) => run.request?.method === "GET" && run.response?.status === 200);

const HEARD: Record<string, string> = { fail: "fail", empty: "empty", object: "object", hang: "hang", f1: "fail" };

/** Registers whoever took part in the recording and is not one of the usual agents. */
async function invite(world: World, scene: string, run: Run): Promise<void> {
  for (const { agent_id } of run.response!.body.participants) {
    const offer = HEARD[agent_id.replace("agent_", "")];
    const skills = agent_id === "agent_strskills" ? "python, machine learning" : ["python", "machine learning"];
    const bio = `AI product ${offer === undefined ? "" : `[[offer=${offer}]]`}`;
    await world.call("POST", `/v1/api/scenes/${scene}/agents`, {
      agent_id,
      display_name: agent_id,
      profile_data: { skills, bio },
    });
  }
}

/** The settings of the submit, which the recordings only name. */
const SUBMITS: Record<string, object> = {
  "variant-formulation-unregistered-user": { user_id: "nobody" },
  "variant-kstar-0": { k_star: 0 },
  "variant-kstar-1": { k_star: 1 },
  "variant-minscore-0": { min_score: 0 },
  "variant-submitter-is-agent": { user_id: "agent_alice" },
};
/** Runs whose scene holds other agents than the usual four. */
const OWN_SCENE = /^variant-(empty-scene|all-offers-fail|offer-failures)|^timeout-|offer-hang$/;

function outcome(body: Record<string, unknown>) {
  const { participants, demand_formulated, plan_output, ...rest } = body as Run["response"] & {} extends {
    body: infer B;
  }
    ? B
    : never;
  const { negotiation_id, ...plain } = rest;
  return {
    ...plain,
    degraded: demand_formulated === body.demand_raw,
    plan: plan_output === null || plan_output === "" ? plan_output : typeof plan_output,
    participants: participants
      .map((one) => ({ id: one.agent_id, state: one.state, keys: Object.keys(one).toSorted(byCodeUnits) }))
      .toSorted((a, b) => a.id.localeCompare(b.id)),
  };
}

describe("final picture of a run", () => {
  it.each(runs)("$name", async (run) => {
    const { name } = run;
    const recorded = run.response!.body;
    const world = new World({ stepMs: 20 });
    onTestFinished(() => world.mock.close());
    const scene = OWN_SCENE.test(name) ? await world.scene() : await world.peopledScene();
    if (OWN_SCENE.test(name)) {
      await world.call("POST", `/v1/api/scenes/${await world.scene("x")}/agents`, {
        agent_id: "user_test",
        display_name: "T",
      });
      await invite(world, scene, run);
    }
    const id = await world.submit(scene, recorded.demand_raw as string, {
      ...(name === "variant-none-resonates" ? { min_score: 0.5 } : {}),
      ...SUBMITS[name],
    });
    const timed = name.startsWith("timeout-") || name.startsWith("default-timeout");
    if (timed) await world.clock.advance(500_000);
    else {
      await world.reach(id, "formulated");
      await world.confirm(id);
      await world.reach(id, "completed");
    }
    const { body } = await world.get(id);
    expect(outcome(body)).toEqual(outcome(recorded));
  });

  it("knows more than thirty of them", () => expect(runs.length).toBeGreaterThan(30));
});

describe("a formulation that is no text", () => {
  it("list: every GET is a 500 in plain text, and a confirm takes effect behind its 500", async () => {
    const world = new World();
    const id = await world.submit(await world.peopledScene(), "x [[formulation=list]]");
    await world.reach(id, "formulated");
    const got = await world.get(id);
    expect([got.status, got.headers.get("content-type"), got.body]).toEqual([
      500,
      "text/plain; charset=utf-8",
      "Internal Server Error",
    ]);
    expect((await world.confirm(id)).status).toBe(500);
    expect(world.view(id)).toMatchObject({ confirmedBy: "user", confirmCount: 1 });
    await world.reach(id, "encoding");
    expect((await world.cancel(id)).status).toBe(500);
    expect(world.view(id)).toMatchObject({ state: "completed", cancelled: true });
    expect((await world.get(id)).status).toBe(500);
  });

  it("object: the engine gives up at once, so confirm and cancel are 409", async () => {
    const world = new World();
    const id = await world.submit(await world.peopledScene(), "x [[formulation=dict]]");
    await world.reach(id, "completed");
    expect((await world.get(id)).status).toBe(500);
    expect((await world.confirm(id)).body.detail).toBe(
      "Cannot confirm: negotiation is in state completed, expected 'formulated'",
    );
    expect((await world.cancel(id)).body.detail).toBe("Negotiation already completed");
    expect(world.view(id)).toMatchObject({ error: "Negotiation failed: unhashable type: 'slice'", events: [] });
  });
});

describe("sub-negotiations", () => {
  async function withChild() {
    const world = new World();
    const parent = await world.negotiationAt("synthesizing", await world.peopledScene(), `${INTENT_SUB}`);
    await world.clock.until(() => world.view(parent).sub_session_ids.length > 0, { stepMs: 5 });
    const child = world.view(parent).sub_session_ids[0]!;
    await world.reach(child, "offering");
    return { world, parent, child };
  }
  const INTENT_SUB = "I need machine learning, python and frontend [[center=sub]]";

  it("runs as a child of depth 1 that nobody confirms, while the parent stays in synthesizing", async () => {
    const { world, parent, child } = await withChild();
    expect((await world.get(parent)).body).toMatchObject({
      state: "synthesizing",
      center_rounds: 1,
      plan_output: null,
    });
    await world.reach(parent, "completed");
    expect((await world.get(child)).body).toMatchObject({
      state: "completed",
      depth: 1,
      parent_negotiation_id: parent,
      center_rounds: 1,
    });
    expect((await world.get(parent)).body).toMatchObject({
      center_rounds: 1,
      sub_session_ids: [child],
      plan_output: expect.any(String),
    });
    expect(
      world
        .view(parent)
        .events.map((event) => event.event_type)
        .slice(-3),
    ).toEqual(["center.tool_call", "sub_negotiation.started", "plan.ready"]);
  });

  it("cancelling the child lets the parent finish", async () => {
    const { world, parent, child } = await withChild();
    expect((await world.cancel(child)).body).toMatchObject({ state: "completed", participants: [{ state: "active" }] });
    await world.reach(parent, "completed");
    expect((await world.get(child)).body).toMatchObject({ plan_output: null, participants: [{ state: "replied" }] });
    expect(world.view(child)).toMatchObject({
      cancelled: true,
      error: "Invalid state transition: completed -> barrier_waiting",
    });
    expect(world.view(parent).plan_output).toContain("## Plan");
  });

  it("cancelling the parent leaves the child in its last state for ever", async () => {
    const { world, parent, child } = await withChild();
    await world.cancel(parent);
    await world.clock.advance(10_000);
    expect((await world.get(parent)).body).toMatchObject({
      state: "completed",
      plan_output: null,
      sub_session_ids: [child],
    });
    expect((await world.get(child)).body).toMatchObject({ state: "offering", plan_output: null });
  });
});
