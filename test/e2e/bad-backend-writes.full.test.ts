import { describe, expect, it } from "vitest";
import type { Fault } from "../../mock-backend/main.ts";
import { cancels, confirms, submits } from "../support/backend.ts";
import type { Session } from "../support/clients.ts";
import { ALWAYS, demand, INTENT, joined, type Paused, paused } from "./bad-backend-support.ts";
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
});

describe("a confirm", () => {
  const accept = (session: Session, params: Paused) => session.call("towow_demand", { ...params, decision: "accept" });

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
});
