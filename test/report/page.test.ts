import { describe, expect, test } from "vitest";
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

  test("an offer that was cut says so in its row, and a whole one does not", async () => {
    const rows = async (lang: "en" | "zh") => {
      const long = { participants: [participant("long", { offer_content: "x".repeat(20_000) }), participant("whole")] };
      const page = await reportPage([dossier(long)], { ...options, lang });
      return page.split('<th scope="row">').slice(1, 3);
    };
    for (const [lang, words] of [
      ["en", "(shortened)"],
      ["zh", "（有删减）"],
    ] as const)
      expect(
        (await rows(lang)).map((row) => row.includes(words)),
        lang,
      ).toEqual([true, false]);
  });

  test("no id stands twice, and the links between several lead to their parts", async () => {
    const page = await reportPage(
      [dossier({ sub_session_ids: ["neg_9"] }), dossier({ negotiation_id: "neg_2" })],
      options,
    );
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets).toHaveLength(2);
    for (const id of targets) expect(page, id).toContain(`id="${id}"`);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("nothing in it tells what was hidden: no hash of the text stands beside it", async () => {
    const text = "Call me at 13800138000.";
    const page = await reportPage([dossier({ demand_raw: text, demand_formulated: text })], options);
    expect(page).not.toContain("13800138000");
    expect(page).not.toMatch(/[0-9a-f]{16}|sha-?256/i);
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

const task = (title: string, assignee_id: string, description = "") => ({
  ...{ id: title, title, description, assignee_id, prerequisites: [] },
});

test("each thing is said once: who does it in the row, what nobody does last, what is open in its list", async () => {
  const tasks = [task("Write the brief", "alice", "One page."), task("Find a hospital", "unknown")];
  const plan_output = "Week 1: alice begins\n\n### Still open\n- the budget";
  const page = await reportPage([dossier({ plan_output }, { tasks, summary: "where it stands" })], options);
  const shown = page.replace(/<details>[\s\S]*?<\/details>/g, "").replace(/<style>[\s\S]*?<\/style>/, "");
  for (const [text, times] of [
    ["Write the brief", 1],
    ["One page.", 1],
    ["I am alice and can help.", 1],
    ["alice begins", 1],
    ["the budget", 1],
    ["Find a hospital", 2], // as nobody's row, and as a point to settle
    ["where it stands", 0],
  ] as const)
    expect(shown.split(text).length - 1, text).toBe(times);
  expect(shown.indexOf("Find a hospital")).toBeGreaterThan(shown.indexOf("I am bob"));
});

test("without tasks, weeks and open points the plan is read in its own words; of nobody there is none", async () => {
  expect(await reportPage([dossier()], options)).toContain("Alice and Bob work together.");
  const alone = dossier({ participants: [], plan_output: "Wait for better days." }, { warnings: ["no_resonance"] });
  expect(await reportPage([alone], options)).not.toContain("better days");
});
