import { describe, expect, it } from "vitest";
import type { MockOptions } from "../../mock-backend/main.ts";
import { RISK_CODES, type RiskCode } from "../../src/negotiation/risks.ts";
import type { Answerer, Called } from "../support/clients.ts";
import { at } from "../support/json-pointer.ts";
import { createWorld, ORIGIN, PROFILE, type Process, type World } from "../support/world.ts";

/** Each risk, provoked at the mock backend and read through a client. */

const INTENT = "machine learning, python and data";
const accept: Answerer = () => ({ action: "accept", content: { decision: "accept" } });
const undecided: Answerer = () => ({ action: "cancel" });

interface Provoked {
  intent?: string;
  answer?: Answerer;
  options?: MockOptions;
  config?: Record<string, unknown>;
  /** Whether the person has joined the scene. */
  joined?: false;
  /** Profiles of the agents in a scene that is made for it. */
  others?: object[];
  feed?: false;
  /** Before the demand. */
  before?: (world: World) => void;
  /** After it. */
  after?: (world: World, p: Process, id: string) => Promise<unknown>;
}

const leave = { on_unconfirmed: "leave" };
const past = (world: World) => world.clock.advance(310_000);
const offersOf = (content: string) => (world: World) =>
  world.mock.engine.offerWith(() => ({ content, capabilities: [] }));

/** What the encoder cannot read: the agent is seen by nobody. */
const UNREADABLE = { skills: [{ name: "python" }] };

const PROVOKED: Readonly<Record<RiskCode, Provoked>> = {
  auto_confirmed: { answer: undecided, config: leave, after: past },
  decision_too_late: {
    answer: undecided,
    config: leave,
    // The no is written in time, and its cancel reaches nobody.
    async after(world, p, id) {
      world.mock.faults.add({ route: "action", kind: "drop_before", times: 1_000 });
      await p.call("towow_demand", { negotiation_id: id, decision: "reject" });
      await past(world);
    },
  },
  other_text_broadcast: {
    answer: undecided,
    after: async ({ mock, clock }, _p, id) => {
      mock.engine.confirm(id, "Something else altogether", "other");
      await clock.advance(30_000);
    },
  },
  confirmed_text_mismatch: {
    after: async ({ mock }, _p, id) => mock.engine.patch(id, { demand_formulated: "Something else altogether" }),
  },
  withdrawn_late: { answer: undecided, after: withdrawnLate },
  confirmation_failed: {
    before: ({ mock }) => mock.faults.add({ route: "confirm", kind: "drop_before", times: 1_000 }),
    after: past,
  },
  sub_negotiation_open: { intent: `${INTENT} [[center=sub]]` },
  plan_missing: { intent: `${INTENT} [[center=fail]]` },
  plan_fallback: { intent: `${INTENT} [[center=hang]]`, options: { centerTimeoutMs: 2_000 } },
  no_resonance: { intent: `${INTENT} [[resonate=none]]` },
  not_compared: { others: [UNREADABLE] },
  empty_scene: { others: [] },
  no_participants: { others: [UNREADABLE], feed: false },
  degraded_resonance: { intent: `${INTENT} [[encode=fail]]` },
  low_resonance: {
    after: async ({ mock }, _p, id) => {
      const { participants } = mock.engine.get(id);
      mock.engine.patch(id, { participants: participants.map((one) => ({ ...one, resonance_score: 0.51 })) });
    },
  },
  agents_exited: { before: ({ mock }) => mock.engine.offerWith(() => "exit") },
  offer_missing: {
    after: async ({ mock }, _p, id) => {
      const { participants } = mock.engine.get(id);
      const silent = participants.map(({ offer_content: _, ...one }) => ({ ...one, state: "active" as const }));
      mock.engine.patch(id, { participants: silent });
    },
  },
  single_offer: {
    after: async ({ mock }, _p, id) =>
      mock.engine.patch(id, { participants: mock.engine.get(id).participants.slice(0, 1) }),
  },
  degraded_formulation: { joined: false },
  confirmed_by_argument: {},
  much_personal_data: {
    before: offersOf(Array.from({ length: 12 }, (_, i) => `call 138${String(10_000_000 + i)}`).join("\n")),
  },
  cancelled: {
    answer: undecided,
    after: (_world, p, id) => p.call("towow_demand", { negotiation_id: id, decision: "cancel" }),
  },
};

/** As a guard whose machine stood still over the deadline has left it. */
async function withdrawnLate({ mock, clock, facts }: World, _p: Process, id: string): Promise<void> {
  const [key, at] = [{ origin: ORIGIN, id }, clock.now()];
  mock.engine.cancel(id);
  await facts.create(key, "decided.1", { at, kind: "withdraw", by: "guard", owner: { instance: "other", pid: 1 } });
  await facts.create(key, "outcome.1", { at, kind: "cancelled", participants: 0, late: true });
}

async function provoke(code: RiskCode, lang: "zh" | "en"): Promise<Called> {
  const {
    intent = INTENT,
    answer = accept,
    options,
    config,
    joined = true,
    others,
    feed = true,
    before,
    after,
  } = PROVOKED[code];
  const world = await createWorld(options);
  // A scene that the person has not joined is one sentence more than this client's forms can show.
  const byArgument = code === "confirmed_by_argument" || others !== undefined;
  const p = await world.process({
    ...(!byArgument && { answer }),
    flags: { mode: "developer" },
    config: { lang, ...config },
    ...(feed && { feed }),
  });
  if (joined) await join(world);
  before?.(world);
  const scene_id = others === undefined ? world.sceneId : await sceneOf(others, world);
  const demand = await p.call("towow_demand", { intent, scene_id });
  const { negotiation_id = "" } = world.mock.negotiations()[0] ?? {};
  if (byArgument) await p.call("towow_demand", { ...demand.result.data.resume_with.params, decision: "accept" });
  if (!["cancelled", "confirmation_failed"].includes(code) && answer === accept)
    await p.call("towow_status", { negotiation_id, wait: "done" });
  await after?.(world, p, negotiation_id);
  return p.call("towow_get_negotiation", { negotiation_id, fresh: true }); // the mock has changed it behind its end
}

const join = (world: World) => register("user_test", PROFILE, world.sceneId, world);

async function sceneOf(profiles: readonly object[], world: World): Promise<string> {
  const scene = { name: "Its own", description: "", organizer_id: "o" };
  const { scene_id } = (await post("/v1/api/scenes", scene, world)) as { scene_id: string };
  for (const [i, profile] of profiles.entries()) await register(`agent_own_${i}`, profile, scene_id, world);
  return scene_id;
}

const register = (agent_id: string, profile_data: object, sceneId: string, world: World) =>
  post(
    `/v1/api/scenes/${sceneId}/agents`,
    { agent_id, display_name: "Tester", source_type: "mcp", profile_data },
    world,
  );

async function post(path: string, body: object, { mock }: World): Promise<unknown> {
  const request = { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const answer = await mock.fetch(new Request(`${ORIGIN}${path}`, request));
  expect(answer.status).toBe(201);
  return answer.json();
}

const LANGUAGES = { zh: /\p{Script=Han}/u, en: /^[\x20-\x7e…’]+$/ } as const;

describe.each(RISK_CODES)("%s", (code) => {
  it.each(["zh", "en"] as const)(
    "is told with its reason, and its evidence stands in the result (%s)",
    async (lang) => {
      const { result, text } = await provoke(code, lang);
      const risk = result.data.risks?.find((one: { code: string }) => one.code === code);
      expect(risk, text).toBeDefined();
      expect(risk.reason).toMatch(LANGUAGES[lang]);
      expect(() => at(result.data, risk.evidence_path)).not.toThrow();
      expect(text).toContain(risk.reason);
    },
  );
});

it("which score is low is a setting of the person's, and what is low then waits for their second look", async () => {
  const world = await createWorld();
  await join(world);
  const resultWith = async (config: Record<string, unknown>) => {
    const p = await world.process({ answer: accept, flags: { mode: "developer" }, config });
    await p.call("towow_demand", { intent: INTENT, allow_duplicate: true });
    return (await p.call("towow_status", { wait: "done", view: "full" })).result;
  };
  const byDefault = await resultWith({});
  const { participants } = world.mock.negotiations()[0] ?? { participants: [] };
  const best = Math.max(...participants.map(({ resonance_score }) => resonance_score));
  expect(best).toBeGreaterThan(0.55);
  const isLow = ({ code }: { code: string }) => code === "low_resonance";
  expect(byDefault.data.risks?.some(isLow) ?? false).toBe(false);
  const strict = await resultWith({ low_resonance: 1 });
  expect(strict.data.risks.find(isLow).metric).toMatchObject({ name: "best_resonance_score", threshold: 1 });
  expect(strict.warnings).toContain("review_pending");
});
