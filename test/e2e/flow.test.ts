import { describe, expect, it } from "vitest";
import { confirms, runningMock, submits } from "../support/backend.ts";
import { type Answerer, legacyClient, modernClient, type Session, type StdioTarget } from "../support/clients.ts";
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
