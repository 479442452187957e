import { describe, expect, it, onTestFinished } from "vitest";
import { permissionPage } from "../../src/ask/page/permission-page.ts";
import { textsOf } from "../../src/text/index.ts";
import { pagesOf } from "../support/pages.ts";
import { printedPage } from "../support/printed-page.ts";
import { expectScreens, LANGS, type Lang } from "../support/screens.ts";
import { pagesIn } from "../support/small-pages.ts";
import { createWorld, type Process, type World } from "../support/world.ts";
import { visit } from "./page-support.ts";

const PROFILE = {
  skills: ["design", "research", "figma"],
  bio: "Designer of calm hospital software.\nWrites to lin@example.com",
  constraints: "Two days a week",
};
const OPENS_PAGES = {
  answer: () => ({ action: "cancel" as const }),
  elicitation: { form: {}, url: {} },
  flags: { mode: "developer" },
};

/** Every question whether something may be sent or stopped, as the tools ask it. */
async function asked(lang: Lang): Promise<Record<string, string>> {
  const screens: Record<string, string> = {};
  const world = await createWorld();
  const show = async (name: string, p: Process, tool: string, args: Record<string, unknown>) => {
    const before = p.sends.length;
    const { text } = await p.call(tool, args);
    expect(p.sends.length, `${name}: ${text}`).toBe(before + 1);
    screens[name] = steady(
      String(await permissionPage(p.sends.at(-1)!, { texts: textsOf(lang), host: "localhost:8765" })),
      String(args.negotiation_id),
    );
  };
  const p = await world.process({ ...OPENS_PAGES, config: { lang } });
  const profile = { display_name: "Lin", profile_data: PROFILE };
  await show("profile", p, "towow_join", { scene: world.sceneId, ...profile });
  const other = await world.process({ ...OPENS_PAGES, config: { lang, backend_url: "https://towow.example" } });
  await show("profile-to-another-host", other, "towow_join", { scene: world.sceneId, ...profile });
  const register = { scene_id: world.sceneId, ...profile };
  await show("profile-under-anothers-id", p, "towow_register_agent", { ...register, agent_id: "somebody_else" });
  const there = await world.process({ flags: { mode: "developer" }, config: { lang }, stranger: "elsewhere" });
  const { result } = await there.call("towow_demand", { intent: "A designer for a hospital. Call me: 13812345678" });
  const { negotiation_id } = result.data;
  await show("cancel-of-anothers", p, "towow_action", { negotiation_id, action: "cancel" });
  const opensOnly = await world.process({ ...OPENS_PAGES, elicitation: { url: {} }, config: { lang } });
  const own = await opensOnly.call("towow_demand", { intent: "A designer for a hospital. Call me: 13812345678" });
  const { negotiation_id: ownId } = own.result.data;
  const action = { negotiation_id: ownId, action: "cancel", payload: { reason: "late" } };
  await show("cancel-that-carries-something", opensOnly, "towow_action", action);
  await p.call("towow_status", { negotiation_id }); // what others wrote must not make a scene
  await show("scene", p, "towow_create_scene", {
    name: "Night shifts",
    description: "Who plans them, and with what",
  });
  return screens;
}

const TEXTS = {
  en: {
    written: "Wanted: somebody who knows hospital software & <b>queues</b>.\nCall me at 13800138000. Remote is fine.",
    candidate: "Wanted: two people who know hospital queues. Remote is fine.",
    intent: "Somebody who knows hospital software. Call me at 13800138000.",
  },
  zh: {
    written: "寻找熟悉医院软件和<b>排队</b>的人。\n电话 13800138000。可以远程。",
    candidate: "寻找两位熟悉医院排队的人。可以远程。",
    intent: "寻找熟悉医院软件的人。电话 13800138000。",
  },
};

/** The page about a text, as its person's browser opens it. */
async function aboutTexts(lang: Lang): Promise<Record<string, string>> {
  const { written, candidate, intent } = TEXTS[lang];
  const world = await createWorld();
  world.mock.engine.formulateWith(() => written);
  const mine = await world.process({ config: { lang } });
  const { result } = await mine.call("towow_demand", { intent });
  const id = result.data.negotiation_id as string;
  const other = await world.process({ config: { lang }, stranger: "elsewhere" });
  await other.call("towow_demand", { negotiation_id: id });
  const opened = async (p: Process, more: { candidate?: string; toChange?: true } = {}) => {
    const pages = pagesOf(world, p);
    onTestFinished(() => pages.close());
    const { forClient } = await pages.open({ negotiationId: id, lang, ...more });
    return visit(forClient);
  };
  const shown = async (p: Process, more = {}) => steady((await opened(p, more)).page.body, id);
  const screens = {
    text: await shown(mine),
    "text-to-change": await shown(mine, { toChange: true }),
    "text-of-the-ai": await shown(mine, { candidate }),
    "text-of-another-home": await shown(other),
  };
  const page = await opened(mine);
  const decided = await decidedOn(world, page, { decision: "reject" });
  return { ...screens, "text-withdrawn": steady(decided, id) };
}

async function decidedOn(world: World, fill: Awaited<ReturnType<typeof visit>>, form: Record<string, string>) {
  return (await world.clock.run(fill(form))).body;
}

/** Without what differs at each run: ids, and how long a call takes on the standing clock. The room's screens have times. */
const steady = (html: string, id: string): string =>
  printedPage(html)
    .replaceAll(id, "neg_000000000000")
    .replace(/questionId=[^&\])]+/g, "questionId=…")
    .replace(/\b\d\d:\d\d:\d\d\b/g, "hh:mm:ss")
    .replace(/\d+% left/g, "…% left")
    .replace(/\b\d:\d\d\b/g, "m:ss");

describe.each(LANGS)("every page but the room and the report says what it said: %s", (lang) => {
  it("what is asked", async () => expectScreens("page-permissions", lang, await asked(lang)));
  it("what is asked about a text", async () => expectScreens("page-texts", lang, await aboutTexts(lang)));
  it("who may come in, and what became of it", async () => {
    const pages = Object.entries(await pagesIn(lang)).map(([name, html]) => [name, printedPage(html)]);
    await expectScreens("page-others", lang, Object.fromEntries(pages));
  });
});
