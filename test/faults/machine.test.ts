import { describe, expect, it, onTestFinished } from "vitest";
import { createFaultHome, type FaultHome } from "./home.ts";
import type { Machine } from "./machine.ts";
import { countOutsideWork, Dice, SimClock } from "./sim.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** A demand that waits for its decision; `onSubmit` happens while the submit is on its way. */
async function paused(onSubmit: (machine: Machine) => void = () => {}) {
  countOutsideWork();
  const clock = new SimClock();
  const home: FaultHome = createFaultHome(clock, new Dice(1), {
    storeMs: () => 0,
    onRequest: ({ path }) => void (path.endsWith("/submit") && onSubmit(home.machine)),
  });
  onTestFinished(() => home.mock.close());
  const start = () => home.start({ onUnconfirmed: "cancel" });
  const process = await start();
  const call = (args: Record<string, unknown>) => process.call("towow_demand", args, new AbortController().signal);
  const asked = call({ intent: "A designer" });
  await clock.advance(5 * SECOND);
  expect(home.mock.negotiations()).toMatchObject([{ state: "formulated" }]);
  const question = (await asked).result.data.resume_with.params as Record<string, string>;
  return { clock, home, machine: home.machine, process, call, question, start };
}

it("a laptop that slept for two minutes of the pause still withdraws before the deadline", async () => {
  const { clock, home, machine } = await paused();
  machine.sleep(120 * SECOND);
  await clock.advance(300 * SECOND - 6 * SECOND);
  expect(home.mock.negotiations()).toMatchObject([{ cancelled: true }]);
});

it.each([-3_600, 3_600])("a clock that is set by %i s does not let the backend broadcast", async (seconds) => {
  const { clock, home, machine } = await paused();
  machine.setClock(seconds * SECOND);
  await clock.advance(300 * SECOND);
  expect(home.mock.negotiations()).toMatchObject([{ cancelled: true }]);
});

it("a clock that is set back while the submit is on its way does not move the deadline", async () => {
  const { clock, home } = await paused((machine) => machine.setClock(-20 * SECOND));
  await clock.advance(300 * SECOND);
  expect(home.mock.negotiations()).toMatchObject([{ cancelled: true }]);
});

it.each([
  ["is refused", "status", { status: 422 }],
  ["never arrives", "drop_before", {}],
] as const)(
  "after a clock that was set back, a confirm that %s does not let the text go out",
  async (_, kind, more) => {
    const { clock, home, machine, call, question } = await paused();
    machine.setClock(-HOUR);
    for (let i = 0; i < 200; i++) home.mock.faults.add({ route: "confirm", kind, ...more });
    void call({ ...question, decision: "edit", confirmed_text: "A nurse" }).catch(() => {});
    await clock.advance(300 * SECOND);
    expect(home.mock.negotiations()).toMatchObject([{ cancelled: true }]);
  },
);

describe("a program was killed in its pause, and another one, which nobody calls,", () => {
  it("withdraws before the deadline", async () => {
    const { clock, home, process, start } = await paused();
    await start();
    process.kill();
    await clock.advance(300 * SECOND);
    expect(home.mock.negotiations()).toMatchObject([{ cancelled: true }]);
  });

  it("does so although the clock is set back after that", async () => {
    const { clock, home, machine, process, start } = await paused();
    await start();
    await clock.advance(60 * SECOND);
    process.kill();
    machine.setClock(-HOUR);
    await clock.advance(300 * SECOND);
    expect(home.mock.negotiations()).toMatchObject([{ cancelled: true }]);
  });

  it("withdraws at once when it starts with a clock that was set back", async () => {
    const { clock, home, machine, process, start } = await paused();
    process.kill();
    machine.setClock(-HOUR);
    await start();
    await clock.advance(10 * SECOND);
    expect(home.mock.negotiations()).toMatchObject([{ cancelled: true }]);
  });

  it("does not believe a minute of 404s although the clock, set forward, says that the deadline is over", async () => {
    const { clock, home, machine, process, start } = await paused();
    machine.setClock(HOUR);
    process.kill();
    for (let i = 0; i < 60; i++)
      for (const route of ["get", "action"] as const) home.mock.faults.add({ route, kind: "status", status: 404 });
    await start();
    await clock.advance(90 * SECOND);
    home.mock.faults.clear();
    await clock.advance(300 * SECOND);
    expect(home.mock.negotiations()).toMatchObject([{ cancelled: true }]);
  });

  it("carries a decision out whose confirm never arrived, although the clock is set back after that", async () => {
    const { clock, home, machine, process, call, question, start } = await paused();
    await start();
    home.mock.faults.add({ route: "confirm", kind: "drop_before" });
    void call({ ...question, decision: "accept" }).catch(() => {});
    await clock.while(
      (async () => {
        while (!home.mock.journal.some((e) => e.path.endsWith("/confirm"))) await clock.sleep(1);
      })(),
    );
    process.kill();
    machine.setClock(-HOUR);
    await clock.advance(100 * SECOND);
    expect(home.mock.negotiations()).toMatchObject([{ confirmedBy: "user" }]);
  });
});

it("a wait for a decision ends in time, although the clock is set back meanwhile", async () => {
  const { clock, machine, process, question } = await paused();
  const waiting = { negotiation_id: question.negotiation_id, wait: "change" };
  const waited = process.call("towow_status", waiting, new AbortController().signal);
  await clock.advance(5 * SECOND);
  machine.setClock(-HOUR);
  await clock.advance(60 * SECOND);
  expect(await Promise.race([waited, "still waiting"])).toMatchObject({ result: { data: { state: "formulated" } } });
});
