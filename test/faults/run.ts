import type { Fault, FaultKind, FaultRoute } from "../../mock-backend/main.ts";
import { ERROR_CODES } from "../../src/agent/errors.ts";
import type { Decision, NegotiationRecord } from "../../src/negotiation/history.ts";
import { type Answer, type Called, createFaultHome, type FaultProcess, type Form, sha256 } from "./home.ts";
import { countCrypto, Dice, SimClock } from "./sim.ts";

export interface Mix {
  name: string;
  /** Chance that a request meets a fault, by route. */
  faults: Partial<Record<FaultRoute, number>>;
  /** Stretches in which nothing answers. */
  blackouts?: boolean;
  /** Processes killed between two of their steps, and replaced. */
  kills?: boolean;
  /** Ends as at stdin's end, and replaced. */
  shutdowns?: boolean;
  /** The formulated text changes while it is asked about. */
  changes?: boolean;
  /** Client cancellations. */
  aborts?: boolean;
  leave?: boolean;
  /** The machine's clock is set, minutes to an hour, either way. */
  clockJumps?: boolean;
  /** The machine sleeps for seconds to minutes. */
  sleeps?: boolean;
  /** The backend wants tokens, which live for two minutes, and forgets them now and then. */
  tokens?: boolean;
}

const EVERY: FaultRoute[] = ["submit", "confirm", "action", "get"];
const all = (p: number) => Object.fromEntries(EVERY.map((route) => [route, p]));

export const MIXES: readonly Mix[] = [
  { name: "none", faults: {} },
  { name: "text changes, aborts", faults: {}, changes: true, aborts: true },
  { name: "submit 40 %", faults: { submit: 0.4 }, aborts: true },
  { name: "confirm 50 %", faults: { confirm: 0.5 } },
  { name: "action 50 %", faults: { action: 0.5 } },
  { name: "get 30 %", faults: { get: 0.3 }, changes: true },
  { name: "every route 15 %", faults: all(0.15), changes: true, aborts: true },
  { name: "blackouts", faults: {}, blackouts: true },
  { name: "kills", faults: {}, kills: true },
  { name: "kills, changes, 10 %", faults: all(0.1), kills: true, changes: true, aborts: true },
  { name: "shutdowns", faults: {}, shutdowns: true },
  { name: "shutdowns, kills, 15 %", faults: all(0.15), shutdowns: true, kills: true, aborts: true },
  {
    name: "everything, leave",
    faults: all(0.15),
    kills: true,
    shutdowns: true,
    changes: true,
    aborts: true,
    leave: true,
  },
  { name: "clock jumps", faults: {}, clockJumps: true, aborts: true },
  { name: "clock jumps, kills, 10 %", faults: all(0.1), clockJumps: true, kills: true },
  { name: "the machine sleeps", faults: {}, sleeps: true, aborts: true },
  { name: "the machine sleeps, kills, 10 %", faults: all(0.1), sleeps: true, kills: true },
  { name: "tokens expire", faults: {}, tokens: true, kills: true },
  { name: "tokens expire, 15 %", faults: { ...all(0.15), token: 0.3 }, tokens: true, blackouts: true },
];

export interface Violation {
  invariant: "a" | "b" | "c" | "d" | "e" | "f" | "g";
  /** Which cause it looks like; the same words for the same defect. */
  kind: string;
  detail: string;
}

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

const CALL_LIMIT_MS = 240_000;

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
  const unresolved = () =>
    new TypeError("fetch failed", {
      cause: Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND", syscall: "getaddrinfo" }),
    });
  const fault = (route: FaultRoute): Fault => {
    const kinds: FaultKind[] = [
      "drop_before",
      "drop_after",
      "cut_body",
      "html",
      "empty",
      "wrong_shape",
      "plain_500_after",
    ];
    const one = dice.int(0, 11);
    const delay = dice.chance(0.3)
      ? { delayMs: dice.int(1, 8_000), delayWhen: dice.pick(["before", "after"] as const) }
      : {};
    if (one < 7) return { route, kind: kinds[one]!, ...delay };
    if (one === 7) return { route, kind: "status", status: 503, ...delay };
    if (one === 8) return { route, kind: "status", status: 429, headers: { "retry-after": "1" } };
    if (one === 9) return { route, kind: "status", status: 503, headers: { "retry-after": "2" } };
    if (one === 10) return { route, kind: "status", status: 500, ...delay };
    return { route, kind: "delay", delayMs: dice.int(100, 12_000), delayWhen: dice.pick(["before", "after"] as const) };
  };
  const routeOf = (method: string, path: string): FaultRoute | undefined => {
    if (path.endsWith("/mcp-token")) return "token";
    if (method === "GET") return /negotiations\/[^/]+$/.test(path) ? "get" : undefined;
    return path.endsWith("/submit")
      ? "submit"
      : path.endsWith("/confirm")
        ? "confirm"
        : path.endsWith("/action")
          ? "action"
          : undefined;
  };
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
          if (nameless) throw unresolved();
          home.mock.faults.add({ route, kind: "drop_before" });
        } else if (dice.chance(mix.faults[route] ?? 0)) {
          const f = fault(route);
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
      const lost = last?.fault !== undefined && last.fault !== "delay" && last.fault !== "status";
      const told = result.error?.code === "tool.backend.timeout.submit_outcome_unknown";
      if (told) count("submit outcome unknown");
      else if (lost && submitCalls.get(args.intent)?.calls === 1)
        violate("c", "lost submit not told", `${args.intent} ${last.fault} ${result.error?.code}`);
    }
    learn(outcome);
    return outcome;
  };

  const act = async (p: FaultProcess): Promise<void> => {
    const roll = dice.next();
    const one = known.length > 0 ? dice.pick(known.slice(-4)) : undefined;
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
  for (const n of all) {
    const id = n.negotiation_id;
    const deadline = n.confirmDeadline ?? clock.now();
    const start = deadline - 15_000;
    const standing = decisions.findLast((d) => d.id === id && d.at <= deadline)?.decision;
    const record = records.findLast((r) => r.record.negotiation_id === id && r.at <= deadline)?.record;
    if (n.confirmCount > 1) {
      const lost = mock.journal.some(
        (e) => e.path.endsWith(`${id}/confirm`) && e.fault !== undefined && e.fault !== "status",
      );
      const killed = everyProcess.some((p) => p.diedAt !== undefined);
      const one = new Set(confirmsSent.filter((c) => c.id === id).map((c) => c.text)).size === 1;
      if (one && (lost || killed)) count("repeated confirm after a lost answer");
      else violate("d", one ? "confirmed twice" : "confirmed twice with two texts", id);
    }
    if (n.confirmedBy === "user") count("confirmed by the person");
    if (n.cancelled) count("cancelled");
    if (n.confirmedBy !== "timeout") continue;
    if (record?.deadline_at === undefined) {
      count("auto-confirmed: submit answer lost or killed in it");
      continue;
    }
    if (mix.leave && (standing === undefined || standing.kind === "accept")) {
      count("auto-confirmed under leave");
      continue;
    }
    if (standing?.kind === "accept" && standing.text_hash === sha256(n.confirmedText ?? "")) {
      count("auto-confirmed with the accepted text (confirm lost)");
      continue;
    }
    const alive = everyProcess.filter((p) => p.startedAt <= start && (p.diedAt === undefined || p.diedAt >= deadline));
    const met = mock.journal.some(
      (e) =>
        e.at >= start && e.at <= deadline && e.fault !== undefined && (e.path.includes(id) || e.path.endsWith("token")),
    );
    if (machine.sleptMs({ from: start, to: deadline }) > 0) {
      count(`auto-confirmed, the machine slept in the last 15 s (${standing?.kind ?? "undecided"})`);
      continue;
    }
    const dark = blackedOut.some((b) => b.from <= deadline && b.to >= start);
    const word = standing?.kind ?? "undecided";
    const submitter = records.find((r) => r.record.negotiation_id === id)?.record.owner?.pid;
    const setBack = machine.set.some((it) => it.byMs < 0 && it.at <= deadline);
    // Whoever takes over knows the deadline only as a time of day.
    if (setBack && record.owner?.pid !== submitter) {
      count(`auto-confirmed, its process died and the clock was set back (${word})`);
      continue;
    }
    if (alive.length === 0) {
      count(`auto-confirmed, no process lived (${word})`);
      continue;
    }
    if (met || dark) {
      count(`auto-confirmed, faults in the last 15 s (${word})`);
      continue;
    }
    const byPid = (pid: number | undefined) => everyProcess.find((p) => p.pid === pid);
    const lives = (p: FaultProcess | undefined) => p !== undefined && alive.includes(p);
    const owner = byPid(record.owner?.pid);
    const decider = byPid(standing?.owner.pid);
    const orphanedAt = Math.max(owner?.diedAt ?? 0, decider?.diedAt ?? 0);
    const calledSince = alive.some((p) => p.calledAt.some((at) => at > orphanedAt && at < start));
    const who = lives(decider)
      ? "whoever decided lived"
      : lives(owner)
        ? decider === undefined
          ? "its guard lived"
          : "whoever decided died, its new owner lived"
        : calledSince
          ? "its process died, another lived and was called since"
          : "its process died, another lived but was idle";
    const detail = `${id} ${n.demand_raw} auto-confirmed ${n.confirmedText?.slice(0, 10)}; decision ${word}${standing ? ` by ${standing.by}` : ""}; ended ${record.ended?.as}; ${who}`;
    if (who.endsWith("idle")) count(`auto-confirmed, ${who} (${word})`);
    else violate("b", `${word}: ${who}`, detail);
  }
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
