import { describe, expect, it } from "vitest";
import { RESOURCES } from "../../src/mcp/resources/table.ts";
import { ORIGIN, PROFILE, type Process } from "../support/world.ts";
import { ACCEPT, finished, opened } from "./library-support.ts";

/** What can be read by address: through the protocol's own requests, and through the tools that stand in for them. */

describe("lists", () => {
  it.each(["en", "zh"] as const)("every address and template has its words in %s", async (lang) => {
    const { p } = await opened(lang);
    const { resources } = await p.client.listResources();
    const { resourceTemplates } = await p.client.listResourceTemplates();
    expect(resources.length + resourceTemplates.length).toBeGreaterThan(RESOURCES.length);
    const uris = resources.map(({ uri }) => uri);
    for (const name of ["policy", "tools", "prompts", "schemas", "docs", "reviews", "negotiations", "scenes"])
      expect(uris).toContain(`towow://${name}`);
    for (const { title, description } of [...resources, ...resourceTemplates])
      for (const words of [title, description]) expect(words).toMatch(lang === "zh" ? /\p{Script=Han}/u : /^[A-Z]/);
  });

  it("the guides and the newest negotiations are listed one by one, which is what a client offers to attach", async () => {
    const { p, id } = await finished();
    const changes: string[] = [];
    p.client.setNotificationHandler("notifications/resources/list_changed", () => void changes.push("changed"));
    const { resources } = await p.client.listResources();
    const uris = resources.map(({ uri }) => uri);
    for (const page of ["tools", "errors", "warnings", "confirmation", "references"])
      expect(uris).toContain(`towow://docs/${page}`);
    expect(uris.at(-1)).toBe(`towow://negotiations/${id}`);
    for (let i = 0; i < 6; i++) await p.call("towow_demand", { intent: `demand ${i}` });
    expect(changes).toHaveLength(6);
    const listed = (await p.client.listResources()).resources.filter(({ uri }) => /negotiations\/neg/.test(uri));
    expect(listed).toHaveLength(5);
    expect(listed.map(({ uri }) => uri)).not.toContain(`towow://negotiations/${id}`);
  });

  it("every address that is listed can be read", async () => {
    const { p, read } = await finished();
    const { resources } = await p.client.listResources();
    for (const { uri, mimeType } of resources) {
      const contents = await read(uri);
      expect(contents.text.length, uri).toBeGreaterThan(2);
      expect(contents.mimeType).toBe(mimeType);
    }
  });
});

describe("the person's negotiations", () => {
  const list = async (count: number) => {
    const { world, p, json } = await opened();
    for (let i = 0; i < count; i++) {
      const key = { origin: ORIGIN, id: `neg_${String(i).padStart(3, "0")}` };
      const at = world.clock.now() - i * 3_600_000;
      const owner = { instance: "other", pid: 1 };
      const deadline_at = at + 300_000;
      await world.facts.create(key, "submitted", {
        at,
        user_id: "user_test",
        scene_id: i % 2 === 0 ? "scene_a" : "scene_b",
        deadline_at,
        on_unconfirmed: "cancel",
        owner,
      });
      if (i % 3 === 0) {
        await world.facts.create(key, "decided.1", { at, kind: "reject", by: "form", owner });
        await world.facts.create(key, "outcome.1", { at: at + 1_000, kind: "cancelled", participants: 0 });
      }
    }
    return { world, p, json };
  };

  it("newest first, by state, scene, ending and time; nothing is asked of the backend", async () => {
    const { world, json } = await list(12);
    const before = world.mock.journal.length;
    const all = await json("towow://negotiations");
    expect(all.negotiations.map(({ negotiation_id }: { negotiation_id: string }) => negotiation_id)).toEqual(
      Array.from({ length: 12 }, (_, i) => `neg_${String(i).padStart(3, "0")}`),
    );
    expect(all.negotiations[0]).toMatchObject({ state: "over", ending: "rejected", decision: "reject" });
    const total = async (query: string) => (await json(`towow://negotiations?${query}`)).total;
    expect(await total("state=over")).toBe(4);
    expect(await total("scene_id=scene_b")).toBe(6);
    expect(await total("ending=rejected&scene_id=scene_a")).toBe(2);
    expect(await total("since=2026-11-20T21:00:00Z")).toBe(4);
    expect(await total("until=2026-11-20T21:00:00Z")).toBe(8);
    expect(world.mock.journal.length).toBe(before);
  });

  it("in pages, bound to their filter; none twice, also when a new one comes in between", async () => {
    const { world, p, json } = await list(30);
    const seen: string[] = [];
    let uri = "towow://negotiations?limit=7&scene_id=scene_a";
    for (let page = 0; page < 9; page++) {
      const { negotiations, next_cursor, total } = await json(uri);
      expect(total).toBe(15);
      seen.push(...negotiations.map((one: { negotiation_id: string }) => one.negotiation_id));
      if (next_cursor === null) break;
      uri = `towow://negotiations?limit=7&scene_id=scene_a&cursor=${next_cursor}`;
    }
    expect(seen).toHaveLength(15);
    expect(new Set(seen).size).toBe(15);
    const { next_cursor } = await json("towow://negotiations?limit=7&scene_id=scene_a");
    for (const other of [
      `limit=7&scene_id=scene_b&cursor=${next_cursor}`,
      `cursor=${next_cursor}x`,
      "cursor=abc",
      "limit=0",
      "limit=1000",
      "since=yesterday",
    ])
      await expect(
        world.clock.run(p.client.readResource({ uri: `towow://negotiations?${other}` })),
        other,
      ).rejects.toMatchObject({ code: -32602 });
  });
});

describe("scenes", () => {
  async function crowded() {
    const { world, p, read, json: _ } = await opened("en", { mode: "developer" });
    for (let i = 0; i < 60; i++)
      await p.call("towow_create_scene", {
        name: `Garden club ${i}`,
        description: i === 37 ? "We grow tomatoes in hospitals" : "We grow things",
      });
    const found = async (uri: string) =>
      JSON.parse(/<<<foreign \w+\n([\s\S]*)\n>>>foreign/.exec((await read(uri)).text)?.[1] ?? "");
    return { world, p, found };
  }

  it("are found by their words, the nearest first, in pages; a scene and its agents by its id", async () => {
    const { world, p, found } = await crowded();
    const first = await found("towow://scenes?query=garden");
    expect([first.total, first.scenes.length]).toEqual([60, 50]);
    const second = await found(`towow://scenes?query=garden&cursor=${first.next_cursor}`);
    expect(second.scenes).toHaveLength(10);
    const { scenes } = await found("towow://scenes?query=tomatoes%20hospitals");
    expect(scenes.map(({ name }: { name: string }) => name)).toEqual(["Garden club 37"]);
    expect((await found("towow://scenes?query=医院番茄")).total).toBe(0);
    expect(await found(`towow://scenes/${scenes[0].scene_id}`)).toMatchObject({ name: "Garden club 37" });
    await p.call("towow_register_agent", { scene_id: world.sceneId, display_name: "Ann", profile_data: PROFILE });
    const { agents } = await found(`towow://scenes/${world.sceneId}/agents`);
    expect(agents.map(({ display_name }: { display_name: string }) => display_name)).toContain("Ann");
  });

  it("in normal mode by towow_join with words alone, and nothing is joined by that", async () => {
    const { world } = await crowded();
    const p = await world.process({ answer: () => ACCEPT });
    const { result } = await p.call("towow_join", { scene: "tomatoes for a hospital" });
    expect(result).toMatchObject({ status: "ok", data: { scene_id: null, agent_id: null } });
    expect(result.data.scenes.map(({ name }: { name: string }) => name)).toEqual(["Garden club 37"]);
    const none = await p.call("towow_join", { scene: "quantum" });
    expect(none.result.status).toBe("empty");
    expect(none.result.data.scenes).toHaveLength(10);
    expect(world.mock.journal.filter(({ path }) => path.endsWith("/agents"))).toEqual([]);
    const guide = await p.call("towow_join", { scene: result.data.scenes[0].scene_id, raw_content: "I grow things" });
    expect(guide.result.data.guiding_prompt).toBeTruthy();
  });
});

describe("a negotiation's own addresses", () => {
  it("what the live events said, fenced, and not found where they said nothing", async () => {
    const { read, id } = await finished();
    const { text } = await read(`towow://negotiations/${id}/evidence`);
    expect(text).toMatch(/^<<<foreign/);
    expect(text).toContain('"tasks"');
    const { world, p } = await opened();
    const quiet = await world.process({ answer: () => ACCEPT });
    const { result } = await quiet.call("towow_demand", { intent: "machine learning" });
    const uri = `towow://negotiations/${result.data.negotiation_id}/evidence`;
    await expect(world.clock.run(quiet.client.readResource({ uri }))).rejects.toMatchObject({ code: -32602 });
    void p;
  });

  it("what waits for the person's second look", async () => {
    const { world, p, json } = await opened();
    world.mock.engine.offerWith(() => "exit");
    const { result } = await p.call("towow_demand", { intent: "machine learning" });
    await p.call("towow_status", { wait: "done" });
    const { reviews, about } = await json("towow://reviews");
    expect(about).toContain("towow-mcp reviews");
    expect(reviews).toMatchObject([{ negotiation_id: result.data.negotiation_id }]);
    expect(reviews[0].codes).toContain("agents_exited");
    await p.negotiations.reviews.answer(result.data.negotiation_id, reviews[0].codes, "fine", "terminal");
    expect((await json("towow://reviews")).reviews).toEqual([]);
  });
});

describe("completion", () => {
  const values = async (
    { client }: Process,
    uri: string,
    name: string,
    value: string,
    given?: Record<string, string>,
  ) => {
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri },
      argument: { name, value },
      ...(given && { context: { arguments: given } }),
    });
    return completion.values;
  };

  it("of ids that are written down or in memory, of names, and of a prompt's arguments", async () => {
    const { world, p, id } = await finished();
    const plan = "towow://negotiations/{negotiation_id}/plan{?page}";
    expect(await values(p, plan, "negotiation_id", "neg_")).toEqual([id]);
    expect(await values(p, plan, "negotiation_id", "nothing")).toEqual([]);
    const offer = "towow://negotiations/{negotiation_id}/offers/{agent_id}{?page}";
    expect((await values(p, offer, "agent_id", "", { negotiation_id: id })).length).toBeGreaterThan(0);
    expect(await values(p, offer, "agent_id", "", { negotiation_id: "neg_0" })).toEqual([]);
    expect(await values(p, "towow://scenes/{scene_id}", "scene_id", "")).toContain(world.sceneId);
    expect(await values(p, "towow://tools/{name}", "name", "dem")).toEqual(["towow_demand", "towow_submit_demand"]);
    expect(await values(p, "towow://schemas/{name}", "name", "join.in")).toEqual(["towow_join.input"]);
    expect(await values(p, "towow://prompts/{name}", "name", "on")).toContain("onboarding");
    expect(await values(p, "towow://docs/{page_name}", "page_name", "err")).toEqual(["errors"]);
    expect(await values(p, "towow://elsewhere/{name}", "name", "")).toEqual([]);
    const key = () => values(p, "towow://cache/{cache_key}{?page}", "cache_key", "towow_");
    expect(await key()).toEqual([]);
    const all = await world.process({ flags: { toolset: "all" } });
    const { result } = await all.call("towow_status", { negotiation_id: id });
    const { cache_key } = result.meta as { cache_key: string };
    expect(await values(all, "towow://cache/{cache_key}{?page}", "cache_key", "status")).toEqual([cache_key]);
    const { completion } = await p.client.complete({
      ref: { type: "ref/prompt", name: "review_plan" },
      argument: { name: "negotiation_id", value: "" },
    });
    expect(completion.values).toEqual([id]);
    for (const name of ["join_scene", "submit_demand"]) {
      const scene = { ref: { type: "ref/prompt", name }, argument: { name: "scene", value: "scene_" } } as const;
      expect((await p.client.complete(scene)).completion.values, name).toEqual([world.sceneId]);
    }
  });

  it("of an argument that is called as a member of every object there is nothing", async () => {
    const { p } = await finished();
    for (const name of ["toString", "constructor", "valueOf", "__proto__"]) {
      const { completion } = await p.client.complete({
        ref: { type: "ref/prompt", name: "review_plan" },
        argument: { name, value: "" },
      });
      expect(completion.values, name).toEqual([]);
    }
  });

  it("asks the backend nothing", async () => {
    const { world, p } = await finished();
    const before = world.mock.journal.length;
    for (const { uri, path } of RESOURCES) for (const name of path.variableNames) await values(p, uri, name, "");
    expect(world.mock.journal.length).toBe(before);
  });
});

describe("for clients without resources", () => {
  it("the same by two tools, in their own toolset", async () => {
    const { world, p, id } = await finished();
    await expect(p.client.callTool({ name: "towow_docs_list" })).resolves.toMatchObject({ isError: true });
    const reader = await world.process({ flags: { toolset: "docs" } });
    expect((await reader.client.listTools()).tools.map(({ name }) => name)).toEqual([
      "towow_docs_list",
      "towow_docs_read",
    ]);
    const { result } = await reader.call("towow_docs_list");
    expect(result.data.resources.length + result.data.templates.length).toBeGreaterThan(RESOURCES.length);
    for (const { uri } of result.data.resources) {
      const read = await reader.call("towow_docs_read", { uri });
      expect(read.result.error, uri).toBeNull();
      expect(read.result.data.uri).toBe(uri);
    }
    const plan = await reader.call("towow_docs_read", { uri: `towow://negotiations/${id}/plan` });
    expect(plan.result.meta.tainted_paths).toEqual(["/text"]);
    for (const uri of ["towow://nothing", "towow://policy?x=1", "towow://negotiations?limit=0", "http://example.com"])
      expect((await reader.call("towow_docs_read", { uri })).result.error, uri).toMatchObject({
        code: "tool.input.invalid.address",
        next_steps: ["towow_docs_list"],
      });
  });
});

it("what stands here is read by tools without a budget too; what the backend has to say is not", async () => {
  const { world } = await opened();
  const p = await world.process({ flags: { toolset: "docs", budget_max_backend_requests: 1 } });
  await p.call("towow_docs_read", { uri: "towow://scenes" });
  for (const uri of ["towow://docs/errors", "towow://policy", "towow://negotiations"])
    expect((await p.call("towow_docs_read", { uri })).result.error, uri).toBeNull();
  const { result } = await p.call("towow_docs_read", { uri: "towow://scenes" });
  expect(result.error?.code).toBe("tool.budget.blocked.backend_requests");
});

it("a negotiation that has come to its plan is over in the list", async () => {
  const { json, id } = await finished();
  expect((await json("towow://negotiations?state=over")).negotiations).toMatchObject([{ negotiation_id: id }]);
});
