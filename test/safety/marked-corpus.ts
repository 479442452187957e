import { readFileSync } from "node:fs";
import type { Pii } from "../../src/safety/pii/spans.ts";

interface Mark {
  /** What it may be found as; "other" is personal, but of no promised kind. */
  kinds: string[];
  start: number;
  end: number;
}

export interface MarkedLine {
  text: string;
  marks: Mark[];
}

/** A text of lines in which ⟦kind|…⟧ marks personal data; lines that begin with "# " say what follows. */
export const readCorpus = (name: string): MarkedLine[] =>
  readFileSync(new URL(name, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("# "))
    .map(unmark);

function unmark(line: string): MarkedLine {
  let text = "";
  const marks: Mark[] = [];
  for (const [piece, kinds, value] of line.matchAll(/⟦([^|⟧]+)\|([^⟧]+)⟧|[^⟦]+/g)) {
    const start = text.length;
    text += value ?? piece;
    if (kinds !== undefined) marks.push({ kinds: kinds.split("/"), start, end: text.length });
  }
  return { text, marks };
}

/** A finding may hide this much beside what is personal, and no more. */
const MAX_BESIDE = 8;

/** Whether a finding hides all of a mark, as what it is, and little else. */
const covers = (pii: Pii, { kinds, start, end }: Mark): boolean =>
  kinds.includes(pii.kind) && pii.start <= start && pii.end >= end && pii.end - pii.start <= end - start + MAX_BESIDE;

const isPromised = ({ kinds }: Mark): boolean => !kinds.includes("other");

/** How a finder does on a corpus: shares from 0 to 1, and what it missed or made up, each with its line. */
export function score(lines: readonly MarkedLine[], find: (text: string) => Pii[]) {
  const missed: string[] = [];
  const wrong: string[] = [];
  let promised = 0;
  let findings = 0;
  for (const { text, marks } of lines) {
    const found = find(text);
    for (const mark of marks.filter(isPromised)) {
      promised++;
      if (!found.some((pii) => covers(pii, mark)))
        missed.push(`${mark.kinds}: ${text.slice(mark.start, mark.end)} in ${text}`);
    }
    const others = marks.filter((mark) => !isPromised(mark));
    for (const pii of found) {
      if (others.some((mark) => pii.start < mark.end && mark.start < pii.end)) continue;
      findings++;
      if (!marks.some((mark) => covers(pii, mark)))
        wrong.push(`${pii.kind}: ${text.slice(pii.start, pii.end)} in ${text}`);
    }
  }
  const recall = 1 - missed.length / promised;
  const precision = findings === 0 ? 1 : 1 - wrong.length / findings;
  return { promised, findings, recall, precision, missed, wrong };
}
