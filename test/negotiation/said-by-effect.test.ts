import { describe, expect, it } from "vitest";
import { Standstill } from "../../mock-backend/standstill.ts";
import { buttonsOn } from "../../src/room/tools.ts";
import { ACCEPT, only } from "../ask/pause-support.ts";
import { openRoom } from "../support/room.ts";
import { surfacesOf } from "../support/surfaces.ts";
import { createWorld } from "../support/world.ts";
import { INTENT, paused, waitForOffers } from "./engine-support.ts";

/** What was decided is told by what came of it, and never as if what is written were done. */

describe("a no that hangs while the backend goes on to a plan", () => {
  it.each(["nobody decided", "rejected"] as const)("%s: no surface calls it a success", async (who) => {
    const { world, p, params, id } = await paused({ flags: { mode: "developer" }, config: { wait_budget_s: 5 } });
    world.mock.faults.add({ route: "action", kind: "delay", delayMs: 3_600_000, times: Number.POSITIVE_INFINITY });
    if (who === "rejected") await p.call("towow_demand", { ...params, decision: "reject" });
    await world.clock.advance(310_000);
    expect(only(world)).toMatchObject({ state: "completed", confirmedBy: "timeout", cancelled: false });
    const { result } = await p.call("towow_status", { negotiation_id: id, wait: "done" });
    expect(result.status).toBe("degraded");
    expect(result.summary).toContain("The backend went on without your yes: the demand was broadcast.");
    const late = result.warnings.includes("decision_too_late");
    expect([result.warnings.includes("auto_confirmed"), late]).toEqual([true, who === "rejected"]);
    for (const told of await surfacesOf(world, p, id)) {
      expect(told.text, told.surface).toMatch(
        told.surface === "watch --json" ? /plan is ready/ : /went on without your yes/,
      );
      expect(told.isSuccess ?? false, told.surface).toBe(false);
    }
  });
});

describe("a no behind the person's own yes, that reaches the backend when the plan is there", () => {
  it.each([
    ["still on its way", { delayMs: 3_600_000, times: Number.POSITIVE_INFINITY }],
    ["answered: it was over", { delayMs: 20_000, delayWhen: "before" }],
  ] as const)("%s: no surface says that the plan is ready and no more", async (_, slow) => {
    const { world, p, params, id } = await paused({ flags: { mode: "developer" } });
    await p.call("towow_demand", { ...params, decision: "accept" });
    world.mock.faults.add({ route: "action", kind: "delay", ...slow });
    await p.call("towow_demand", { negotiation_id: id, decision: "cancel" });
    await world.clock.advance(310_000);
    expect(only(world)).toMatchObject({ state: "completed", confirmedBy: "user", cancelled: false });
    for (const { surface, text, codes = [], isSuccess } of await surfacesOf(world, p, id)) {
      if (surface !== "reviews") expect([text, ...codes].join("\n"), surface).toMatch(/too late|cancel_too_late/);
      if (surface === "list" || surface === "watch")
        expect(text.replaceAll(/\s+/g, " "), surface).toContain("Your no came too late: it was already over.");
      expect(isSuccess ?? false, surface).toBe(false);
    }
  });
});

const LATE = /did not reach the backend in time|went on by itself/;
const DONE = /withdrawn undecided|was withdrawn/i;

describe("asleep over the deadline, then an answer comes", () => {
  async function asleep(answer?: (form: unknown) => Promise<never>) {
    const world = await createWorld();
    const standstill = new Standstill(world.clock);
    const p = await world.process({ clock: standstill.clock, ...(answer && { answer: answer as never }) });
    const demand = p.start("towow_demand", { intent: INTENT });
    return { world, standstill, p, demand };
  }

  it.each(["accept", "reject", "edit"])("%s by an argument: told by its effect", async (decision) => {
    const { world, standstill, p, demand } = await asleep();
    const { params } = (await world.clock.run(demand)).result.data.resume_with;
    await world.clock.advance(200_000);
    standstill.begin(130_000);
    await world.clock.advance(130_100);
    expect(only(world)).toMatchObject({ state: "completed", confirmedBy: "timeout" });
    world.mock.faults.add({ route: "action", kind: "delay", delayMs: 3_600_000, times: Number.POSITIVE_INFINITY });
    await world.clock.advance(6_000); // the guard has written its withdrawal
    const text = decision === "edit" && { confirmed_text: "Mine" };
    const { result } = await p.call("towow_demand", { ...params, decision, ...text });
    const said = [result.summary, result.error?.message].filter(Boolean).join("\n");
    expect(said).toMatch(LATE);
    expect(said).not.toMatch(DONE);
    expect(result.data?.decision ?? null).toBeNull();
  });

  it.each(["accept", "edit", "reject"])("%s in a form: told by its effect", async (decision) => {
    const content = { decision, ...(decision === "edit" && { confirmed_text: "Mine" }) };
    const answer = async () => {
      await world.clock.sleep(10_000);
      await standstill.over(new AbortController().signal);
      return { action: "accept", content } as never;
    };
    const { world, standstill, demand } = await asleep(answer);
    await world.clock.advance(6_000);
    standstill.begin(320_000);
    world.mock.faults.add({ route: "action", kind: "delay", delayMs: 60_000, times: Number.POSITIVE_INFINITY });
    const { result } = await world.clock.run(demand);
    expect(only(world)).toMatchObject({ state: "completed", confirmedBy: "timeout" });
    const said = [result.summary, result.error?.message].filter(Boolean).join("\n");
    expect(said).toMatch(LATE);
    expect(said).not.toMatch(DONE);
    expect(result.data?.decision ?? null).toBeNull();
  });
});

describe("asleep over the deadline, then a button is pressed", () => {
  it.each(["broadcast", "edit", "withdraw"])("%s on the page: told by its effect", async (button) => {
    const world = await createWorld();
    const standstill = new Standstill(world.clock);
    const p = await world.process({ clock: standstill.clock });
    const id = (await p.call("towow_demand", { intent: INTENT })).result.data.negotiation_id as string;
    const room = await openRoom(world, p, id);
    await room.until(() => room.section("sheet") !== undefined);
    if (button === "edit") {
      await room.press("edit");
      await room.call("setField", { fieldId: "text", value: "Mine" });
    }
    const tool = button === "withdraw" ? "withdraw" : "broadcast";
    const { params } = buttonsOn(room.spec()).find(({ toolName }) => toolName === tool)!;
    standstill.begin(320_000);
    world.mock.faults.add({ route: "action", kind: "delay", delayMs: 3_600_000, times: Number.POSITIVE_INFINITY });
    world.mock.faults.add({ route: "get", kind: "delay", delayMs: 1_000, times: 2 });
    const click = standstill
      .over(new AbortController().signal)
      .then(() => room.room.call("person", tool, params, { hand: { browser: "own_window" } }));
    click.catch(() => {}); // the button may have left the screen
    await world.clock.advance(325_000);
    expect(only(world)).toMatchObject({ state: "completed", confirmedBy: "timeout" });
    const { heading, lead, notes } = room.spec();
    const said = [heading, lead, ...notes.map(({ text }) => text)].join("\n");
    expect(said).toMatch(/went on without your yes/);
    expect(said).not.toMatch(DONE);
  });
});

it("a no that cannot be sent now is not said to be lost: it is written down and goes again", async () => {
  const { world, p, params, id } = await paused();
  for (const route of ["action", "get"] as const)
    world.mock.faults.add({ route, kind: "status", status: 429, headers: { "retry-after": "1" }, times: 400 });
  const { result } = await p.call("towow_demand", { ...params, decision: "reject" });
  expect(result.error?.code).toBe("tool.negotiation.unavailable.no_on_its_way");
  expect(result.error?.message).toContain("is saved");
  expect(`${result.error?.message} ${result.error?.recovery_suggestion}`).not.toMatch(/not sent|try again/i);
  world.mock.faults.clear();
  await world.clock.advance(10_000);
  expect(only(world)).toMatchObject({ cancelled: true });
  expect((await p.call("towow_status", { negotiation_id: id })).result.summary).toContain(
    "The answer to the text was no",
  );
});

describe("a backend that no longer knows it", () => {
  it.each([
    ["undecided", undefined, "Nobody had decided."],
    ["confirmed", "accept", "You had confirmed it."],
  ])("%s: what is written here tells what happened", async (_, decision, sentence) => {
    const world = await createWorld();
    const p = await world.process({
      flags: { mode: "developer" },
      ...(decision === "accept" && { answer: () => ACCEPT }),
    });
    const { result } = await p.call("towow_demand", { intent: INTENT });
    const id = result.data.negotiation_id as string;
    await world.clock.advance(2_000);
    world.mock.faults.add({ route: "get", kind: "status", status: 404, times: Number.POSITIVE_INFINITY });
    const status = await p.call("towow_status", { negotiation_id: id });
    expect(status.result.error?.message).toBe(`${id}: The backend no longer knows it. ${sentence}`);
    for (const { surface, text, ending } of await surfacesOf(world, p, id)) {
      expect(text, surface).not.toMatch(/There is no negotiation|The demand exists as|left to decide|did not answer/);
      if (surface === "watch --json") expect(ending).toBe("not_found");
      if (["watch", "list"].includes(surface)) expect(text, surface).toContain("The backend no longer knows it.");
    }
  });

  it.each([
    ["towow_demand", "reject"],
    ["towow_demand", "cancel"],
    ["towow_action", "cancel"],
  ])("%s, %s: it is not asked for an id that does not exist", async (tool, decision) => {
    const { world, p, params, id } = await paused({ flags: { mode: "developer" } });
    for (const route of ["get", "action"] as const)
      world.mock.faults.add({ route, kind: "status", status: 404, times: Number.POSITIVE_INFINITY });
    const args = tool === "towow_action" ? { negotiation_id: id, action: decision } : { ...params, decision };
    const { result } = await p.call(tool, args);
    expect(result.error?.message).toBe(`${id}: The backend no longer knows it. You had withdrawn it.`);
  });
});

describe("the room of a demand that the backend forgot", () => {
  it.each([
    ["undecided", "It may have been restarted. Nobody had decided."],
    ["rejected", "The answer to the text was no, so the demand is withdrawn. It was not broadcast."],
    ["rejected there", "It may have been restarted. You had withdrawn it."],
  ])("%s: its lead tells what is written here, and nothing else is said", async (what, sentence) => {
    const { world, p, params, id } = await paused();
    const forget = () => {
      for (const route of ["get", "action"] as const)
        world.mock.faults.add({ route, kind: "status", status: 404, times: Number.POSITIVE_INFINITY });
    };
    if (what === "rejected") await p.call("towow_demand", { ...params, decision: "reject" });
    if (what !== "rejected there") forget();
    const room = await openRoom(world, await world.process(), id);
    if (what === "rejected there") {
      await room.until(() => room.section("sheet") !== undefined);
      forget();
      await room.press("withdraw");
    }
    await world.clock.advance(20_000);
    const { heading, lead, notes } = room.spec();
    const isOver = what === "rejected";
    expect([heading, lead]).toEqual([isOver ? "Withdrawn" : "The backend no longer knows this demand", sentence]);
    expect(notes.map(({ text }) => text).join("\n")).not.toMatch(/There is no negotiation|has not answered/);
    expect(JSON.stringify(room.section("bar") ?? "")).not.toMatch(/left to decide/);
  });
});

describe("the review queue", () => {
  it("holds what nobody has read; what is over is not to be cancelled", async () => {
    const { world, id } = await paused({ config: { on_unconfirmed: "leave" } });
    const other = await world.process({ flags: { mode: "developer" } });
    waitForOffers(world);
    await world.clock.advance(310_000);
    const reviews = async () => (await surfacesOf(world, other, id)).find(({ surface }) => surface === "reviews")!;
    const open = await reviews();
    expect(open.codes).toContain("auto_confirmed");
    expect(open.text).toContain("withdraw it if it is not yours");
    await world.clock.advance(120_000);
    expect(only(world).state).toBe("completed");
    const over = await reviews();
    expect(over.text).not.toContain("withdraw it if");
    expect(over.text).toContain("can no longer withdraw it");
  });
});

it("somebody else's text is called that, and not a degraded one", async () => {
  const world = await createWorld();
  const p = await world.process({ flags: { mode: "developer" } });
  const intent = `${INTENT} [[formulated=What the network made of it.]]`;
  const id = (await p.call("towow_demand", { intent })).result.data.negotiation_id as string;
  world.mock.engine.confirm(id, only(world).demand_raw, "other");
  await world.clock.advance(3_000);
  const told = await surfacesOf(world, p, id);
  for (const { surface, codes } of told) expect(codes ?? [], surface).not.toContain("degraded_formulation");
  const report = told.find(({ surface }) => surface === "report")!;
  expect(report.codes).toContain("auto_confirmed");
});

it("cancelled while it is encoded, before any agent was asked: that is said, and no broadcast", async () => {
  const { world, p, params, id } = await paused({ flags: { mode: "developer" } });
  const yes = p.start("towow_demand", { ...params, decision: "accept" });
  await world.clock.until(() => only(world).state === "encoding", { stepMs: 5 });
  const { result } = await p.call("towow_action", { negotiation_id: id, action: "cancel" });
  await world.clock.run(yes);
  expect(only(world)).toMatchObject({ cancelled: true, participants: [] });
  expect(result.summary).toBe("You withdrew this demand. No agent was asked.");
  for (const { surface, text } of await surfacesOf(world, p, id)) {
    expect(text, surface).not.toMatch(/broadcast it|was broadcast|gone out/);
    if (surface !== "reviews") expect(text, surface).toContain("No agent was asked.");
  }
});

it("a demand goes to agents that resonate, and not to every agent", async () => {
  const { world, p, id } = await paused();
  const room = await openRoom(world, p, id);
  const bar = JSON.stringify(room.section("bar"));
  expect(bar).toMatch(/"agents in .+ that resonate"/);
  expect(bar).not.toContain("every agent");
});

it("a command at a sentence's end stands alone, and what follows begins a line", async () => {
  const { world, p, id } = await paused();
  world.mock.faults.add({ route: "get", kind: "html", times: Number.POSITIVE_INFINITY });
  const { result } = await p.call("towow_demand", { negotiation_id: id });
  expect(result.summary).toMatch(/towow-mcp doctor\nWithout a decision, it is withdrawn/);
});
