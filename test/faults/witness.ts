import type { JournalEntry, MockBackend } from "../../mock-backend/main.ts";
import { type Approval, checkConfirm } from "./confirm-check.ts";
import { Decisions } from "./decisions.ts";
import type { FaultHome } from "./home.ts";
import { judge, type Violation } from "./judge.ts";
import type { Span } from "./machine.ts";
import { routeOf } from "./network.ts";
import { OthersText } from "./others-text.ts";
import {
  type Answer,
  type Called,
  type Form,
  isKnownCode,
  type Program,
  type SentRequest,
  type Steps,
} from "./program.ts";
import { listenForRejections } from "./rejections.ts";
import type { SimClock } from "./sim.ts";
import { falselyUnchecked, Statements, staleIn } from "./statements.ts";
import { Submits } from "./submits.ts";
import { Texts, tokenOf } from "./texts.ts";

/** Many clients give a call up after this. */
const CALL_LIMIT_MS = 60_000;
const STOOD_STILL = "a call over its budget, while the backend stood still";

/**
 * Who saw, typed, decided and sent what in one run of a home, and which promises did not hold. It sees what arrives at
 * the backend, what tools answer and what people say; nothing of what a program keeps.
 */
export class Witness {
  readonly violations: Violation[] = [];
  readonly counts: Record<string, number> = {};
  readonly trace: string[] = [];
  readonly processes: Program[] = [];
  /** Negotiations that results named. */
  readonly known: string[] = [];
  readonly questions: { negotiation_id: string; confirmation_id: string }[] = [];
  calls = 0;
  /** Stretches in which nothing answered, and in which the backend stood still. */
  readonly blackedOut: Span[] = [];
  readonly stoodStill: Span[] = [];
  readonly #clock: SimClock;
  readonly #from: number;
  readonly #texts = new Texts();
  readonly #shown = new Set<string>(); // whole, in results
  readonly #shownById = new Map<string, string>();
  /** Texts that a person said yes to, having seen or typed them whole. */
  readonly #approvals: Approval[] = [];
  readonly #decisions: Decisions;
  readonly #statements = new Statements();
  readonly #senders = new Map<string, Program>();
  readonly #named = new Map<string, number>();
  readonly #gaveUp: { intent: string | undefined; at: number }[] = [];
  readonly #submits = new Submits();
  readonly others = new OthersText();
  readonly #open = new Set<{ name: string; at: number; pid: number }>();
  readonly #unhandled = listenForRejections();
  #home: FaultHome | undefined;

  constructor(clock: SimClock) {
    this.#clock = clock;
    this.#from = clock.now();
    this.#decisions = new Decisions(() => clock.now());
  }

  readonly #verdicts = {
    count: (what: string) => this.count(what),
    violate: (...what: Parameters<Witness["violate"]>) => this.violate(...what),
    falsehood: (name: string, detail: string) => this.#falsehood(name, detail),
  };

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

  /** Looks on at what leaves the home's processes; `before` is told of each request to a known route. */
  steps({ storeMs, before }: StepsOptions): Steps {
    return {
      storeMs,
      onRequest: ({ process: from, method, path, body, requestId }: SentRequest) => {
        const route = routeOf(method, path);
        if (requestId !== undefined) this.#senders.set(requestId, from);
        if (route !== "get") this.note(`${from.pid} ${method} ${path} ${body.slice(0, 90)}`);
        if (route === "confirm")
          checkConfirm(path, body, {
            at: this.#clock.now(),
            approvals: this.#approvals,
            decisions: this.#decisions,
            texts: this.#texts,
            ...this.#verdicts,
          });
        if (route !== undefined) before(route);
      },
    };
  }

  /** The backend writes `text(token)` for demand `D<n>`: token `T<n>.<k>`, one that no other text has. */
  attach(home: FaultHome, text: (token: string) => string): void {
    this.#home = home;
    const { engine } = home.mock;
    engine.formulateWith((intent) => this.#texts.write(/^D(\d+)/.exec(intent)?.[1] ?? "0", 0, text));
    engine.onEvent(({ event_type, negotiation_id, data }) => {
      if (event_type !== "formulation.ready") return;
      this.#texts.own(String(data.formulated_text), negotiation_id);
      if (engine.get(negotiation_id).demand_raw.includes("[[formulation=list]]"))
        engine.patch(negotiation_id, { demand_formulated: [data.formulated_text] });
    });
  }

  /** The person says yes to this very text. */
  approve(text: string): void {
    this.#approvals.push({ at: this.#clock.now(), text });
  }

  /** The person says yes to a form: to the text that stands in it, whole and alone. */
  approveForm(form: Form): string | undefined {
    const text = this.#texts.namedIn(form.message);
    if (text === undefined || form.message !== text) return undefined;
    this.approve(text);
    return text;
  }

  /** Another text that somebody types for this negotiation. */
  propose(negotiationId: string, body = " wants a designer for a hospital queue pilot."): string {
    return this.#texts.propose(negotiationId, body);
  }

  /** Which negotiation a form asks about, by the text in it. */
  askedAbout({ message }: Form): string | undefined {
    return this.#texts.ownerOf(message);
  }

  /** What somebody answered in a form. */
  answered(p: Program, form: Form, answer: Answer): void {
    const id = this.askedAbout(form);
    if (id !== undefined) this.#decisions.inForm(p, id, this.#texts.namedIn(form.message), answer);
  }

  /** The text of the question with this id, if a result asked it. */
  asked(confirmationId: string | undefined): string | undefined {
    return confirmationId === undefined ? undefined : this.#shownById.get(confirmationId);
  }

  /** Rewrites the text of a demand that waits for its decision. */
  changeText(pick: (open: readonly Ended[]) => Ended, text: (token: string) => string): void {
    const { mock } = this.#home!;
    const open = mock
      .negotiations()
      .filter((n) => n.state === "formulated" && n.confirmCount === 0 && tokenOf(String(n.demand_formulated)) !== "");
    if (open.length === 0) return;
    const one = pick(open);
    const [n = "0", k] = tokenOf(String(one.demand_formulated)).slice(1).split(".");
    const next = this.#texts.write(n, Number(k) + 1, text);
    this.#texts.own(next, one.negotiation_id);
    mock.engine.setFormulatedText(one.negotiation_id, next);
    this.note(`text of ${one.negotiation_id} is now ${tokenOf(next)}`);
  }

  /** Calls a tool and holds what comes back against what must; undefined when it was killed or given up. */
  async call(p: Program, name: string, args: Args, giveUpMs?: number): Promise<Called | undefined> {
    const { mock, machine } = this.#home!;
    const { intent } = args;
    this.calls += 1;
    if (typeof intent === "string") this.#submits.begin(intent);
    const abort = new AbortController();
    const entry = { name, at: this.#clock.now(), pid: p.pid };
    this.#open.add(entry);
    const abortAfter = giveUpMs ?? (p.forms ? 400_000 : undefined);
    const stop = abortAfter === undefined ? () => {} : this.#clock.after(abortAfter, () => abort.abort());
    this.note(`${p.pid} ${name} ${JSON.stringify(args).slice(0, 150)}`);
    const before = mock.journal.length;
    const argued = this.#decisions.inArguments(p, name, args, (id) => this.asked(id as string | undefined));
    const outcome = await Promise.race([
      p.call(name, args, abort.signal).catch((error: Error) => error),
      p.gone.then(() => "killed" as const),
    ]);
    stop();
    this.#open.delete(entry);
    if (outcome === "killed") return undefined;
    if (outcome instanceof Error) {
      if (!abort.signal.aborted) this.violate("f", "protocol error", `${name}: ${outcome.message.slice(0, 200)}`);
      this.#gaveUp.push({ intent: typeof intent === "string" ? intent : undefined, at: this.#clock.now() });
      this.note(`${p.pid} ${name} aborted`);
      return undefined;
    }
    const span = { from: entry.at, to: this.#clock.now() };
    this.#decisions.settle(p, outcome, argued, span.from);
    this.others.look(p, argued, outcome, span, this.#verdicts);
    const cancelled = mock.journal.some((e) => e.path.endsWith(`${argued?.id}/action`));
    const { data } = outcome.result;
    if (argued?.kind === "reject" && data?.decision === "reject" && data.state !== "completed" && !cancelled)
      this.violate("d", "reported as rejected, and no cancel was sent", argued.id);
    // What was answered meanwhile it hears too late, and a call that stood still knows less than its backend.
    const stoodMs = p.stops.reduce(
      (sum, { from, to }) => sum + Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)),
      0,
    );
    this.#checkResult(p, name, outcome, span.to - span.from - machine.sleptMs(span) - stoodMs);
    if (typeof intent === "string" && stoodMs === 0) {
      const since = mock.journal.slice(before);
      const own = since.filter(({ requestId }) => this.#senders.get(requestId ?? "") === p);
      this.#submits.check(intent, outcome, since, own, this.#verdicts);
    }
    this.#statements.add(p, name, outcome, span);
    if (outcome.result.data?.open?.length > 0)
      for (const id of staleIn(outcome, span.from, mock.negotiations()))
        this.#falsehood("said open, though it had moved on", id);
    for (const id of stoodMs === 0 ? falselyUnchecked(outcome, span.from, mock.journal) : [])
      this.#falsehood("said unchecked, though the backend answered every look at it", id);
    this.#learn(outcome);
    return outcome;
  }

  /** All is over, and nothing fails any more: a program that has just started tells of all that were ever named. */
  async lookAtAll(): Promise<void> {
    const home = this.#home!;
    const last = await home.start({ onUnconfirmed: "cancel", mode: "developer" });
    this.processes.push(last);
    for (const negotiation_id of this.#named.keys()) await this.call(last, "towow_status", { negotiation_id });
  }

  /** When the time of the run is over: calls that hang, and how each negotiation ended. */
  finish(mix: { leave?: boolean; deadlineMs?: number }): void {
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
        decisions: this.#decisions.all,
        senderOf: ({ requestId }: JournalEntry) => this.#senders.get(requestId ?? ""),
        named: (id, at) => (this.#named.get(id) ?? Number.POSITIVE_INFINITY) <= at,
        gaveUp: this.#gaveUp,
        confirmsSent: this.#decisions.confirmsSent,
        blackedOut: this.blackedOut,
        stoodStill: this.stoodStill,
        ...this.#verdicts,
      });
    const { journal } = home.mock;
    const seen = { journal, isLeft: mix.leave };
    for (const { name, said } of this.#statements.falsehoods(all, this.#decisions, this.processes, seen))
      this.#falsehood(
        name,
        `${said.id} ${said.tool} of ${said.pid} at ${said.at - this.#from}: ${said.text.slice(0, 200)}`,
      );
    this.#submits.finish(all, this.#verdicts);
    for (const error of this.#unhandled())
      this.violate("g", "unhandled rejection", String((error as Error)?.stack ?? error).slice(0, 400));
  }

  #falsehood(name: string, detail: string, invariant: Violation["invariant"] = "h"): void {
    this.violate(invariant, name, detail);
  }

  #checkResult(p: Program, name: string, { result }: Called, took: number): void {
    this.note(
      `${p.pid} ${name} -> ${result.status} ${result.error?.code ?? ""} ${result.data?.state ?? ""} ${result.warnings}`,
    );
    if (!p.forms && took > CALL_LIMIT_MS) {
      const from = this.#clock.now() - took;
      const still = this.stoodStill.some((span) => span.to >= from);
      this.#falsehood(still ? STOOD_STILL : "call over its budget", `${name} ${took} ms`, "e");
    }
    this.counts["longest call ms"] = Math.max(this.counts["longest call ms"] ?? 0, p.forms ? 0 : took);
    if (result.error === null) return;
    const { code, message } = result.error;
    this.count(`error ${code}`);
    if (!isKnownCode(code)) this.violate("f", "unknown code", code);
    if (code.startsWith("tool.backend.internal.")) this.violate("f", code, `${name} ${message}`);
  }

  /** What a result put before the model, and through it before the person. */
  #learn({ result: { data } }: Called): void {
    if (data?.negotiation_id && !this.known.includes(data.negotiation_id)) {
      this.known.push(data.negotiation_id);
      this.#named.set(data.negotiation_id, this.#clock.now());
    }
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
  storeMs: () => number;
  before: (route: NonNullable<ReturnType<typeof routeOf>>) => void;
}
