import { afterAll, describe, expect, it } from "vitest";
import type { Broadcast } from "../../src/negotiation/says.ts";
import {
  CELLS,
  DECISIONS,
  ENDS,
  FATES,
  type History,
  hearCells,
  mutate,
  OTHERS,
  SIGHTS,
  type Walked,
  walk,
  wander,
  wordIn,
} from "./says-walk.ts";

/** The table of what is said, walked whole: on every surface, judged by the backend's own journal. */

const LONG = { timeout: 900_000 };

const histories = (decision: History["decision"]): History[] =>
  FATES.flatMap((fate) =>
    OTHERS.flatMap((other) =>
      SIGHTS.flatMap((sight) => ENDS.map((end) => ({ decision, fate, other, sight, end }) satisfies History)),
    ),
  );

/** Beyond the product: another confirm over the person's own, and programs that die in a yes. */
const BEYOND: readonly History[] = SIGHTS.flatMap((sight) =>
  ENDS.flatMap((end) =>
    (["accept", "edit"] as const).flatMap((decision) => [
      ...(["answered", "answer lost"] as const).flatMap((fate) =>
        (["the same text", "another text"] as const).map(
          (other) => ({ decision, fate, other, sight, end, isOver: true }) as const,
        ),
      ),
      ...[2_000, 12_000].map(
        (diesForMs) => ({ decision, fate: "answered", other: "nobody", sight, end, diesForMs }) as const,
      ),
    ]),
  ),
);

async function closed(go: (atEnd: Parameters<typeof walk>[1]) => Promise<Walked>): Promise<Walked> {
  const closing: (() => Promise<void>)[] = [];
  try {
    return await go((close) => closing.push(close));
  } finally {
    for (const close of closing) await close();
  }
}

/** By cell, the first histories in which it was told. */
const tellers = new Map<string, History[]>();
const KEPT = 40;

const PRODUCT = DECISIONS.map((decision) => [decision, histories(decision)] as const);

describe("nothing false is said on any surface", () => {
  it.each([...PRODUCT, ["beyond the product", BEYOND] as const])("%s", LONG, async (_, all) => {
    const found: string[] = [];
    let statements = 0;
    for (const history of all) {
      const heard = new Set<string>();
      const deaf = hearCells((cell) => heard.add(cell));
      const walked = await closed((atEnd) => walk(history, atEnd)).finally(deaf);
      for (const cell of heard) tellers.set(cell, [...(tellers.get(cell) ?? []), history].slice(0, KEPT));
      statements += walked.statements;
      for (const one of new Set(walked.falsehoods)) found.push(`${Object.values(history).join(" / ")} · ${one}`);
    }
    expect(found).toEqual([]);
    expect(statements).toBeGreaterThan(1_000);
  });

  it.each([1, 101, 201, 301])("in a hundred histories that fell by dice, from %i on", LONG, async (first) => {
    const found: string[] = [];
    for (let seed = first; seed < first + 100; seed++) {
      const { falsehoods } = await closed((atEnd) => wander(seed, atEnd));
      for (const one of new Set(falsehoods)) found.push(`${seed} · ${one}`);
    }
    expect(found).toEqual([]);
  });
});

/** What a cell is changed to: a word that it must not be. */
const WRONG: Readonly<Record<Broadcast, readonly Broadcast[]>> = {
  person: ["backend"],
  unclear: ["person", "backend"],
  backend: ["person"],
  others: ["person"],
  replaced: ["person"],
};

describe("the judge reads the same table", () => {
  afterAll(() => tellers.clear());

  it("every cell that can be told is, and with another word in it the judge finds what is false", LONG, async () => {
    const told = CELLS.filter((cell) => tellers.has(cell));
    // Without a yes nothing is agreed to; the others need a text that was shown before the one that was accepted.
    expect(CELLS.filter((cell) => !told.includes(cell))).toEqual(["none agreed", "in_time shown", "late shown"]);
    const unseen: string[] = [];
    for (const cell of told)
      for (const word of WRONG[wordIn(cell)]) {
        const restore = mutate(cell, word);
        let isSeen = false;
        for (const history of tellers.get(cell) ?? []) {
          const { falsehoods } = await closed((atEnd) => walk(history, atEnd));
          isSeen = falsehoods.length > 0;
          if (isSeen) break;
        }
        restore();
        if (!isSeen) unseen.push(`${cell}: ${word}`);
      }
    console.log(
      told,
      CELLS.filter((cell) => !tellers.has(cell)),
    );
    expect(unseen).toEqual([]);
  });
});
