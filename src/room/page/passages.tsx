import { type ComponentChildren, Fragment, type JSX } from "preact";
import { isWord } from "../../view/authorship.ts";
import type { PassageSpec } from "../ui-spec-schema.ts";
import { current } from "./store.ts";

/** The CSS class that marks words, by their author. The person's words have no mark. */
export const MARKS = { network: "net", agent: "ag", edit: "you", person: "" } as const;

interface Run {
  part: string | undefined;
  by: PassageSpec["by"];
  takenOut: boolean;
  spoken: string | undefined;
  pieces: PassageSpec[];
}

/** Joins passages that share a mark, so that an addition with a telephone number in it is still one addition. */
function runsOf(passages: readonly PassageSpec[]): Run[] {
  const runs: Run[] = [];
  for (const passage of passages) {
    const last = runs.at(-1);
    const [by, part, takenOut] = [
      passage.by,
      passage.by === "network" ? passage.part : undefined,
      passage.takenOut === true,
    ];
    if (
      last !== undefined &&
      last.by === by &&
      last.part === part &&
      last.takenOut === takenOut &&
      passage.spoken === undefined
    )
      last.pieces.push(passage);
    else runs.push({ by, part, takenOut, spoken: passage.spoken, pieces: [passage] });
  }
  return runs;
}

/** Draws a text with its authors: a tint and a number for the network, a tint for a change, a line for personal data. */
export function Passages({
  passages,
  isNumbered = false,
}: {
  passages: readonly PassageSpec[];
  isNumbered?: boolean;
}): JSX.Element {
  const { lit } = current();
  return (
    <>
      {runsOf(passages).map((run, index) => {
        const key = `${index}${run.by}`;
        const isMarked = run.by !== "person" && run.pieces.some((piece) => isWord(piece.text));
        const draw = (pieces: readonly PassageSpec[]) => pieces.map((piece, at) => drawn(piece, `${key}${at}`));
        if (!isMarked && !run.takenOut) return <Fragment key={key}>{draw(run.pieces)}</Fragment>;
        const { before, pieces, after } = trimmed(run.pieces);
        const text = draw(pieces);
        const spoken = run.spoken === undefined ? null : <span class="vh">{run.spoken}</span>;
        if (run.by === "person")
          return (
            <Fragment key={key}>
              {before}
              <del class="off">
                {spoken}
                {text}
              </del>
              {after}
            </Fragment>
          );
        return (
          <Fragment key={key}>
            {before}
            <ins
              class={`${MARKS[run.by]} ${run.takenOut ? "off" : ""} ${lit !== undefined && lit === run.part ? "on" : ""}`}
            >
              {spoken}
              {text}
            </ins>
            {isNumbered && run.part !== undefined && !run.part.startsWith("p") ? (
              <sup class="n" aria-hidden="true">
                {run.part}
              </sup>
            ) : null}
            {after}
          </Fragment>
        );
      })}
    </>
  );
}

/** Splits the spaces at both ends off a text, because a mark begins and ends with a word. */
export function withoutEnds(text: string): [before: string, words: string, after: string] {
  const words = text.trim();
  const start = words === "" ? text.length : text.indexOf(words);
  return [text.slice(0, start), words, text.slice(start + words.length)];
}

function trimmed(run: readonly PassageSpec[]): { before: string; pieces: PassageSpec[]; after: string } {
  const pieces = [...run];
  const [first, last] = [pieces.at(0), pieces.at(-1)];
  if (first === undefined || last === undefined) return { before: "", pieces, after: "" };
  const [before] = withoutEnds(first.text);
  pieces[0] = { ...first, text: first.text.slice(before.length) };
  const end = pieces.at(-1) ?? last;
  const [, , after] = withoutEnds(end.text);
  pieces[pieces.length - 1] = { ...end, text: end.text.slice(0, end.text.length - after.length) };
  return { before, pieces, after };
}

const drawn = ({ text, pii, takenOut }: PassageSpec, key: string): ComponentChildren =>
  pii === undefined || takenOut ? (
    text
  ) : (
    <mark key={key} class="pii" title={pii}>
      {text}
    </mark>
  );
