import { expect, it, onTestFinished } from "vitest";
import type { AtTerminal } from "../../src/ask/context.ts";
import { questionOf } from "../../src/ask/permission-question.ts";
import { StoreUnreachable } from "../../src/store/store.ts";
import { textsOf } from "../../src/text/index.ts";
import { questionTexts } from "../../src/text/question.ts";
import { requests } from "../support/backend.ts";
import { pagesOf } from "../support/pages.ts";
import { createWorld, type ProcessOptions } from "../support/world.ts";
import { comeTo, openPage, send } from "./page-support.ts";

/** The page that asks whether a profile may be sent. */

const PROFILE = {
  kind: "send",
  id: "profile-1",
  title: "Send this profile to the network?",
  asked: { about: "profile", scene: { id: "scene_1", name: "Studio" }, fields: [["bio", "Lin, a designer"]] },
  text: "Lin, a designer",
  host: "towow.example",
  until: "21:07:00",
  lang: "en",
  isOpen: async () => true,
  decide: async () => {},
} as const;

it.each([
  ["accept", "You said yes. Tell your AI to go on, and it is sent."],
  ["reject", "You said no: nothing is sent."],
] as const)(
  "about a profile, a person's %s is taken and said, and no page speaks of a broadcast",
  async (decision, said) => {
    const { pages } = await openPage("A designer.", "zh");
    const decided: string[] = [];
    const decide = async (verdict: string) => void decided.push(verdict);
    const { forClient: url } = await pages.openPermission({ ...PROFILE, decide });
    const page = await send(url);
    const { cookie = "" } = page;
    const done = await send(url, { decision }, { cookie });
    expect([decided, done.status]).toEqual([[decision], 200]);
    expect(done.body).toContain(said);
    for (const { body } of [page, done]) expect(body).not.toContain("broadcast");
  },
);

it.each(["accept", "reject"] as const)(
  "about a profile: a person's %s that could not be kept is not said to be taken, and the page stays open",
  async (decision) => {
    const { pages } = await openPage("A designer.");
    const decide = async () => {
      throw new StoreUnreachable();
    };
    const { forClient: url } = await pages.openPermission({ ...PROFILE, decide });
    const { cookie = "" } = await send(url);
    const { status, body } = await send(url, { decision }, { cookie });
    const { accept, reject } = questionTexts("en").profile.ended;
    expect(status).toBe(502);
    for (const said of [accept, reject]) expect(body).not.toContain(said);
    expect((await send(url, undefined, { cookie })).body).toContain(PROFILE.text);
  },
);

it.each([
  ["accept", "it is created"],
  ["reject", "nothing is created"],
] as const)("about a scene, a person's %s is said of what was asked", async (decision, said) => {
  const { pages } = await openPage("A designer.");
  const asked = { about: "scene", fields: [["name", "Studio"]] } as const;
  const { forClient: url } = await pages.openPermission({ ...PROFILE, asked });
  const { cookie = "" } = await send(url);
  expect((await send(url, { decision }, { cookie })).body).toContain(said);
});

it("about a profile: its own browser is told that it is closed, another one to answer first; neither of a demand", async () => {
  const { pages } = await openPage("A designer.");
  let isOpen = true;
  const decide = async () => {
    isOpen = false;
  };
  const { forClient: url } = await pages.openPermission({ ...PROFILE, isOpen: async () => isOpen, decide });
  const { cookie = "" } = await send(url);
  const other = await comeTo(url);
  expect(other.status).toBe(403);
  expect(other.body).toContain("Open in another browser");
  expect(other.body).not.toMatch(/demand|withdraw|Lin, a designer/);
  await send(url, { decision: "accept" }, { cookie });
  const again = await send(url, undefined, { cookie });
  expect(again.status).toBe(410);
  expect(again.body).toContain("This page is closed");
});

it("about a profile: whose window opened elsewhere is sent to no terminal, where only demands are decided on", async () => {
  const windows: string[] = [];
  const { pages } = await openPage("A designer.", "en", { openWindow: async (page) => windows.push(page) > 0 });
  const { forClient: url } = await pages.openPermission(PROFILE);
  const { body } = await send(url);
  expect(windows).toHaveLength(1);
  expect(body).toContain("If it has not, reload this page.");
  expect(body).not.toContain("towow-mcp confirm");
});

it("about a profile: what is not an answer decides nothing, and once closed it shows nothing", async () => {
  const { pages } = await openPage("A designer.");
  const decided: string[] = [];
  let isOpen = true;
  const decide = async (verdict: string) => void decided.push(verdict);
  const { forClient: url } = await pages.openPermission({ ...PROFILE, isOpen: async () => isOpen, decide });
  const browser = { cookie: (await send(url)).cookie ?? "" };
  expect((await send(url, { decision: "perhaps" }, browser)).status).toBe(422);
  isOpen = false;
  for (const form of [undefined, { decision: "accept" }]) {
    const closed = await send(url, form, browser);
    expect(closed.status).toBe(410);
    expect(closed.body).not.toContain("Lin, a designer");
  }
  expect(decided).toEqual([]);
});

it.each(["towow_join", "towow_register_agent"])(
  "%s: what its person takes out of a profile, without a script, is not sent, and the rest is as it stands",
  async (tool) => {
    const world = await createWorld();
    const p = await world.process({
      ...{ elicitation: { url: {} }, answer: () => ({ action: "cancel" }), flags: { mode: "developer" } },
    });
    const profile_data = {
      skills: ["Python", "reach me: 13900139000"],
      bio: "I design for clinics. Call 13800138000 or write to lin@example.org.",
    };
    const scene = tool === "towow_join" ? { scene: world.sceneId } : { scene_id: world.sceneId };
    const args = { ...scene, display_name: "Lin 13700137000", profile_data };
    await p.call(tool, args);
    const pages = pagesOf(world, p);
    onTestFinished(() => pages.close());
    const { forClient: url } = await pages.openPermission(p.sends[0]!);
    const { body, cookie = "" } = await send(url);
    const switches = [...body.matchAll(/<input type="checkbox" name="([^"]+)" form="ask">Take out/g)].map(
      ([, name]) => name,
    );
    expect(switches).toEqual(["out.bio.1", "out.bio.2", "out.skills.2.1"]);
    const form = { "out.bio.1": "on", "out.skills.2.1": "on", "out.bio.7": "on", decision: "accept" };
    expect((await send(url, form, { cookie })).status).toBe(200);
    const { result } = await p.call(tool, args);
    expect(result.error).toBeNull();
    expect(result.summary).toContain("Before it was sent, its person took out: phone number.");
    const [sent] = world.mock.journal.filter(({ method, path }) => method === "POST" && path.endsWith("/agents"));
    expect(sent?.body).toMatchObject({
      display_name: "Lin 13700137000",
      profile_data: {
        skills: ["Python", "reach me:"],
        bio: "I design for clinics. Call  or write to lin@example.org.",
      },
    });
  },
);

const SKILLS = ["Address: 12 Main Street", "Python", "Phone", "13800138000"];

it.each(["en", "zh"] as const)(
  "in %s: what is taken out of one item of a list leaves the items beside it as they are",
  async (lang) => {
    const world = await createWorld();
    const p = await world.process({ elicitation: { url: {} }, answer: () => ({ action: "cancel" }), flags: { lang } });
    const args = { scene: world.sceneId, display_name: "Lin", profile_data: { skills: SKILLS, bio: "A designer." } };
    await p.call("towow_join", args);
    const pages = pagesOf(world, p);
    onTestFinished(() => pages.close());
    const { forClient: url } = await pages.openPermission(p.sends[0]!);
    const { body, cookie = "" } = await send(url);
    const switches = [...body.matchAll(/name="(out\.[^"]+)"/g)].map(([, name]) => name);
    expect(switches).toEqual(["out.skills.1.1", "out.skills.4.1"]);
    expect((await send(url, { "out.skills.1.1": "on", decision: "accept" }, { cookie })).status).toBe(200);
    await p.call("towow_join", args);
    const [sent] = requests(world.mock, "POST", /\/agents$/);
    expect(sent?.body).toMatchObject({ profile_data: { skills: ["Address:", "Python", "Phone", "13800138000"] } });
  },
);

it("a yes that takes out a piece by a name of an earlier version sends nothing, and the question is asked again", async () => {
  const world = await createWorld();
  const p = await world.process({ elicitation: { url: {} }, answer: () => ({ action: "cancel" }) });
  const profile_data = { skills: SKILLS, bio: "Call 13900139000." };
  const args = { scene: world.sceneId, display_name: "Lin", profile_data };
  await p.call("towow_join", args);
  const hand = { surface: "page", browser: "own_window" } as const;
  const answer = (takenOut: string[]) =>
    p.deps.session.permissions.decide(p.sends.at(-1)!.id, "accept", hand, takenOut);
  await answer(["bio.1", "skills.1"]);
  const { result } = await p.call("towow_join", args);
  expect(result).toMatchObject({ warnings: ["undecided"] });
  expect(p.sends).toHaveLength(2);
  expect(requests(world.mock, "POST", /\/agents$/)).toEqual([]);
  await answer(["bio.1"]); // a text's pieces have the names that they had
  await p.call("towow_join", args);
  expect(requests(world.mock, "POST", /\/agents$/)).toMatchObject([
    { body: { profile_data: { ...profile_data, bio: "Call ." } } },
  ]);
});

it("of a text that held nothing but personal data nothing is sent once they are taken out", async () => {
  const world = await createWorld();
  const p = await world.process({ elicitation: { url: {} }, answer: () => ({ action: "cancel" }) });
  const profile_data = { skills: ["Python", "a@example.org"], bio: "a@example.org 13900139000" };
  const args = { scene: world.sceneId, display_name: "Lin", profile_data };
  await p.call("towow_join", args);
  const hand = { surface: "page", browser: "own_window" } as const;
  const takenOut = ["bio.1", "bio.2", "skills.2.1"];
  await p.deps.session.permissions.decide(p.sends.at(-1)!.id, "accept", hand, takenOut);
  await p.call("towow_join", args);
  const sent = requests(world.mock, "POST", /\/agents$/);
  expect(sent.map(({ body }) => (body as { profile_data: unknown }).profile_data)).toEqual([{ skills: ["Python"] }]);
});

it("personal data are looked for in each item alone, at every surface", async () => {
  const profile_data = { skills: ["Address", "12 Main Street"], bio: "A designer." };
  const said: string[] = [];
  const atTerminal = async ({ title, text, beside }: AtTerminal) => {
    said.push([title, text, ...beside].join("\n"));
    return false;
  };
  const answer = () => ({ action: "cancel" }) as const;
  const ways: ProcessOptions[] = [
    { elicitation: { form: {} }, answer },
    { elicitation: { url: {} }, answer },
    {},
    { atTerminal, config: { confirmation_policy: "strict" } },
  ];
  for (const options of ways) {
    const world = await createWorld();
    const p = await world.process(options);
    const args = { scene: world.sceneId, display_name: "Lin", profile_data };
    const { text } = await p.call("towow_join", args);
    said.push(JSON.stringify(p.forms), text);
    for (const request of p.sends) said.push(questionOf(request.asked, "", textsOf("en")).alert ?? "");
  }
  expect(said.filter((words) => words.includes("12 Main Street"))).toHaveLength(3);
  expect(said.join("\n")).not.toContain("personal data");
  expect(said.join("\n")).not.toContain(textsOf("en").pii.kinds.address);
});
