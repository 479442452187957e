import type { MockBackend } from "../../mock-backend/main.ts";
import { ERROR_CODES } from "../../src/agent/errors.ts";
import type { Decision, NegotiationRecord } from "../../src/negotiation/history.ts";
import { type Called, type FaultHome, type FaultProcess, type Form, type Steps, sha256 } from "./home.ts";
import { judge, type Violation } from "./judge.ts";
import type { Span } from "./machine.ts";
import { routeOf } from "./network.ts";
import type { SimClock } from "./sim.ts";

/** A text that a person said yes to, having seen or typed it whole. */
interface Approval {
  at: number;
  text: string;
}

/** Many clients give a call up after this. */
const CALL_LIMIT_MS = 60_000;

export const tokenOf = (text: string): string => /[TE]\d+\.\d+/.exec(text)?.[0] ?? "";

let unhandled: unknown[] = [];
let listening = false;
function listenForRejections(): void {
  unhandled = [];
  if (listening) return;
  listening = true;
  process.on("unhandledRejection", (error) => unhandled.push(error));
}

/** Who was shown, typed, decided, sent and told what in one run of a home, and which promises did not hold. */
export class Witness {
  readonly violations: Violation[] = [];
  readonly counts: Record<string, number> = {};
  readonly trace: string[] = [];
  readonly processes: FaultProcess[] = [];
  /** Negotiations that results named. */
  readonly known: string[] = [];
  /** Questions that results asked, in order. */
  readonly questions: { negotiation_id: string; confirmation_id: string }[] = [];
  calls = 0;
  /** Stretches in which nothing answered. */
  readonly blackedOut: Span[] = [];
  readonly #clock: SimClock;
  readonly #from: number;
  readonly #texts = new Map<string, string>();
  readonly #proposed = new Map<string, string>();
  readonly #shown = new Set<string>(); // whole, in results
  readonly #shownById = new Map<string, string>();
  readonly #approvals: Approval[] = [];
  readonly #decisions: { id: string; decision: Decision | undefined; at: number }[] = [];
  readonly #records: { record: NegotiationRecord; at: number }[] = [];
  readonly #confirmsSent: { id: string; at: number; text: string }[] = [];
  readonly #submits = new Map<string, number>();
  readonly #open = new Set<{ name: string; at: number; pid: number }>();
  #home: FaultHome | undefined;

  constructor(clock: SimClock) {
    this.#clock = clock;
    this.#from = clock.now();
    listenForRejections();
  }

  note(line: string): void {
    this.trace.push(`${((this.#clock.now() - this.#from) / 1000).toFixed(3).padStart(9)} ${line}`);
  }

  count(what: string, by = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + by;
  }

  violate(invariant: Violation["invariant"], kind: string, detail: string): void {
    this.violations.push({ invariant, kind, detail });
    this.note(`VIOLATION (${invariant}) ${kind}: ${detail}`);
  }

  /** Looks on at the steps of the home's processes; `before` is told of each request to a known route. */
  steps({ historyMs, before }: StepsOptions): Steps {
    return {
      historyMs,
      onDecision: (id, decision, won) => {
        this.note(`decision ${id} ${decision.kind} by ${decision.by} (${decision.owner.pid}) ${won ? "won" : "lost"}`);
        if (won) this.#decisions.push({ id, decision, at: this.#clock.now() });
      },
      onRelease: (id) => {
        this.note(`release ${id}`);
        this.#decisions.push({ id, decision: undefined, at: this.#clock.now() });
      },
      onPut: (record) => void this.#records.push({ record, at: this.#clock.now() }),
      onRequest: async (from, method, path, body) => {
        const route = routeOf(method, path);
        if (route !== "get") this.note(`${from.pid} ${method} ${path} ${body.slice(0, 90)}`);
        if (route === "confirm") await this.#checkConfirm(path, body);
        if (route !== undefined) before(route);
      },
    };
  }

  /** The backend writes `text(token)` for demand `D<n>`, token `T<n>.0`. */
  attach(home: FaultHome, text: (token: string) => string): void {
    this.#home = home;
    home.mock.engine.formulateWith((intent) => {
      const token = `T${/^D(\d+)/.exec(intent)?.[1] ?? "0"}.0`;
      return this.#texts.get(token) ?? this.keep(token, text(token));
    });
  }

  /** A text that is somewhere now, under its name; starts with it. */
  keep(token: string, text: string): string {
    this.#texts.set(token, text);
    return text;
  }

  /** The person says yes to this very text. */
  approve(text: string): void {
    this.#approvals.push({ at: this.#clock.now(), text });
  }

  /** The person says yes to a form: to the text that stands in it, whole and alone. */
  approveForm(form: Form): string | undefined {
    const text = this.#texts.get(tokenOf(form.message));
    if (text === undefined || form.message !== text) return undefined;
    this.approve(text);
    return text;
  }

  /** Another text that somebody types for this negotiation. */
  propose(negotiationId: string): string {
    const token = `E${this.#proposed.size + 1}.0`;
    this.#proposed.set(token, negotiationId);
    return this.keep(token, `${token} wants a designer for a hospital queue pilot.`);
  }

  /** For which one a text of that name was typed. */
  proposedFor(token: string): string | undefined {
    return this.#proposed.get(token);
  }

  /** The text of the question with this id, if a result asked it. */
  asked(confirmationId: string | undefined): string | undefined {
    return confirmationId === undefined ? undefined : this.#shownById.get(confirmationId);
  }

  /** Rewrites the text of a demand that waits for its decision. */
  changeText(pick: (open: readonly Ended[]) => Ended, text: (token: string) => string): void {
    const { mock } = this.#home!;
    const open = mock.negotiations().filter((n) => n.state === "formulated" && n.confirmCount === 0);
    if (open.length === 0) return;
    const one = pick(open);
    const [n, k] = tokenOf(String(one.demand_formulated)).slice(1).split(".");
    let next = Number(k) + 1;
    while (this.#texts.has(`T${n}.${next}`)) next += 1; // two negotiations of one intent must not share a name
    const token = `T${n}.${next}`;
    mock.engine.setFormulatedText(one.negotiation_id, this.keep(token, text(token)));
    this.note(`text of ${one.negotiation_id} is now ${token}`);
  }

  /** Calls a tool and holds what comes back against what must; undefined when it was killed or given up. */
  async call(p: FaultProcess, name: string, args: Args, giveUpMs?: number): Promise<Called | undefined> {
    const { mock, machine } = this.#home!;
    const { intent } = args;
    this.calls += 1;
    if (typeof intent === "string") this.#submits.set(intent, (this.#submits.get(intent) ?? 0) + 1);
    const abort = new AbortController();
    const entry = { name, at: this.#clock.now(), pid: p.pid };
    this.#open.add(entry);
    const abortAfter = giveUpMs ?? (p.forms ? 400_000 : undefined);
    const stop = abortAfter === undefined ? () => {} : this.#clock.after(abortAfter, () => abort.abort());
    this.note(`${p.pid} ${name} ${JSON.stringify(args).slice(0, 150)}`);
    const before = mock.journal.length;
    const outcome = await Promise.race([
      p.call(name, args, abort.signal).catch((error: Error) => error),
      p.gone.then(() => "killed" as const),
    ]);
    stop();
    this.#open.delete(entry);
    if (outcome === "killed") return undefined;
    if (outcome instanceof Error) {
      if (!abort.signal.aborted) this.violate("f", "protocol error", `${name}: ${outcome.message.slice(0, 200)}`);
      this.note(`${p.pid} ${name} aborted`);
      return undefined;
    }
    const span = { from: entry.at, to: this.#clock.now() };
    this.#checkResult(p, name, outcome, span.to - span.from - machine.sleptMs(span));
    if (typeof intent === "string") this.#checkSubmit(intent, outcome, mock.journal.slice(before));
    this.#learn(outcome);
    return outcome;
  }

  /** When the time of the run is over: calls that hang, and how each negotiation ended. */
  finish(mix: { leave?: boolean }): void {
    const home = this.#home!;
    for (const { pid, name, at } of this.#open)
      if (this.processes.find((p) => p.pid === pid)?.alive)
        this.violate("e", "call that never ended", `${name} of ${pid} since ${(at - this.#from) / 1000}`);
    const all = home.mock.negotiations().filter((n) => n.depth === 0);
    for (const n of all)
      judge(n, {
        home,
        mix,
        processes: this.processes,
        decisions: this.#decisions,
        records: this.#records,
        confirmsSent: this.#confirmsSent,
        blackedOut: this.blackedOut,
        count: (what) => this.count(what),
        violate: (...what) => this.violate(...what),
      });
    for (const [intent, made] of this.#submits) {
      const there = all.filter((n) => n.demand_raw === intent).length;
      if (there > made) this.violate("c", "more negotiations than calls", `${intent}: ${there} of ${made}`);
    }
    for (const error of unhandled)
      this.violate("g", "unhandled rejection", String((error as Error)?.stack ?? error).slice(0, 400));
  }

  /** Invariant (a), at the moment when the request leaves. */
  async #checkConfirm(path: string, body: string): Promise<void> {
    const id = path.split("/").at(-2)!;
    const text = (JSON.parse(body || "{}") as { confirmed_text?: string }).confirmed_text;
    const standing = await this.#home!.history.decision(id);
    if (text === undefined) return this.violate("a", "confirm without its text", `${id}`);
    this.#confirmsSent.push({ id, at: this.#clock.now(), text });
    if (standing === undefined || (standing.kind !== "accept" && standing.kind !== "edit"))
      return this.violate("a", "confirm without a recorded decision", `${id}: ${standing?.kind}`);
    const what = `${id}: ${text.slice(0, 40)} (${standing.kind} by ${standing.by})`;
    if (standing.text_hash !== sha256(text)) this.violate("a", "confirm of another text than decided", what);
    if (!this.#approvals.some((a) => a.text === text && a.at <= this.#clock.now()))
      this.violate("a", "confirm of a text that nobody approved", what);
  }

  #checkResult(p: FaultProcess, name: string, { result }: Called, took: number): void {
    this.note(
      `${p.pid} ${name} -> ${result.status} ${result.error?.code ?? ""} ${result.data?.state ?? ""} ${result.warnings}`,
    );
    if (!p.forms && took > CALL_LIMIT_MS) this.violate("e", "call over its budget", `${name} ${took} ms`);
    this.counts["longest call ms"] = Math.max(this.counts["longest call ms"] ?? 0, p.forms ? 0 : took);
    if (result.error === null) return;
    const { code, message } = result.error;
    this.count(`error ${code}`);
    if (!(code in ERROR_CODES)) this.violate("f", "unknown code", code);
    if (code.startsWith("tool.backend.internal.")) this.violate("f", code, `${name} ${message}`);
  }

  #checkSubmit(intent: string, { result }: Called, since: MockBackend["journal"]): void {
    const last = since.findLast(
      (e) => e.path.endsWith("/submit") && (e.body as { intent?: string })?.intent === intent,
    );
    const refused = last?.status === 401; // before the fault, and for certain
    const lost = last?.fault !== undefined && last.fault !== "delay" && last.fault !== "status" && !refused;
    const told = result.error?.code === "tool.backend.timeout.submit_outcome_unknown";
    if (told) this.count("submit outcome unknown");
    if (told && refused) this.violate("c", "told as lost what was refused", intent);
    if (!told && lost && this.#submits.get(intent) === 1)
      this.violate("c", "lost submit not told", `${intent} ${last.fault} ${result.error?.code}`);
  }

  /** What a result put before the model, and through it before the person. */
  #learn({ result: { data } }: Called): void {
    if (data?.negotiation_id && !this.known.includes(data.negotiation_id)) this.known.push(data.negotiation_id);
    const text: unknown = data?.formulated_text ?? data?.demand_formulated;
    const confirmationId: string | undefined = data?.resume_with?.params?.confirmation_id;
    if (typeof text !== "string") return;
    this.#shown.add(text);
    if (confirmationId === undefined) return;
    const before = this.#shownById.get(confirmationId);
    if (before === undefined) this.#shownById.set(confirmationId, text);
    else if (before !== text) this.violate("a", "one confirmation id for two texts", confirmationId);
    this.questions.push({ negotiation_id: data.negotiation_id, confirmation_id: confirmationId });
  }
}

type Args = Record<string, unknown>;
type Ended = ReturnType<MockBackend["negotiations"]>[number];

export interface StepsOptions {
  historyMs: () => number;
  before: (route: NonNullable<ReturnType<typeof routeOf>>) => void;
}
