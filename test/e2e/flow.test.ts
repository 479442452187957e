import { describe, expect, it } from "vitest";
import { cancels, confirms, runningMock, submits } from "../support/backend.ts";
import {
  type Answerer,
  declining,
  legacyClient,
  modernClient,
  type Session,
  type StdioTarget,
} from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { sendProfile } from "../support/profile.ts";
import { toolsOf } from "../support/tools-of.ts";

const PROFILE = {
  skills: ["TypeScript", "Python", "distributed systems"],
  bio: "Engineer who builds small, reliable services and likes to ship them.",
  experience: "Eight years of backend work.",
  capabilities: ["prototype in two weeks"],
};
const INTENT = "I need a product designer for a hospital queue pilot";

const forms = [
  ["2025 era, form", legacyClient],
  ["2026-07-28, form", modernClient],
] as const;

async function setUp(connect: typeof legacyClient, answer?: Answerer, env: Record<string, string> = {}) {
  const mock = await runningMock();
  const home = await temporaryHome();
  const target: StdioTarget = { env: { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url, ...env } };
  const session = await connect(target, answer);
  return { mock, home, session };
}

async function join(session: Session) {
  const first = await session.call("towow_join", { scene: "AI 创业合伙人", raw_content: "I build things." });
  expect(first.result.data.guiding_prompt).toContain("skills");
  const second = await sendProfile(session.call, "towow_join", {
    ...first.result.data.resume_with.params,
    display_name: "Lin",
    profile_data: PROFILE,
  });
  expect(second.result).toMatchObject({ status: "ok", data: { already_joined: false } });
  return second.result.data;
}

describe.each(forms)("%s", (_, connect) => {
  it("accept: join, demand, form, plan", async () => {
    const { mock, session } = await setUp(connect, () => ({ action: "accept", content: { decision: "accept" } }));
    await join(session);
    const asked: string[] = [];
    const demand = await session.call("towow_demand", { intent: INTENT }, { onProgress: (m) => asked.push(m) });
    expect(session.forms).toHaveLength(1);
    const [negotiation] = mock.negotiations();
    expect(session.forms[0]?.message.startsWith(String(negotiation?.demand_formulated))).toBe(true);
    expect(demand.result).toMatchObject({ status: "ok", data: { decision: "accept", decided_by: "form" } });
    expect(asked.length).toBeGreaterThan(0);

    const status = await session.call("towow_status", { wait: "done" });
    expect(status.result.data).toMatchObject({ state: "completed" });
    expect(status.result.data.plan_output).toBeTruthy();
    expect(status.result.summary).toContain("plan is ready");
    expect(confirms(mock)).toHaveLength(1);
    expect(submits(mock)).toHaveLength(1);
    expect(mock.negotiations()[0]?.confirmedText).toBe(negotiation?.demand_formulated);
  });

  it("reject by decline: cancelled at the backend, nothing confirmed", async () => {
    const { mock, session } = await setUp(connect, declining);
    await join(session);
    const demand = await session.call("towow_demand", { intent: INTENT });
    expect(demand.result.data).toMatchObject({ decision: "reject", state: "completed" });
    expect(mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmCount: 0 });
    expect(confirms(mock)).toHaveLength(0);
    const status = await session.call("towow_status");
    expect(status.result.summary).toContain("rejected");
  });

  // The time is the machine's own: on a busy one, a client's own decline may take as long as a person's.
  it("a decline sooner than a person reads is undecided", { retry: 3 }, async () => {
    const { mock, session } = await setUp(connect, () => ({ action: "decline" }));
    await join(session);
    const demand = await session.call("towow_demand", { intent: INTENT });
    expect(demand.result.data).toMatchObject({ state: "formulated", decision: null });
    expect([confirms(mock).length, cancels(mock).length]).toEqual([0, 0]);
  });
});

describe.each([
  ["2025 era, no forms", legacyClient],
  ["2026-07-28, no forms", modernClient],
] as const)("%s", (_, connect) => {
  it.each([
    ["accept", {}, undefined],
    ["edit", { confirmed_text: "Edited by the person." }, "Edited by the person."],
  ])("%s by resume_with", async (decision, extra, expected) => {
    const { mock, session } = await setUp(connect);
    await join(session);
    const demand = await session.call("towow_demand", { intent: INTENT });
    const text = mock.negotiations()[0]?.demand_formulated;
    expect(demand.result.data).toMatchObject({ state: "formulated", formulated_text: text });
    expect(demand.text).toContain(String(text));
    expect(confirms(mock)).toHaveLength(0);
    const { tool, params } = demand.result.data.resume_with;
    const decided = await session.call(tool, { ...params, decision, ...extra });
    expect(decided.result).toMatchObject({ data: { decision, decided_by: "argument" } });
    expect(decided.result.warnings).toContain("confirmed_by_argument");
    expect(mock.negotiations()[0]?.confirmedText).toBe(expected ?? text);
    const status = await session.call("towow_status", { wait: "done" });
    expect(status.result.warnings).toContain("confirmed_by_argument");
    expect(status.result.data.plan_output).toBeTruthy();
  });
});

it("normal mode lists three tools and the switch; developer mode lists them all", async () => {
  const { session } = await setUp(legacyClient);
  expect(await session.tools()).toEqual(["towow_join", "towow_demand", "towow_status", "towow_set_mode"]);
  const refused = await session.call("towow_list_scenes");
  expect(refused.result.error?.code).toBe("tool.policy.blocked.inactive_tool");
  await session.call("towow_set_mode", { mode: "developer" });
  expect(await session.tools()).toHaveLength(toolsOf("developer").length);
  await expect.poll(() => session.listChanges()).toBeGreaterThan(0);
});
