import { createFaultHome } from "./home.ts";
import type { Violation } from "./judge.ts";
import type { Mix } from "./mixes.ts";
import { Outages } from "./outages.ts";
import type { Answer, Form, Program } from "./program.ts";
import { countOutsideWork, Dice, SimClock } from "./sim.ts";
import { tokenOf } from "./texts.ts";
import { Witness } from "./witness.ts";

export interface Report {
  seed: number;
  mix: string;
  negotiations: number;
  calls: number;
  requests: number;
  violations: Violation[];
  counts: Record<string, number>;
  trace: string[];
}

/** What starts a program waits for so long after it has told it to end, at most. */
const END_LIMIT_MS = 60_000;

const EDGES = ["", " [[offers=fail]]", " [[encode=fail]]", " [[center=sub]]", " [[formulation=list]]"];

/** One seeded run: some minutes of a home's life, and what of its promises did not hold. */
export async function run(seed: number, mix: Mix): Promise<Report> {
  countOutsideWork();
  const dice = new Dice(seed);
  const clock = new SimClock();
  const witness = new Witness(clock);
  const note = (line: string) => witness.note(line);
  const met = (what: string) => witness.count(`met: ${what}`);
  const body = () =>
    dice.chance(0.7)
      ? " wants a designer for a hospital queue pilot."
      : ` wants somebody who knows hospital software.${" And queues.".repeat(60)}`;

  let isOver = false;
  const outages = new Outages(mix, dice, clock, witness);
  const home = createFaultHome(
    clock,
    dice,
    witness.steps({
      storeMs: () => (dice.chance(0.2) ? dice.int(1, 6) : 0),
      before: (route) => void (isOver || outages.meet(route, home.mock.faults)),
    }),
    { tokenLifetimeMs: mix.tokens ? 120_000 : undefined, confirmTimeoutMs: mix.deadlineMs },
  );
  const { mock, machine } = home;
  witness.attach(home, (token) => `${token}${body()}`);
  const changeText = () =>
    witness.changeText(
      (open) => dice.pick(open),
      (token) => `${token}${body()}`,
    );

  // ---- the person -----------------------------------------------------------------------------------------------
  const answerer = async (process: Program, form: Form): Promise<Answer> => {
    const answer = await answerTo(process, form);
    witness.answered(process, form, answer);
    return answer;
  };
  /** Which negotiation's text the person is about to change, in a form of this program. */
  const editing = new Map<Program, string>();
  const answerTo = async (process: Program, form: Form): Promise<Answer> => {
    const { properties } = form.requestedSchema;
    const { enum: choices = [] } = (properties.decision ?? {}) as { enum?: string[] };
    const isText = choices.includes("edit");
    const wait = dice.chance(0.15) ? dice.int(60_000, 320_000) : dice.int(400, 20_000);
    const roll = dice.next();
    note(`form at ${process.pid}: ${form.message.slice(0, 40).replaceAll("\n", " ")}`);
    if (roll < 0.1) return new Promise(() => {});
    await clock.sleep(wait);
    await machine.awake();
    if (!process.alive) return new Promise(() => {});
    if ("confirmed_text" in properties) {
      // Longer than the field shows: the yes is said to the form that shows it whole.
      const edited = witness.propose(editing.get(process) ?? "", body());
      editing.delete(process);
      note(`types ${edited.slice(0, 12)}`);
      return roll < 0.2 ? { action: "cancel" } : { action: "accept", content: { confirmed_text: edited } };
    }
    if (!isText) return { action: "accept", content: { decision: dice.chance(0.8) ? "accept" : "reject" } };
    if (roll < 0.2) return { action: "cancel" };
    if (roll < 0.3) return { action: "decline" };
    if (roll < 0.38) return { action: "accept", content: { decision: "reject" } };
    if (mix.changes && dice.chance(0.2)) changeText();
    if (roll < 0.55) {
      const id = witness.askedAbout(form);
      if (id === undefined || editing.has(process)) return { action: "cancel" }; // one text at a time
      editing.set(process, id);
      return { action: "accept", content: { decision: "edit" } };
    }
    witness.approveForm(form);
    note(`answer accept ${tokenOf(form.message)}`);
    return { action: "accept", content: { decision: "accept" } };
  };

  const isDeadlineNear = () =>
    mock.negotiations().some(({ state, confirmDeadline = 0 }) => {
      const leftMs = confirmDeadline - clock.now();
      return state === "formulated" && leftMs > 0 && leftMs < 60_000;
    });

  /** The same account, at another window. */
  const confirmByOther = () => {
    const open = mock.negotiations().filter((n) => n.state === "formulated" && n.confirmCount === 0);
    if (open.length === 0) return;
    const { negotiation_id: id } = dice.pick(open);
    const text = dice.chance(0.7) ? `Somebody else's text, number ${dice.int(1, 1e6)}` : null;
    met("somebody else confirms");
    note(`somebody else confirms ${id} ${text === null ? "as it is" : "with another text"}`);
    mock.engine.confirm(id, text, "other");
  };

  // ---- processes and what their models do -----------------------------------------------------------------------
  let demands = 0;
  const MOST = dice.int(2, 5);
  const { known, questions, processes } = witness;
  let ending = false;

  const edgeOf = (n: number) => (mix.edges ? EDGES[(seed + n) % EDGES.length]! : "");

  const invoke = (p: Program, name: string, args: Record<string, unknown>) =>
    witness.call(p, name, args, mix.aborts && dice.chance(0.15) ? dice.int(1, 30_000) : undefined);

  const act = async (p: Program): Promise<void> => {
    const roll = dice.next();
    const one = known.length > 0 ? dice.pick(known.slice(-4)) : undefined;
    if (dice.chance(0.02)) {
      await invoke(p, "towow_set_mode", { mode: dice.pick(["normal", "developer"]) });
      return;
    }
    if (demands < MOST && (roll < 0.45 || one === undefined)) {
      const again = demands > 0 && dice.chance(0.1);
      const intent = again ? `D${demands}${edgeOf(demands)}` : `D${++demands}${edgeOf(demands)}`;
      const more = again && dice.chance(0.5) ? { allow_duplicate: true } : {};
      if (dice.chance(0.75)) await invoke(p, "towow_demand", { intent, ...more });
      else await invoke(p, "towow_submit_demand", { intent, scene_id: home.sceneId, ...more });
      return;
    }
    if (one === undefined) return void (await invoke(p, "towow_status", {}));
    if (roll < 0.6) {
      await invoke(p, "towow_status", {
        negotiation_id: one,
        ...(dice.chance(0.4) && { wait: dice.pick(["change", "done"]) }),
      });
    } else if (roll < 0.7) await invoke(p, "towow_demand", { negotiation_id: one });
    else if (roll < 0.76) await invoke(p, "towow_confirm", { negotiation_id: one });
    else if (roll < 0.8) await invoke(p, "towow_demand", { negotiation_id: one, decision: "cancel" });
    else if (roll < 0.82) await invoke(p, "towow_action", { negotiation_id: one, action: "cancel" });
    else await decide(p, one);
  };

  const decide = async (p: Program, one: string): Promise<void> => {
    const mine = questions.filter((i) => i.negotiation_id === one);
    const right = mine.at(-1);
    const roll = dice.next();
    const picked =
      roll < 0.75 ? right : roll < 0.85 ? mine[0] : roll < 0.95 ? questions[0] : { confirmation_id: "forged" };
    const confirmation_id = picked?.confirmation_id;
    const kind = dice.pick(["accept", "accept", "edit", "edit", "reject"]);
    const tool = dice.chance(0.7) ? "towow_demand" : "towow_confirm";
    const args: Record<string, unknown> = {
      negotiation_id: one,
      decision: kind,
      ...(confirmation_id && { confirmation_id }),
    };
    if (kind === "edit") args.confirmed_text = witness.propose(one, body());
    const asked = witness.asked(confirmation_id);
    // The person's yes, given to the model after the result that held the text.
    if (!p.forms && asked !== undefined && kind !== "reject" && mine.some((q) => q === picked))
      witness.approve(kind === "edit" ? String(args.confirmed_text) : asked);
    if (mix.changes && dice.chance(0.15)) changeText();
    const first = invoke(p, tool, args);
    if (dice.chance(0.15)) await invoke(p, dice.pick(["towow_demand", "towow_confirm"]), args); // both at once
    await first;
    if (dice.chance(0.15)) await invoke(p, tool, args); // a model that repeats itself
  };

  const actor = async (): Promise<void> => {
    const options = () => ({
      ...(dice.chance(0.5) && { answer: answerer }),
      onUnconfirmed: mix.leave ? ("leave" as const) : ("cancel" as const),
      mode: dice.chance(0.25) ? ("normal" as const) : ("developer" as const),
      ...(mix.seen && { seen: mix.seen }),
    });
    let p = await home.start(options());
    processes.push(p);
    note(`process ${p.pid} ${p.forms ? "with" : "without"} forms`);
    const arm = () => {
      if (mix.kills && dice.chance(0.6)) p.fuse = dice.int(1, dice.chance(0.5) ? 60 : 400);
    };
    arm();
    while (!ending) {
      await machine.awake();
      let ended = false;
      const work = act(p);
      const both = dice.chance(0.15) ? act(p) : undefined; // parallel calls
      await work;
      await both;
      if (p.alive && mix.shutdowns && dice.chance(0.12)) {
        note(`shutdown ${p.pid}`);
        met("program ended");
        const old = p;
        ended = true;
        if (mix.reads === "for a while" && dice.chance(0.7)) outages.troubleReads();
        await Promise.race([old.end(), clock.sleep(mix.reads && dice.chance(0.7) ? END_LIMIT_MS : 3_000)]);
        old.kill();
      }
      if (p.alive && mix.kills && dice.chance(0.05)) p.kill();
      if (p.alive && mix.stops && dice.chance(0.15)) {
        p.stop(dice.int(500, dice.chance(0.5) ? 30_000 : 330_000));
        met("program stopped");
        note(`stopped ${p.pid} until ${p.stops.at(-1)?.to}`);
      }
      if (!p.alive) {
        if (!ended) met("program killed");
        note(`gone ${p.pid}`);
        await clock.sleep(dice.chance(0.5) ? dice.int(1, 4_000) : dice.int(4_000, 200_000));
        if (ending) return;
        p = await home.start(options());
        processes.push(p);
        note(`process ${p.pid} ${p.forms ? "with" : "without"} forms (new)`);
        arm();
      }
      await clock.sleep(dice.chance(0.7) ? dice.int(10, 15_000) : dice.int(15_000, 150_000));
    }
  };

  const actors = Array.from({ length: dice.int(1, 3) }, () => actor());
  for (const a of actors) a.catch((error) => witness.violate("g", "harness", String(error?.stack ?? error)));
  const nature = (async () => {
    while (!ending) {
      await clock.sleep(dice.int(2_000, 40_000));
      if (mix.changes && dice.chance(0.5)) changeText();
      if (mix.blackouts && dice.chance(0.25)) outages.beginBlackout();
      if (mix.bursts && dice.chance(0.25)) outages.beginBurst();
      if (mix.reads === "for a while" && dice.chance(isDeadlineNear() ? 0.8 : 0.1)) outages.troubleReads();
      if (mix.standstills && dice.chance(0.12)) {
        const ms = dice.int(1_000, dice.chance(0.5) ? 30_000 : 330_000);
        mock.standStill(ms, dice.pick([1, 50, 400, 3_000]));
        witness.stoodStill.push({ from: clock.now(), to: clock.now() + ms });
        met("engine stands still");
        note(`the engine stands still for ${ms / 1000} s`);
      }
      if (mix.others && dice.chance(0.3)) confirmByOther();
      if (mix.clockJumps && dice.chance(0.15)) {
        const byMs = dice.int(1_000, dice.chance(0.5) ? 120_000 : 3_600_000) * dice.pick([1, -1]);
        machine.setClock(byMs);
        met(byMs > 0 ? "clock set forward" : "clock set back");
        note(`the clock is set by ${byMs / 1000} s`);
      }
      if (mix.sleeps && dice.chance(0.15)) {
        const ms = dice.int(1_000, dice.chance(0.7) ? 90_000 : 400_000);
        machine.sleep(ms);
        met("machine sleeps");
        note(`asleep for ${ms / 1000} s`);
      }
      if (mix.tokens && dice.chance(0.2)) {
        mock.expireTokens();
        met("tokens expire");
        note("tokens forgotten");
      }
    }
  })();
  nature.catch(() => {});

  await clock.advance(dice.int(500_000, 700_000));
  ending = true;
  await clock.advance(1_100_000);
  // A machine that sleeps answers no call, so the end waits until it has been awake for long enough to.
  if (machine.sleepsForMs > 0) await clock.advance(machine.sleepsForMs + 600_000);

  // ---- the end --------------------------------------------------------------------------------------------------
  isOver = true;
  mock.faults.clear();
  await clock.while(witness.lookAtAll());
  witness.finish(mix);
  await mock.close();
  for (const p of processes) p.kill();
  const { calls, violations, counts, trace } = witness;
  const negotiations = mock.negotiations().filter((n) => n.depth === 0).length;
  return { seed, mix: mix.name, negotiations, calls, requests: mock.journal.length, violations, counts, trace };
}
