import { describe, it } from "vitest";
import type { Negotiation } from "../../src/backend/contract.ts";
import { dossierFor } from "../../src/commands/report.ts";
import type { Dossier } from "../../src/report/dossier.ts";
import { reportMarkdown } from "../../src/report/markdown.ts";
import { type ReportOptions, reportPage } from "../../src/report/page/report.ts";
import { SANITIZE_DEFAULTS } from "../../src/safety/sanitize/options.ts";
import { printedPage } from "../support/printed-page.ts";
import { participants, tasksOf, without } from "../support/room-parts.ts";
import { WORDS } from "../support/room-words.ts";
import { expectScreens, LANGS, type Lang } from "../support/screens.ts";
import { createWorld } from "../support/world.ts";
import { dossier, negotiation } from "./sample.ts";

const timeOf = (at: number) => new Date(at).toISOString().slice(11, 19);

/** With an id and times of its own: how long a call takes on the standing clock is not the same at each run. */
function steady(of: Dossier, number: number): Dossier {
  const named = JSON.parse(JSON.stringify(of).replaceAll(of.id, `neg_00000000000${number}`)) as Dossier;
  const began = Date.parse("2026-11-23T09:10:11Z");
  return {
    ...named,
    moments: named.moments.map((one, i) => ({ ...one, at: began + number * 3_600_000 + i * 61_000 })),
  };
}

interface Report {
  dossiers: readonly Dossier[];
  needs?: readonly string[];
  isMasked?: boolean;
}

/** Reports of one negotiation as it goes on, and of what else can become of one; its words are those of the room's states. */
async function reports(lang: Lang): Promise<Record<string, Report>> {
  const { raw, formulated, plan, planAlone, tasks, tags } = WORDS[lang];
  const world = await createWorld();
  const { engine } = world.mock;
  engine.formulateWith(() => formulated);
  const patch = (fields: Partial<Negotiation>) => engine.patch(id, fields as Parameters<typeof engine.patch>[1]);
  const p = await world.process({ config: { lang }, flags: { mode: "developer" } });
  const settings = { lang, low_resonance: 0.55 } as const;
  /** As a program reads it that begins now. */
  const read = async (id: string, number: number, redactPii = true) => {
    const { deps, negotiations } = await world.process({ config: { lang } });
    const backend = await deps.accounts.at(deps.live.current().backend_url).backend();
    const reading = { backend, negotiations, clock: world.clock, settings };
    return steady(await world.clock.run(dossierFor(id, reading, { ...SANITIZE_DEFAULTS, redactPii })), number);
  };
  const submit = async (intent: string) => (await p.call("towow_demand", { intent })).result.data;

  const { resume_with, negotiation_id: id } = await submit(raw);
  const waits = await read(id, 1);
  await world.clock.advance(37_000);
  await p.call("towow_demand", { ...resume_with.params, decision: "accept" });
  patch({ state: "offering", participants: participants(lang) });
  const moving = await read(id, 1);
  await p.call("towow_status", { negotiation_id: id, wait: "done" });
  const end = { state: "completed", participants: participants(lang), plan_output: plan, center_rounds: 3 } as const;
  patch({ ...end, sub_session_ids: ["neg_000000000005"] });
  const [ended, unmasked] = [await read(id, 1), await read(id, 1, false)];
  patch({ ...end, participants: without(lang, "exited"), plan_output: planAlone });
  const left = await read(id, 1);

  const second = await submit(WORDS[lang].theirs);
  await world.clock.advance(21_000);
  await p.call("towow_demand", { ...second.resume_with.params, decision: "reject" });
  const rejected = await read(second.negotiation_id, 2);
  const third = await submit(WORDS[lang].rewritten);
  await world.clock.advance(400_000);
  const overdue = await read(third.negotiation_id, 3);

  const words = { demand_raw: raw, demand_formulated: formulated, plan_output: plan };
  const withTasks = dossier(
    { ...negotiation(words), ...end, negotiation_id: "neg_000000000007" },
    { tasks: tasksOf(lang), summary: "…", writer: "others", sceneId: "scene_000000000001" },
  );
  const nothing = (...warnings: string[]) => dossier(alone, { warnings, summary: "…" });
  const alone = { ...words, plan_output: planAlone, participants: [] };
  const crowd = dossier({ ...words, participants: participants(lang, 80) }, { summary: "…" });
  const other = dossier(
    { ...words, demand_formulated: WORDS[lang === "en" ? "zh" : "en"].formulated },
    { summary: "…" },
  );
  return {
    waits: { dossiers: [waits] },
    moving: { dossiers: [moving] },
    plan: { dossiers: [ended] },
    "plan-not-masked": { dossiers: [unmasked], isMasked: false },
    "plan-with-needs": { dossiers: [ended], needs: [...tasks, tags[1][1]] },
    "plan-with-tasks": { dossiers: [withTasks] },
    "all-left": { dossiers: [left] },
    rejected: { dossiers: [rejected] },
    overdue: { dossiers: [overdue] },
    nobody: { dossiers: [nothing("no_resonance")] },
    "nobody-compared": { dossiers: [nothing("not_compared")] },
    "nobody-in-scene": { dossiers: [nothing("empty_scene")] },
    "nobody-known": { dossiers: [nothing()] },
    "moving-with-needs": { dossiers: [moving], needs: tasks },
    "not-asked-yet-with-needs": { dossiers: [waits], needs: tasks },
    "in-another-language": { dossiers: [other] },
    several: { dossiers: [ended, withTasks, rejected], needs: tasks },
    crowd: { dossiers: [crowd] },
  };
}

describe.each(LANGS)("every report says what it said: %s", (lang) => {
  const about = ({ needs = [], isMasked = true }: Report): ReportOptions => ({
    ...{ lang, host: "towow.example", madeAt: Date.parse("2026-11-23T22:23:24Z"), timeOf, needs, isMasked },
  });

  it("as a page, and as Markdown", async () => {
    const pages: Record<string, string> = {};
    const markdown: Record<string, string> = {};
    for (const [name, report] of Object.entries(await reports(lang))) {
      pages[name] = printedPage(await reportPage(report.dossiers, about(report)));
      markdown[name] = reportMarkdown(report.dossiers, about(report));
    }
    await expectScreens("report-page", lang, pages);
    await expectScreens("report-markdown", lang, markdown);
  });
});
