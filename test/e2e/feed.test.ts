import { describe, expect, it } from "vitest";
import { type RunningMock, runningMock } from "../support/backend.ts";
import { legacyClient, modernClient, type Session } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { soon } from "../support/soon.ts";

/** What only the feed says, through the built program over real sockets. */

const INTENT = "A technical partner for an AI product: machine learning, data, frontend and product design";

async function finished(connect: typeof legacyClient, intent: string, more: Record<string, string> = {}) {
  const mock = await runningMock();
  const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url, TOWOW_MODE: "developer", ...more };
  const session = await connect({ env }, () => ({ action: "accept", content: { decision: "accept" } }));
  const demand = await session.call("towow_demand", { intent, scene_id: mock.sceneId });
  const { negotiation_id: id } = demand.result.data;
  await session.call("towow_status", { negotiation_id: id, wait: "done" });
  return { mock, session, id };
}

/** Nothing waits for the feed: what it says is there a moment later. */
async function withEvidence(session: Session, id: string) {
  let called = await session.call("towow_get_negotiation", { negotiation_id: id });
  await soon(async () => {
    called = await session.call("towow_get_negotiation", { negotiation_id: id });
    return called.result.data.evidence;
  }).toBeDefined();
  return called;
}

const feedIsLeft = (mock: RunningMock) => soon(() => mock.feedConnections()).toBe(0);

describe.each([
  ["2025 era", legacyClient],
  ["2026-07-28", modernClient],
] as const)("%s", (_, connect) => {
  it("who was left out, the Center's calls and the plan's tasks, as data of others", async () => {
    const { mock, session, id } = await finished(connect, INTENT);
    const { result, text } = await withEvidence(session, id);
    const { evidence, participants } = result.data;
    expect(evidence.left_out.count).toBeGreaterThan(0);
    expect(evidence.left_out.agents[0]).toMatchObject({ resonance_score: expect.any(Number) });
    expect(evidence.center_calls).toEqual(["output_plan"]);
    const assignees = evidence.tasks.map((task: { assignee_id: string }) => task.assignee_id);
    expect(assignees).toEqual(participants.map((one: { agent_id: string }) => one.agent_id));
    expect(evidence.tasks[1].after).toEqual([evidence.tasks[0].id]);
    expect(result.meta.tainted_paths).toContain("/evidence");
    expect(text.indexOf('"left_out"')).toBeGreaterThan(text.indexOf("<<<foreign"));
    await feedIsLeft(mock);
  });

  it("the text of a demand that went out for a gap, and why a text was not enriched", async () => {
    const { session, id } = await finished(connect, `${INTENT} [[center=sub]]`);
    const { result } = await withEvidence(session, id);
    expect(result.data.evidence.sub_demands).toEqual([
      { negotiation_id: result.data.sub_session_ids[0], text: expect.stringContaining("security audit") },
    ]);
    const risk = result.data.risks.find(({ code }: { code: string }) => code === "degraded_formulation");
    expect(risk.reason).toContain("could not read the submitter's profile");
  });
});

it("without a feed everything is as it was: turned off, or not to be had", async () => {
  const { mock, session, id } = await finished(legacyClient, INTENT, { TOWOW_FEED: "off" });
  const { result } = await session.call("towow_get_negotiation", { negotiation_id: id });
  expect(result.data.evidence).toBeUndefined();
  expect(result.data.participants.length).toBeGreaterThan(0);
  expect(mock.feedConnections()).toBe(0);
});
