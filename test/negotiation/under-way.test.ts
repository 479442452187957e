import { expect, it } from "vitest";
import { confirms } from "../support/backend.ts";
import { createWorld, type World } from "../support/world.ts";

/** What is said of a decision that is written down and has not been seen to take effect. */

const INTENT = "A designer for a hospital queue pilot";
const TEXT = "A nurse instead";

/** Two programs of one person; the first holds an edit whose confirm is answered only after `answerMs`. */
async function editedAtTheFirst(world: World, answerMs = 25_000) {
  const [first, second] = [await world.process(), await world.process()];
  const demand = await first.call("towow_demand", { intent: INTENT });
  const { params } = demand.result.data.resume_with as { params: { negotiation_id: string } };
  world.mock.faults.add({ route: "confirm", kind: "delay", delayMs: answerMs });
  const decided = first.start("towow_demand", { ...params, decision: "edit", confirmed_text: TEXT });
  decided.catch(() => {});
  await world.clock.until(() => confirms(world.mock).length === 1);
  return { first, second, decided, id: params.negotiation_id };
}

it.each(["towow_demand", "towow_status"])("%s says that it is not settled, and later that it is", async (tool) => {
  const world = await createWorld();
  const { second, decided, id } = await editedAtTheFirst(world);
  const { result } = await second.call(tool, { negotiation_id: id });
  expect(result.warnings).toContain("decision_pending");
  expect(result.summary).toContain("This decision may not have taken effect yet");
  expect(result.summary).not.toContain("on its way");
  expect(result.data.resume_with).toMatchObject({ tool: "towow_status", params: { wait: "done" } });
  const done = await world.clock.run(decided);
  expect(done.result.warnings).not.toContain("decision_pending");
  await world.clock.advance(1_000);
  const later = await second.call(tool, { negotiation_id: id });
  expect(later.result.warnings).not.toContain("decision_pending");
  expect(world.mock.negotiations()[0]).toMatchObject({ confirmCount: 1, confirmedText: TEXT });
});

it("the program that holds the edit is killed: nothing was promised, and the person is asked again", async () => {
  const world = await createWorld();
  const { first, second, id } = await editedAtTheFirst(world, 3_600_000);
  const { result } = await second.call("towow_demand", { negotiation_id: id });
  expect(result.warnings).toContain("decision_pending");
  world.dead.add(first.pid);
  await world.clock.advance(20_000);
  await second.call("towow_status", { negotiation_id: id });
  const again = await second.call("towow_demand", { negotiation_id: id });
  expect(again.result.data).toMatchObject({ state: "formulated", decision: null });
  expect(again.result.warnings).not.toContain("decision_pending");
});

it("a withdrawal that the backend does not take: not told as taken", async () => {
  const world = await createWorld();
  const p = await world.process();
  const demand = await p.call("towow_demand", { intent: INTENT });
  const { params } = demand.result.data.resume_with as { params: { negotiation_id: string } };
  world.mock.faults.add({ route: "action", kind: "drop_before", times: 3 });
  await p.call("towow_demand", { ...params, decision: "reject" });
  const { result } = await p.call("towow_demand", { negotiation_id: params.negotiation_id });
  expect(result.data).toMatchObject({ decision: "reject", state: "formulated" });
  expect(result.warnings).toContain("decision_pending");
  await world.clock.advance(10_000);
  const later = await p.call("towow_demand", { negotiation_id: params.negotiation_id });
  expect(later.result.warnings).not.toContain("decision_pending");
  expect(world.mock.negotiations()[0]).toMatchObject({ cancelled: true });
});
