import { expect, it, onTestFinished } from "vitest";
import { createFaultHome } from "./home.ts";
import { countCrypto, Dice, SimClock } from "./sim.ts";

const SECOND = 1_000;

async function paused() {
  countCrypto();
  const clock = new SimClock();
  const quiet = { onRequest() {}, historyMs: () => 0, onDecision() {}, onRelease() {}, onPut() {} };
  const home = createFaultHome(clock, new Dice(1), quiet);
  onTestFinished(() => home.mock.close());
  const process = await home.start({ onUnconfirmed: "cancel" });
  void process.call("towow_demand", { intent: "A designer" }, new AbortController().signal);
  await clock.advance(5 * SECOND);
  expect(home.mock.negotiations()).toMatchObject([{ state: "formulated" }]);
  return { clock, home, machine: home.machine };
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
