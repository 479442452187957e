import { describe, expect, it } from "vitest";
import type { Answerer } from "../support/clients.ts";
import { createWorld, PROFILE, type Process, type World } from "../support/world.ts";

/** What results cost and what they carry beside their data (agent layer §2, §5). */

const accept: Answerer = () => ({ action: "accept", content: { decision: "accept" } });
const INTENT = "machine learning";
const reads = ({ mock }: World) => mock.journal.filter(({ method }) => method === "GET").length;

async function finished(flags: Record<string, unknown> = {}) {
  const world = await createWorld();
  const p = await world.process({ answer: accept, flags });
  const { result } = await p.call("towow_demand", { intent: INTENT });
  const id = result.data.negotiation_id as string;
  await p.call("towow_status", { wait: "done" });
  return { world, p, id };
}

describe("a finished negotiation", () => {
  it("is never asked for again: by status, as the whole, or by address; fresh asks", async () => {
    const { world, p, id } = await finished({ mode: "developer" });
    const before = reads(world);
    for (const [name, args] of [
      ["towow_status", { wait: "done" }],
      ["towow_status", { view: "full" }],
      ["towow_get_negotiation", { negotiation_id: id }],
    ] as const)
      expect((await p.call(name, args)).result.meta.cache_hit, name).toBe(true);
    for (const part of ["", "/plan", "/brief", "/graph"])
      await world.clock.run(p.client.readResource({ uri: `towow://negotiations/${id}${part}` }));
    expect(reads(world)).toBe(before);
    const { result } = await p.call("towow_get_negotiation", { negotiation_id: id, fresh: true });
    expect(result.meta.cache_hit).toBeUndefined();
    expect(reads(world)).toBe(before + 1);
  });

  it("is answered where the budget is used up, and where the backend is away", async () => {
    const { world, p, id } = await finished({ mode: "developer", budget_max_backend_requests: 60 });
    while ((await p.call("towow_list_scenes", { fresh: true })).result.error === null);
    world.mock.faults.add({ kind: "drop_before", times: 1_000 } as never);
    const { result } = await p.call("towow_get_negotiation", { negotiation_id: id });
    expect(result.data.plan_output).toBeTruthy();
    for (const part of ["", "/plan", "/brief", "/graph"]) {
      const { contents } = await world.clock.run(p.client.readResource({ uri: `towow://negotiations/${id}${part}` }));
      expect(contents, part).toHaveLength(1);
    }
    await expect(world.clock.run(p.client.readResource({ uri: "towow://negotiations/neg_other" }))).rejects.toThrow(
      "tool.budget.blocked.backend_requests",
    );
  });

  it("asked for afresh it costs a request like any other, and is refused where none is left", async () => {
    const { world, p, id } = await finished({ mode: "developer", budget_max_backend_requests: 60 });
    while ((await p.call("towow_list_scenes", { fresh: true })).result.error === null);
    const before = reads(world);
    const { result } = await p.call("towow_get_negotiation", { negotiation_id: id, fresh: true });
    expect(result.error?.code).toBe("tool.budget.blocked.backend_requests");
    expect(reads(world)).toBe(before);
  });

  it("without a plan is asked for again: nothing says that none comes", async () => {
    const world = await createWorld();
    const p = await world.process({ answer: accept });
    await p.call("towow_demand", { intent: `${INTENT} [[center=fail]]` });
    await p.call("towow_status", { wait: "done" });
    const before = reads(world);
    await p.call("towow_status");
    expect(reads(world)).toBe(before + 1);
  });

  it("a cached list is answered where the budget is used up", async () => {
    const world = await createWorld();
    const p = await world.process({ flags: { mode: "developer", budget_max_backend_requests: 1 } });
    await p.call("towow_list_scenes");
    expect((await p.call("towow_list_scenes")).result.meta.cache_hit).toBe(true);
    expect((await p.call("towow_list_agents", { scene_id: world.sceneId })).result.error).toMatchObject({
      code: "tool.budget.blocked.backend_requests",
    });
  });
});

describe("_meta", () => {
  const metaOf = async (p: Process, world: World, name: string, args: Record<string, unknown> = {}) => {
    const { _meta } = await world.clock.run(p.client.callTool({ name, arguments: args }));
    return _meta as Record<string, never>;
  };

  it("duration, provider, prints, cache key, ledger and provenance", async () => {
    const { world, p, id } = await finished({ budget_max_negotiations: 3 });
    const first = await metaOf(p, world, "towow_status", { negotiation_id: id, view: "full" });
    expect(first).toMatchObject({
      "towow/request_id": expect.stringMatching(/./),
      "towow/duration_ms": expect.any(Number),
      "towow/provider": "127.0.0.1:9",
      "towow/cache_key": expect.stringMatching(/^towow_status:[0-9a-f]{64}$/),
      "towow/fingerprints": {
        input: expect.stringMatching(/^[0-9a-f]{64}$/),
        output: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      "towow/budget": {
        estimated: { backend_reads: 1, backend_writes: 0, negotiations: 0 },
        negotiations: 1,
        left: { negotiations: 2, backend_requests: null },
        blocked_actions: [],
      },
      "towow/provenance": { server: "towow-mcp/test", tool: "towow_status", transport: "stdio" },
    });
    const again = await metaOf(p, world, "towow_status", { view: "full", negotiation_id: id });
    expect(again["towow/fingerprints"]).toEqual(first["towow/fingerprints"]);
    const hits = (meta: Record<string, { cache_hits?: number }>) => meta["towow/budget"]?.cache_hits ?? 0;
    expect(hits(again)).toBe(hits(first) + 1);
  });

  it("counts each request to the backend once, and a known answer not at all", async () => {
    const world = await createWorld();
    const p = await world.process({ flags: { mode: "developer" } });
    const readSoFar = async (name: string, args?: Record<string, unknown>) => {
      const { read, write } = (await metaOf(p, world, name, args))["towow/budget"] as never as Record<string, number>;
      return { said: [read, write], made: [world.mock.journal.length, 0] };
    };
    for (const [name, args] of [
      ["towow_list_scenes"],
      ["towow_list_scenes"],
      ["towow_list_agents", { scope: "all" }],
      ["towow_get_negotiation", { negotiation_id: "neg_000000000000" }],
    ] as const) {
      const { said, made } = await readSoFar(name, args);
      expect(said, name).toEqual(made);
    }
  });

  it("the cache key is the one that references take, however the arguments came", async () => {
    const { world, p } = await finished({ toolset: "all" });
    for (const [name, args] of [
      ["towow_resolve_target", { query: "  latest  " }],
      ["towow_resolve_target", { query: "latest", limit: "5" }],
      ["towow_get_negotiation", { negotiation_id: { ref: `towow://negotiations/${"ID"}` } }],
    ] as const) {
      const filled = JSON.parse(JSON.stringify(args).replace("ID", world.mock.negotiations()[0]?.negotiation_id ?? ""));
      const { _meta, structuredContent } = await world.clock.run(p.client.callTool({ name, arguments: filled }));
      const { cache_key } = (structuredContent as { meta: { cache_key: string } }).meta;
      expect(_meta?.["towow/cache_key"]).toBe(cache_key);
      expect(_meta?.["towow/fingerprints"]).toMatchObject({ input: cache_key.slice(name.length + 1) });
    }
  });

  it("names what was stopped, confirmations too", async () => {
    const { world, p, id } = await finished({ mode: "developer" });
    world.mock.engine.patch(id, {});
    const stranger = await world.process({ flags: { mode: "developer", confirmation_policy: "strict" } });
    await stranger.call("towow_register_agent", { scene_id: world.sceneId, display_name: "A", profile_data: PROFILE });
    const meta = (await metaOf(stranger, world, "towow_status", { negotiation_id: id })) as never as Record<
      string,
      { blocked_actions: string[] }
    >;
    expect(meta["towow/budget"]?.blocked_actions).toEqual(["towow_register_agent"]);
    void p;
  });
});

describe("resume_with of what is blocked, with what it would cost", () => {
  const blocked: Record<
    string,
    (
      world: World,
    ) => Promise<{ p: Process; name: string; args: Record<string, unknown>; resume?: object; cost?: object }>
  > = {
    "tool.policy.blocked.inactive_tool": async (world) => ({
      p: await world.process({}),
      name: "towow_list_scenes",
      args: {},
      resume: { tool: "towow_set_mode", params: { mode: "developer" }, cost: { backend_reads: 0 } },
    }),
    "tool.policy.blocked.inactive_toolset": async (world) => ({
      p: await world.process({}),
      name: "towow_compare",
      args: {},
      resume: { tool: "towow_compare", params: {}, cost: { backend_reads: 1 } },
    }),
    "tool.policy.blocked.profile": async (world) => ({
      p: await world.process({ flags: { profile: "read_only" } }),
      name: "towow_demand",
      args: { intent: INTENT },
      // Nothing goes on from it without the demand, which an error does not give back.
      cost: { negotiations: 1, backend_writes: 2 },
    }),
    "tool.policy.blocked.mode_pinned": async (world) => ({
      p: await world.process({ flags: { mode: "normal" } }),
      name: "towow_set_mode",
      args: { mode: "developer" },
      resume: { tool: "towow_set_mode", params: { mode: "developer" }, cost: { backend_reads: 0 } },
    }),
    "tool.budget.blocked.negotiations": async (world) => {
      const p = await world.process({ answer: accept, flags: { budget_max_negotiations: 1 } });
      await p.call("towow_demand", { intent: INTENT });
      const intent = "something else";
      return {
        p,
        name: "towow_demand",
        args: { intent, scene_id: world.sceneId },
        cost: { negotiations: 1 },
      };
    },
    "tool.budget.blocked.backend_requests": async (world) => {
      const p = await world.process({ flags: { mode: "developer", budget_max_backend_requests: 1 } });
      await p.call("towow_list_scenes");
      return {
        p,
        name: "towow_list_agents",
        args: { scene_id: world.sceneId },
        resume: { params: { scene_id: world.sceneId } },
      };
    },
    "tool.policy.blocked.confirmation_required": async (world) => {
      const p = await world.process({ flags: { mode: "developer", confirmation_policy: "strict" } });
      const { result } = await p.call("towow_submit_demand", { intent: INTENT, scene_id: world.sceneId });
      const { negotiation_id } = result.data;
      await p.call("towow_status", { wait: "done" });
      const args = { negotiation_id, decision: "accept", confirmation_id: "x" };
      return {
        p,
        name: "towow_confirm",
        args,
        resume: { tool: "towow_status", params: { negotiation_id, wait: "change" } },
      };
    },
    "tool.policy.blocked.reference_unseen": async (world) => {
      const { p, id } = await (async () => {
        const p = await world.process({ answer: accept, flags: { toolset: "all" } });
        const { result } = await p.call("towow_demand", { intent: INTENT });
        await p.call("towow_status", { wait: "done" });
        return { p, id: result.data.negotiation_id };
      })();
      const args = { intent: { ref: `towow://negotiations/${id}/plan` }, scene_id: world.sceneId };
      return { p, name: "towow_demand", args, cost: { negotiations: 1 } };
    },
  };

  it.each(Object.keys(blocked))("%s", async (code) => {
    const world = await createWorld();
    const { p, name, args, resume, cost } = (await blocked[code]?.(world)) ?? expect.fail(code);
    const { result, text } = await p.call(name, args);
    expect(result.error).toMatchObject({ code, ...(resume ? { resume_with: resume } : { cost }) });
    if (resume === undefined) return expect(text).toContain(`cost: ${JSON.stringify(result.error?.cost)}`);
    expect(result.error?.resume_with?.cost).toMatchObject({ backend_reads: expect.any(Number) });
    expect(text).toContain(`resume_with: ${JSON.stringify(result.error?.resume_with)}`);
  });
});

it("a text that came with the first towow_confirm is kept for the second", async () => {
  const world = await createWorld();
  const p = await world.process({ flags: { mode: "developer" } });
  const { result } = await p.call("towow_submit_demand", { intent: INTENT, scene_id: world.sceneId });
  const { negotiation_id } = result.data;
  await p.call("towow_status", { wait: "done" });
  const first = await p.call("towow_confirm", {
    negotiation_id,
    confirmed_text: "Somebody for machine learning, soon",
  });
  expect(first.result.warnings).toContain("confirmed_text_kept");
  expect(first.result.data.decision).toBeNull();
  const { confirmation_id } = first.result.data.resume_with.params;
  const second = await p.call("towow_confirm", { negotiation_id, confirmation_id, decision: "edit" });
  expect(second.result.data.decision).toBe("edit");
  const confirms = world.mock.journal.filter(({ path }) => path.endsWith("/confirm"));
  expect(confirms.map(({ body }) => (body as { confirmed_text?: string }).confirmed_text)).toEqual([
    "Somebody for machine learning, soon",
  ]);
});

it("a text that shows nothing is not kept as the person's", async () => {
  const world = await createWorld();
  const p = await world.process({ flags: { mode: "developer" } });
  const { result } = await p.call("towow_submit_demand", { intent: INTENT, scene_id: world.sceneId });
  const { negotiation_id } = result.data;
  const asked = await p.call("towow_confirm", { negotiation_id, confirmed_text: "\u200B\u200B" });
  expect(asked.result.data.formulated_text).toBeTruthy();
  expect(asked.result.warnings).not.toContain("confirmed_text_kept");
});

it("a kept text belongs to the question it was given for, and is gone once that is decided", async () => {
  const world = await createWorld();
  const p = await world.process({ flags: { mode: "developer" } });
  const { result } = await p.call("towow_submit_demand", { intent: INTENT, scene_id: world.sceneId });
  const { negotiation_id } = result.data;
  await p.call("towow_status", { wait: "done" });
  await p.call("towow_confirm", { negotiation_id, confirmed_text: "Somebody for machine learning, soon" });
  world.mock.engine.patch(negotiation_id, { demand_formulated: "Another text of the network's" });
  const again = await p.call("towow_confirm", { negotiation_id });
  expect(again.result.data.formulated_text).toBe("Another text of the network's");
  const { confirmation_id } = again.result.data.resume_with.params;
  const edit = await p.call("towow_confirm", { negotiation_id, confirmation_id, decision: "edit" });
  expect(edit.result.error?.code).toBe("tool.negotiation.invalid.confirmed_text_empty");
  expect(world.mock.journal.filter(({ path }) => path.endsWith("/confirm"))).toEqual([]);
  const { origin } = p.deps.accounts.at(undefined);
  p.deps.session.texts.put(origin, confirmation_id, "Mine");
  await p.call("towow_confirm", { negotiation_id, confirmation_id, decision: "edit" });
  expect(p.deps.session.texts.get(origin, confirmation_id)).toBeUndefined();
});
