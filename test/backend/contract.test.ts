import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import * as contract from "../../src/backend/contract.ts";

const schemas = Object.entries<unknown>(contract).filter(
  (entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType,
);

const participant = fc.record(
  {
    agent_id: fc.string(),
    display_name: fc.oneof(fc.string(), fc.constant(null)),
    resonance_score: fc.oneof(fc.double(), fc.constantFrom("0.5", "-3", "abc", null)),
    state: fc.oneof(fc.string(), fc.constant(null)),
    offer_content: fc.jsonValue(),
    offer_capabilities: fc.oneof(fc.array(fc.oneof(fc.string(), fc.jsonValue())), fc.string(), fc.constant(null)),
  },
  { requiredKeys: [] },
);
const negotiationLike = fc.record(
  {
    negotiation_id: fc.stringMatching(/^\w[\w-]{0,127}$/),
    state: fc.oneof(fc.constantFrom("CREATED", "formulated", "Barrier_Waiting"), fc.string()),
    demand_raw: fc.oneof(fc.string(), fc.jsonValue()),
    demand_formulated: fc.jsonValue(),
    participants: fc.oneof(fc.array(participant), fc.constant(null)),
    plan_output: fc.jsonValue(),
    center_rounds: fc.oneof(fc.integer(), fc.constantFrom("2", null)),
    depth: fc.oneof(fc.integer(), fc.constant(null)),
    parent_negotiation_id: fc.oneof(fc.string(), fc.constant(null)),
    sub_session_ids: fc.oneof(fc.array(fc.string({ minLength: 1 })), fc.constant(null)),
    something_new: fc.jsonValue(),
  },
  { requiredKeys: ["negotiation_id", "state"] },
);

describe("inbound", () => {
  test.each(schemas)("%s: whatever JSON comes, it is parsed or refused, and nothing is thrown", (_name, schema) => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(() => schema.safeParse(value)).not.toThrow();
      }),
    );
  });

  test("any negotiation with its id and state parses, whatever else is missing or strange", () => {
    fc.assert(
      fc.property(negotiationLike, (wire) => {
        const parsed = contract.negotiationSchema.parse(JSON.parse(JSON.stringify(wire)));
        const word = wire.state.trim().toLowerCase();
        expect(parsed.state).toBe(/^[a-z][\w-]{0,23}$/.test(word) ? word : "unknown");
        expect(parsed.participants).toHaveLength(wire.participants?.length ?? 0);
        for (const score of parsed.participants) expect(Number.isFinite(score.resonance_score)).toBe(true);
        expect(parsed).not.toHaveProperty("something_new");
      }),
    );
  });

  test("the least negotiation gets every default", () => {
    expect(
      contract.negotiationSchema.parse({ negotiation_id: "neg_1", state: " OFFERING ", participants: [{}] }),
    ).toEqual({
      negotiation_id: "neg_1",
      state: "offering",
      demand_raw: "",
      demand_formulated: null,
      participants: [
        {
          agent_id: "",
          display_name: "",
          resonance_score: 0,
          hasNoScore: true,
          state: "",
          offer_content: null,
          offer_capabilities: null,
        },
      ],
      plan_output: null,
      center_rounds: 0,
      depth: 0,
      parent_negotiation_id: null,
      sub_session_ids: [],
    });
  });

  test.each([
    [null, null],
    [undefined, null],
    ["", ""],
    ["text", "text"],
    [{ plan: ["a"] }, '{"plan":["a"]}'],
    [0, "0"],
    [false, "false"],
  ])("plan_output and demand_formulated %j → %j", (wire, read) => {
    const parsed = contract.negotiationSchema.parse({
      negotiation_id: "n",
      state: "completed",
      plan_output: wire,
      demand_formulated: wire,
    });
    expect(parsed).toMatchObject({ plan_output: read, demand_formulated: read });
  });

  test.each([
    [-0.25, -0.25],
    ["0.5", 0.5],
    [" 1e2 ", 100],
    ["", 0],
    ["high", 0],
    [{ score: 1 }, 0],
    [null, 0],
  ])("a score of %j → %j", (wire, read) => {
    expect(contract.participantSchema.parse({ resonance_score: wire }).resonance_score).toBe(read);
  });

  test("an unknown state passes through", () => {
    expect(contract.negotiationSchema.parse({ negotiation_id: "n", state: "Paused_By_Human" }).state).toBe(
      "paused_by_human",
    );
  });

  test.each(["call it", "a/b", "a\nb", "..", "x".repeat(129)])(
    "%j is an id that no call can carry",
    (negotiation_id) => {
      expect(contract.negotiationSchema.safeParse({ negotiation_id, state: "created" }).success).toBe(false);
    },
  );

  test.each([{}, { negotiation_id: "n" }, { state: "created" }, { negotiation_id: "", state: "x" }, [], null, "ok"])(
    "%j is no negotiation",
    (wire) => expect(contract.negotiationSchema.safeParse(wire).success).toBe(false),
  );

  test.each([
    ["50,000 characters", "x".repeat(50_000), true],
    ["one more", "x".repeat(50_001), false],
    ["5,000 invisible ones", "\u202E".repeat(5_000), true],
    ["6,000 invisible ones, which are written out as 54,000", "\u202E".repeat(6_000), false],
    ["20,000 with a joiner in every tenth place, as Persian has them", "ماشین\u200Cهای ".repeat(2_000), true],
  ])("a text that is to be decided on has %s: %#", (_, text, shown) => {
    const wire = { negotiation_id: "n", state: "formulated", demand_raw: "\u202E".repeat(20_000) };
    expect(contract.negotiationSchema.safeParse({ ...wire, demand_formulated: text }).success).toBe(shown);
  });

  test("nesting beyond the stack is a ZodError", () => {
    const deep = JSON.parse("[".repeat(50_000) + "]".repeat(50_000));
    const parsed = contract.negotiationSchema.safeParse({ negotiation_id: "n", state: "x", plan_output: deep });
    expect(parsed.error?.issues[0]).toMatchObject({ path: ["plan_output"], message: "nested too deeply" });
  });
});

describe("offers", () => {
  test.each([
    [
      ["a", 1, null, { b: 2 }],
      ["a", "1", '{"b":2}'],
    ],
    ["a", ["a"]],
    [{}, null],
    [undefined, null],
    [[], []],
  ])("offer_capabilities %j → %j", (wire, read) => {
    expect(contract.participantSchema.parse({ offer_capabilities: wire }).offer_capabilities).toEqual(read);
  });

  test.each([[{ any: ["json"] }], [5], [""]])("offer_content %j stays as it is", (wire) => {
    expect(contract.participantSchema.parse({ offer_content: wire }).offer_content).toEqual(wire);
  });
});

describe("outbound", () => {
  const demand = { scene_id: "s", user_id: "u", intent: "" };

  test("an absent optional field stays absent", () => {
    expect(contract.submitDemandInput.parse(demand)).toEqual(demand);
    expect(contract.confirmInput.parse({})).toEqual({});
  });

  test.each([{ k_star: null }, { k_star: undefined }, { min_score: "1" }, { unknown: 1 }])("%j is refused", (extra) =>
    expect(contract.submitDemandInput.safeParse({ ...demand, ...extra }).success).toBe(false),
  );
});
