import { describe, expect, it } from "vitest";
import { cancels, confirms } from "../support/backend.ts";
import { seenOn } from "../support/facts.ts";
import { createWorld, type ProcessOptions } from "../support/world.ts";
import { ACCEPT, INTENT } from "./pause-support.ts";

const CODE = "tool.policy.blocked.not_submitted_here";
const OWN_WINDOW = { browser: "own_window" } as const;
const DEVELOPER: ProcessOptions = { flags: { mode: "developer" } };

/** A demand that waits for its person, submitted in another home, and a client of this one. */
async function elsewhere(options: ProcessOptions = {}) {
  const world = await createWorld();
  const there = await world.process({ ...DEVELOPER, stranger: "elsewhere" });
  const { result } = await there.call("towow_demand", { intent: `${INTENT}. Call me: 13812345678` });
  const p = await world.process({ ...DEVELOPER, ...options });
  return { world, there, p, id: result.data.negotiation_id as string };
}

const decisions = (negotiation_id: string): [string, Record<string, unknown>][] => [
  ["towow_demand", { negotiation_id, decision: "accept" }],
  ["towow_demand", { negotiation_id, decision: "edit", confirmed_text: "Mine" }],
  ["towow_demand", { negotiation_id, decision: "reject" }],
  ["towow_demand", { negotiation_id, decision: "cancel" }],
  ["towow_confirm", { negotiation_id, confirmation_id: "any", decision: "accept" }],
  ["towow_confirm", { negotiation_id, decision: "reject" }],
  ["towow_action", { negotiation_id, action: "cancel" }],
];

it("what does not exist is not found, whatever is decided about it", async () => {
  const p = await (await createWorld()).process(DEVELOPER);
  for (const [tool, args] of decisions("neg_000000000000")) {
    const { result } = await p.call(tool, args);
    expect(result.error?.code, JSON.stringify([tool, args])).toBe("tool.negotiation.not_found.unknown_negotiation");
  }
});

describe("what was not submitted here", () => {
  it("is read as others' text: cleaned, masked and fenced, and taints", async () => {
    const { world, p, id } = await elsewhere();
    for (const [tool, path] of [
      ["towow_status", "/demand_raw"],
      ["towow_get_negotiation", "/demand_formulated"],
      ["towow_demand", "/formulated_text"],
      ["towow_confirm", "/formulated_text"],
    ] as const) {
      const { result, text } = await p.call(tool, { negotiation_id: id });
      expect(result.meta.tainted_paths, tool).toContain(path);
      const [own = "", fenced = ""] = text.split(/<<<foreign \w+\n/);
      expect(own, tool).not.toContain(INTENT);
      expect(fenced, tool).toContain(INTENT);
      expect(text + JSON.stringify(result), tool).not.toContain("13812345678");
    }
    expect(await world.tainted.until()).toBeDefined();
  });

  it("asked for by its address is the same: others' text, fenced, nothing of the other home, and in no list", async () => {
    const { world, there, p, id } = await elsewhere();
    const { asked } = await there.negotiations.facts(id);
    const read = async (uri: string) => {
      const { contents } = await world.clock.run(p.client.readResource({ uri }));
      return contents.map((one) => ("text" in one ? one.text : "")).join("");
    };
    const whole = await read(`towow://negotiations/${id}`);
    expect(await world.tainted.until()).toBeDefined();
    const [own = "", fenced = ""] = whole.split(/<<<foreign \w+\n/);
    expect([own.includes(INTENT), fenced.includes(INTENT)]).toEqual([false, true]);
    for (const secret of ["13812345678", asked[0]?.question_id ?? "?"]) expect(whole).not.toContain(secret);
    for (const part of ["plan", "offers/anybody", "graph", "brief", "evidence"])
      expect(await read(`towow://negotiations/${id}/${part}`).catch(String), part).not.toMatch(
        new RegExp(`13812345678|${asked[0]?.question_id}`),
      );
    for (const list of ["towow://negotiations", "towow://reviews", "towow://evidence/recent", "towow://policy"])
      expect(await read(list), list).not.toContain(id);
    await expect(read(`towow://tasks/${id}/result`)).rejects.toThrow("not found");
  });

  it("is decided on by no argument, whether it was shown or not", async () => {
    const { world, p, id } = await elsewhere();
    for (const shown of [false, true]) {
      if (shown)
        expect((await p.call("towow_demand", { negotiation_id: id })).text).toContain(`towow-mcp confirm ${id}`);
      for (const [tool, args] of decisions(id))
        expect([tool, args.decision, (await p.call(tool, args)).result.error?.code]).toEqual([
          tool,
          args.decision,
          CODE,
        ]);
    }
    expect([confirms(world.mock), cancels(world.mock)]).toEqual([[], []]);
  });

  it("is asked about in no form", async () => {
    const { world, p, id } = await elsewhere({ answer: () => ACCEPT });
    await p.call("towow_demand", { negotiation_id: id });
    for (const [tool, args] of decisions(id)) await p.call(tool, args);
    expect(p.forms).toEqual([]);
    expect([confirms(world.mock), cancels(world.mock)]).toEqual([[], []]);
  });

  it("is decided on, and cancelled, on the page", async () => {
    const { world, p, id } = await elsewhere({
      elicitation: { form: {}, url: {} },
      answer: async () => {
        await p.sends.at(-1)?.decide("accept", "own_window");
        return { action: "accept" };
      },
    });
    await p.call("towow_demand", { negotiation_id: id });
    await p.call("towow_demand", { negotiation_id: id, decision: "accept" });
    expect(p.pages.map(({ negotiationId }) => negotiationId)).toEqual([id, id]);
    expect(confirms(world.mock)).toEqual([]);
    await p.call("towow_demand", { negotiation_id: id, decision: "cancel" });
    expect(cancels(world.mock)).toHaveLength(1);
    expect((await p.negotiations.facts(id)).decided[0]).toMatchObject({ kind: "cancel", by: "page" });
  });

  it("is decided on by the page's and the terminal's own hand only", async () => {
    for (const by of ["form", "argument", "page", "terminal"] as const) {
      const { world, p, id } = await elsewhere();
      const negotiation = await world.clock.run(p.negotiations.get(id));
      const question = await world.clock.run(
        p.negotiations.claimQuestion(negotiation, negotiation.demand_formulated ?? ""),
      );
      const rendering = { ...seenOn(by, negotiation.demand_formulated ?? ""), ...(by === "page" && OWN_WINDOW) };
      const request = { negotiationId: id, kind: "accept", confirmationId: question.id, rendering } as const;
      const decided = await world.clock.run(p.negotiations.decide(request).catch((error) => error));
      const isOwnHand = by === "page" || by === "terminal";
      expect(decided).toMatchObject(isOwnHand ? { kind: "confirmed" } : { code: CODE });
      expect(confirms(world.mock)).toHaveLength(isOwnHand ? 1 : 0);
    }
  });

  it("a decision that answers no question decides nothing, by whichever hand", async () => {
    for (const by of ["page", "terminal"] as const) {
      const { world, p, id } = await elsewhere();
      const rendering = { ...seenOn(by, ""), ...(by === "page" && OWN_WINDOW) };
      const request = { negotiationId: id, kind: "accept", rendering } as const;
      await expect(world.clock.run(p.negotiations.decide(request))).rejects.toMatchObject({
        code: "tool.negotiation.conflict.not_waiting",
      });
      expect(confirms(world.mock)).toEqual([]);
    }
  });
});
