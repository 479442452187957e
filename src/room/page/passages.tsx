import { type ComponentChildren, Fragment, type JSX } from "preact";
import { isWord } from "../../view/authorship.ts";
import type { PassageSpec } from "../ui-spec-schema.ts";
import { current } from "./store.ts";

const MARKS = { network: "net", agent: "ag", edit: "you", person: "" } as const;

interface Run {
  part: string | undefined;
  by: PassageSpec["by"];
  takenOut: boolean;
  spoken: string | undefined;
  pieces: PassageSpec[];
}

/** Passages that are marked as one: an addition with a telephone number in it is one addition. */
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

/** A text with whose words they are: a tint and a number for the network's, a tint for a change, a line for personal data. */
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
        const text = run.pieces.map((piece, at) => drawn(piece, `${key}${at}`));
        const isMarked = run.by !== "person" && run.pieces.some((piece) => isWord(piece.text));
        if (!isMarked && !run.takenOut) return <Fragment key={key}>{text}</Fragment>;
        const spoken = run.spoken === undefined ? null : <span class="vh">{run.spoken}</span>;
        if (run.by === "person")
          return (
            <del key={key} class="off">
              {spoken}
              {text}
            </del>
          );
        return (
          <Fragment key={key}>
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
          </Fragment>
        );
      })}
    </>
  );
}

const drawn = ({ text, pii, takenOut }: PassageSpec, key: string): ComponentChildren =>
  pii === undefined || takenOut ? (
    text
  ) : (
    <mark key={key} class="pii" title={pii}>
      {text}
    </mark>
  );
