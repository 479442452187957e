import { expect, it } from "vitest";
import { median, p95, summarised } from "../../bench/report/figures.ts";

it("the p95 stands beside the median", () => {
  const twenty = Array.from({ length: 20 }, (_, i) => 20 - i);
  expect([median(twenty), p95(twenty)]).toEqual([11, 19]);
  expect(p95([7])).toBe(7);
});

it("for programs every series is its median, p95 and minimum, and the rest stays as it is", () => {
  const measured = { calls: [{ name: "ky", sequentialMs: [3, 1, 2] }], bytes: 5, none: [], more: { held: null } };
  expect(summarised(measured)).toEqual({
    calls: [{ name: "ky", sequentialMs: { median: 2, p95: 3, least: 1, count: 3 } }],
    bytes: 5,
    none: [],
    more: { held: null },
  });
});
