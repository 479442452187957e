import { describe, it } from "vitest";
import { expectScreens, LANGS, type Lang } from "../support/screens.ts";
import { LATER, NEED, NO, type Story, type StoryOptions, story, YES } from "../support/story.ts";
import { PROFILE } from "../support/world.ts";

/** What every tool answers, outcome after outcome, as a model reads it, and what the person is asked meanwhile. */

type Scenario = (lang: Lang) => Promise<Story>;
const FIVE_MINUTES = 300_000;
const FORMS: StoryOptions = { answers: [YES] };
const DEVELOPER: StoryOptions = { ...FORMS, flags: { mode: "developer" } };
const ALL: StoryOptions = { ...FORMS, flags: { mode: "developer", toolset: "all" } };
const OWN = { en: "A nurse who knows queues, on site.", zh: "一位熟悉排队的护士，需到场。" };

const demanded = async (it: Story, lang: Lang) => (await it.call("towow_demand", { intent: NEED[lang] })).data;
const started =
  (options: StoryOptions, then: (it: Story, lang: Lang, id: string) => Promise<unknown>): Scenario =>
  async (lang) => {
    const it = await story(lang, options);
    const { negotiation_id } = (await demanded(it, lang)) ?? {};
    await then(it, lang, negotiation_id ?? it.world.mock.negotiations()[0]?.negotiation_id);
    return it;
  };
const calls =
  (options: StoryOptions, ...made: [tool: string, args?: Record<string, unknown>][]): Scenario =>
  async (lang) => {
    const it = await story(lang, options);
    for (const [tool, args] of made) await it.call(tool, args);
    return it;
  };
const withResume = async (it: Story, lang: Lang, args: Record<string, unknown>) => {
  const data = await demanded(it, lang);
  return it.call("towow_demand", { ...data.resume_with.params, ...args });
};

const DEMAND: Record<string, Scenario> = {
  "no forms: accepted through the AI": async (lang) => {
    const it = await story(lang);
    await withResume(it, lang, { decision: "accept" });
    await it.call("towow_status", { wait: "done" });
    return it;
  },
  "no forms: another text through the AI": async (lang) => {
    const it = await story(lang);
    await withResume(it, lang, { decision: "edit", confirmed_text: OWN[lang] });
    return it;
  },
  "no forms: rejected": async (lang) => {
    const it = await story(lang);
    await withResume(it, lang, { decision: "reject" });
    return it;
  },
  "no forms: accept with another text": async (lang) => {
    const it = await story(lang);
    await withResume(it, lang, { decision: "accept", confirmed_text: OWN[lang] });
    return it;
  },
  "no forms: a confirmation_id of something else, and no text": async (lang) => {
    const it = await story(lang);
    await withResume(it, lang, { decision: "accept", confirmation_id: "another" });
    await it.call("towow_demand", {
      negotiation_id: it.world.mock.negotiations()[0]!.negotiation_id,
      decision: "edit",
      confirmed_text: " ",
    });
    return it;
  },
  "a form: yes, to the plan": started(FORMS, async (it) => {
    await it.call("towow_status", { wait: "change" });
    await it.call("towow_status", { wait: "done" });
    await it.call("towow_status", { view: "full" });
  }),
  "a form: no": started({ answers: [NO] }, async () => {}),
  "a form: declined": started({ answers: [{ action: "decline" }] }, async () => {}),
  "a form: closed, and asked again": started({ answers: [LATER, YES] }, (it, _, id) =>
    it.call("towow_demand", { negotiation_id: id }),
  ),
  "a form: the person's own text": started(
    {
      answers: [
        { action: "accept", content: { decision: "edit" } },
        { action: "accept", content: { confirmed_text: "Mine 我的" } },
        YES,
      ],
    },
    async () => {},
  ),
  "submitted twice": started({ answers: [LATER] }, async (it, lang) => {
    await demanded(it, lang);
    await it.call("towow_demand", { intent: NEED[lang], allow_duplicate: true });
  }),
  "decided twice, then cancelled": started(FORMS, async (it, _, negotiation_id) => {
    await it.call("towow_demand", { negotiation_id, decision: "reject" });
    await it.call("towow_demand", { negotiation_id, decision: "cancel" });
    await it.call("towow_demand", { negotiation_id, decision: "cancel" });
  }),
  "nobody decides in time": started({}, async (it) => {
    await it.world.clock.advance(FIVE_MINUTES);
    it.meanwhile("five minutes later");
    await it.call("towow_status");
    await it.call("towow_status");
  }),
  "left to the backend": started({ config: { on_unconfirmed: "leave" } }, async (it) => {
    await it.world.clock.advance(FIVE_MINUTES + 20_000);
    it.meanwhile("five minutes later");
    await it.call("towow_status");
  }),
  "somebody else confirmed": started({}, async (it, _, id) => {
    it.world.mock.engine.confirm(id, "Another text", "other");
    await it.world.clock.advance(5_000);
    it.meanwhile("confirmed elsewhere, with another text");
    await it.call("towow_status");
  }),
  "what is missing or wrong": calls(
    FORMS,
    ["towow_demand"],
    ["towow_demand", { intent: " " }],
    ["towow_demand", { intent: "x".repeat(20_001) }],
    ["towow_demand", { intent: "x", scene_id: "scene_000000000000" }],
    ["towow_demand", { intent: "x", shoe_size: 4 }],
    ["towow_demand", { intent: 4 }],
    ["towow_demand", { negotiation_id: "neg_000000000000", decision: "accept" }],
    ["towow_demand", { negotiation_id: "neg ()" }],
    ["towow_status", { negotiation_id: "neg_000000000000" }],
    ["towow_status", { wait: "soon" }],
  ),
  "nothing yet": calls({}, ["towow_status"], ["towow_status", { wait: "change" }]),
  "no scene yet": calls({ config: { last_scene_id: null } }, ["towow_demand", { intent: "x" }]),
};

const REFUSED: Record<string, Scenario> = {};
const tainted = async (it: Story) => it.world.tainted.keep(it.world.clock.now() + 43_200_000, 43_200_000);
const joining = (it: Story) => ({ scene: it.world.sceneId, display_name: "Lin", profile_data: PROFILE });
for (const [browser, where] of [
  ["here", "the page opens"],
  ["none", "no browser here"],
  ["elsewhere", "the person is elsewhere"],
] as const) {
  REFUSED[`after others' text, ${where}: a profile, a yes, a scene`] = async (lang) => {
    const it = await story(lang, { browser, flags: { mode: "developer" } });
    const { negotiation_id } = await demanded(it, lang);
    await tainted(it);
    it.meanwhile("others' text was read");
    await it.call("towow_join", joining(it));
    await it.call("towow_demand", { negotiation_id, decision: "accept" });
    await it.call("towow_create_scene", { name: "A scene", description: "of mine" });
    await it.call("towow_register_agent", { scene_id: it.world.sceneId, display_name: "Lin", profile_data: PROFILE });
    await it.call("towow_status", { negotiation_id });
    return it;
  };
  REFUSED[`under strict, ${where}: a profile, a yes`] = async (lang) => {
    const it = await story(lang, { browser, config: { confirmation_policy: "strict" } });
    await it.call("towow_join", joining(it));
    const { negotiation_id } = await demanded(it, lang);
    await it.call("towow_demand", { negotiation_id, decision: "accept" });
    return it;
  };
  REFUSED[`submitted by somebody else, ${where}: a yes, a cancel`] = async (lang) => {
    const theirs = await story(lang, { stranger: "elsewhere" });
    const { negotiation_id } = await demanded(theirs, lang);
    const it = await story(lang, { in: theirs.world, browser });
    await it.call("towow_demand", { negotiation_id, decision: "accept" });
    await it.call("towow_demand", { negotiation_id, decision: "cancel" });
    return it;
  };
}
for (const profile of ["dry_run", "read_only", "offline"])
  REFUSED[`the profile ${profile}`] = async (lang) => {
    const it = await story(lang, {
      ...FORMS,
      config: { profile, backend_url: profile === "offline" ? "https://towow.example" : "http://127.0.0.1:9" },
    });
    await it.call("towow_demand", { intent: NEED[lang] });
    await it.call("towow_join", joining(it));
    await it.call("towow_status");
    return it;
  };
REFUSED["what a session may"] = started({ ...FORMS, config: { budget_max_negotiations: 1 } }, (it) =>
  it.call("towow_demand", { intent: "another" }),
);
REFUSED["a tool that is left out"] = calls(
  { flags: { exclude_tools: "towow_join" } },
  ["towow_join", { scene: "x" }],
  ["towow_create_scene", { name: "x", description: "y" }],
);

const FAULTS = {
  "closes the connection": { kind: "drop_before" },
  fails: { kind: "status", status: 500 },
  "is busy": { kind: "status", status: 429 },
  "asks to wait": { kind: "status", status: 429, headers: { "retry-after": "600" } },
  "loses the answer": { kind: "drop_after" },
  "breaks off": { kind: "cut_body" },
  "answers in another shape": { kind: "wrong_shape" },
  "answers with a page": { kind: "html" },
} as const;
const BACKEND: Record<string, Scenario> = Object.fromEntries(
  Object.entries(FAULTS).map(([what, fault]) => [
    `the backend ${what}: a submit, a read, a scene's list`,
    async (lang: Lang) => {
      const it = await story(lang, DEVELOPER);
      const waiting = await story(lang, { in: it.world, answers: [LATER] });
      const { negotiation_id } = await demanded(waiting, lang);
      for (const route of ["submit", "get", "scenes.list"])
        it.world.mock.faults.add({ route, times: 9, ...fault } as never);
      await it.call("towow_demand", { intent: NEED[lang], allow_duplicate: true });
      await it.call("towow_get_negotiation", { negotiation_id, fresh: true });
      await it.call("towow_list_scenes");
      return it;
    },
  ]),
);

const JOIN: Record<string, Scenario> = {
  "from words to a profile, and once more": async (lang) => {
    const it = await story(lang, FORMS);
    const scene = it.world.mock.scenes()[0]!;
    await it.call("towow_join", { scene: scene.name });
    await it.call("towow_join", joining(it));
    await it.call("towow_join", joining(it));
    return it;
  },
  "declined, closed": async (lang) => {
    const it = await story(lang, { answers: [NO, LATER] });
    await it.call("towow_join", joining(it));
    await it.call("towow_join", joining(it));
    return it;
  },
  "a thin profile, without forms": async (lang) => {
    const it = await story(lang);
    const first = await it.call("towow_join", {
      scene: it.world.sceneId,
      display_name: "Lin",
      profile_data: { bio: "x" },
    });
    const resume = first.error?.resume_with ?? first.data?.resume_with;
    await it.call("towow_join", { ...(resume?.params ?? {}), display_name: "Lin", profile_data: { bio: "x" } });
    return it;
  },
  "scenes by their words": calls(
    FORMS,
    ["towow_join", { scene: "医" }],
    ["towow_join", { scene: "zzz" }],
    ["towow_join", { scene: "zzz", raw_content: "I draw" }],
    ["towow_join", { scene: "x", display_name: "Lin" }],
  ),
  "skills that are no list, half a character": async (lang) => {
    const it = await story(lang, FORMS);
    await it.call("towow_join", { ...joining(it), profile_data: { ...PROFILE, skills: [{ name: "design" }] } });
    await it.call("towow_join", { ...joining(it), display_name: "Lin \uD83D" });
    return it;
  },
  "a backend without lists": async (lang) => {
    const it = await story(lang, { ...FORMS, mock: { legacyRoutes: true } });
    await it.call("towow_join", { scene: "a name", raw_content: "I draw" });
    await it.call("towow_join", joining(it));
    await it.call("towow_join", joining(it));
    return it;
  },
  modes: calls(
    {},
    ["towow_set_mode", { mode: "developer" }],
    ["towow_set_mode", { mode: "normal", persist: false }],
    ["towow_set_mode", { mode: "odd" }],
  ),
  "a mode that was fixed": calls({ flags: { mode: "developer" } }, ["towow_set_mode", { mode: "normal" }]),
};

const DEVELOPERS: Record<string, Scenario> = {
  "a scene, its agents, a demand in it": async (lang) => {
    const it = await story(lang, DEVELOPER);
    const { data } = await it.call("towow_create_scene", {
      name: "Pilot 试点",
      description: "Hospitals",
      expected_responders: 7,
    });
    await it.call("towow_list_agents", { scene_id: data.scene_id });
    await it.call("towow_register_agent", { scene_id: data.scene_id, display_name: "Lin", profile_data: PROFILE });
    await it.call("towow_register_agent", { scene_id: data.scene_id, display_name: "Lin", profile_data: PROFILE });
    await it.call("towow_list_agents", { scene_id: data.scene_id });
    await it.call("towow_list_scenes", { status: "nonsense" });
    const submitted = await it.call("towow_submit_demand", { scene_id: data.scene_id, intent: NEED[lang] });
    const { negotiation_id } = submitted.data;
    await it.world.clock.advance(3_000);
    await it.call("towow_get_negotiation", { negotiation_id });
    await it.call("towow_confirm", { negotiation_id });
    await it.call("towow_action", { negotiation_id, action: "explode" });
    await it.call("towow_action", { negotiation_id, action: "cancel", payload: { note: "no more" } });
    await it.call("towow_get_negotiation", { negotiation_id, fresh: true });
    await it.call("towow_confirm", { negotiation_id });
    await it.call("towow_action", { negotiation_id, action: "cancel" });
    return it;
  },
  "arguments out of range": async (lang) => {
    const it = await story(lang, DEVELOPER);
    await it.call("towow_create_scene", { name: "", description: "x" });
    await it.call("towow_create_scene", {
      name: "x",
      description: "x",
      expected_responders: 2_000,
      access_policy: "closed",
    });
    await it.call("towow_register_agent", { scene_id: it.world.sceneId, display_name: "x" });
    return it;
  },
  reports: started(ALL, async (it, lang, id) => {
    await it.call("towow_status", { wait: "done" });
    await it.call("towow_compare", { negotiation_ids: [id] });
    await it.call("towow_graph_merge", { sources: [id] });
    await it.call("towow_brief_export", { sources: [id] });
    await it.call("towow_resolve_target", { query: NEED[lang] });
    await it.call("towow_resolve_target", { query: "zzz" });
    await it.call("towow_plan_workflow", { goal: "demand_to_brief" });
    await it.call("towow_docs_list");
    await it.call("towow_docs_read", { uri: "towow://nothing" });
    await it.call("towow_compare", { negotiation_ids: ["neg_000000000000"] });
  }),
};

describe.each(LANGS)("what tools answer: %s", (lang) => {
  it.each([
    ["demand", DEMAND],
    ["refused", REFUSED],
    ["backend", BACKEND],
    ["join", JOIN],
    ["developer", DEVELOPERS],
  ] as const)("%s", async (name, scenarios) => {
    const screens: Record<string, string> = {};
    for (const [title, play] of Object.entries(scenarios)) screens[title] = (await play(lang)).told();
    await SURFACES[name](lang, screens);
  });
});

/** Named one by one, so that a file that nobody prints any more is seen (`test/docs/screens.test.ts`). */
const SURFACES = {
  demand: (lang: Lang, screens: Record<string, string>) => expectScreens("demand", lang, screens),
  refused: (lang: Lang, screens: Record<string, string>) => expectScreens("refused", lang, screens),
  backend: (lang: Lang, screens: Record<string, string>) => expectScreens("backend", lang, screens),
  join: (lang: Lang, screens: Record<string, string>) => expectScreens("join", lang, screens),
  developer: (lang: Lang, screens: Record<string, string>) => expectScreens("developer", lang, screens),
};
