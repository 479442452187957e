import { describe, expect, it } from "vitest";
import type { Fault } from "../../mock-backend/main.ts";
import { cancels, confirms, runningMock, submits } from "../support/backend.ts";
import { modernClient, type Session } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { ALWAYS, demand, INTENT, join, joined, type Paused, paused } from "./bad-backend-support.ts";
import { expectFailure } from "./failure.ts";

describe("a submit", () => {
  it.each<[string, Omit<Fault, "route">, number]>([
    // What else counts as no answer is in test/backend/faults.
    ["done, and no answer", { kind: "drop_after" }, 1],
    ["perhaps done, behind a 502", { kind: "html", status: 502 }, 0],
  ])("%s: sent once, the same refused, allow_duplicate goes through", async (_, fault, made) => {
    const world = await joined();
    const { mock } = world;
    mock.faults.add({ route: "submit", ...fault });
    const lost = await demand(world);
    expectFailure(lost, "tool.backend.timeout.submit_outcome_unknown");
    expect(lost.result.error).toMatchObject({ can_retry: false, next_steps: ["towow_status"] });
    expect([submits(mock).length, mock.negotiations().length]).toEqual([1, made]);

    const again = await demand(world, { intent: ` ${INTENT}\n` });
    expectFailure(again, "tool.negotiation.conflict.submit_outcome_open");
    expect(again.text).toMatch(/allow_duplicate.* 10 min/);
    expect(submits(mock)).toHaveLength(1);

    const wanted = await demand(world, { allow_duplicate: true });
    expect(wanted.result.data).toMatchObject({ state: "formulated", decision: null });
    expect([submits(mock).length, mock.negotiations().length]).toEqual([2, made + 1]);
    expect(new Set(submits(mock).map((entry) => entry.idempotencyKey)).size).toBe(2);
    expect(confirms(mock)).toEqual([]);
  });

  it("done, behind a body cut after its id: it is known by that id, and the same gives it again", async () => {
    const world = await joined();
    world.mock.faults.add({ route: "submit", kind: "cut_body" });
    const asked = await demand(world);
    const [{ negotiation_id: id } = { negotiation_id: "" }] = world.mock.negotiations();
    expect(asked.result.data).toMatchObject({ negotiation_id: id, state: "formulated", decision: null });
    expect((await demand(world)).result).toMatchObject({
      data: { negotiation_id: id },
      warnings: expect.arrayContaining(["duplicate_suppressed"]),
    });
    expect(submits(world.mock)).toHaveLength(1);
    await world.session.close();
    await expect.poll(() => cancels(world.mock).length).toBe(1);
  });

  it("the refusal outlives the program", async () => {
    const world = await joined();
    world.mock.faults.add({ route: "submit", kind: "drop_after" });
    expectFailure(await demand(world), "tool.backend.timeout.submit_outcome_unknown");
    await world.session.close();
    const session = await modernClient({ env: { TOWOW_HOME: world.home, TOWOW_BACKEND_URL: world.mock.url } });
    expectFailure(await demand({ ...world, session }), "tool.negotiation.conflict.submit_outcome_open");
    expect(submits(world.mock)).toHaveLength(1);
  });

  it.each<[string, Omit<Fault, "route">]>([
    ["429", { kind: "status", status: 429 }],
    ["503 with Retry-After", { kind: "status", status: 503, headers: { "retry-after": "1" } }],
  ])("%s: certainly not done, so it goes again, with the same key", async (_, fault) => {
    const world = await joined();
    const { mock } = world;
    mock.faults.add({ route: "submit", ...fault });
    expect((await demand(world)).result.data).toMatchObject({ state: "formulated" });
    expect(submits(mock).map((entry) => entry.status)).toEqual([fault.status, 201]);
    expect(new Set(submits(mock).map((entry) => entry.idempotencyKey)).size).toBe(1);
    expect(mock.negotiations()).toHaveLength(1);
  });

  it("refused: told at once, and the same demand may be sent again", async () => {
    const world = await joined();
    const { mock } = world;
    const body = '{"detail":[{"loc":["body","intent"],"msg":"not today"}]}';
    mock.faults.add({ route: "submit", kind: "status", status: 422, body });
    const refused = await demand(world);
    expectFailure(refused, "tool.input.invalid.rejected_by_backend");
    expect(refused.text).toMatch(/intent.*not today/s);
    expect((await demand(world)).result.data).toMatchObject({ state: "formulated" });
    expect(mock.negotiations()).toHaveLength(1);
  });

  it("slow: one request, one negotiation", async () => {
    const world = await joined();
    world.mock.faults.add({ route: "submit", kind: "delay", delayMs: 1_000, delayWhen: "after" });
    expect((await demand(world)).result.data).toMatchObject({ state: "formulated" });
    expect([submits(world.mock).length, world.mock.negotiations().length]).toEqual([1, 1]);
  });
});

describe("a confirm", () => {
  const accept = (session: Session, params: Paused) => session.call("towow_demand", { ...params, decision: "accept" });

  it.each<[string, Omit<Fault, "route">]>([
    ["a 500", { kind: "plain_500_after" }],
    ["another shape", { kind: "wrong_shape" }],
  ])("done behind %s: confirmed once, with confirm_answer_lost", async (_, fault) => {
    const { mock, session, params } = await paused();
    mock.faults.add({ route: "confirm", ...fault });
    const decided = await accept(session, params);
    expect(decided.result.data).toMatchObject({ decision: "accept", decided_by: "argument" });
    expect(decided.result.warnings).toContain("confirm_answer_lost");
    expect([confirms(mock).length, mock.negotiations()[0]?.confirmCount]).toEqual([1, 1]);
    expectFailure(await accept(session, params), "tool.negotiation.conflict.already_decided");
    const done = await session.call("towow_status", { wait: "done" });
    expect(done.result.data.plan_output).toBeTruthy();
    expect([confirms(mock).length, mock.negotiations()[0]?.confirmCount]).toEqual([1, 1]);
  });

  it("lost on its way: told so, and finished by the same answer", async () => {
    const { mock, session, params } = await paused();
    mock.faults.add({ route: "confirm", kind: "drop_before" });
    const lost = await accept(session, params);
    expectFailure(lost, "tool.backend.timeout.outcome_unknown");
    expect(lost.result.error).toMatchObject({ can_retry: false, next_steps: ["towow_status"] });
    expect([confirms(mock).length, cancels(mock).length, mock.negotiations()[0]?.confirmCount]).toEqual([1, 0, 0]);
    const other = await session.call("towow_demand", { ...params, decision: "edit", confirmed_text: "Another text" });
    expectFailure(other, "tool.negotiation.conflict.already_decided");
    const again = await accept(session, params);
    expect(again.result.data).toMatchObject({ decision: "accept" });
    expect([confirms(mock).length, mock.negotiations()[0]?.confirmCount]).toEqual([2, 1]);
  });

  it("429: certainly not done, so it goes again, with the same key", async () => {
    const { mock, session, params } = await paused();
    mock.faults.add({ route: "confirm", kind: "status", status: 429 });
    expect((await accept(session, params)).result.data).toMatchObject({ decision: "accept" });
    expect(new Set(confirms(mock).map((entry) => entry.idempotencyKey)).size).toBe(1);
    expect(mock.negotiations()[0]?.confirmCount).toBe(1);
  });

  it.each([
    [
      "in another state",
      "Cannot confirm: negotiation is in state FORMULATING",
      "tool.negotiation.conflict.not_formulated",
    ],
    [
      "the engine does not listen",
      "Engine is not waiting for confirmation",
      "tool.negotiation.conflict.engine_not_waiting",
    ],
  ])("refused (%s): the question is open again", async (_, detail, code) => {
    const { mock, session, params } = await paused();
    mock.faults.add({ route: "confirm", kind: "status", status: 409, body: JSON.stringify({ detail }), ...ALWAYS });
    expectFailure(await accept(session, params), code);
    mock.faults.clear();
    expect((await accept(session, params)).result.data).toMatchObject({ decision: "accept" });
    expect(mock.negotiations()[0]?.confirmCount).toBe(1);
  });

  it("a form's answer is not asked for again when its answer was lost", async () => {
    const mock = await runningMock();
    const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url };
    const session = await modernClient({ env }, () => ({ action: "accept", content: { decision: "accept" } }));
    await join(session, mock.sceneId);
    const before = session.forms.length;
    mock.faults.add({ route: "confirm", kind: "plain_500_after" });
    const { result } = await session.call("towow_demand", { intent: INTENT });
    expect(result).toMatchObject({ data: { decided_by: "form" }, warnings: ["confirm_answer_lost"] });
    expect([session.forms.length - before, submits(mock).length, confirms(mock).length]).toEqual([1, 1, 1]);
  });
});

describe("a cancel", () => {
  const reject = (session: Session, { negotiation_id }: Paused) =>
    session.call("towow_demand", { negotiation_id, decision: "reject" });

  it.each<[string, Omit<Fault, "route">]>([["no answer", { kind: "drop_after" }]])(
    "done behind %s: rejected, once",
    async (_, fault) => {
      const { mock, session, params } = await paused();
      mock.faults.add({ route: "action", ...fault });
      const { result } = await reject(session, params);
      expect(result).toMatchObject({ status: "ok", data: { decision: "reject", state: "completed" } });
      expect(cancels(mock)).toHaveLength(1);
      expect(mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmCount: 0 });
    },
  );

  it("lost on its way: told so, and carried out all the same", async () => {
    const { mock, session, params } = await paused();
    mock.faults.add({ route: "action", kind: "drop_before" });
    expectFailure(await reject(session, params), "tool.backend.timeout.outcome_unknown");
    await expect.poll(() => mock.negotiations()[0]?.cancelled).toBe(true);
    expect([cancels(mock).length, confirms(mock).length]).toEqual([2, 0]);
    await expect.poll(async () => (await session.call("towow_status")).result.summary).toMatch(/rejected|拒绝/);
    expectFailure(await reject(session, params), "tool.negotiation.conflict.already_decided");
  });
});
