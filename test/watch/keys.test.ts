import { expect, it } from "vitest";
import { machineWithBackend, NOON } from "../commands/screens-support.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { program } from "../support/program.ts";
import { person } from "../support/terminal.ts";

/** Keys while a negotiation is watched in a terminal. */

const CTRL_C = "\u0003";
const FRAME_MS = 100;

it("what is typed into the question is for the question alone, and a key acts once after it as before it", async () => {
  const it = await machineWithBackend("en", { auth: false });
  it.known();
  const id = await it.demand({ intent: "A designer" });
  const clock = new ManualClock(NOON + 10_000);
  const env = { ...it.env, TERM: "xterm-256color" };
  const user = person(program(["watch", id], { env, clock, terminal: { columns: 100, rows: 40 } }));
  let status: number | null | undefined;
  void user.exit.then((code) => {
    status = code;
  });
  /** Until it stands on the screen below what stood there when the last key was pressed. */
  let from = 0;
  const sees = async (pattern: RegExp, stepMs = FRAME_MS) => {
    while (status === undefined && !pattern.test(user.screen().slice(from))) await clock.advance(stepMs);
    expect(pattern.test(user.screen().slice(from)), `${pattern} stands there`).toBe(true);
  };
  const presses = (keys: string) => {
    from = user.screen().length;
    user.presses(keys);
  };

  await sees(/left to decide/, 0);
  presses("c");
  await sees(/\[a\]ccept/, 0);
  presses("q\r");
  await sees(/Please answer a, e or w/, 0);
  presses(CTRL_C);
  await sees(/Left open\. Nothing was sent\.[\s\S]*1049h[\s\S]*Left open/);
  presses("?");
  await sees(/read the text whole and decide, while/);
  presses("?");
  await sees(/left to decide/);
  presses("q");
  expect(await user.exit).toBe(130);
  expect(it.mock.engine.get(id)).toMatchObject({ confirmCount: 0, cancelled: false });
});
