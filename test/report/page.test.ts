import { describe, expect, test } from "vitest";
import { anchorOf } from "../../src/report/page/findings.ts";
import { graphSvg } from "../../src/report/page/graph-svg.ts";
import { type ReportOptions, reportPage, reportSvg } from "../../src/report/page/report.ts";
import { SANITIZE_DEFAULTS } from "../../src/safety/sanitize/options.ts";
import { reportTexts } from "../../src/text/report.ts";
import { dossier, participant } from "./sample.ts";

const options: ReportOptions = {
  ...{ lang: "en", host: "towow.example", madeAt: 0, timeOf: String, needs: [], isMasked: true },
};
const INJECTED = `"><script>alert(1)</script><img src=//evil.example/x onerror=alert(1)>'\`\${x}`;

describe("the report", () => {
  test("text of others is text, wherever it stands", async () => {
    const page = await reportPage(
      [
        dossier(
          {
            demand_raw: INJECTED,
            demand_formulated: `${INJECTED} more`,
            plan_output: `Week 1: ${INJECTED}\n\n## ${INJECTED}`,
            participants: [
              participant(INJECTED.slice(0, 40), {
                display_name: INJECTED,
                offer_content: { [INJECTED]: INJECTED },
                offer_capabilities: [INJECTED],
              }),
            ],
            sub_session_ids: [INJECTED],
          },
          {
            summary: INJECTED,
            sceneId: INJECTED,
            tasks: [{ id: INJECTED, title: INJECTED, description: INJECTED, assignee_id: "x", prerequisites: [] }],
            risks: [{ code: "cancelled", severity: "low", reason: INJECTED, evidence_path: `/${INJECTED}` }],
          },
        ),
      ],
      { ...options, needs: [INJECTED], host: INJECTED },
    );
    expect(page).not.toMatch(/<script|<img|<iframe|<link|<form/i);
    expect(page.match(/<[^>]+\son\w+\s*=/gi)).toBeNull();
    expect(page.match(/(?:src|href)="(?!#)/g)).toBeNull();
    expect(page.match(/url\(|@import/g)).toBeNull();
    expect(page).toContain("default-src &#39;none&#39;".replaceAll("&#39;", "'"));
  });

  test("masks contacts unless they are asked for, in the person's own words as well", async () => {
    const of = {
      demand_raw: "Call me at 13800138000.",
      demand_formulated: "Call me at 13800138000. Soon.",
      participants: [participant("alice", { offer_content: "Write to alice@example.com" })],
      plan_output: "Alice: 13900139000",
    };
    const masked = await reportPage([dossier(of)], options);
    for (const contact of ["13800138000", "13900139000", "alice@example.com"]) expect(masked).not.toContain(contact);
    const shown = await reportPage([dossier(of, {}, { ...SANITIZE_DEFAULTS, redactPii: false })], options);
    for (const contact of ["13800138000", "13900139000", "alice@example.com"]) expect(shown).toContain(contact);
  });

  test("an offer that was cut says so on its card, and a whole one does not", async () => {
    const cards = async (lang: "en" | "zh") => {
      const long = { participants: [participant("long", { offer_content: "x".repeat(20_000) }), participant("whole")] };
      const page = await reportPage([dossier(long)], { ...options, lang });
      return page.split('<li class="card offer"').slice(1, 3);
    };
    for (const [lang, words] of [
      ["en", "(shortened)"],
      ["zh", "（有删减）"],
    ] as const)
      expect(
        (await cards(lang)).map((card) => card.includes(words)),
        lang,
      ).toEqual([true, false]);
  });

  test("every link leads to something on the page", async () => {
    const risk = (evidence_path: string) => ({
      ...{ code: "single_offer" as const, severity: "medium" as const, reason: "r", evidence_path },
    });
    const paths = [
      "/state",
      "/participants",
      "/participants/1/offer_content",
      "/participants/999/state",
      "/plan_output",
    ];
    const more = ["/demand_formulated", "/sub_session_ids/0", "/something/else", ""];
    const one = dossier({ sub_session_ids: ["neg_9"] }, { risks: [...paths, ...more].map(risk) });
    const page = await reportPage([one, dossier({ negotiation_id: "neg_2" })], options);
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.length).toBeGreaterThan(9);
    for (const id of targets) expect(page, id).toContain(`id="${id}"`);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("the graph alone is a picture of its own", () => {
    const svg = reportSvg([dossier()], "zh");
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(svg).toContain("alice");
  });

  test("a label is cut to its column, and measured once however many lines begin beside it", () => {
    let reads = 0;
    const agent = {
      ...{ id: "agent:a", type: "agent" },
      get label() {
        reads += 1;
        return "w".repeat(500);
      },
    };
    const others = Array.from({ length: 40 }, (_, i) => ({ id: `capability:${i}`, type: "capability", label: `${i}` }));
    const edges = others.map(({ id }) => ({ type: "lists", from: "agent:a", to: id }));
    const svg = String(graphSvg({ nodes: [agent, ...others], edges }, reportTexts("en")));
    expect(svg).toContain(`>${"w".repeat(27)}…<`);
    expect(svg.match(/<path class="lists"/g)).toHaveLength(40);
    expect(reads).toBeLessThan(5);
  });
});

test("evidence of an agent stands with that agent", () => {
  expect(anchorOf("/participants/3/offer_content", "n1", 4)).toBe("n1-participants-3");
  expect(anchorOf("/participants/4", "n1", 4)).toBe("n1-offers");
});

test("a risk leads to the agent that it is about, in whatever order the agents are shown", async () => {
  const evidence = { code: "single_offer" as const, severity: "medium" as const, reason: "r" };
  const risks = [{ ...evidence, evidence_path: "/participants/0/resonance_score" }];
  const participants = [participant("weak", { resonance_score: 0.2 }), participant("strong", { resonance_score: 0.9 })];
  const page = await reportPage([dossier({ participants }, { risks })], options);
  const [, target] = /href="#([^"]+-participants-[^"]+)"/.exec(page) ?? [];
  expect(/<h3>([^<]*)<\/h3>/.exec(page.split(` id="${target}"`)[1] ?? "")?.[1]).toBe("weak");
});

test("where nothing is left for the person there is no card about it", async () => {
  const task = { id: "t", title: "Write the brief", description: "One page.", assignee_id: "alice", prerequisites: [] };
  const page = await reportPage([dossier({}, { tasks: [task] })], options);
  expect(page).toContain("Write the brief");
  expect(page).not.toContain(`<h3 class="s">${reportTexts("en").mine}</h3>`);
});
