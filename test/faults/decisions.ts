import type { Decision } from "./claims.ts";
import type { Answer, Called, Program } from "./program.ts";

type Args = Record<string, unknown>;

/** Which decisions reached programs, and what was answered about each: all of it seen from outside. */
export class Decisions {
  readonly all: Decision[] = [];
  readonly confirmsSent: { id: string; at: number; text: string }[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  of(id: string): Decision[] {
    return this.all.filter((d) => d.id === id);
  }

  #add(p: Program, id: string, kind: Decision["kind"], text: string | undefined): Decision {
    const decision: Decision = { id, kind, text, at: this.#now(), pid: p.pid, took: undefined };
    this.all.push(decision);
    return decision;
  }

  /** What somebody answered in a form about this negotiation, which shows this text. */
  inForm(p: Program, id: string, shown: string | undefined, { action, content }: Answer): void {
    if (action === "cancel") return;
    const said = action === "decline" ? "reject" : content?.decision;
    // A form that shows the person's own text asks for a yes to it. "edit" alone only asks for the form to type it in.
    if (said === "accept") this.#add(p, id, shown?.startsWith("E") ? "edit" : "accept", shown);
    else if (said === "edit" && content?.confirmed_text) this.#add(p, id, said, content.confirmed_text);
    else if (said === "reject") this.#add(p, id, said, undefined);
  }

  /** A decision that stands in a call's arguments; `asked` gives the text of the question that it names. */
  inArguments(p: Program, tool: string, args: Args, asked: (id: unknown) => string | undefined): Decision | undefined {
    const { negotiation_id: id, decision, action, confirmation_id, confirmed_text } = args;
    if (typeof id !== "string") return undefined;
    if (tool === "towow_action" && action === "cancel") return this.#add(p, id, "cancel", undefined);
    if (decision === "cancel" || decision === "reject") return this.#add(p, id, decision, undefined);
    if (decision === "edit") return this.#add(p, id, decision, confirmed_text as string);
    if (decision === "accept") return this.#add(p, id, decision, asked(confirmation_id));
    return undefined;
  }

  /** What a result says of the decisions that its call carried since then: the argued one, and those of its forms. */
  settle({ pid }: Program, { result }: Called, argued: Decision | undefined, from: number): void {
    const { data, error } = result;
    const id = argued?.id ?? data?.negotiation_id;
    const open = this.all.filter((d) => d.pid === pid && d.id === id && d.at >= from && d.took === undefined);
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
      this.confirmsSent.some((c) => c.id === id && c.at < at) ||
      this.all.some((d) => d.id === id && d.took === true && d.at <= at)
    );
  }
}
