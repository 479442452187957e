import { expect, it } from "vitest";
import { type ReportOptions, reportPage } from "../../src/report/page/report.ts";
import { violations } from "../support/axe.ts";
import { inChromium, PICTURES, picture } from "../support/room-browser.ts";
import { windowOf } from "../support/windows.ts";
import { dossier, participant } from "./sample.ts";

const about = (lang: "zh" | "en", needs: string[] = []): ReportOptions => ({
  ...{ lang, host: "towow.example", madeAt: 0, needs, isMasked: true },
  timeOf: (ms) => `2026-11-22 09:0${ms % 10}:00`,
});

const EN = dossier(
  {
    demand_raw: "I need a product designer and somebody who knows hospital IT systems.",
    demand_formulated:
      "I need a product designer with experience of older patients and somebody who knows hospital IT systems. Remote is fine.",
    participants: [
      participant("priya", {
        display_name: "Priya Raman",
        resonance_score: 0.81,
        offer_content: "I turn interviews into prototypes within a week.",
        offer_capabilities: ["product design", "user research"],
      }),
      participant("ines", {
        display_name: "Inès Moreau",
        resonance_score: 0.74,
        offer_content: "Seven years in hospital IT; I know registration, triage and queue systems.",
        offer_capabilities: ["hospital IT", "HL7"],
      }),
      participant("mei", { display_name: "Mei Tanaka", state: "active", offer_content: null, resonance_score: 0.57 }),
      participant("tomas", {
        display_name: "Tomás Vidal",
        state: "exited",
        offer_content: null,
        resonance_score: 0.48,
      }),
    ],
    plan_output:
      "## Plan\n\n### Steps\n1. Week 1: Priya Raman calls a kick-off\n2. Weeks 2–4: Inès Moreau builds the link\n3. Week 5: everybody holds a demo\n\n### Still open\n- budget\n\n| who | what |\n|---|---|\n| Priya | design |",
    sub_session_ids: ["neg_5"],
  },
  {
    moments: [
      { at: 1, what: "submitted" },
      { at: 2, what: "asked" },
      { at: 3, what: "edit", by: "page" },
      { at: 4, what: "moved" },
    ],
    risks: [
      {
        ...{ code: "offer_missing" as const, severity: "medium" as const, reason: "1 of 4 agents made no offer." },
        evidence_path: "/participants/2/offer_content",
      },
    ],
    tasks: [
      { id: "1", title: "Product design", description: "A prototype", assignee_id: "priya", prerequisites: [] },
      { id: "2", title: "Hospital link", description: "", assignee_id: "ines", prerequisites: ["1"] },
      { id: "3", title: "A hospital for the pilot", description: "", assignee_id: "unknown", prerequisites: ["2"] },
    ],
  },
);

const ZH = dossier({
  negotiation_id: "neg_2",
  demand_raw: "我想找一位产品设计师和一位熟悉医院信息系统的合作者。",
  demand_formulated: "我想在杭州找一位有适老化经验的产品设计师和一位熟悉医院信息系统的合作者。可以远程。",
  participants: [
    participant("a", { display_name: "陈若溪", resonance_score: 0.81, offer_capabilities: ["产品设计", "用户研究"] }),
    participant("b", { display_name: "高一宁", resonance_score: 0.74, offer_capabilities: ["医院信息系统", "HL7"] }),
  ],
  plan_output:
    "## 协商方案\n\n1. 第 1 周，陈若溪：牵头开会\n2. 第 2 周，所有人：做一次演示\n\n### 待确认\n- 预算与报酬方式",
});

const crowd = (id: string, agents: number) =>
  dossier({
    negotiation_id: id,
    participants: Array.from({ length: agents }, (_, i) =>
      participant(`${id}-${i}`, {
        display_name: `Agent ${i}`,
        resonance_score: 0.4 + (i % 600) / 1000,
        offer_content: `I can help with part ${i % 40}. ${"More words. ".repeat(20)}`,
        offer_capabilities: [`skill ${i % 40}`, `skill ${i % 7}`],
      }),
    ),
  });

const CASES = [
  ["English", [EN], about("en"), ["light", "dark", "phone", "phone-dark", "wide"]],
  ["Chinese, with the plan's words", [ZH], about("zh"), ["phone-dark"]],
  ["two at once", [EN, ZH], about("zh"), ["light"]],
  [
    "nobody resonated",
    [dossier({ participants: [], plan_output: "Nobody." }, { warnings: ["no_resonance"] })],
    about("en", ["a designer"]),
    ["dark"],
  ],
  ["a crowd", [crowd("neg_a", 120)], about("en"), ["light"]],
] as const;

inChromium("the report in a real browser", (browser) => {
  const SCREENS = {
    light: [1280, "light"],
    dark: [1280, "dark"],
    phone: [390, "light"],
    "phone-dark": [390, "dark"],
    wide: [1920, "light"],
  } as const;

  it.each(CASES)("%s: without a violation, and nothing is loaded", async (name, dossiers, options, screens) => {
    const page = await reportPage(dossiers, options);
    const { page: tab } = await windowOf(browser(), { bypassCSP: true });
    const said: string[] = [];
    tab.on("request", (request) => said.push(request.url()));
    tab.on("console", (message) => said.push(message.text()));
    await tab.setContent(page);
    for (const screen of screens) {
      const [width, colorScheme] = SCREENS[screen];
      await tab.setViewportSize({ width, height: 900 });
      await tab.emulateMedia({ colorScheme });
      await picture(tab, `report-${name.replace(/\W+/g, "-")}-${screen}`);
      expect(await violations(tab), screen).toEqual([]);
      expect(said).toEqual([]);
    }
  });

  it.each([
    ["en", EN],
    ["zh", ZH],
  ] as const)("is a paper: dark words on white on a dark screen too, and one sheet of A4: %s", async (lang, of) => {
    const { page } = await windowOf(browser(), { javaScriptEnabled: false });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setContent(await reportPage([of], about(lang)));
    const colours =
      "['.paper', 'h1'].map((one) => getComputedStyle(document.querySelector(one))).map(({ backgroundColor, color }) => backgroundColor + color)";
    expect(await page.evaluate(colours)).toEqual([
      "rgb(255, 255, 255)rgb(20, 25, 24)",
      "rgba(0, 0, 0, 0)rgb(20, 25, 24)",
    ]);
    const sheets = async () => {
      const file = PICTURES ? { path: `${PICTURES}/report-${lang}.pdf` } : {};
      const pdf = await page.pdf({ format: "A4", printBackground: true, ...file });
      return pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length;
    };
    expect(await sheets()).toBe(1);
    for (const summary of await page.locator("summary").all()) await summary.click();
    expect(await sheets()).toBeLessThan(3);
  });
});

it("two thousand agents, as two answers of a backend hold at most, are a page of a megabyte", async () => {
  const page = await reportPage([crowd("neg_a", 1_000), crowd("neg_b", 1_000)], about("en"));
  expect(Buffer.byteLength(page)).toBeLessThan(1_200_000);
  expect(page.match(/>Agent 999</g)?.length).toBeGreaterThanOrEqual(2);
});
