import type { Dice } from "../../../test/faults/sim.ts";
import { type Answer, type Called, type Form, READING_MS } from "../../../test/support/clients.ts";
import { type EndpointClient, endpointClient, HttpRefused, type Kind } from "../../../test/support/endpoint-clients.ts";
import { sleep } from "../../harness.ts";

export type Plan = "accept" | "edit" | "reject" | "none";

/** One thing that a person asks for, what they mean to answer, and what they were told of it. */
export interface Need {
  intent: string;
  plan: Plan;
  startAt: number;
  /** The person has given an answer. */
  answered: boolean;
  /** The negotiations that answers named, and when each answer came. */
  ids: Map<string, number[]>;
  /** `confirmed`, `rejected`, `moved`, `withdrawn`, or a code. */
  told: Set<string>;
  /** The submit's answer was lost, and the server said so. */
  submitUnknown: boolean;
  gaveUp: boolean;
  calledAt: number[];
  /** What went wrong, and when. */
  broke: string[];
  /** What the last look showed, when everything was over. */
  final?: { id: string; warnings: string[]; state: string; summary: string; from: number; at: number };
}

export interface PersonOptions {
  userId: string;
  token: string;
  mark: string;
  kind: Kind;
  claimsId: boolean;
  front: string;
  /** The replicas' own addresses, for deciding at another one than asked. */
  direct: readonly string[];
  sceneId: string;
  dice: Dice;
  now: () => number;
}

const MARK = /mark-[0-9a-f]{12}/g;
const PATIENCE_MS = 75_000;
/** A call that hangs on a stream that a killed replica left is given up and made again. */
const CALL_TIMEOUT_MS = 20_000;

/** A real user: asks, answers, and tries again when something broke. */
export class Person {
  readonly needs: Need[] = [];
  readonly foreignMarks = new Set<string>();
  readonly durations: number[] = [];
  readonly interruptions = new Map<string, number>();
  readonly warnings = new Map<string, number>();
  bytes = 0;
  readonly #o: PersonOptions;
  #client: EndpointClient | undefined;
  #current: Need | undefined;
  #tail = "";

  constructor(options: PersonOptions) {
    this.#o = options;
  }

  get userId(): string {
    return this.#o.userId;
  }
  get mark(): string {
    return this.#o.mark;
  }

  async run(): Promise<void> {
    for (const need of this.needs) {
      await sleep(Math.max(0, need.startAt - this.#o.now()));
      this.#current = need;
      await this.#pursue(need);
    }
    await this.#client?.close().catch(() => {});
  }

  /** The call that a person makes later, to see what has become of it. */
  async look(id: string, at: string): Promise<Called | undefined> {
    const client = await this.#plain(at);
    for (let tries = 0; tries < 10; tries++) {
      const called = await this.#timed(() => client.call("towow_status", { negotiation_id: id })).catch(
        () => undefined,
      );
      if (called?.isError === false) return called;
      await sleep(1_000);
    }
    return undefined;
  }

  async #pursue(need: Need): Promise<void> {
    const giveUpAt = this.#o.now() + PATIENCE_MS;
    let next: Record<string, unknown> = { intent: need.intent, scene_id: this.#o.sceneId };
    while (this.#o.now() < giveUpAt) {
      const called = await this.#try(need, next);
      if (called === undefined) {
        await sleep(this.#o.dice.int(500, 2_000));
        const [id] = need.ids.keys();
        if (next.decision === undefined && id !== undefined) next = { negotiation_id: id };
        continue;
      }
      const follow = this.#hear(need, called);
      if (follow === "done") return;
      const { pause = follow === "again", ...args } = follow === "again" ? {} : follow;
      if (follow !== "again") next = args;
      if (pause) await sleep(this.#o.dice.int(500, 2_000));
    }
    need.gaveUp = true;
  }

  /** What the answer says to this person, and the call that follows from it. */
  #hear(need: Need, { result, isError }: Called): Record<string, unknown> | "done" | "again" {
    if (isError || result === undefined) {
      const code = result?.error?.code ?? "no envelope";
      this.#broke(code);
      if (code === "tool.negotiation.conflict.submit_outcome_open") need.submitUnknown = true;
      const [id] = need.ids.keys();
      if (/already_decided|not_waiting|confirmation_id/.test(code) && id !== undefined) return { negotiation_id: id };
      return "again";
    }
    for (const code of result.warnings) this.#count(this.warnings, code);
    const { data } = result;
    need.ids.set(data.negotiation_id, [...(need.ids.get(data.negotiation_id) ?? []), this.#o.now()]);
    // Nothing is settled: they look again, and decide again when they are asked again.
    if (result.warnings.includes("decision_pending")) return { negotiation_id: data.negotiation_id, pause: true };
    if (data.decision === "accept" || data.decision === "edit") return this.#settled(need, "confirmed");
    if (data.decision === "reject") return this.#settled(need, "rejected");
    if (data.decision === "withdraw") return this.#settled(need, "withdrawn");
    const params = data.resume_with?.params as Record<string, unknown> | undefined;
    if (params?.confirmation_id !== undefined) {
      if (need.plan === "none") return "done";
      need.answered = true;
      const text = need.plan === "edit" ? { confirmed_text: editedOf(need) } : {};
      return { ...params, decision: need.plan, ...text };
    }
    if (data.state === "formulated" || params?.wait === undefined) {
      if (data.state === "completed") return this.#settled(need, "over");
      return { negotiation_id: data.negotiation_id };
    }
    return this.#settled(need, "moved");
  }

  #settled(need: Need, as: string): "done" {
    need.told.add(as);
    return "done";
  }

  async #try(need: Need, args: Record<string, unknown>): Promise<Called | undefined> {
    need.calledAt.push(this.#o.now());
    try {
      const client = await this.#clientFor(args);
      return await this.#timed(() => client.call("towow_demand", args, CALL_TIMEOUT_MS));
    } catch (error) {
      const reason = /http\.[a-z_]+|\b50[234]\b|fetch failed|terminated|timed? ?out|-32001/i.exec(String(error))?.[0];
      const refused = error instanceof HttpRefused ? /http\.[a-z_]+/.exec(error.body)?.[0] : undefined;
      const what = refused ?? `call died (${this.#o.kind}): ${reason ?? String(error).slice(0, 60)}`;
      this.#broke(what);
      await this.#client?.close().catch(() => {});
      this.#client = undefined; // a new session, as a client that was restarted
      return undefined;
    }
  }

  /** A client without forms decides now and then at a replica of its choice, past the load balancer. */
  async #clientFor(args: Record<string, unknown>): Promise<EndpointClient> {
    const { kind, front, direct, dice } = this.#o;
    if (kind === "plain")
      return this.#plain(args.decision !== undefined && dice.chance(0.5) ? dice.pick([...direct]) : front);
    this.#client ??= await endpointClient(kind, front, this.#user(), (form) => this.#answer(form));
    return this.#client;
  }

  #plain = (url: string) => endpointClient("plain", url, this.#user());

  #user() {
    const { token, userId, claimsId } = this.#o;
    return { token, ...(claimsId && { userId }), onText: (text: string) => this.#receive(text) };
  }

  async #answer({ message, requestedSchema: { properties } }: Form): Promise<Answer> {
    const need = this.#current!;
    if (need.plan === "none") return { action: "cancel" };
    need.answered = true;
    if (need.plan === "reject" && this.#o.dice.chance(0.5)) {
      await sleep(READING_MS); // sooner it would be the client's
      return { action: "decline" };
    }
    if ("confirmed_text" in properties) return { action: "accept", content: { confirmed_text: editedOf(need) } };
    const ownText = message === editedOf(need); // shown again, because it is longer than its field
    return { action: "accept", content: { decision: ownText ? "accept" : need.plan } };
  }

  /** Every byte is searched for the marks of others. */
  #receive(text: string): void {
    this.bytes += text.length;
    const seen = this.#tail + text;
    for (const [mark] of seen.matchAll(MARK)) if (mark !== this.#o.mark) this.foreignMarks.add(mark);
    this.#tail = seen.slice(-16);
  }

  async #timed<T>(work: () => Promise<T>): Promise<T> {
    const from = performance.now();
    try {
      return await work();
    } finally {
      this.durations.push(performance.now() - from);
    }
  }

  #broke(what: string): void {
    this.#current?.broke.push(`${this.#o.now()} ${what}`);
    this.#count(this.interruptions, what);
  }

  #count(map: Map<string, number>, what: string): void {
    map.set(what, (map.get(what) ?? 0) + 1);
  }
}

export const editedOf = ({ intent }: Pick<Need, "intent">): string => `${intent}, edited by hand`;
