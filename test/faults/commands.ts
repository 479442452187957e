import fc from "fast-check";
import type { Fault, FaultKind } from "../../mock-backend/main.ts";
import { READING_MS } from "../support/clients.ts";
import { type Model, type Outage, type Real, startProgram, textOf } from "./model.ts";
import { BURSTS, KINDS } from "./network.ts";

type Command = fc.AsyncCommand<Model, Real>;

/** One command that fast-check can shrink: its numbers choose among what is there. */
function command(
  name: string,
  { when = () => true, disturbs = false, run }: { when?: (m: Model) => boolean; disturbs?: boolean; run: Run },
): Command {
  return {
    check: when,
    toString: () => name,
    async run(model, real) {
      if (disturbs) model.calm = false;
      real.witness.note(`> ${name}`);
      await run(model, real);
      await real.clock.advance(1);
      model.forms = real.forms.length;
      for (const [i, { alive }] of real.witness.processes.entries()) model.alive[i] = alive;
      if (real.witness.violations.length > 0) throw new Error(JSON.stringify(real.witness.violations[0]));
    },
  };
}
type Run = (model: Model, real: Real) => unknown;

const anyOf = <T>(list: readonly T[], index: number): T => list[index % list.length]!;
const livingOf = ({ witness }: Real, index: number) =>
  anyOf(
    witness.processes.filter((p) => p.alive),
    index,
  );
const someoneLives = (m: Model) => m.living > 0;
const index = fc.nat({ max: 3 });
const started = fc
  .record({ forms: fc.boolean(), mode: fc.constantFrom("developer" as const, "normal" as const) })
  .map((options) =>
    command(`start a program ${options.forms ? "with" : "without"} forms, ${options.mode}`, {
      when: (m) => m.living < 3,
      run: (model, real) => real.clock.while(startProgram(model, real, options)),
    }),
  );

const demanded = index.map((who) =>
  command(`program ${who} submits a demand`, {
    when: (m) => someoneLives(m) && m.demands < 5,
    run: (m, real) => void real.witness.call(livingOf(real, who), "towow_demand", { intent: `D${++m.demands}` }),
  }),
);

const repeated = fc.record({ who: index, which: index, twice: fc.boolean() }).map(({ who, which, twice }) =>
  command(`program ${who} submits demand ${which} again${twice ? ", meaning it" : ""}`, {
    when: (m) => someoneLives(m) && m.demands > 0,
    disturbs: true, // how many there are then depends on how many milliseconds lie between
    run: (m, real) =>
      void real.witness.call(livingOf(real, who), "towow_demand", {
        intent: `D${(which % m.demands) + 1}`,
        ...(twice && { allow_duplicate: true }),
      }),
  }),
);

const looked = fc
  .record({ who: index, which: index, wait: fc.constantFrom("none", "change", "done") })
  .map(({ who, which, wait }) =>
    command(`program ${who} looks at ${which}, waiting for ${wait}`, {
      when: someoneLives,
      run: (_, real) =>
        void real.witness.call(livingOf(real, who), "towow_status", {
          ...(real.witness.known.length > 0 && { negotiation_id: anyOf(real.witness.known, which) }),
          wait,
        }),
    }),
  );

const decided = fc
  .record({
    who: index,
    which: index,
    kind: fc.constantFrom("accept" as const, "edit" as const, "reject" as const),
    forged: fc.boolean(),
  })
  .map(({ who, which, kind, forged }) =>
    command(`program ${who} says ${kind} to question ${which}${forged ? " under a forged id" : ""}`, {
      when: (m) => someoneLives(m) && m.demands > 0,
      run(m, real) {
        const { witness } = real;
        if (witness.questions.length === 0) return;
        const p = livingOf(real, who);
        const { negotiation_id } = anyOf(witness.questions, which);
        const last = witness.questions.findLast((q) => q.negotiation_id === negotiation_id)!;
        const edited = witness.propose(negotiation_id);
        const text = kind === "edit" ? edited : witness.asked(last.confirmation_id)!;
        // Where there are forms, the person has yet to be asked; and an AI that has read others' text passes no yes on.
        const isPersons = !p.forms && !forged && !witness.others.wasRead;
        if (isPersons && kind !== "reject") witness.approve(text);
        if (isPersons || kind === "reject") m.decided(real, negotiation_id, kind === "reject" ? undefined : text);
        void witness.call(p, "towow_demand", {
          negotiation_id,
          decision: kind,
          confirmation_id: forged ? "forged" : last.confirmation_id,
          ...(kind === "edit" && { confirmed_text: edited }),
        });
      },
    }),
  );

const answered = fc
  .record({ which: index, how: fc.constantFrom("accept", "edit", "reject", "decline", "close") })
  .map(({ which, how }) =>
    command(`the person answers form ${which}: ${how}`, {
      when: (m) => m.forms > 0,
      run(m, real) {
        const { forms, editing, witness } = real;
        const one = anyOf(forms, which);
        forms.splice(forms.indexOf(one), 1);
        if (!one.process.alive) return;
        const id = witness.askedAbout(one.form);
        const isOwnText = "confirmed_text" in one.form.requestedSchema.properties;
        if (isOwnText && how !== "accept" && how !== "edit") editing.delete(one.process); // either sends what was typed
        if (how === "close") return one.reply({ action: "cancel" });
        if (how === "decline" || how === "reject") {
          if (id !== undefined) m.decided(real, id, undefined);
          const isRead = real.clock.now() - one.shownAt >= READING_MS; // a decline that comes sooner is nobody's
          return one.reply(
            how === "decline" && isRead ? { action: "decline" } : { action: "accept", content: { decision: "reject" } },
          );
        }
        const edited = editing.get(one.process);
        if (isOwnText) {
          editing.delete(one.process);
          return one.reply({ action: "accept", content: { confirmed_text: witness.propose(edited ?? "") } });
        }
        if (how === "edit") {
          if (id === undefined || edited !== undefined) return one.reply({ action: "cancel" }); // one text at a time
          editing.set(one.process, id);
          return one.reply({ action: "accept", content: { decision: "edit" } });
        }
        const text = witness.approveForm(one.form);
        if (id !== undefined && text !== undefined) m.decided(real, id, text);
        one.reply({ action: "accept", content: { decision: "accept" } });
      },
    }),
  );

const waited = fc
  .oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 2_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 1_000, max: 60_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 200_000 }) },
  )
  .map((ms) => command(`${ms} ms go by`, { run: (_, { clock }) => clock.advance(ms) }));

const faults: fc.Arbitrary<Fault> = fc
  .record({
    route: fc.constantFrom("submit" as const, "confirm" as const, "action" as const, "get" as const),
    kind: fc.constantFrom<FaultKind[]>(...KINDS, "delay", "status"),
    status: fc.constantFrom(...BURSTS),
    delayMs: fc.constantFrom(0, 0, 3_000, 12_000),
    delayWhen: fc.constantFrom("before" as const, "after" as const),
  })
  .map(({ status, ...fault }) => (fault.kind === "status" ? { ...fault, status } : fault));
const faulted = faults.map((fault) =>
  command(
    `the next ${fault.route} meets ${fault.kind === "status" ? fault.status : fault.kind}, ${fault.delayMs} ms ${fault.delayWhen}`,
    {
      disturbs: true,
      run: (_, { home }) => home.mock.faults.add(fault),
    },
  ),
);

const OUTAGES: readonly Outage[] = ["nothing answers", "the name is not found", ...BURSTS];
const darkened = fc
  .record({ ms: fc.integer({ min: 1_000, max: 60_000 }), outage: fc.constantFrom(...OUTAGES) })
  .map(({ ms, outage }) =>
    command(`${ms} ms of outage: ${outage}`, {
      disturbs: true,
      run(_, real) {
        real.outage = { until: real.clock.now() + ms, what: outage };
        real.witness.blackedOut.push({ from: real.clock.now(), to: real.outage.until });
      },
    }),
  );

const killed = fc.record({ who: index, steps: fc.integer({ min: 1, max: 40 }) }).map(({ who, steps }) =>
  command(`program ${who} is killed ${steps} steps from here`, {
    when: someoneLives,
    disturbs: true,
    run(_, real) {
      livingOf(real, who).fuse = steps;
    },
  }),
);

const stopped = fc.record({ who: index, ms: fc.integer({ min: 500, max: 330_000 }) }).map(({ who, ms }) =>
  command(`program ${who} stands still for ${ms} ms`, {
    when: someoneLives,
    disturbs: true,
    run: (_, real) => livingOf(real, who).stop(ms),
  }),
);

const ended = index.map((who) =>
  command(`program ${who} ends`, {
    when: someoneLives,
    disturbs: true,
    async run(_, real) {
      const p = livingOf(real, who);
      void p.end();
      await real.clock.advance(3_000);
      p.kill();
    },
  }),
);

const upset = fc
  .oneof(
    fc.record({ what: fc.constant("clock" as const), ms: fc.integer({ min: -3_600_000, max: 3_600_000 }) }),
    fc.record({ what: fc.constant("sleep" as const), ms: fc.integer({ min: 1_000, max: 400_000 }) }),
  )
  .map(({ what, ms }) =>
    command(what === "clock" ? `the clock is set by ${ms} ms` : `the machine sleeps for ${ms} ms`, {
      disturbs: true,
      run: (_, { machine }) => (what === "clock" ? machine.setClock(ms) : machine.sleep(ms)),
    }),
  );

const rewritten = index.map((which) =>
  command(`the backend rewrites text ${which}`, {
    disturbs: true,
    run: (_, { witness }) => witness.changeText((open) => anyOf(open, which), textOf),
  }),
);

const switched = fc.record({ who: index, mode: fc.constantFrom("normal", "developer") }).map(({ who, mode }) =>
  command(`program ${who} switches to ${mode}`, {
    when: someoneLives,
    run: (_, real) => void real.witness.call(livingOf(real, who), "towow_set_mode", { mode }),
  }),
);

const CALM = [started, demanded, demanded, looked, decided, decided, answered, answered, waited, switched];
const DISTURBANCES = [repeated, faulted, faulted, darkened, killed, stopped, ended, upset, rewritten];

type Life = fc.Arbitrary<Iterable<Command>>;

/** `replayPath`: as a failure names it, beside its seed and path. */
const lifeOf = (commands: fc.Arbitrary<Command>[], maxCommands: number, replayPath?: string): Life =>
  fc.commands<Model, Real, false>(commands, { maxCommands, size: "max", ...(replayPath && { replayPath }) });

/** Sequences in which nothing goes wrong, which the model foretells exactly. */
export const calmLife = (replayPath?: string): Life => lifeOf(CALM, 40, replayPath);
/** Sequences of everything. */
export const anyLife = (replayPath?: string): Life => lifeOf([...CALM, ...CALM, ...DISTURBANCES], 50, replayPath);
