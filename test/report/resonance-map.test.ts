import { describe, expect, it } from "vitest";
import type { Participant } from "../../src/backend/contract.ts";
import { type ReportOptions, reportPage } from "../../src/report/page/report.ts";
import { dossier, participant } from "./sample.ts";

const OPTIONS: ReportOptions = {
  ...{ lang: "en", host: "towow.example", madeAt: 0, timeOf: String, needs: [], isMasked: true },
};
const [X, Y] = [300, 230];

/** The map of a report, as it is drawn: on a wide page, or on a narrow one. */
async function mapOf(participants: Participant[], { width = 600, plan = "The plan." as string | null } = {}) {
  const page = await reportPage(
    [dossier({ participants, plan_output: plan, state: plan ? "completed" : "failed" })],
    OPTIONS,
  );
  const svg = new RegExp(`<svg viewBox="0 0 ${width} [\\s\\S]*?</svg>`).exec(page)?.[0] ?? "";
  const all = (pattern: RegExp) =>
    [...svg.matchAll(pattern)].map(({ groups }) => ({ ...groups }) as Record<string, string>);
  const nodes = all(
    /<g class="(?<state>\w+)"><circle class="nd" cx="(?<x>[\d.]+)" cy="(?<y>[\d.]+)" r="(?<r>[\d.]+)"\/>(?:<text class="in"[^>]*y="(?<inAt>[\d.]+)">(?<initials>[^<]*)<\/text>)?(?:<text class="lb halo"[^>]*y="(?<nameAt>[\d.]+)">(?<name>[^<]*)<\/text><text class="sc halo"[^>]*y="(?<scoreAt>[\d.]+)">(?<score>[^<]*)<)?/g,
  );
  const lines = all(/class="ln" d="M(?<x1>[\d.]+) (?<y1>[\d.]+)L(?<x2>[\d.]+) (?<y2>[\d.]+)"/g);
  const arcs = all(
    /class="arc(?<offered> in1)?" d="M(?<x1>[\d.]+) (?<y1>[\d.]+)A(?<r>[\d.]+) [\d.]+ 0 (?<isLarge>\d) 1 (?<x2>[\d.]+) (?<y2>[\d.]+)"/g,
  );
  return { page, svg, nodes, lines, arcs };
}

const people = (count: number, of: (n: number) => Partial<Participant> = () => ({})) =>
  Array.from({ length: count }, (_, n) =>
    participant(`person ${n}`, { resonance_score: 0.4 + (n % 60) / 100, ...of(n) }),
  );
const distance = ({ x, y }: Record<string, string>) => Math.hypot(Number(x) - X, Number(y) - Y);

describe("the map of who resonated", () => {
  it("the more there are, the smaller each is drawn; from thirteen on without initials", async () => {
    const sizes = [];
    for (const count of [1, 12, 13, 60, 61, 300, 301]) {
      const { nodes } = await mapOf(people(count));
      expect(nodes).toHaveLength(count);
      sizes.push([
        count,
        ...new Set(nodes.map(({ r, initials }) => `${r}${initials === undefined ? "" : " PX"}`.slice(0, 4))),
      ]);
    }
    expect(sizes).toEqual([
      [1, "22 P"],
      [12, "22 P"],
      [13, "11"],
      [60, "11"],
      [61, "6"],
      [300, "6"],
      [301, "3"],
    ]);
    const { nodes } = await mapOf(people(2), { width: 327 });
    expect(nodes.map(({ r }) => r)).toEqual(["18", "18"]);
  });

  it("the stronger the resonance, the nearer to the demand", async () => {
    const { nodes } = await mapOf(people(4, (n) => ({ resonance_score: [0.5, 0.9, 0.7, 0.4][n]! })));
    const far = nodes.map(distance);
    expect([1, 2, 0, 3].map((n) => far[n]!)).toEqual(far.toSorted((a, b) => a - b));
    expect(new Set(far).size).toBe(4);
  });

  it("a line goes from the edge of the demand to the edge of each, and touches neither", async () => {
    const { nodes, lines } = await mapOf(people(3));
    expect(lines).toHaveLength(3);
    for (const [n, { x1, y1, x2, y2 }] of lines.entries()) {
      expect(Math.hypot(Number(x1) - X, Number(y1) - Y)).toBeCloseTo(22 * 2.05, 0);
      const { x, y } = nodes[n]!;
      expect(Math.hypot(Number(x2) - Number(x), Number(y2) - Number(y))).toBeCloseTo(24, 0);
      expect(Math.hypot(Number(x1) - Number(x2), Number(y1) - Number(y2))).toBeLessThan(distance(nodes[n]!));
    }
  });

  it("one arc each round the demand, from the top on, filled where an offer is in, with gaps between them", async () => {
    const { arcs } = await mapOf(people(4, (n) => (n === 2 ? { state: "resonating", offer_content: null } : {})));
    expect(arcs.map(({ offered }) => offered !== undefined)).toEqual([true, true, false, true]);
    const angles = arcs.map(({ x1, y1, x2, y2, r, isLarge }) => {
      expect([r, isLarge]).toEqual(["40.7", "0"]);
      const of = (x?: string, y?: string) => (Math.atan2(Number(x) - X, Y - Number(y)) * 180) / Math.PI;
      return [of(x1, y1), of(x2, y2)].map((angle) => Math.round(angle < -0.5 ? angle + 360 : angle));
    });
    expect(angles).toEqual([
      [5, 85],
      [95, 175],
      [185, 265],
      [275, 355],
    ]);
    const [alone] = (await mapOf(people(1))).arcs;
    expect(alone?.isLarge).toBe("1");
    expect((await mapOf(people(3))).arcs.map(({ isLarge }) => isLarge)).toEqual(["0", "0", "0"]);
    expect((await mapOf(people(60))).arcs).toHaveLength(60);
    expect((await mapOf(people(61))).arcs).toEqual([]);
  });

  it("all of twelve have their name and score; of more, those with an offer, and 24 of them at most", async () => {
    const named = async (...given: Parameters<typeof people>) =>
      (await mapOf(people(...given))).nodes.flatMap(({ name }) => name ?? []);
    const waits = { state: "resonating", offer_content: null };
    const few = await mapOf(people(3, () => waits));
    expect(few.nodes.map(({ name, score }) => [name, score])).toEqual([
      ["person 0", "0.40"],
      ["person 1", "0.41"],
      ["person 2", "0.42"],
    ]);
    expect(await named(13, (n) => (n === 5 || n === 7 ? {} : waits))).toEqual(["person 5", "person 7"]);
    const strongest = await named(40, (n) => ({ resonance_score: n < 20 ? 0.41 : 0.4 + n / 100 }));
    expect(strongest.length).toBeGreaterThan(5);
    expect(strongest.length).toBeLessThanOrEqual(24);
    const isAmong = (name: string) => Number(name.slice(7)) >= 20 || Number(name.slice(7)) < 4;
    expect(strongest.filter((name) => !isAmong(name))).toEqual([]);
  });

  it("a name stands on the side away from the demand, above its score, and is cut at 18 characters", async () => {
    const { nodes } = await mapOf(
      people(5, (n) => ({ display_name: `${"abcdefghij".repeat(2).slice(0, 17 + (n % 3))}` })),
    );
    expect(nodes.some(({ y }) => Number(y) < Y) && nodes.some(({ y }) => Number(y) > Y)).toBe(true);
    for (const { y, nameAt, scoreAt, inAt } of nodes) {
      if (nameAt === undefined) continue;
      const offsets = [nameAt, scoreAt, inAt].map((at) => Math.round((Number(at) - Number(y)) * 10) / 10);
      expect(offsets).toEqual(Number(y) < Y ? [-48, -33, 4.5] : [44, 60, 4.5]);
    }
    const names = nodes.flatMap(({ name }) => name ?? []);
    expect(names).toContain("abcdefghijabcdefgh");
    expect(names).toContain("abcdefghijabcdefg…");
    const [ann] = (await mapOf(people(1, () => ({ display_name: "Ann Marie Fox" })))).nodes;
    expect(ann?.initials).toBe("AF");
  });

  it("the demand in the centre and the rings have their sizes: among a few, on a narrow page, in a crowd", async () => {
    const drawn = async (count: number, width = 600) => {
      const { svg } = await mapOf(people(count), { width });
      const [core] = /(?<=class="core"[^>]*r=")[\d.]+/.exec(svg) ?? [];
      const rings = [...svg.matchAll(/class="o"[^>]*r="([\d.]+)"/g)].map(([, r]) => Number(r));
      const [lowest] = /(?<=stroke-width="2.4"><path d=")[^"]+/.exec(svg) ?? [];
      return { core, rings, lowest };
    };
    expect(await drawn(3)).toEqual({ core: "34.1", rings: [93.5, 130.5, 167.5], lowest: "M286.36 241.26h27.28" });
    expect(await drawn(3, 327)).toEqual({ core: "27.9", rings: [74.4, 99.3, 124.1], lowest: "M152.34 192.94h22.32" });
    expect(await drawn(13)).toEqual({ core: "27.9", rings: [84.5, 129.5, 174.5], lowest: "M288.84 238.94h22.32" });
  });

  it("the sign in the centre is whole once there is a plan, and has four whole lines before", async () => {
    const wholeLines = ({ svg }: { svg: string }) =>
      /stroke-width="2.4">(?<sign>[\s\S]*?)<\/g>/.exec(svg)!.groups!.sign!.match(/h27\.28"/g)?.length;
    expect(wholeLines(await mapOf(people(2)))).toBe(6);
    expect(wholeLines(await mapOf(people(2), { plan: null }))).toBe(4);
  });

  it("the rings carry their numbers, and the last one says what they are", async () => {
    const { svg } = await mapOf(people(2));
    const rings = [...svg.matchAll(/class="o" cx="300" cy="230" r="([\d.]+)"\/><text[^>]*y="([\d.]+)">([^<]*)</g)];
    expect(rings.map(([, , , label]) => label)).toEqual(["0.9", "0.7", expect.stringContaining("0.5")]);
    for (const [, r, at] of rings) expect(Number(at) - Y - Number(r)).toBeCloseTo(4, 0);
    expect(rings[2]?.[3]).not.toBe("0.5");
  });

  it("the list beside it gives each one's resonance in two digits, the strongest first", async () => {
    const { page } = await mapOf(people(3, (n) => ({ resonance_score: [0.512, 0.9, 0.756][n]! })));
    const listed = [...page.matchAll(/<span class="nm">([^<]*)<\/span><span>([^<]*)</g)].map(([, ...row]) => row);
    expect(listed).toEqual([
      ["person 1", "0.90"],
      ["person 2", "0.76"],
      ["person 0", "0.51"],
    ]);
  });
});
