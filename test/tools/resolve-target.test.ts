import { describe, expect, it } from "vitest";
import { createWorld } from "../support/world.ts";
import { read, world } from "./reports-support.ts";

const NO_OFFER = { offer_content: null, offer_capabilities: null };

/** What the backend would answer if nobody had offered anything in these negotiations. */
const withoutOffers =
  (...ids: (string | undefined)[]) =>
  (body: unknown): unknown => {
    const { negotiation_id, participants } = body as { negotiation_id?: string; participants?: object[] };
    if (participants === undefined || !ids.includes(negotiation_id)) return body;
    return { ...(body as object), participants: participants.map((one) => ({ ...one, ...NO_OFFER })) };
  };

describe("towow_resolve_target", () => {
  it.each([
    ["AI 创业合伙人", "scene", 1],
    ["ai创业合伙人", "scene", 0.9],
    ["创业合伙人", "scene", undefined],
  ] as const)("%s: a %s, best with %s", async (query, kind, confidence) => {
    const { p } = await world(0);
    const { data } = (await p.call("towow_resolve_target", { query })).result;
    expect(data.candidates[0].kind).toBe(kind);
    if (confidence === undefined) expect(data.best).toBeNull();
    else expect(data.best.confidence).toBeGreaterThanOrEqual(confidence);
  });

  it("finds own negotiations by id, by their words, and the latest", async () => {
    const { p, ids } = await world(2);
    const best = async (query: string) => (await p.call("towow_resolve_target", { query })).result.data.best;
    expect(await best(ids[0] ?? "")).toMatchObject({ negotiation_id: ids[0], confidence: 1 });
    expect(await best("latest")).toMatchObject({ negotiation_id: ids[1] });
    const { candidates } = (await p.call("towow_resolve_target", { query: "医院信息系统 产品设计师" })).result.data;
    expect(candidates.filter(({ kind }: { kind: string }) => kind === "negotiation")).toHaveLength(2);
  });

  it("names every address of what it found, and the keys of earlier results about it", async () => {
    const { p, world: w, ids } = await world(2);
    const compared = await p.call("towow_compare", { negotiation_ids: ids });
    const merged = await p.call("towow_graph_merge", { sources: [ids[0]] });
    const { best } = (await p.call("towow_resolve_target", { query: ids[0] })).result.data;
    const own = `towow://negotiations/${ids[0]}`;
    expect(best.uris).toEqual([own, `${own}/graph`, `${own}/brief`, `${own}/plan`]);
    for (const uri of best.uris) expect(await read(p, w, uri)).not.toBe("");
    expect(best.cache_keys.slice(0, 2)).toEqual([merged.result.meta.cache_key, compared.result.meta.cache_key]);
    const other = (await p.call("towow_resolve_target", { query: ids[1] })).result.data.best;
    expect(other.cache_keys).not.toContain(merged.result.meta.cache_key);
    const scene = (await p.call("towow_resolve_target", { query: w.sceneId, kinds: ["scene"] })).result.data.best;
    expect(scene.uris).toEqual([`towow://scenes/${w.sceneId}`, `towow://scenes/${w.sceneId}/agents`]);
  });

  it("finds the oldest of more negotiations than are read at once", async () => {
    const { p, ids } = await world(7, { max_active_negotiations: 20 });
    const { data } = (
      await p.call("towow_resolve_target", { query: "医院信息系统的人，第0次", kinds: ["negotiation"] })
    ).result;
    expect(data.candidates[0]).toMatchObject({ kind: "negotiation", id: ids[0] });
  });

  it("finds an agent that took part, and is not certain of what it does not know", async () => {
    const { p, world: w } = await world();
    const name = w.mock.negotiations()[0]?.participants[0]?.display_name ?? "";
    const found = (await p.call("towow_resolve_target", { query: name, kinds: ["agent"] })).result.data;
    expect(found.best).toMatchObject({ kind: "agent" });
    const nothing = (await p.call("towow_resolve_target", { query: "zzzz qqqq" })).result;
    expect([nothing.status, nothing.data.best, nothing.data.candidates]).toEqual(["empty", null, []]);
  });

  it("says of an agent in which negotiation it was found, and where its offer there is read", async () => {
    const { p, world: w, ids } = await world(2);
    const offered = w.mock.negotiations()[0]?.participants.find(({ offer_content }) => offer_content !== null);
    const { agent_id = "", display_name = "" } = offered ?? {};
    const query = { query: display_name, kinds: ["agent"] };
    const { data } = (await p.call("towow_resolve_target", query)).result;
    const uri = `towow://negotiations/${ids[1]}/offers/${agent_id}`;
    expect(data.candidates[0]).toMatchObject({ id: agent_id, negotiation_id: ids[1], uri });
    expect(data.best).toMatchObject({ agent_id, negotiation_id: ids[1] });
    expect(await read(p, w, uri)).toContain("<<<foreign");
    expect(data.next_actions).toEqual([
      { tool: "towow_compare", params: { negotiation_ids: [ids[1]] } },
      { tool: "towow_docs_read", params: { uri } },
    ]);
    p.settings.toolset = "reports";
    const reports = (await p.call("towow_resolve_target", query)).result.data;
    expect(reports.next_actions).toEqual(data.next_actions.slice(0, 1));
  });

  it("of several negotiations with an agent it names the newest that has its offer", async () => {
    const { world: w, ids } = await world(2);
    const offered = w.mock.negotiations()[0]?.participants.find(({ offer_content }) => offer_content !== null);
    const { agent_id = "", display_name = "" } = offered ?? {};
    const candidate = async (...without: (string | undefined)[]) => {
      w.rewrite = withoutOffers(...without);
      const p = await w.process({ config: { toolset: "all" } }); // it has read none of them yet
      const { data } = (await p.call("towow_resolve_target", { query: display_name, kinds: ["agent"] })).result;
      return data.candidates[0];
    };
    expect(await candidate(ids[1])).toMatchObject({ id: agent_id, negotiation_id: ids[0] });
    const none = await candidate(...ids);
    expect(none).toMatchObject({ id: agent_id, negotiation_id: ids[1] });
    expect(none.uri).toBeUndefined(); // nothing was offered: there is nothing to read
  });

  it("gives no address that holds what reads like a secret", async () => {
    const { world: w, ids } = await world();
    const agent_id = "ghp_0123456789abcdefABCDEF0123456789abcd";
    w.rewrite = (body) => {
      const { participants } = body as { participants?: object[] };
      if (participants === undefined) return body;
      return {
        ...(body as object),
        participants: participants.map((one) => ({ ...one, agent_id, display_name: "zq7" })),
      };
    };
    const p = await w.process({ config: { toolset: "all" } });
    const { data } = (await p.call("towow_resolve_target", { query: "zq7", kinds: ["agent"] })).result;
    expect(data.candidates[0]).toMatchObject({ kind: "agent", negotiation_id: ids[0] });
    expect(data.candidates[0].uri).toBeUndefined();
    expect(data.next_actions.map(({ tool }: { tool: string }) => tool)).toEqual(["towow_compare"]);
  });

  it("of an agent that only the scene lists, nothing is said of a negotiation", async () => {
    const { p, world: w } = await world(0);
    const { agents } = (await p.call("towow_list_agents", { scene_id: w.sceneId })).result.data;
    const query = { query: agents[0].display_name, kinds: ["agent"] };
    const { data } = (await p.call("towow_resolve_target", query)).result;
    expect(data.candidates[0]).toMatchObject({ id: agents[0].agent_id });
    expect([data.candidates[0].negotiation_id, data.candidates[0].uri, data.next_actions]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });

  it("one that the backend has lost hides no other", async () => {
    const { world: w, ids } = await world(2);
    const p = await w.process({ config: { toolset: "all" } });
    const body = JSON.stringify({ detail: "Negotiation not found" });
    w.mock.faults.add({ route: "get", kind: "status", status: 404, body }); // the newest is read first
    const query = { query: "医院信息系统 产品设计师", kinds: ["negotiation"] };
    const { result } = await p.call("towow_resolve_target", query);
    expect(result.data.candidates).toEqual([expect.objectContaining({ id: ids[0] })]);
  });

  it("a backend that cannot list is no failure", async () => {
    const w = await createWorld({ legacyRoutes: true });
    const p = await w.process({ config: { toolset: "all" } });
    const { result } = await p.call("towow_resolve_target", { query: "x" });
    expect(result.warnings).toEqual(expect.arrayContaining(["scenes_not_listed"]));
    const id = await p.call("towow_resolve_target", { query: "scene_0123456789ab" });
    expect(id.result.data.best).toMatchObject({ scene_id: "scene_0123456789ab" });
  });
});
