import type { Decision } from "./claims.ts";
import type { Violation } from "./judge.ts";
import type { Span } from "./machine.ts";
import type { Called, Program } from "./program.ts";

interface Verdicts {
  violate(invariant: Violation["invariant"], kind: string, detail: string): void;
}

/** When results first gave text of other agents to a model of this home: from then on arguments say yes to nothing. */
export class OthersText {
  #since: number | undefined;

  get wasRead(): boolean {
    return this.#since !== undefined;
  }

  /** Looks at a call that has ended: its own argument may have confirmed nothing once such a text had been read. */
  look(p: Program, argued: Decision | undefined, { result }: Called, span: Span, { violate }: Verdicts): void {
    const { data } = result;
    const says = argued?.kind === "accept" || argued?.kind === "edit";
    const tookIt = argued?.took === true && data?.decided_by === "argument";
    if (says && tookIt && !p.forms && this.#since !== undefined && span.from > this.#since)
      violate("a", "an argument confirmed after others' text was read", argued.id);
    const offers: { offer_content?: unknown }[] = data?.participants ?? [];
    if (data?.plan_output || offers.some(({ offer_content }) => offer_content)) this.#since ??= span.to;
  }
}
