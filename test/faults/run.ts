import { ERROR_CODES } from "../../src/agent/errors.ts";
import type { Decision, NegotiationRecord } from "../../src/negotiation/history.ts";
import { type Answer, type Called, createFaultHome, type FaultProcess, type Form, sha256 } from "./home.ts";
import { judge, type Violation } from "./judge.ts";
import type { Mix } from "./mixes.ts";
import { anyFault, nameNotFound, routeOf } from "./network.ts";
import { countCrypto, Dice, SimClock } from "./sim.ts";

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

/** A text that a person said yes to, having seen or typed it whole. */
interface Approval {
  at: number;
  text: string;
}

/** Many clients give a call up after this. */
const CALL_LIMIT_MS = 60_000;

let unhandled: unknown[] = [];
let listening = false;
function listenForRejections(): void {
  if (listening) return;
  listening = true;
  process.on("unhandledRejection", (error) => unhandled.push(error));
}

/** One seeded run: some minutes of a home's life, and what of its promises did not hold. */
export async function run(seed: number, mix: Mix): Promise<Report> {
  countCrypto();
  listenForRejections();
  unhandled = [];
  const dice = new Dice(seed);
  const clock = new SimClock();
  const from = clock.now();
  const violations: Violation[] = [];
  const counts: Record<string, number> = {};
  const trace: string[] = [];
  const note = (line: string) => trace.push(`${((clock.now() - from) / 1000).toFixed(3).padStart(9)} ${line}`);
  const count = (what: string, by = 1) => {
    counts[what] = (counts[what] ?? 0) + by;
  };
  const violate = (invariant: Violation["invariant"], kind: string, detail: string) => {
    violations.push({ invariant, kind, detail });
    note(`VIOLATION (${invariant}) ${kind}: ${detail}`);
  };

  // ---- what was ever shown, typed and decided -------------------------------------------------------------------
  const texts = new Map<string, string>(); // by token
  const shown = new Set<string>(); // whole, in results
  const shownById = new Map<string, { text: string; negotiationId: string }>();
  const approvals: Approval[] = [];
  /** What stood in the history when: decisions (undefined: taken back) and records. */
  const decisions: { id: string; decision: Decision | undefined; at: number }[] = [];
  const records: { record: NegotiationRecord; at: number }[] = [];
  const tokenOf = (text: string) => /^[TE]\d+\.\d+/.exec(text)?.[0] ?? "";
  const newText = (token: string) => {
    const body = dice.chance(0.7)
      ? " wants a designer for a hospital queue pilot."
      : ` wants somebody who knows hospital software.${" And queues.".repeat(60)}`;
    const text = `${token}${body}`;
    texts.set(token, text);
    return text;
  };

  let blackoutUntil = 0;
  /** Whether in this blackout even the name is not found. */
  let nameless = false;
  const confirmsSent: { id: string; at: number; text: string }[] = [];
  const blackedOut: { from: number; to: number }[] = [];

  const home = createFaultHome(
    clock,
    dice,
    {
      historyMs: () => (dice.chance(0.2) ? dice.int(1, 6) : 0),
      onDecision: (id, decision, won) => {
        note(`decision ${id} ${decision.kind} by ${decision.by} (${decision.owner.pid}) ${won ? "won" : "lost"}`);
        if (won) decisions.push({ id, decision, at: clock.now() });
      },
      onRelease: (id) => {
        note(`release ${id}`);
        decisions.push({ id, decision: undefined, at: clock.now() });
      },
      onPut(record) {
        records.push({ record, at: clock.now() });
      },
      async onRequest(from, method, path, body) {
        const route = routeOf(method, path);
        if (route !== "get") note(`${from.pid} ${method} ${path} ${body.slice(0, 90)}`);
        if (route === "confirm") await checkConfirm(path, body);
        if (route === undefined) return;
        if (clock.now() < blackoutUntil) {
          if (nameless) throw nameNotFound();
          home.mock.faults.add({ route, kind: "drop_before" });
        } else if (dice.chance(mix.faults[route] ?? 0)) {
          const f = anyFault(dice, route);
          note(`  fault ${route} ${f.kind} ${f.status ?? ""} ${f.delayMs ?? ""}${f.delayWhen ?? ""}`);
          home.mock.faults.add(f);
        }
      },
    },
    { tokenLifetimeMs: mix.tokens ? 120_000 : undefined },
  );
  const { mock, machine } = home;
  mock.engine.formulateWith((intent) => {
    const n = /^D(\d+)/.exec(intent)?.[1] ?? "0";
    return texts.get(`T${n}.0`) ?? newText(`T${n}.0`);
  });

  /** Invariant (a), at the moment when the request leaves. */
  async function checkConfirm(path: string, body: string): Promise<void> {
    const id = path.split("/").at(-2)!;
    const text = (JSON.parse(body || "{}") as { confirmed_text?: string }).confirmed_text;
    const standing = await home.history.decision(id);
    if (text === undefined) return violate("a", "confirm without its text", `${id}`);
    confirmsSent.push({ id, at: clock.now(), text });
    if (standing === undefined || (standing.kind !== "accept" && standing.kind !== "edit"))
      return violate("a", "confirm without a recorded decision", `${id}: ${standing?.kind}`);
    if (standing.text_hash !== sha256(text))
      violate("a", "confirm of another text than decided", `${id}: ${text.slice(0, 40)}`);
    if (!approvals.some((a) => a.text === text && a.at <= clock.now()))
      violate(
        "a",
        "confirm of a text that nobody approved",
        `${id}: ${text.slice(0, 40)} (${standing.kind} by ${standing.by})`,
      );
  }

  // ---- the person -----------------------------------------------------------------------------------------------
  let edits = 0;
  const answerer = async (process: FaultProcess, form: Form): Promise<Answer> => {
    const isText = "confirmed_text" in form.requestedSchema.properties;
    const wait = dice.chance(0.15) ? dice.int(60_000, 320_000) : dice.int(200, 20_000);
    const roll = dice.next();
    const token = tokenOf(form.message) || /[TE]\d+\.\d+/.exec(form.message)?.[0] || "";
    note(`form at ${process.pid}: ${form.message.slice(0, 40).replaceAll("\n", " ")}`);
    if (roll < 0.1) return new Promise(() => {});
    await clock.sleep(wait);
    await machine.awake();
    if (!process.alive) return new Promise(() => {});
    if (!isText) return { action: "accept", content: { decision: dice.chance(0.8) ? "accept" : "reject" } };
    if (roll < 0.2) return { action: "cancel" };
    if (roll < 0.3) return { action: "decline" };
    const text = texts.get(token);
    if (roll < 0.38) return { action: "accept", content: { decision: "reject" } };
    if (mix.changes && dice.chance(0.2)) changeText();
    if (roll < 0.55) {
      const edited = newText(`E${++edits}.0`);
      approvals.push({ at: clock.now(), text: edited });
      note(`answer edit ${edited.slice(0, 12)}`);
      return { action: "accept", content: { decision: "edit", confirmed_text: edited } };
    }
    if (text !== undefined && (form.message.startsWith(text) || shown.has(text)))
      approvals.push({ at: clock.now(), text });
    note(`answer accept ${token}`);
    return { action: "accept", content: { decision: "accept" } };
  };

  const changeText = () => {
    const open = mock.negotiations().filter((n) => n.state === "formulated" && n.confirmCount === 0);
    if (open.length === 0) return;
    const one = dice.pick(open);
    const [n, k] = tokenOf(String(one.demand_formulated)).slice(1).split(".");
    let next = Number(k) + 1;
    while (texts.has(`T${n}.${next}`)) next += 1; // two negotiations of one intent must not share a name
    const token = `T${n}.${next}`;
    mock.engine.setFormulatedText(one.negotiation_id, newText(token));
    note(`text of ${one.negotiation_id} is now ${token}`);
  };

  // ---- processes and what their models do -----------------------------------------------------------------------
  let demands = 0;
  const MOST = dice.int(2, 5);
  const submitCalls = new Map<string, { calls: number; unique: boolean }>();
  const known: string[] = []; // negotiation ids that results named
  const ids: { negotiation_id: string; confirmation_id: string }[] = [];
  const openCalls = new Set<{ name: string; at: number; pid: number; asked: boolean }>();
  const everyProcess: FaultProcess[] = [];
  let ending = false;
  let calls = 0;

  /** What a result put before the model, and through it before the person. */
  const learn = ({ result }: Called) => {
    const data = result?.data;
    if (data?.negotiation_id && !known.includes(data.negotiation_id)) known.push(data.negotiation_id);
    const text: unknown = data?.formulated_text ?? data?.demand_formulated;
    const confirmationId: string | undefined = data?.resume_with?.params?.confirmation_id;
    if (typeof text !== "string") return;
    shown.add(text);
    if (confirmationId !== undefined) {
      if (!shownById.has(confirmationId)) shownById.set(confirmationId, { text, negotiationId: data.negotiation_id });
      else if (shownById.get(confirmationId)!.text !== text)
        violate("a", "one confirmation id for two texts", confirmationId);
      ids.push({ negotiation_id: data.negotiation_id, confirmation_id: confirmationId });
    }
  };

  const invoke = async (p: FaultProcess, name: string, args: Record<string, unknown>): Promise<Called | undefined> => {
    calls += 1;
    const abort = new AbortController();
    const entry = { name, at: clock.now(), pid: p.pid, asked: false };
    openCalls.add(entry);
    const abortAfter = mix.aborts && dice.chance(0.15) ? dice.int(1, 30_000) : p.forms ? 400_000 : undefined;
    const stop = abortAfter === undefined ? () => {} : clock.after(abortAfter, () => abort.abort());
    note(`${p.pid} ${name} ${JSON.stringify(args).slice(0, 150)}`);
    const before = mock.journal.length;
    const outcome = await Promise.race([
      p.call(name, args, abort.signal).catch((error: Error) => error),
      p.gone.then(() => "killed" as const),
    ]);
    stop();
    openCalls.delete(entry);
    const span = { from: entry.at, to: clock.now() };
    const took = span.to - span.from - machine.sleptMs(span);
    if (outcome === "killed") return undefined;
    if (outcome instanceof Error) {
      if (!abort.signal.aborted) violate("f", "protocol error", `${name}: ${outcome.message.slice(0, 200)}`);
      note(`${p.pid} ${name} aborted`);
      return undefined;
    }
    const { result } = outcome;
    note(
      `${p.pid} ${name} -> ${result.status} ${result.error?.code ?? ""} ${result.data?.state ?? ""} ${result.warnings}`,
    );
    if (!p.forms && took > CALL_LIMIT_MS) violate("e", "call over its budget", `${name} ${took} ms`);
    counts["longest call ms"] = Math.max(counts["longest call ms"] ?? 0, p.forms ? 0 : took);
    if (result.error) {
      const { code } = result.error;
      count(`error ${code}`);
      if (!(code in ERROR_CODES)) violate("f", "unknown code", code);
      if (code.startsWith("tool.backend.internal.")) violate("f", code, `${name} ${result.error.message}`);
    }
    if (typeof args.intent === "string") {
      const last = mock.journal
        .slice(before)
        .findLast((e) => e.path.endsWith("/submit") && (e.body as { intent?: string })?.intent === args.intent);
      const refused = last?.status === 401; // before the fault, and for certain
      const lost = last?.fault !== undefined && last.fault !== "delay" && last.fault !== "status" && !refused;
      const told = result.error?.code === "tool.backend.timeout.submit_outcome_unknown";
      if (told) count("submit outcome unknown");
      if (told && refused) violate("c", "told as lost what was refused", args.intent);
      else if (lost && submitCalls.get(args.intent)?.calls === 1)
        violate("c", "lost submit not told", `${args.intent} ${last.fault} ${result.error?.code}`);
    }
    learn(outcome);
    return outcome;
  };

  const act = async (p: FaultProcess): Promise<void> => {
    const roll = dice.next();
    const one = known.length > 0 ? dice.pick(known.slice(-4)) : undefined;
    if (dice.chance(0.02)) {
      await invoke(p, "towow_set_mode", { mode: dice.pick(["normal", "developer"]) });
      return;
    }
    if (demands < MOST && (roll < 0.45 || one === undefined)) {
      const again = demands > 0 && dice.chance(0.1);
      const intent = again ? `D${demands}` : `D${++demands}`;
      const entry = submitCalls.get(intent) ?? { calls: 0, unique: true };
      submitCalls.set(intent, { calls: entry.calls + 1, unique: entry.calls === 0 });
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

  const decide = async (p: FaultProcess, one: string): Promise<void> => {
    const mine = ids.filter((i) => i.negotiation_id === one);
    const right = mine.at(-1);
    const roll = dice.next();
    const picked = roll < 0.75 ? right : roll < 0.85 ? mine[0] : roll < 0.95 ? ids[0] : { confirmation_id: "forged" };
    const confirmation_id = picked?.confirmation_id;
    const kind = dice.pick(["accept", "accept", "edit", "edit", "reject"]);
    const tool = dice.chance(0.7) ? "towow_demand" : "towow_confirm";
    const args: Record<string, unknown> = {
      negotiation_id: one,
      decision: kind,
      ...(confirmation_id && { confirmation_id }),
    };
    if (kind === "edit") args.confirmed_text = newText(`E${++edits}.0`);
    const asked = confirmation_id === undefined ? undefined : shownById.get(confirmation_id);
    // The person's yes, given to the model after the result that held the text.
    if (!p.forms && asked !== undefined && kind !== "reject")
      approvals.push({ at: clock.now(), text: kind === "edit" ? String(args.confirmed_text) : asked.text });
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
    });
    let p = await home.start(options());
    everyProcess.push(p);
    note(`process ${p.pid} ${p.forms ? "with" : "without"} forms`);
    const arm = () => {
      if (mix.kills && dice.chance(0.6)) p.fuse = dice.int(1, dice.chance(0.5) ? 60 : 400);
    };
    arm();
    while (!ending) {
      await machine.awake();
      const work = act(p);
      const both = dice.chance(0.15) ? act(p) : undefined; // parallel calls
      await work;
      await both;
      if (p.alive && mix.shutdowns && dice.chance(0.12)) {
        note(`shutdown ${p.pid}`);
        const old = p;
        await Promise.race([old.negotiations.shutdown(), clock.sleep(3_000)]);
        old.kill();
      }
      if (p.alive && mix.kills && dice.chance(0.05)) p.kill();
      if (!p.alive) {
        note(`gone ${p.pid}`);
        await clock.sleep(dice.chance(0.5) ? dice.int(1, 4_000) : dice.int(4_000, 200_000));
        if (ending) return;
        p = await home.start(options());
        everyProcess.push(p);
        note(`process ${p.pid} ${p.forms ? "with" : "without"} forms (new)`);
        arm();
      }
      await clock.sleep(dice.chance(0.7) ? dice.int(10, 15_000) : dice.int(15_000, 150_000));
    }
  };

  const actors = Array.from({ length: dice.int(1, 3) }, () => actor());
  for (const a of actors) a.catch((error) => violate("g", "harness", String(error?.stack ?? error)));
  const nature = (async () => {
    while (!ending) {
      await clock.sleep(dice.int(2_000, 40_000));
      if (mix.changes && dice.chance(0.5)) changeText();
      if (mix.blackouts && dice.chance(0.25)) {
        blackoutUntil = clock.now() + dice.int(2_000, 60_000);
        nameless = dice.chance(0.4);
        blackedOut.push({ from: clock.now(), to: blackoutUntil });
        note(`blackout until ${(blackoutUntil - from) / 1000}${nameless ? ", no name" : ""}`);
      }
      if (mix.clockJumps && dice.chance(0.15)) {
        const byMs = dice.int(1_000, dice.chance(0.5) ? 120_000 : 3_600_000) * dice.pick([1, -1]);
        machine.setClock(byMs);
        note(`the clock is set by ${byMs / 1000} s`);
      }
      if (mix.sleeps && dice.chance(0.15)) {
        const ms = dice.int(1_000, dice.chance(0.7) ? 90_000 : 400_000);
        machine.sleep(ms);
        note(`asleep for ${ms / 1000} s`);
      }
      if (mix.tokens && dice.chance(0.2)) {
        mock.expireTokens();
        note("tokens forgotten");
      }
    }
  })();
  nature.catch(() => {});

  await clock.advance(dice.int(500_000, 700_000));
  ending = true;
  await clock.advance(1_100_000);

  // ---- the end --------------------------------------------------------------------------------------------------
  for (const call of openCalls) {
    const p = everyProcess.find((q) => q.pid === call.pid);
    if (p?.alive) violate("e", "call that never ended", `${call.name} of ${call.pid} since ${(call.at - from) / 1000}`);
  }
  const all = mock.negotiations().filter((n) => n.depth === 0);
  for (const n of all)
    judge(n, { home, mix, processes: everyProcess, decisions, records, confirmsSent, blackedOut, count, violate });
  for (const [intent, { calls: made }] of submitCalls) {
    const there = all.filter((n) => n.demand_raw === intent).length;
    if (there > made) violate("c", "more negotiations than calls", `${intent}: ${there} of ${made}`);
  }
  for (const error of unhandled)
    violate("g", "unhandled rejection", String((error as Error)?.stack ?? error).slice(0, 400));
  await mock.close();
  for (const p of everyProcess) p.kill();
  return {
    seed,
    mix: mix.name,
    negotiations: all.length,
    calls,
    requests: mock.journal.length,
    violations,
    counts,
    trace,
  };
}
