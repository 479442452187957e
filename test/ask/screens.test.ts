import { describe, it } from "vitest";
import { SANDBOX } from "../../src/home/origin.ts";
import { expectScreens, LANGS, type Lang } from "../support/screens.ts";
import { LATER, NEED, questionLines, type StoryOptions, story, YES } from "../support/story.ts";
import {
  answer,
  asks,
  decided,
  demand,
  FOLLOWS,
  isOver,
  type Task,
  until,
  WITH_PAGES,
} from "../support/task-client.ts";
import { createWorld, type World } from "../support/world.ts";

/** Every question, part by part, as each client that was driven is given it; and what a background task says of itself. */

const CLIENTS: Record<string, Pick<StoryOptions, "client" | "elicitation">> = {
  "a client that nobody has driven": {},
  "Claude Code": { client: { name: "claude-code", version: "99.0" } },
  Codex: { client: { name: "codex-mcp-client", version: "99.0" } },
  "Copilot CLI": { client: { name: "copilot-cli", version: "99.0" } },
  "a client that opens pages, and shows forms": { elicitation: { form: {}, url: {} } },
  "a client that opens pages only": { elicitation: { url: {} } },
};

const LINES = {
  en: "We need a product designer.\nShe knows hospital queues, can start in May,\nand sits two days with the nurses first.",
  zh: "我们需要一位产品设计师。\n懂医院排队系统，五月可以开始，\n愿意先和护士坐两天。",
};
const LONG = {
  en: "We need a product designer who knows hospital queue systems well, can start in May, and is willing to sit two days with the nurses before drawing anything at all; remote is fine, the budget is open to talk, and a report of two pages is wanted at the end of each week of the pilot.",
  zh: "我们需要一位懂医院排队系统的产品设计师，五月可以开始，愿意先和护士坐两天再动笔；可以远程，预算可以商量，最好做过分诊台和叫号屏，也愿意写一份简短的说明，让后来的人看得懂，并且参加每周一次的评审，时间大约三个月左右，报酬按周结算，也可以先试两周再定。",
};
const PROFILE = {
  en: {
    skills: ["product design", "hospital queues", "figma"],
    bio: "Designer of calm hospital software, twelve years beside nurses; call 13800138000.",
    experience: "Ten years\nof work, told at length. ".repeat(8),
  },
  zh: {
    skills: ["产品设计", "医院排队系统", "现场访谈"],
    bio: "做了十二年医院软件的产品设计师，习惯先和护士坐两天再动笔；电话 13800138000。",
    experience: "十年工作，\n细细说来。".repeat(20),
  },
};
const OWN = { en: "A nurse who knows queues, on site, from May.", zh: "一位熟悉排队的护士，五月起，需到场。" };

const written = (by: string) => ({ action: "accept", content: { confirmed_text: by } }) as const;
const CHANGE = { action: "accept", content: { decision: "edit" } } as const;

type Question = (lang: Lang, client: StoryOptions) => Promise<string>;

/** Only what the person is asked, and which pages open; the results stand in `test/tools/screens`. */
const asked = (told: string): string => {
  const lines = told.split("\n").filter((line) => /^(?: {2}[?⇱] |\()/.test(line));
  return lines.length === 0 ? "  (asked nothing)" : lines.join("\n");
};

/** A demand for which the network made this text. */
const aboutText =
  (
    made: Partial<Record<Lang, string>> | undefined,
    answers: StoryOptions["answers"],
    more: StoryOptions = {},
  ): Question =>
  async (lang, client) => {
    const it = await story(lang, { ...more, ...client, answers: answers ?? [LATER] });
    it.world.mock.engine.formulateWith((intent) => made?.[lang] ?? intent);
    await it.call("towow_demand", { intent: NEED[lang] });
    return asked(it.told());
  };

/** Two demands of one session: to whom they go is named in the first, and in the sandbox always. */
const aboutTwo =
  (more: StoryOptions = {}): Question =>
  async (lang, client) => {
    const it = await story(lang, { ...more, ...client, answers: [LATER] });
    await it.call("towow_demand", { intent: NEED[lang] });
    it.meanwhile("another demand");
    await it.call("towow_demand", { intent: `${NEED[lang]}!` });
    return asked(it.told());
  };

const QUESTIONS: Record<string, Question> = {
  "a demand, as it was submitted": aboutText(undefined, undefined),
  "a demand that the network wrote up": aboutText(
    { en: `${NEED.en}, from May.`, zh: `${NEED.zh}，五月起。` },
    undefined,
  ),
  "a demand of several lines": aboutText(LINES, undefined),
  "a demand that is long": aboutText(LONG, undefined),
  "a demand with personal data": aboutText(
    { en: `${NEED.en}: 13800138000, lin@example.org`, zh: `${NEED.zh}：13800138000，lin@example.org` },
    undefined,
  ),
  "a demand that is broadcast without a decision": aboutText(undefined, undefined, {
    config: { on_unconfirmed: "leave" },
  }),
  "a demand, the person's own text": aboutText(undefined, [CHANGE, written(OWN.en), YES]),
  "a demand, an own text that no form shows": aboutText(undefined, [CHANGE, written(LONG.en), LATER]),
  "a demand, asked again": async (lang, client) => {
    const it = await story(lang, { ...client, answers: [LATER] });
    const { data } = await it.call("towow_demand", { intent: NEED[lang] });
    const { negotiation_id } = data;
    it.meanwhile("asked again");
    await it.call("towow_demand", { negotiation_id });
    it.world.mock.engine.patch(negotiation_id, { demand_formulated: `${NEED[lang]}!` });
    it.meanwhile("the text has changed");
    await it.call("towow_demand", { negotiation_id });
    return asked(it.told());
  },
  "in the sandbox, the first demand and the second": aboutTwo({ config: { backend_url: SANDBOX } }),
  "at the network of the settings, the first demand and the second": aboutTwo(),
  "a demand, another text by the AI": async (lang, client) => {
    const it = await story(lang, { ...client, answers: [LATER] });
    const { data } = await it.call("towow_demand", { intent: NEED[lang] });
    it.meanwhile("the AI passes a text on");
    await it.call("towow_demand", { negotiation_id: data.negotiation_id, decision: "edit", confirmed_text: OWN[lang] });
    return asked(it.told());
  },
  "a demand to another scene": async (lang, client) => {
    const it = await story(lang, { ...client, answers: [LATER], flags: { mode: "developer" } });
    const [, other] = it.world.mock.scenes();
    await it.call("towow_demand", { intent: NEED[lang], scene_id: other!.scene_id });
    return asked(it.told());
  },
  "a profile": async (lang, client) => {
    const it = await story(lang, { ...client, answers: [YES] });
    await it.call("towow_join", { scene: it.world.sceneId, display_name: "Lin", profile_data: PROFILE[lang] });
    return asked(it.told());
  },
  "a profile of somebody else's": async (lang, client) => {
    const it = await story(lang, { ...client, answers: [YES], flags: { mode: "developer" } });
    const given = {
      scene_id: it.world.sceneId,
      display_name: "Lin",
      profile_data: { bio: "x" },
      agent_id: "agent_new",
    };
    await it.call("towow_register_agent", given);
    return asked(it.told());
  },
  "a scene, after others' text": async (lang, client) => {
    const it = await story(lang, { ...client, answers: [LATER], flags: { mode: "developer" } });
    await it.world.tainted.keep(it.world.clock.now() + 43_200_000, 43_200_000);
    await it.call("towow_create_scene", { name: "Pilot 试点", description: "Hospitals", expected_responders: 7 });
    return asked(it.told());
  },
  "to cancel what was broadcast": async (lang, client) => {
    const it = await story(lang, { ...client, answers: [YES, LATER] });
    const { data } = await it.call("towow_demand", { intent: NEED[lang] });
    const id = data?.negotiation_id ?? it.world.mock.negotiations()[0]!.negotiation_id;
    if (it.world.mock.engine.get(id).state === "formulated") it.world.mock.engine.confirm(id, null);
    await it.world.clock.advance(400);
    it.meanwhile("cancel it");
    await it.call("towow_demand", { negotiation_id: id, decision: "cancel" });
    return asked(it.told());
  },
};

/** What a task says of itself, each status once, and what it asks. */
async function followed(
  lang: Lang,
  capabilities: object,
  play: (it: Followed) => Promise<void>,
  more: StoryOptions = {},
): Promise<string> {
  const world = await createWorld({ stepMs: 1_000 });
  const p = await world.process({ flags: { lang }, ...more } as never);
  const request = p.taskClient(capabilities);
  const lines: string[] = [];
  let last = "";
  const note = ({ status, statusMessage, inputRequests = {}, result }: Task) => {
    const questions = Object.values(inputRequests).flatMap(({ params }) =>
      questionLines(params as never).map((line) => `  ? ${line}`),
    );
    const said = [
      `${status}: ${statusMessage}`,
      ...questions,
      ...(result?.structuredContent
        ? [`  = ${result.structuredContent.status} ${result.structuredContent.summary.replaceAll("\n", "\n    ")}`]
        : []),
    ].join("\n");
    if (said !== last) lines.push(said);
    last = said;
    return true;
  };
  const { taskId } = await demand(request, world.sceneId, NEED[lang]);
  const pause = () => world.clock.advance(1_000);
  const next = (holds: (task: Task) => boolean) => until(request, taskId, (task) => note(task) && holds(task), pause);
  const say = (what: string) => void lines.push(`(${what})`);
  await play({ world, next, say, request, taskId });
  return lines.join("\n");
}
interface Followed {
  world: World;
  next: (holds: (task: Task) => boolean) => Promise<Task>;
  say: (what: string) => void;
  request: (method: string, params?: object) => Promise<Task>;
  taskId: string;
}

const NO_FORMS = { extensions: FOLLOWS.extensions };
const seen = (count: number) => {
  let times = 0;
  return () => ++times > count;
};
const TASKS: Record<string, (lang: Lang) => Promise<string>> = {
  "accepted, to the plan": (lang) =>
    followed(lang, FOLLOWS, async ({ next, request }) => {
      await answer(request, await next(asks), decided("accept"));
      await next(isOver);
    }),
  withdrawn: (lang) =>
    followed(lang, FOLLOWS, async ({ next, request }) => {
      await answer(request, await next(asks), decided("reject"));
      await next(isOver);
    }),
  "closed, and asked again": (lang) =>
    followed(lang, FOLLOWS, async ({ next, request, say, world }) => {
      await answer(request, await next(asks), { action: "cancel" });
      say("closed");
      await next(seen(2));
      await world.clock.advance(35_000);
      say("half a minute later");
      await next(asks);
    }),
  "nobody answers": (lang) =>
    followed(lang, FOLLOWS, async ({ next, world, say }) => {
      await next(asks);
      await world.clock.advance(300_000);
      say("five minutes later");
      await next(isOver);
    }),
  "cancelled by the client": (lang) =>
    followed(lang, FOLLOWS, async ({ next, request, taskId, say }) => {
      await next(asks);
      await request("tasks/cancel", { taskId });
      say("tasks/cancel");
      await next(seen(3));
    }),
  "cancelled by the client, after a yes": (lang) =>
    followed(lang, FOLLOWS, async ({ next, request, taskId, say }) => {
      await answer(request, await next(asks), decided("accept"));
      await next(seen(2));
      await request("tasks/cancel", { taskId });
      say("tasks/cancel");
      await next(seen(3));
    }),
  "a yes that the backend does not take": (lang) =>
    followed(lang, FOLLOWS, async ({ next, request, world, say }) => {
      const task = await next(asks);
      for (const route of ["get", "confirm"] as const)
        world.mock.faults.add({ route, kind: "drop_before", times: Number.POSITIVE_INFINITY });
      await answer(request, task, decided("accept"));
      world.mock.faults.clear();
      say("answered while the backend was away");
      await next(asks);
    }),
  "a page": (lang) =>
    followed(lang, WITH_PAGES, async ({ next, world, request, say }) => {
      world.mock.engine.formulateWith(() => LONG[lang]);
      await answer(request, await next(asks), { action: "accept" });
      say("the page is open");
      await next(seen(2));
    }),
  "no forms": (lang) => followed(lang, NO_FORMS, async ({ next }) => void (await next(seen(4)))),
  "no form counts under strict": (lang) =>
    followed(lang, FOLLOWS, async ({ next }) => void (await next(seen(4))), {
      config: { confirmation_policy: "strict" },
    }),
};

describe.each(LANGS)("what a person is asked: %s", (lang) => {
  it("each question, part by part, in each client", async () => {
    const screens: Record<string, string> = {};
    for (const [question, ask] of Object.entries(QUESTIONS)) {
      const byClient = new Map<string, string[]>();
      for (const [name, client] of Object.entries(CLIENTS)) {
        const shown = await ask(lang, client);
        byClient.set(shown, [...(byClient.get(shown) ?? []), name]);
      }
      screens[question] = [...byClient].map(([shown, names]) => `── ${names.join(" · ")}\n${shown}`).join("\n");
    }
    await expectScreens("questions", lang, screens);
  });

  it("what a task in the background says of itself", async () => {
    const screens: Record<string, string> = {};
    for (const [name, play] of Object.entries(TASKS)) screens[name] = await play(lang);
    await expectScreens("tasks", lang, screens);
  });
});
