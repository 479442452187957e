import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hexagram } from "../../src/style/mark.ts";
import { type MapSize, place, radiusOf } from "../../src/style/placement.ts";
import { Reached } from "../support/reached.ts";

const size: MapSize = { width: 560, height: 500, node: 22, inner: 75 };
const agents = fc.array(fc.record({ score: fc.double({ min: -1, max: 2, noNaN: true }), labelWidth: fc.nat(160) }), {
  maxLength: 60,
});

describe("the map", () => {
  test("draws a score at its own distance, whoever else is there", () => {
    fc.assert(
      fc.property(agents, (list) => {
        for (const [index, { x, y }] of place(list, size).entries()) {
          const distance = Math.hypot(x - size.width / 2, y - size.height / 2);
          expect(distance).toBeCloseTo(radiusOf(list[index]?.score ?? 0, size), 6);
        }
      }),
    );
  });

  test("never moves who is placed when somebody arrives", () => {
    fc.assert(
      fc.property(agents, fc.nat(60), (list, count) => {
        expect(place(list.slice(0, count), size)).toEqual(place(list, size).slice(0, count));
      }),
    );
  });

  test("writes no name over another one", () => {
    fc.assert(
      fc.property(agents, (list) => {
        const named = place(list, size)
          .map((at, index) => ({ ...at, half: Math.max(size.node, (list[index]?.labelWidth ?? 0) / 2) }))
          .filter(({ hasLabel }) => hasLabel);
        for (const [index, a] of named.entries())
          for (const b of named.slice(index + 1))
            expect(Math.abs(a.x - b.x) >= a.half + b.half || Math.abs(a.y - b.y) >= 2 * size.node).toBe(true);
      }),
    );
  });

  test("a name that fits nowhere does not put its node on another one", () => {
    const list = [{ score: 0.9, labelWidth: 230 }, ...[0.8, 0.7, 0.6].map((score) => ({ score, labelWidth: 900 }))];
    const places = place(list, { width: 358, height: 358, node: 18, inner: 62 });
    const [first, ...others] = places;
    expect(places.map(({ hasLabel }) => hasLabel)).toEqual([true, false, false, false]);
    for (const { x, y } of others)
      expect(Math.abs(x - first!.x) >= 115 + 18 || y >= first!.y + 36 || y <= first!.y - 18 - 38 - 18).toBe(true);
  });

  test("writes nothing over the rings' numbers, nor over what they mean", () => {
    const [x, y] = [size.width / 2, size.height / 2];
    const reached = new Reached();
    fc.assert(
      fc.property(agents, (list) => {
        for (const [index, at] of place(list, size).entries()) {
          if (!reached.when(at.hasLabel)) continue;
          const half = Math.max(size.node, (list[index]?.labelWidth ?? 0) / 2);
          const [top, bottom] =
            at.y < y ? [at.y - size.node - 38, at.y + size.node] : [at.y - size.node, at.y + size.node + 38];
          for (const [score, label] of [
            [0.9, 12],
            [0.7, 12],
            [0.5, 38],
          ] as const) {
            const line = y + radiusOf(score, size);
            const isBeside = Math.abs(at.x - x) >= half + label;
            expect(isBeside || bottom <= line - 5 || top >= line + 5).toBe(true);
          }
        }
      }),
    );
    reached.atLeast(100);
  });

  test("places a crowd at once, and names those who came first", () => {
    const crowd = Array.from({ length: 2000 }, (_, index) => ({ score: (index % 60) / 60, labelWidth: 80 }));
    const places = place(crowd, size);
    expect(places).toHaveLength(2000);
    expect(places.slice(0, 300).some(({ hasLabel }) => hasLabel)).toBe(true);
    expect(places.slice(300).some(({ hasLabel }) => hasLabel)).toBe(false);
  });
});

test("a line of the mark is whole once its step has been gone through", () => {
  const broken = (whole: number) => hexagram(whole, { x: 0, y: 0, width: 18, gap: 3 }).match(/opacity/g)?.length ?? 0;
  expect([0, 2, 6].map(broken)).toEqual([6, 4, 0]);
});
