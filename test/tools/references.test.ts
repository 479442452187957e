import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReference, REFERENCE_PATTERN, referenceIn, valueAt } from "../../src/tools/references/parse.ts";
import { submits } from "../support/backend.ts";
import { Reached } from "../support/reached.ts";
import { createWorld } from "../support/world.ts";

const KEY = `towow_compare:${"a".repeat(64)}`;
const accept = () => ({ action: "accept" as const, content: { decision: "accept" } });

describe("a reference", () => {
  it.each([
    ["towow://negotiations/neg_1", { kind: "negotiation", id: "neg_1", part: "", pointer: "" }],
    ["towow://negotiations/neg_1/plan", { kind: "negotiation", id: "neg_1", part: "plan", pointer: "" }],
    [
      "towow://negotiations/neg_1#/plan_output",
      { kind: "negotiation", id: "neg_1", part: "", pointer: "/plan_output" },
    ],
    [
      "towow://negotiations/neg_1/offers/a%2Fb",
      { kind: "negotiation", id: "neg_1", part: "offers", agentId: "a/b", pointer: "" },
    ],
    ["towow://scenes/scene_1/agents", { kind: "scene", id: "scene_1" }],
    [KEY, { kind: "result", key: KEY, pointer: "" }],
    [`${KEY}#/a%20b/0`, { kind: "result", key: KEY, pointer: "/a b/0" }],
    [`towow://cache/${encodeURIComponent(KEY)}#/x`, { kind: "result", key: KEY, pointer: "/x" }],
  ])("%s is read", (ref, parsed) => {
    expect(parseReference(ref)).toEqual(parsed);
    expect(ref).toMatch(new RegExp(REFERENCE_PATTERN));
  });

  it.each([
    "http://evil.example/neg_1",
    "file:///etc/passwd",
    "towow://negotiations/..",
    "towow://negotiations/../x",
    "towow://negotiations/%2e%2e",
    "towow://negotiations/a%2Fb",
    "towow://negotiations/neg_1?page=2",
    "towow://negotiations/neg_1/secret",
    "towow://negotiations/neg_1#plan",
    "towow://negotiations/neg_1#/a#/b",
    "towow://negotiations/%",
    "towow://negotiations/neg_1/offers/%",
    "towow://negotiations/neg_1/offers/",
    "towow://negotiations/neg_1/offers/a/b",
    "towow://evidence/recent",
    "towow://cache/nonsense",
    `towow_compare:${"A".repeat(64)}`,
    "neg_1",
    "",
    "x".repeat(3000),
  ])("%s is none", (ref) => {
    expect(parseReference(ref)).toBeUndefined();
  });

  it("any text is read without harm, and an id that is read may travel in a path", () => {
    const reached = new Reached();
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `towow://negotiations/${text}`),
          fc.stringMatching(/^neg_[\w/?#%. -]{1,12}$/).map((text) => `towow://negotiations/${text}`),
          fc.webUrl(),
        ),
        (ref) => {
          const parsed = parseReference(ref);
          if (parsed !== undefined && reached.when("id" in parsed) && "id" in parsed)
            expect(parsed.id).not.toMatch(/[/\\?#%\s]|\.\./);
        },
      ),
      { numRuns: 1_000 },
    );
    reached.atLeast(10);
  });

  it("stands alone in its object", () => {
    expect(referenceIn({ ref: "x" })).toBe("x");
    for (const other of [{ ref: 1 }, { ref: "x", more: 1 }, ["x"], "x", null, { toString: "x" }])
      expect(referenceIn(other)).toBeUndefined();
  });
});

describe("a pointer", () => {
  it("finds its value, and nothing that is inherited", () => {
    const value = { a: [{ "b/c~": 1 }], length: 2 };
    expect(valueAt(value, "")).toBe(value);
    expect(valueAt(value, "/a/0/b~1c~0")).toBe(1);
    for (const nowhere of [
      "/a/length",
      "/a/-1",
      "/a/00",
      "/__proto__",
      "/constructor/name",
      "/a/0/b",
      "/x/y",
      "/length/x",
    ])
      expect(valueAt(value, nowhere), nowhere).toBeUndefined();
    expect(valueAt(value, "/a".repeat(100))).toBeUndefined();
  });

  it("finds every leaf of any JSON by its own path", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        for (const [pointer, leaf] of leavesOf(value)) expect(valueAt(value, pointer)).toBe(leaf);
      }),
    );
  });
});

function* leavesOf(value: unknown, path = ""): Generator<[string, unknown]> {
  if (value === null || typeof value !== "object") return yield [path, value];
  for (const [key, item] of Object.entries(value))
    yield* leavesOf(item, `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
}

async function finished() {
  const world = await createWorld();
  const p = await world.process({ config: { toolset: "all" }, answer: accept });
  const demand = await p.call("towow_demand", { intent: "找一位产品设计师" });
  const id: string = demand.result.data.negotiation_id;
  const status = await p.call("towow_status", { negotiation_id: id, wait: "done" });
  return {
    world,
    p,
    id,
    demandKey: String(demand.result.meta.cache_key),
    statusKey: String(status.result.meta.cache_key),
  };
}

describe("in a call", () => {
  it("fills in ids, and says what was put in", async () => {
    const { p, id, demandKey } = await finished();
    for (const ref of [
      demandKey,
      `${demandKey}#/negotiation_id`,
      `towow://negotiations/${id}`,
      `towow://negotiations/${id}/plan`,
    ]) {
      const { result } = await p.call("towow_get_negotiation", { negotiation_id: { ref } });
      expect(result.data.negotiation_id).toBe(id);
      expect(result.meta.workflow_resolution).toEqual([{ argument: "negotiation_id", ref, value: id }]);
    }
    const asText = await p.call("towow_get_negotiation", { negotiation_id: JSON.stringify({ ref: demandKey }) });
    expect(asText.result.data.negotiation_id).toBe(id);
  });

  it("says what was put in by this call, also where the answer is kept from another", async () => {
    const { p, id, demandKey } = await finished();
    const get = async (negotiation_id: unknown) =>
      (await p.call("towow_get_negotiation", { negotiation_id })).result.meta;
    const byKey = [{ argument: "negotiation_id", ref: demandKey, value: id }];
    const byUri = [{ argument: "negotiation_id", ref: `towow://negotiations/${id}`, value: id }];
    expect((await get({ ref: demandKey })).workflow_resolution).toEqual(byKey);
    const plain = await get(id);
    expect([plain.cache_hit, plain.workflow_resolution]).toEqual([true, undefined]);
    expect((await get({ ref: `towow://negotiations/${id}` })).workflow_resolution).toEqual(byUri);
  });

  it("leads sources to negotiations and earlier results", async () => {
    const { p, id, demandKey } = await finished();
    const compared = await p.call("towow_compare", { negotiation_ids: [{ ref: demandKey }] });
    expect(compared.result.data.negotiation_ids).toEqual([id]);
    const key = compared.result.meta.cache_key;
    const brief = await p.call("towow_brief_export", { sources: [key], needs: { ref: `${key}#/gaps` } });
    expect(brief.result.data.negotiation_ids).toEqual([id]);
    expect(brief.result.meta.workflow_resolution).toEqual([{ argument: "needs", ref: `${key}#/gaps` }]);
  });

  it("fills in texts from earlier results alone, and never repeats them beside the data", async () => {
    const { world, p, id } = await finished();
    const words = ["Call 13800138000", "<script>\u202Ealert()"];
    world.rewrite = (body) => {
      const { participants } = body as { participants?: object[] };
      return participants === undefined
        ? body
        : { ...(body as object), participants: participants.map((one) => ({ ...one, offer_capabilities: words })) };
    };
    const status = await p.call("towow_get_negotiation", { negotiation_id: id, fresh: true });
    for (const ref of [`towow://negotiations/${id}#/participants/0/offer_capabilities`, `towow://negotiations/${id}`]) {
      const { result, text } = await p.call("towow_compare", { needs: { ref } });
      expect(result.error?.code).toBe("tool.input.not_found.missing_inputs");
      expect(text).toContain("not_a_list_of_texts");
    }
    const ref = `${status.result.meta.cache_key}#/participants/0/offer_capabilities`;
    const { result } = await p.call("towow_compare", { needs: { ref } });
    expect(result.meta.workflow_resolution).toEqual([{ argument: "needs", ref }]);
    expect(result.data.coverage.rows).toHaveLength(2);
    expect(JSON.stringify(result)).not.toMatch(/13800138000|<script>|\u202E/);
  });

  it.each([
    ["http://evil.example/x", "no_reference"],
    ["towow://negotiations/../../etc", "no_reference"],
    [KEY, "not_found"],
    ["towow://scenes/scene_1", "not_an_id"],
  ])("%s is a missing input, and nothing is done", async (ref, reason) => {
    const { p } = await finished();
    const { result, text } = await p.call("towow_get_negotiation", { negotiation_id: { ref } });
    expect(result.error?.code).toBe("tool.input.not_found.missing_inputs");
    expect(text).toContain(reason);
    expect(JSON.parse(result.error?.detail ?? "")).toEqual({
      missing_inputs: [{ argument: "negotiation_id", ref, reason }],
    });
  });

  it("a source is no word that somebody chose either", async () => {
    const { world, p, statusKey } = await finished();
    const before = world.mock.journal.length;
    for (const pointer of ["/participants/0/offer_capabilities/0", "/participants/0/display_name", "/state"]) {
      const { result } = await p.call("towow_compare", { negotiation_ids: [`${statusKey}#${pointer}`] });
      expect(result.error?.code, pointer).toBe("tool.input.not_found.missing_inputs");
    }
    expect(world.mock.journal).toHaveLength(before);
  });

  it("a pointer to a text, to a list or to nothing is no id", async () => {
    const { p, statusKey } = await finished();
    for (const pointer of [
      "/plan_output",
      "/participants",
      "/participants/0/offer_capabilities/0",
      "/nothing",
      "/__proto__",
    ]) {
      const { result } = await p.call("towow_get_negotiation", { negotiation_id: { ref: `${statusKey}#${pointer}` } });
      expect(result.error?.code, pointer).toBe("tool.input.not_found.missing_inputs");
    }
  });

  it("a result is not looked into again: what it holds is no reference", async () => {
    const { p } = await finished();
    const planned = await p.call("towow_plan_workflow", { goal: "compare", negotiation_ids: ["neg_1"], needs: ["x"] });
    const key = planned.result.meta.cache_key;
    const itself = await p.call("towow_compare", {
      negotiation_ids: [{ ref: `${key}#/steps/1/input_refs/sources/0` }],
    });
    expect(itself.result.error?.code).toBe("tool.input.not_found.missing_inputs");
  });

  it("expires after two hours, and the fortieth before it goes", async () => {
    const { world, p, demandKey } = await finished();
    await world.clock.advance(2 * 3_600_000 + 1000);
    const late = await p.call("towow_get_negotiation", { negotiation_id: { ref: demandKey } });
    expect(late.result.error?.code).toBe("tool.input.not_found.missing_inputs");
    const first = (await p.call("towow_resolve_target", { query: "a0" })).result.meta.cache_key;
    for (let i = 1; i <= 40; i++) await p.call("towow_plan_workflow", { goal: "join", scene: `s${i}` });
    expect(await p.deps.session.kept.get(first ?? "")).toBeUndefined();
  });

  it("forty at most also when they all come at once", async () => {
    const { p } = await finished();
    const { kept } = p.deps.session;
    const keys = Array.from({ length: 60 }, (_, i) => `towow_compare:${String(i).padStart(64, "0")}`);
    await Promise.all(keys.map((key) => kept.put(key, { tool: "towow_compare", at: 0, data: key, foreign: [] })));
    const found = await Promise.all(keys.map((key) => kept.get(key)));
    expect(found.filter((result) => result !== undefined)).toHaveLength(40);
  });

  it("what is longer than a megabyte is not kept, and the call stands", async () => {
    const { p } = await finished();
    const put = p.deps.session.kept.put(KEY, { tool: "x", at: 0, data: "x".repeat(5_000_000), foreign: [] });
    expect(await put).toBe(false);
    expect(await p.deps.session.kept.get(KEY)).toBeUndefined();
  });
});

describe("a text that is sent", () => {
  const profile = { display_name: "Lin" };
  it.each([
    ["towow_demand", "intent", {}],
    ["towow_submit_demand", "intent", { scene_id: "scene_0123456789ab" }],
    ["towow_confirm", "confirmed_text", { negotiation_id: "ID" }],
    ["towow_demand", "confirmed_text", { negotiation_id: "ID", decision: "edit" }],
    ["towow_register_agent", "profile_data", { scene_id: "scene_0123456789ab", ...profile }],
    ["towow_join", "profile_data", { scene: "scene_0123456789ab", ...profile }],
    ["towow_join", "raw_content", { scene: "scene_0123456789ab" }],
    ["towow_join", "display_name", { scene: "scene_0123456789ab", profile_data: { bio: "x" } }],
    ["towow_create_scene", "description", { name: "x" }],
    ["towow_demand", "decision", { negotiation_id: "ID" }],
    ["towow_demand", "confirmation_id", { negotiation_id: "ID", decision: "accept" }],
  ] as const)(
    "%s: no reference fills %s; it comes back whole and fenced, and nothing leaves",
    async (tool, field, rest) => {
      const { world, p, id, statusKey } = await finished();
      const before = world.mock.journal.length;
      const args = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value === "ID" ? id : value]));
      for (const ref of [
        `${statusKey}#/plan_output`,
        `towow://negotiations/${id}/plan`,
        `towow://negotiations/${id}#/plan_output`,
      ]) {
        const { result, text } = await p.call(tool, { ...args, [field]: { ref } });
        expect(result.error?.code, ref).toBe("tool.policy.blocked.reference_unseen");
        expect(result.error?.detail?.split("\n").length).toBeGreaterThan(3);
        expect(text).toMatch(/<<<foreign \w+\n## 协商方案/);
        expect(result.meta.tainted).toBe(true);
      }
      const sent = world.mock.journal.slice(before).filter(({ method }) => method !== "GET");
      expect(sent).toEqual([]);
    },
  );

  it("an offer is that of the agent who is named, also where a part of its id names another one", async () => {
    const { world, id } = await finished();
    world.rewrite = (body) => {
      const { participants } = body as { participants?: object[] };
      const ids = ["a", "a/b"];
      return participants === undefined
        ? body
        : {
            ...(body as object),
            participants: participants
              .slice(0, 2)
              .map((one, i) => ({ ...one, agent_id: ids[i], offer_content: `offer of ${ids[i]}` })),
          };
    };
    const p = await world.process({ config: { toolset: "all" } });
    const { result } = await p.call("towow_demand", { intent: { ref: `towow://negotiations/${id}/offers/a%2Fb` } });
    expect(result.error?.code).toBe("tool.policy.blocked.reference_unseen");
    expect(result.error?.detail).toContain("offer of a/b");
  });

  it("a text that only looks like a reference is the text that it is", async () => {
    const { world, p } = await finished();
    const intent = '{"ref":"towow://negotiations/neg_1/plan"}';
    await p.call("towow_demand", { intent });
    expect(submits(world.mock).at(-1)?.body).toMatchObject({ intent });
  });
});

describe("from_cache", () => {
  const finished = async () => {
    const world = await createWorld();
    const p = await world.process({ config: { toolset: "all" }, answer: accept });
    const { negotiation_id } = (await p.call("towow_demand", { intent: "A nurse" })).result.data;
    await p.call("towow_status", { negotiation_id, wait: "done" });
    return { world, p, args: { negotiation_ids: [negotiation_id], needs: ["night shifts"] } };
  };

  it("a tool that reads gives what it gave before, and nothing is asked of the backend", async () => {
    const { world, p, args } = await finished();
    const first = await p.call("towow_compare", args);
    const { length } = world.mock.journal;
    const again = await p.call("towow_compare", { from_cache: true, ...args });
    expect(world.mock.journal).toHaveLength(length);
    expect(again.result).toMatchObject({
      data: first.result.data,
      meta: { cache_hit: true, cache_key: first.result.meta.cache_key, tainted: true },
    });
    expect(again.text).toContain("<<<foreign");
  });

  it("where nothing is kept, for a tool that writes and in another toolset it fails, and nothing is done", async () => {
    const { world, p, args } = await finished();
    const { length } = world.mock.journal;
    const other = await p.call("towow_compare", { ...args, needs: ["days"], from_cache: true });
    expect(other.result.error?.code).toBe("tool.input.not_found.missing_inputs");
    const write = await p.call("towow_demand", { intent: "A nurse", from_cache: true });
    expect(write.result.error).toMatchObject({ code: expect.stringContaining("tool.input.invalid") });
    const normal = await world.process();
    const plain = await normal.call("towow_status", { from_cache: true });
    expect(plain.result.error).toMatchObject({ code: expect.stringContaining("tool.input.invalid") });
    expect(world.mock.journal).toHaveLength(length);
  });
});
