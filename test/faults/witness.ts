import type { JournalEntry, MockBackend } from "../../mock-backend/main.ts";
import { type Decision, falsehoodsIn, isDecidedText, KNOWN_AT_OLD_CORE, type Statement } from "./claims.ts";
import type { FaultHome } from "./home.ts";
import { judge, type Violation } from "./judge.ts";
import type { Span } from "./machine.ts";
import { routeOf } from "./network.ts";
import {
  type Answer,
  type Called,
  type Form,
  isKnownCode,
  type Program,
  type SentRequest,
  type Steps,
} from "./program.ts";
import type { SimClock } from "./sim.ts";

/** A text that a person said yes to, having seen or typed it whole. */
interface Approval {
  at: number;
  text: string;
}

/** A call that has not come back, with the decision that a form of it was given. */
interface OpenCall {
  name: string;
  at: number;
  pid: number;
}

/** Many clients give a call up after this. */
const CALL_LIMIT_MS = 60_000;
const STOOD_STILL = "a call over its budget, while the backend stood still";

export const tokenOf = (text: string): string => /[TE]\d+\.\d+/.exec(text)?.[0] ?? "";

let unhandled: unknown[] = [];
let listening = false;
function listenForRejections(): void {
  unhandled = [];
  if (listening) return;
  listening = true;
  process.on("unhandledRejection", (error) => unhandled.push(error));
}

/**
 * Who was shown, typed, decided, sent and told what in one run of a home, and which promises did not hold. It sees what
 * arrives at the backend, what tools answer, and what people say; nothing of what a program keeps.
 */
export class Witness {
  readonly violations: Violation[] = [];
  readonly counts: Record<string, number> = {};
  readonly trace: string[] = [];
  readonly processes: Program[] = [];
  /** Negotiations that results named. */
  readonly known: string[] = [];
  /** Questions that results asked, in order. */
  readonly questions: { negotiation_id: string; confirmation_id: string }[] = [];
  calls = 0;
  /** Stretches in which nothing answered. */
  readonly blackedOut: Span[] = [];
  /** Stretches in which the backend stood still. */
  readonly stoodStill: Span[] = [];
  readonly #clock: SimClock;
  readonly #from: number;
  readonly #texts = new Map<string, string>();
  /** Which negotiation a text belongs to, by its name. */
  readonly #owner = new Map<string, string>();
  #proposals = 0;
  readonly #shown = new Set<string>(); // whole, in results
  readonly #shownById = new Map<string, string>();
  readonly #approvals: Approval[] = [];
  readonly #decisions: Decision[] = [];
  readonly #statements: Statement[] = [];
  readonly #senders = new Map<string, Program>();
  readonly #named = new Map<string, number>();
  readonly #gaveUp: { intent: string | undefined; at: number }[] = [];
  readonly #confirmsSent: { id: string; at: number; text: string }[] = [];
  readonly #submits = new Map<string, number>();
  readonly #open = new Set<OpenCall>();
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

  /** Looks on at what leaves the home's processes; `before` is told of each request to a known route. */
  steps({ storeMs, before }: StepsOptions): Steps {
    return {
      storeMs,
      onRequest: ({ process: from, method, path, body, requestId }: SentRequest) => {
        const route = routeOf(method, path);
        if (requestId !== undefined) this.#senders.set(requestId, from);
        if (route !== "get") this.note(`${from.pid} ${method} ${path} ${body.slice(0, 90)}`);
        if (route === "confirm") this.#checkConfirm(path, body);
        if (route !== undefined) before(route);
      },
    };
  }

  /** The backend writes `text(token)` for demand `D<n>`: token `T<n>.<k>`, one that no other text has. */
  attach(home: FaultHome, text: (token: string) => string): void {
    this.#home = home;
    const { engine } = home.mock;
    engine.formulateWith((intent) => {
      const token = this.#freeToken(/^D(\d+)/.exec(intent)?.[1] ?? "0", 0);
      return this.keep(token, text(token));
    });
    engine.onEvent(({ event_type, negotiation_id, data }) => {
      if (event_type !== "formulation.ready") return;
      this.#owner.set(tokenOf(String(data.formulated_text)), negotiation_id);
      if (engine.get(negotiation_id).demand_raw.includes("[[formulation=list]]"))
        engine.patch(negotiation_id, { demand_formulated: [data.formulated_text] });
    });
  }

  /** Two negotiations must not share a text, or nobody could say which one a yes was for. */
  #freeToken(n: string, from: number): string {
    let next = from;
    while (this.#texts.has(`T${n}.${next}`)) next += 1;
    return `T${n}.${next}`;
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
  propose(negotiationId: string, body = " wants a designer for a hospital queue pilot."): string {
    const token = `E${++this.#proposals}.0`;
    this.#owner.set(token, negotiationId);
    return this.keep(token, `${token}${body}`);
  }

  /** Which negotiation a form asks about, by the text in it. */
  askedAbout({ message }: Form): string | undefined {
    return this.#owner.get(tokenOf(message));
  }

  /** What somebody answered in a form. */
  answered(p: Program, form: Form, { action, content }: Answer): void {
    const id = this.askedAbout(form);
    if (id === undefined || action === "cancel") return;
    const said = action === "decline" ? "reject" : content?.decision;
    if (said === "accept") this.#decide(p, id, "accept", this.#texts.get(tokenOf(form.message)));
    else if (said === "edit") this.#decide(p, id, "edit", content?.confirmed_text);
    else if (said === "reject") this.#decide(p, id, "reject", undefined);
  }

  #decide(p: Program, id: string, kind: Decision["kind"], text: string | undefined): Decision {
    const decision: Decision = { id, kind, text, at: this.#clock.now(), pid: p.pid, took: undefined };
    this.#decisions.push(decision);
    return decision;
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
    const token = this.#freeToken(n, Number(k) + 1);
    this.#owner.set(token, one.negotiation_id);
    mock.engine.setFormulatedText(one.negotiation_id, this.keep(token, text(token)));
    this.note(`text of ${one.negotiation_id} is now ${token}`);
  }

  /** Calls a tool and holds what comes back against what must; undefined when it was killed or given up. */
  async call(p: Program, name: string, args: Args, giveUpMs?: number): Promise<Called | undefined> {
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
    const argued = this.#arguedIn(p, name, args);
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
    this.#settle(p, outcome, argued, span.from);
    this.#checkResult(p, name, outcome, span.to - span.from - machine.sleptMs(span));
    if (typeof intent === "string") this.#checkSubmit(intent, outcome, mock.journal.slice(before));
    this.#remember(p, name, outcome, span);
    this.#learn(outcome);
    return outcome;
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
        decisions: this.#decisions,
        senderOf: ({ requestId }: JournalEntry) => this.#senders.get(requestId ?? ""),
        named: (id, at) => (this.#named.get(id) ?? Number.POSITIVE_INFINITY) <= at,
        gaveUp: this.#gaveUp,
        confirmsSent: this.#confirmsSent,
        blackedOut: this.blackedOut,
        stoodStill: this.stoodStill,
        count: (what) => this.count(what),
        violate: (...what) => this.violate(...what),
      });
    this.#checkStatements(all);
    for (const [intent, made] of this.#submits) {
      const there = all.filter((n) => n.demand_raw === intent).length;
      if (there > made) this.violate("c", "more negotiations than calls", `${intent}: ${there} of ${made}`);
    }
    for (const error of unhandled)
      this.violate("g", "unhandled rejection", String((error as Error)?.stack ?? error).slice(0, 400));
  }

  /** Invariant (a), at the moment when the request leaves. */
  #checkConfirm(path: string, body: string): void {
    const id = path.split("/").at(-2)!;
    const text = (JSON.parse(body || "{}") as { confirmed_text?: string }).confirmed_text;
    if (text === undefined) {
      this.violate("a", "confirm without its text", id);
      return;
    }
    this.#confirmsSent.push({ id, at: this.#clock.now(), text });
    const what = `${id}: ${text.slice(0, 40)}`;
    if (!this.#approvals.some((a) => a.text === text && a.at <= this.#clock.now()))
      this.violate("a", "confirm of a text that nobody approved", what);
    if (this.#owner.get(tokenOf(text)) !== id) this.violate("a", "confirm of another negotiation's text", what);
    const mine = this.#decisions.filter((d) => d.id === id && d.at <= this.#clock.now());
    if (!mine.some((d) => d.text === text)) this.violate("a", "confirm without a decision", what);
    if (mine.some((d) => d.took === true && d.kind === "reject")) this.violate("a", "confirm after a rejection", what);
    if (!isDecidedText(text, mine)) this.violate("a", "confirm of another text than decided", what);
  }

  /** A decision that stands in a call's arguments. */
  #arguedIn(p: Program, name: string, { negotiation_id: id, decision, action, confirmation_id, confirmed_text }: Args) {
    if (typeof id !== "string") return undefined;
    if (name === "towow_action" && action === "cancel") return this.#decide(p, id, "cancel", undefined);
    if (decision === "cancel" || decision === "reject") return this.#decide(p, id, decision, undefined);
    if (decision === "edit") return this.#decide(p, id, decision, confirmed_text as string);
    if (decision === "accept") return this.#decide(p, id, decision, this.asked(confirmation_id as string | undefined));
    return undefined;
  }

  /** What a result says of the decisions that its call carried: the argued one, and those of its forms. */
  #settle({ pid }: Program, { result }: Called, argued: Decision | undefined, from: number): void {
    const { data, error } = result;
    const id = argued?.id ?? data?.negotiation_id;
    const open = this.#decisions.filter((d) => d.pid === pid && d.id === id && d.at >= from && d.took === undefined);
    const inForm = open.some((decision) => decision !== argued); // then the person was asked, and that is the decision
    for (const decision of open) {
      if (decision === argued && inForm) decision.took = false;
      else if (error === null) {
        const first = !this.#isDecided(decision); // else the result only reports the one before
        if (data?.decision === decision.kind || (decision.kind === "cancel" && data?.state === "completed"))
          decision.took = first;
        else if (decision === argued) decision.took = false;
      } else if (/^tool\.(negotiation|input|policy)\./.test(error.code)) decision.took = false;
    }
  }

  #isDecided({ id, at }: Decision): boolean {
    return (
      this.#confirmsSent.some((c) => c.id === id && c.at < at) ||
      this.#decisions.some((d) => d.id === id && d.took === true && d.at <= at)
    );
  }

  #remember(p: Program, tool: string, { result, progress }: Called, span: Span): void {
    const { data, error, summary, status, warnings } = result;
    const text = [summary, error?.message, error?.recovery_suggestion, ...progress].filter(Boolean).join("\n");
    const id: unknown = data?.negotiation_id;
    const one = { tool, pid: p.pid, from: span.from, at: span.to, text, data, status, warnings };
    if (typeof id === "string") this.#statements.push({ ...one, id, failed: error !== null });
    for (const { negotiation_id: other } of data?.open ?? []) this.#checkOpen(other, span.from);
  }

  /** A pause that is listed as open was so when the call began, or had just been. */
  #checkOpen(id: string, from: number): void {
    const n = this.#home!.mock.negotiations().find((one) => one.negotiation_id === id);
    if (n !== undefined && (n.times.encoding ?? Number.POSITIVE_INFINITY) < from)
      this.#falsehood("said open, though it had moved on", id);
  }

  #falsehood(name: string, detail: string, invariant: Violation["invariant"] = "h"): void {
    if (KNOWN_AT_OLD_CORE.has(name)) this.count(`known at the old core: ${name}`);
    else this.violate(invariant, name, detail);
  }

  /** Invariant (h), when the run is over and it is known what was true. */
  #checkStatements(all: readonly Ended[]): void {
    const byId = new Map(all.map((n) => [n.negotiation_id, n]));
    const endedBefore = (pid: number, at: number) =>
      (this.processes.find((p) => p.pid === pid)?.endedAt ?? Number.POSITIVE_INFINITY) < at;
    for (const said of this.#statements) {
      const negotiation = byId.get(said.id);
      if (negotiation === undefined) continue;
      const decisions = this.#decisions.filter(({ id }) => id === said.id);
      for (const name of falsehoodsIn(said, { negotiation, decisions, endedBefore }))
        this.#falsehood(
          name,
          `${said.id} ${said.tool} of ${said.pid} at ${(said.at - this.#from) / 1000}: ${said.text.slice(0, 200)}`,
        );
    }
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

  #checkSubmit(intent: string, { result }: Called, since: MockBackend["journal"]): void {
    const last = since.findLast(
      (e) => e.path.endsWith("/submit") && (e.body as { intent?: string })?.intent === intent,
    );
    const refused = last?.status === 401; // before the fault, and for certain
    const lost = last?.fault !== undefined && last.fault !== "delay" && last.fault !== "status" && !refused;
    const whole = last?.status === 201 && last.fault === undefined ? last.made : undefined;
    if (whole !== undefined && result.error !== null && !JSON.stringify(result).includes(whole))
      this.#falsehood("failed without naming the negotiation that was made", `${intent} ${result.error.code}`);
    const told = result.error?.code === "tool.backend.timeout.submit_outcome_unknown";
    if (told) this.count("submit outcome unknown");
    if (told && refused) this.violate("c", "told as lost what was refused", intent);
    if (!told && lost && this.#submits.get(intent) === 1)
      this.violate("c", "lost submit not told", `${intent} ${last.fault} ${result.error?.code}`);
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
