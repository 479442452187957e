import type { Clock } from "../clock.ts";
import { toIsoSeconds } from "../home/iso-time.ts";
import { progressText } from "../negotiation/describe.ts";
import type { Texts } from "../text/index.ts";
import { watchTexts } from "../text/watch.ts";
import type { Display } from "./live.ts";
import { nextStep } from "./sentences.ts";
import type { View } from "./view.ts";

export interface JsonDisplayOptions {
  /** Writes one object, which becomes one line. */
  write: (value: Readonly<Record<string, unknown>>) => void;
  clock: Clock;
  texts: Texts;
}

/** Writes an object for each change, for programs. The time that is left ticks by itself, so it counts as no change. */
export function jsonDisplay({ write, clock, texts }: JsonDisplayOptions): Display {
  let shown = "";
  return {
    show(view) {
      const now = changeOf(view, texts);
      const text = JSON.stringify(now);
      if (text === shown) return;
      shown = text;
      write({ at: toIsoSeconds(clock.now()), ...now });
    },
    notice() {},
    resized() {},
    move() {},
    toggleHelp() {},
    pause() {},
    resume() {},
    end() {},
  };
}

function changeOf(view: View, texts: Texts) {
  const { id, host, negotiation: n, stage, said, fate, outage, asking } = view;
  const silence = asking && fate?.of === "silence" ? fate : undefined;
  const iso = (at: number | undefined) => (at === undefined ? null : toIsoSeconds(at));
  const decision = said.decision && { kind: said.decision.kind, by: said.decision.by, at: iso(said.decision.at) };
  return {
    negotiation_id: id,
    host,
    state: n?.state ?? null,
    stage: said.ending === "not_found" ? "not_found" : stage.name,
    ending: said.ending ?? null,
    summary: n === undefined && said.ending === undefined ? null : progressText(said, texts),
    waits_for_you: asking,
    decide_by: iso(silence?.at),
    undecided: silence?.as ?? null,
    decision: decision ?? null,
    warnings: said.warnings,
    unreachable_since: iso(outage?.since),
    demand_raw: n?.demand_raw ?? null,
    demand_formulated: n?.demand_formulated ?? null,
    offers: n === undefined ? null : said.offers,
    participants: n?.participants ?? [],
    plan_output: n?.plan_output ?? null,
    next: nextStep(view, { texts: watchTexts(texts.lang) }) ?? null,
  };
}
