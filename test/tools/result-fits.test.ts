import { describe, expect, it } from "vitest";
import { estimatedTokens } from "../../src/result/tokens.ts";
import { INTENT } from "../ask/pause-support.ts";
import { confirms } from "../support/backend.ts";
import type { Called } from "../support/clients.ts";
import { createWorld, PROFILE, type World } from "../support/world.ts";

const HAN = "通爻网络里的每一份报价都要让当事人读得到也算得清楚不多不少";
const han = (length: number) => HAN.repeat(Math.ceil(length / HAN.length)).slice(0, length);
const MOST = 18_000;

function expectFits({ result, text }: Called): void {
  expect(estimatedTokens(text)).toBeLessThanOrEqual(MOST);
  expect(estimatedTokens(JSON.stringify(result))).toBeLessThanOrEqual(MOST);
}

interface Wire {
  state?: string;
  demand_raw: string;
  demand_formulated: string | null;
  plan_output: string | null;
  participants: object[];
}

const agent = (index: number, offer: unknown) => ({
  agent_id: `agent_${index}`,
  display_name: `${index} 号`,
  resonance_score: 0.7,
  state: "offered",
  offer_content: offer,
  offer_capabilities: ["设计"],
});

/** A negotiation whose answers are changed on their way. */
async function negotiating(change: (wire: Wire) => object, options = {}) {
  const world = await createWorld();
  world.rewrite = (body, { method, url }) =>
    method === "GET" && /negotiations\/neg_\w+$/.test(new URL(url).pathname)
      ? { ...(body as object), ...change(body as Wire) }
      : body;
  const p = await world.process({ flags: { mode: "developer" }, ...options });
  return { world, p };
}

describe("a result fits every client", () => {
  const over = (wire: Wire, offers: unknown[], plan: string) =>
    wire.state === "completed" ? { participants: offers.map((offer, i) => agent(i, offer)), plan_output: plan } : {};

  async function finished(offers: unknown[], plan: string) {
    const { world, p } = await negotiating((wire) => over(wire, offers, plan));
    const { result } = await p.call("towow_demand", { intent: INTENT });
    const { resume_with } = result.data;
    await p.call("towow_demand", { ...resume_with.params, decision: "accept" });
    const called = await p.call("towow_status", { wait: "done", negotiation_id: result.data.negotiation_id });
    return { world, p, called, id: result.data.negotiation_id as string };
  }

  it("ten Chinese offers and a plan are shared fairly; a short one is whole, and each other says where its whole is", async () => {
    const offers = [...Array.from({ length: 9 }, () => han(4_000)), "两周之内可以开始。"];
    const { called, p, id } = await finished(offers, han(16_000));
    const { data, warnings, meta } = called.result;
    expectFits(called);
    expect(warnings).toContain("truncated_output");
    const lengths = (data.participants as { offer_content: string }[]).map(({ offer_content }) => offer_content.length);
    expect(lengths[9]).toBe("两周之内可以开始。".length);
    const long = lengths.slice(0, 9);
    expect(Math.max(...long) - Math.min(...long)).toBeLessThan(20);
    expect(long[0]).toBeGreaterThan(700);
    expect(data.plan_output.length).toBeGreaterThan(3 * long[0]!);
    for (const path of ["/plan_output", ...long.map((_, i) => `/participants/${i}`)])
      expect(meta.truncated_paths, path).toHaveProperty([path], expect.stringContaining(id));
    // Not wasteful either.
    expect(estimatedTokens(JSON.stringify(called.result))).toBeGreaterThan(MOST * 0.85);
    const resource = await p.client.readResource({ uri: `towow://negotiations/${id}` });
    expect(resource.contents[0]?._meta).toMatchObject({
      "towow/warnings": expect.arrayContaining(["truncated_output"]),
      "towow/truncated": expect.arrayContaining(["/plan_output"]),
    });
    const whole = await p.client.readResource({ uri: meta.truncated_paths!["/participants/0"]! });
    expect(JSON.stringify(whole)).toContain(han(2_000));
    expectFits(await p.call("towow_get_negotiation", { negotiation_id: id }));
  });

  it.each<[string, unknown[], string]>([
    ["objects of many short texts", Array.from({ length: 12 }, () => ({ 要点: Array(150).fill(han(30)) })), han(9_000)],
    ["two hundred agents", Array.from({ length: 200 }, (_, i) => han(60 + i)), han(300)],
    ["one offer and a plan in English", ["word ".repeat(800)], "plan ".repeat(3_200)],
    ["emoji", Array.from({ length: 20 }, () => "👩‍👩‍👧".repeat(1_000)), "🎯".repeat(9_000)],
  ])("%s", async (_, offers, plan) => {
    const { called } = await finished(offers, plan);
    expectFits(called);
    const { participants, plan_output } = called.result.data;
    expect(plan_output).not.toBe("");
    for (const { agent_id, state } of participants)
      expect([agent_id, state]).toEqual([expect.stringMatching(/^agent_\d+$/), "offered"]);
  });
});

describe("the text of the pause is never cut", () => {
  const asking = (text: string, options = {}) =>
    negotiating((wire) => (wire.state === "formulated" ? { demand_formulated: text } : {}), options);

  it("one that fits once stands in the data alone", async () => {
    const text = han(9_000);
    const { p } = await asking(text);
    const called = await p.call("towow_demand", { intent: INTENT });
    expectFits(called);
    expect(called.result.data.formulated_text).toBe(text);
    expect(called.result.data.resume_with.needs).toEqual(["decision"]);
    expect(called.text.split(text)).toHaveLength(2);
    const status = await p.call("towow_status", {});
    expectFits(status);
    expect(status.result.data.demand_formulated).toBe(text);
  });

  it("one that is too long goes to the page, and no argument decides on it", async () => {
    const text = han(15_000);
    const { world, p } = await asking(text);
    const called = await p.call("towow_demand", { intent: INTENT });
    expectFits(called);
    const { data, summary, warnings } = called.result;
    expect(data).toMatchObject({ state: "formulated", formulated_text: null });
    expect(warnings).toContain("text_not_shown");
    expect(data.resume_with).toEqual({ tool: "towow_demand", params: { negotiation_id: data.negotiation_id } });
    expect(summary).toContain(`towow-mcp confirm ${data.negotiation_id}`);
    expect(p.opened).toHaveLength(1);
    expect(p.pages).not.toEqual([]);
    const status = await p.call("towow_status", {});
    expectFits(status);
    expect(status.result.data.demand_formulated).toBeNull();
    expect(status.result.data.resume_with.params).not.toHaveProperty("confirmation_id");
    await p.call("towow_demand", { negotiation_id: data.negotiation_id, decision: "accept" });
    expect(confirms(world.mock)).toEqual([]);
  });

  it("a profile that does not fit into a result is shown on the page", async () => {
    const world: World = await createWorld();
    const p = await world.process();
    const args = { scene: world.sceneId, display_name: "Lin", profile_data: { ...PROFILE, experience: han(9_000) } };
    const called = await p.call("towow_join", args);
    expect(called.result.error?.code).toBe("tool.policy.blocked.in_no_form");
    expect(p.opened).toHaveLength(1);
    expect(p.sends[0]?.text).toContain(han(9_000));
    await p.sends[0]?.decide("accept", "own_window");
    expect((await p.call("towow_join", args)).result.data.agent_id).toBeTruthy();
  });
});
