import { describe, expect, it } from "vitest";
import { StoreUnreachable } from "../../src/store/store.ts";
import type { Answerer } from "../support/clients.ts";
import { createWorld, type Process, type World } from "../support/world.ts";

/** What a repeated `towow_status` costs: what is new to the session, not the whole again. */

const MOST_BYTES = 400;
const accept: Answerer = () => ({ action: "accept", content: { decision: "accept" } });
const undecided: Answerer = () => ({ action: "cancel" });
const bytes = (text: string) => Buffer.byteLength(text);

async function begun(intent: string, answer: Answerer | undefined, lang: "zh" | "en" = "en", feed?: true) {
  const world = await createWorld();
  const p = await world.process({ config: { lang }, ...(answer && { answer }), ...(feed && { feed }) });
  const { result } = await p.call("towow_demand", { intent });
  return { world, p, id: result.data.negotiation_id as string };
}

const until = async (world: World, id: string, state: string) => {
  for (let i = 0; i < 400 && world.mock.engine.get(id).state !== state; i++) await world.clock.advance(50);
  expect(world.mock.engine.get(id).state).toBe(state);
};

const status = async (p: Process, args: Record<string, unknown> = {}) => {
  const { result, text } = await p.call("towow_status", args);
  return { result, text, size: bytes(JSON.stringify(result)), textSize: bytes(text) };
};

describe.each(["en", "zh"] as const)("unchanged, in %s", (lang) => {
  it.each([
    ["with a plan", "machine learning", accept],
    ["with risks", "machine learning [[center=sub]]", accept],
    ["failed", "machine learning [[center=fail]]", accept],
    ["nobody resonates", "machine learning [[resonate=none]]", accept],
    ["waiting for the person's form", "machine learning", undecided],
  ] as const)(
    "%s: both channels fit into 400 bytes, and the whole is there for the asking",
    async (_, intent, answer) => {
      const { world, p, id } = await begun(intent, answer, lang, true);
      if (answer === accept) await until(world, id, "completed");
      const whole = await status(p);
      expect(whole.result.data.view).toBeUndefined();
      const again = await status(p);
      expect(again.result.data).toMatchObject({ negotiation_id: id, state: whole.result.data.state, view: "summary" });
      expect(again.result.status).toBe(whole.result.status);
      expect(again.result.warnings).toEqual(whole.result.warnings);
      expect(again.result.data.resume_with ?? null).toEqual(whole.result.data.resume_with);
      expect(
        [again.size, again.textSize].every((size) => size <= MOST_BYTES),
        JSON.stringify(again),
      ).toBe(true);
      const all = await status(p, { view: "full" });
      expect(all.result.data).toEqual(whole.result.data);
    },
  );
});

it("what is new is given, and nothing else: the offers and then the plan", async () => {
  const { world, p, id } = await begun("machine learning", accept);
  await until(world, id, "offering");
  const first = await status(p);
  const agents = (data: { participants?: { agent_id: string }[] }) =>
    (data.participants ?? []).map((one) => one.agent_id);
  expect(agents(first.result.data).length).toBeGreaterThan(0);
  await until(world, id, "completed");
  const later = await status(p);
  const { data, meta } = later.result;
  expect(data).toMatchObject({ view: "summary", state: "completed", plan_output: expect.stringMatching(/./) });
  expect(data.demand_raw).toBeUndefined();
  expect(data.demand_formulated).toBeUndefined();
  expect(data.participants.every((one: { offer_content: unknown }) => one.offer_content !== null)).toBe(true);
  expect(meta.tainted_paths).toEqual(expect.arrayContaining(["/participants", "/plan_output"]));
  expect((await status(p)).size).toBeLessThanOrEqual(MOST_BYTES);
});

it("a cut offer's pointer leads to it where it stands in the short view", async () => {
  const { world, p, id } = await begun("machine learning", accept);
  await until(world, id, "offering");
  await status(p);
  const { participants } = world.mock.engine.get(id);
  const last = participants.at(-1);
  world.mock.engine.patch(id, {
    participants: participants.map((one) => (one === last ? { ...one, offer_content: "long ".repeat(4_000) } : one)),
  } as never);
  const { result } = await status(p);
  const [path, uri] = Object.entries<string>(result.meta.truncated_paths ?? {}).find(([at]) => at !== "") ?? [];
  expect(uri).toBe(`towow://negotiations/${id}/offers/${last?.agent_id}`);
  expect(result.data.participants[Number(path?.split("/")[2])].agent_id).toBe(last?.agent_id);
});

it("is the whole again for another session, and for one that asked for a summary first", async () => {
  const { world, p, id } = await begun("machine learning", accept);
  await until(world, id, "completed");
  const short = await status(p, { view: "summary" });
  expect(short.result.data).toMatchObject({ view: "summary", state: "completed" });
  expect(short.result.data.plan_output).toBeUndefined();
  expect(short.result.meta.truncated_paths).toEqual({ "": `towow://negotiations/${id}` });
  expect(short.size).toBeLessThanOrEqual(600);
  const whole = await status(p);
  expect(whole.result.data.plan_output).toBeTruthy();
  const other = await world.process({});
  expect((await status(other, { negotiation_id: id })).result.data.plan_output).toBe(whole.result.data.plan_output);
});

it("where the AI passes the decision on, each result holds the text that is decided on", async () => {
  const { p } = await begun("machine learning", undefined);
  const first = await status(p);
  const second = await status(p);
  expect(second.result.data.demand_formulated).toBe(first.result.data.demand_formulated);
  expect(second.result.data.resume_with.params.confirmation_id).toBe(
    first.result.data.resume_with.params.confirmation_id,
  );
});

describe("the other demands that wait", () => {
  it("are counted beside one that waits too", async () => {
    const { p, id } = await begun("A designer", undefined);
    expect((await status(p, { negotiation_id: id })).result.summary).not.toContain("waiting for your decision");
    const other = await p.call("towow_demand", { intent: "A nurse for nights", allow_duplicate: true });
    for (const negotiation_id of [id, other.result.data.negotiation_id as string]) {
      const { result } = await status(p, { negotiation_id, view: "full" });
      expect(result.data.open).toHaveLength(2);
      expect(result.summary).toContain("\n1 other demand waiting for your decision.");
    }
  });

  it("do not include the one that was asked about, which is still being formulated", async () => {
    const world = await createWorld();
    const p = await world.process({ config: { mode: "developer" } });
    const { result } = await p.call("towow_submit_demand", { intent: "A designer", scene_id: world.sceneId });
    const asked = await status(p, { negotiation_id: result.data.negotiation_id });
    expect(asked.result.data).toMatchObject({ state: "created", open: [{}] });
    expect(asked.result.summary).not.toContain("waiting for your decision");
  });
});

it("what is owed to the person is given though the session's store fails before or after", async () => {
  const { world, p, id } = await begun("machine learning", undecided);
  const key = (await world.facts.list()).find((one) => one.id === id)!;
  const { owner } = (await world.facts.read(key)).get("submitted") as { owner: object };
  await world.facts.create(key, "watched.1", { at: world.clock.now(), owner, decisions: 0 }); // it was gone for a while
  const { sentResults } = p.deps.session;
  const { setParts, parts } = sentResults;
  const away = () => Promise.reject(new StoreUnreachable({}));
  Object.assign(sentResults, { parts: away });
  const failed = await status(p, { negotiation_id: id });
  expect(failed.result.error?.code).toBe("tool.config.unavailable.store");
  Object.assign(sentResults, { parts, setParts: away });
  const first = await status(p, { negotiation_id: id });
  expect(first.result.warnings).toContain("pause_was_unguarded");
  Object.assign(sentResults, { setParts });
  expect((await status(p, { negotiation_id: id })).result.warnings).not.toContain("pause_was_unguarded");
});
