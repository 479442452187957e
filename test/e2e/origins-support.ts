import { expect } from "vitest";
import type { MockOptions } from "../../mock-backend/main.ts";
import type { RunningMock } from "../support/backend.ts";
import type { Session } from "../support/clients.ts";
import { QuietClock } from "../support/quiet-clock.ts";
import { type TwoBackends, twoBackends } from "../support/two-backends.ts";

const OTHER = "tool.negotiation.not_found.other_backend";
export const NOBODY_DECIDED = { confirmCount: 0, confirmedBy: undefined };

/** The same on one clock, which stands: `untilDue` ends when both backends' deadlines have passed. */
export async function twoGuarded(
  b?: MockOptions,
): Promise<TwoBackends & { clock: QuietClock; untilDue(): Promise<void> }> {
  const clock = new QuietClock(Date.now());
  const world = await twoBackends({}, b, { clock });
  return { ...world, clock, untilDue: () => clock.pass(DEADLINE_MS) };
}
/** How long the backend waits for a person. */
const DEADLINE_MS = 300_000;

export const one = (mock: RunningMock) => mock.negotiations()[0];

/** Everything that a tool can do with an id. */
export async function everythingWith(session: Session, params: Record<string, string>) {
  const { negotiation_id } = params;
  const calls: [string, Record<string, unknown>][] = [
    ["towow_status", { negotiation_id }],
    ["towow_status", { negotiation_id, wait: "change" }],
    ["towow_get_negotiation", { negotiation_id }],
    ["towow_demand", { negotiation_id }],
    ["towow_demand", { ...params, decision: "accept" }],
    ["towow_demand", { ...params, decision: "edit", confirmed_text: "Another text" }],
    ["towow_demand", { negotiation_id, decision: "reject" }],
    ["towow_demand", { negotiation_id, decision: "cancel" }],
    ["towow_confirm", { ...params, decision: "accept" }],
    ["towow_confirm", { negotiation_id, decision: "reject" }],
    ["towow_action", { negotiation_id, action: "cancel" }],
    ["towow_action", { negotiation_id, action: "other" }],
  ];
  for (const [tool, args] of calls) {
    const { result } = await session.call(tool, args);
    expect(result.error?.code, `${tool} ${JSON.stringify(args)}`).toBe(OTHER);
  }
  const uri = `towow://negotiations/${negotiation_id}`;
  for (const end of ["", "/plan"]) await expect(session.read(`${uri}${end}`)).rejects.toThrow();
}
