import { createHmac, randomBytes } from "node:crypto";
import { createRequestStateCodec, type ServerContext } from "@modelcontextprotocol/server";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { PAGE_TOOL, TICKET_META } from "../../src/question/chat-wire.ts";
import { ROOM_TOOLS } from "../../src/room/tools.ts";
import type { UiSpec } from "../../src/room/ui-spec-schema.ts";
import { confirms, requests, submits } from "../support/backend.ts";
import { ChatPage, callOfPage, DRAWS, ERAS, type Era, hostOf, ticketOf } from "../support/chat.ts";
import { createWorld, type Process, type ProcessOptions, type World } from "../support/world.ts";

const PROFILE = {
  skills: ["design", "research", "figma"],
  bio: "Designer of calm hospital software. Call me at 13800138000.",
  capabilities: ["user interviews"],
};
const NAME = "Mei";

const joins = ({ mock }: World) => requests(mock, "POST", /\/agents$/);
const sent = (world: World) => joins(world).map(({ body }) => (body as { profile_data: unknown }).profile_data);

async function person(options: ProcessOptions = {}) {
  const world = await createWorld();
  const chat = { stateKey: randomBytes(32) };
  const process = await world.process({ chat, ...options });
  return { world, process, chat };
}

/** A model's call that would send a profile: what it is given, and the page at it. */
async function asked(world: World, process: Process, era: Era = "modern", more: object = {}, draws: object = DRAWS) {
  const client = await hostOf(process, era, draws);
  const args = { scene: world.sceneId, display_name: NAME, profile_data: PROFILE, ...more };
  const join = (also: object = {}) =>
    world.clock.run(client.callTool({ name: "towow_join", arguments: { ...args, ...also } }));
  const result = await join();
  const page = new ChatPage(world, client, ticketOf(result));
  return { client, join, result, page };
}

const textOf = (result: { content?: unknown }) => JSON.stringify(result.content);
const sectionOf = ({ spec }: ChatPage) => spec?.sections.find((section) => section.kind === "asked");
const words = (spec: UiSpec | undefined) => JSON.stringify(spec);

/** A yes as the page sends it. */
const yesBy = (page: ChatPage) => {
  const { params = {} } = page.button("broadcast") ?? {};
  const form = { do: `broadcast?${new URLSearchParams(params)}`, shown: params.textHash ?? "", display: "visible" };
  return { path: "/act", form };
};

describe.each(ERAS)("a profile, at a client of the %s era that draws pages", (era) => {
  it("is shown whole, and sent by the call that asked once its person has said yes", async () => {
    const { world, process } = await person();
    const { page, join, result } = await asked(world, process, era);
    expect(JSON.stringify([result.content, result.structuredContent])).not.toContain(page.ticket);
    await page.open();
    expect(page.spec?.stage).toBe("profile");
    const shown = words(page.spec);
    for (const value of [NAME, "design, research, figma", "13800138000", "user interviews", world.sceneId])
      expect(shown).toContain(value);
    await page.press("broadcast");
    expect(page.spec?.stage).toBe("done");
    expect(joins(world)).toHaveLength(0);
    const joined = await join();
    expect(joined.structuredContent).toMatchObject({ status: "ok", data: { already_joined: false } });
    expect(sent(world)).toEqual([PROFILE]);
    expect(ticketOf(joined)).toBeUndefined();
  });

  it("goes without what its person has taken out of it there", async () => {
    const { world, process } = await person();
    const { page, join } = await asked(world, process, era);
    await page.open();
    const [piece] = sectionOf(page)?.parts ?? [];
    expect(piece).toMatchObject({ text: "13800138000", takenOut: false });
    const before = page.button("broadcast")?.params.textHash;
    await page.act(`takeOut?itemId=${piece?.id}`);
    expect(sectionOf(page)?.parts[0]?.takenOut).toBe(true);
    expect(page.button("broadcast")?.params.textHash).not.toBe(before);
    await page.act(`putBack?itemId=${piece?.id}`);
    expect(page.button("broadcast")?.params.textHash).toBe(before);
    await page.act(`takeOut?itemId=${piece?.id}`);
    await page.press("broadcast");
    await join();
    expect(sent(world)).toEqual([{ ...PROFILE, bio: "Designer of calm hospital software. Call me at ." }]);
  });

  it("goes without the pieces of one item of a list, and with the items beside it and the same letters elsewhere", async () => {
    const { world, process } = await person();
    const skills = ["address: 12 Main Street", "Python", "13800138000", "X13800138000Y"];
    const { page, join } = await asked(world, process, era, {
      profile_data: { ...PROFILE, bio: "A designer.", skills },
    });
    await page.open();
    const parts = sectionOf(page)?.parts ?? [];
    expect(parts.map(({ text }) => text)).toEqual(["12 Main Street", "13800138000"]);
    for (const { id } of parts) await page.act(`takeOut?itemId=${id}`);
    await page.press("broadcast");
    await join();
    expect(sent(world)).toEqual([{ ...PROFILE, bio: "A designer.", skills: ["address:", "Python", "X13800138000Y"] }]);
  });

  it("is not sent after a no there", async () => {
    const { world, process } = await person();
    const { page, join } = await asked(world, process, era);
    await page.open();
    page.display = undefined; // a no needs nobody's eyes
    await page.press("withdraw");
    expect(page.spec?.stage).toBe("done");
    expect((await join()).structuredContent).toMatchObject({ status: "empty", warnings: ["declined"] });
    expect(joins(world)).toHaveLength(0);
  });

  it("a client that does not draw pages is given the same words as ever, and no ticket", async () => {
    const texts = await Promise.all(
      [true, false].map(async (hasPage) => {
        const world = await createWorld();
        const process = await world.process(hasPage ? { chat: { stateKey: randomBytes(32) } } : {});
        const { result } = await asked(world, process, era, {}, {});
        expect(ticketOf(result)).toBeUndefined();
        // A hash, and the fence around what others wrote, are others each time.
        return textOf(result).replaceAll(/[0-9a-f]{16}|(?<=>>>foreign |<<<foreign )\w+/g, "");
      }),
    );
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).not.toContain("page at this result");
  });
});

describe("nothing of a profile is sent", () => {
  it("without a ticket, with one in the arguments, made up, cut or changed, or of another person", async () => {
    const { world, process } = await person();
    const { client, page, join } = await asked(world, process);
    const { ticket = "" } = page;
    await page.open();
    const click = yesBy(page);
    for (const call of [click, { ...click, ticket }, { ...click, _meta: { [TICKET_META]: { ticket } } }])
      expect(await world.clock.run(client.callTool({ name: PAGE_TOOL, arguments: call }))).toMatchObject({
        isError: true,
      });
    const [head = "", ...rest] = ticket.split(".");
    const stranger = await world.process({ chat: { stateKey: randomBytes(32) }, stranger: "user_mallory" });
    const theirs = await asked(world, stranger);
    for (const forged of ["x", ticket.slice(0, -2), [`${head}A`, ...rest].join("."), theirs.page.ticket])
      expect(await world.clock.run(callOfPage(client, forged, click))).toBeUndefined();
    await join();
    expect(joins(world)).toHaveLength(0);
  });

  it("by the ticket of another question", async () => {
    const { world, process } = await person();
    const { client, page, join } = await asked(world, process);
    const other = await asked(world, process, "modern", { profile_data: { ...PROFILE, bio: "Someone else." } });
    const demand = await world.clock.run(
      client.callTool({ name: "towow_demand", arguments: { intent: "A designer.", scene_id: world.sceneId } }),
    );
    await page.open();
    await other.page.open();
    await world.clock.run(callOfPage(client, other.page.ticket, yesBy(page)));
    await world.clock.run(callOfPage(client, page.ticket, yesBy(other.page)));
    await world.clock.run(callOfPage(client, ticketOf(demand), yesBy(page)));
    await join();
    await other.join();
    expect([joins(world).length, confirms(world.mock).length]).toEqual([0, 0]);
    // Nor does its ticket reach the demand.
    const text = new ChatPage(world, client, ticketOf(demand));
    await text.open();
    await world.clock.run(callOfPage(client, page.ticket, yesBy(text)));
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("by a yes that does not name what stands there, or that nobody has seen", async () => {
    const { world, process } = await person();
    const { page, join } = await asked(world, process);
    await page.open();
    const hash = page.button("broadcast")?.params.textHash ?? "";
    page.display = undefined;
    await page.press("broadcast");
    page.display = "visible";
    await page.press("broadcast", { shown: "another" });
    await page.act("broadcast", { shown: hash });
    await page.act("broadcast?textHash=another", { shown: hash });
    await page.press("broadcast", { until: String(world.clock.now() - 1) }); // its page has given it up
    // What was taken out without being shown again.
    await page.press("broadcast", { draft: JSON.stringify([sectionOf(page)?.parts[0]?.id]) });
    await join();
    expect(joins(world)).toHaveLength(0);
    expect(page.spec?.stage).toBe("profile");
  });

  it("after ten minutes, nor twice by one yes", async () => {
    const { world, process } = await person();
    const late = await asked(world, process);
    await late.page.open();
    const click = yesBy(late.page);
    await world.clock.advance(601_000);
    await world.clock.run(callOfPage(late.client, late.page.ticket, click));
    await late.page.look();
    expect(late.page.spec?.stage).toBe("done");
    await late.join();
    expect(joins(world)).toHaveLength(0);
    const other = await asked(world, process, "modern", { profile_data: { skills: ["welding"], bio: "A welder." } });
    await other.page.open();
    const yes = yesBy(other.page);
    for (const _ of [1, 2, 3]) await world.clock.run(callOfPage(other.client, other.page.ticket, yes));
    await other.join();
    await world.clock.run(callOfPage(other.client, other.page.ticket, yes));
    await other.join();
    expect(joins(world)).toHaveLength(1);
  });

  it("a day later the ticket opens nothing", async () => {
    const { world, process } = await person();
    const { client, page } = await asked(world, process);
    const now = Date.now();
    vi.spyOn(Date, "now").mockReturnValue(now + 25 * 3_600_000); // by the SDK's own clock
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await world.clock.run(callOfPage(client, page.ticket, { path: "/" }))).toBeUndefined();
  });

  it("by whatever else a room can do", async () => {
    const { world, process } = await person();
    const { page, join } = await asked(world, process);
    await page.open();
    const before = world.mock.journal.filter(({ method }) => method === "POST").length;
    const params = { itemId: world.sceneId, text: "a demand", as: "plan", agentId: "a", from: "profile" };
    const others = Object.keys(ROOM_TOOLS).filter((name) => name !== "broadcast" && name !== "withdraw");
    for (const tool of [...others, "accept", "constructor", "__proto__"])
      await page.act(`${tool}?${new URLSearchParams(params)}`, { "f.intent": "a demand", "f.bio": "another" });
    await page.act("takeOut?itemId=display_name.1");
    for (const draft of ["", "{}", "[1]", '["bio.9","display_name.1","__proto__"]', "x".repeat(1_000)])
      await page.act("", { draft });
    expect(page.spec?.stage).toBe("profile");
    expect(sectionOf(page)?.parts.every(({ takenOut }) => !takenOut)).toBe(true);
    expect(world.mock.journal.filter(({ method }) => method === "POST")).toHaveLength(before);
    await join();
    expect([joins(world).length, submits(world.mock).length]).toEqual([0, 0]);
  });
});

describe("whose word counts for a profile", () => {
  it("under strict the page shows it and says no; its button says why it cannot say yes", async () => {
    const { world, process } = await person({ config: { confirmation_policy: "strict" } });
    const { page, client, join } = await asked(world, process);
    await page.open();
    expect(page.button("broadcast")).toMatchObject({ enabled: false, why: expect.stringMatching(/own hand/) });
    await world.clock.run(callOfPage(client, page.ticket, yesBy(page)));
    await join();
    expect(joins(world)).toHaveLength(0);
    await page.press("withdraw");
    expect(page.spec?.stage).toBe("done");
    expect((await join()).structuredContent).toMatchObject({ warnings: ["declined"] });
    expect(joins(world)).toHaveLength(0);
  });

  it("a policy that becomes strict after the click counts when the call takes it", async () => {
    const { world, process } = await person();
    const { page, join } = await asked(world, process);
    await page.open();
    await page.press("broadcast");
    process.settings.confirmation_policy = "strict";
    await join();
    expect(joins(world)).toHaveLength(0);
  });

  it("once text of others was read it counts as a form does; the AI's own word does not", async () => {
    const { world, process } = await person();
    await world.tainted.keep(world.clock.now() + 3_600_000, 3_600_000);
    const { page, join, result } = await asked(world, process);
    expect(result.isError).toBe(true);
    const { profile_hash = "" } = (result.structuredContent as { data: { profile_hash?: string } | null }).data ?? {};
    await join({ profile_hash });
    expect(joins(world)).toHaveLength(0);
    await page.open();
    await page.press("broadcast");
    await join();
    expect(joins(world)).toHaveLength(1);
  });

  it("what the AI has passed on already is not asked about", async () => {
    const { world, process } = await person();
    const { join, result } = await asked(world, process);
    const { profile_hash } = (result.structuredContent as { data: { profile_hash: string } }).data;
    const joined = await join({ profile_hash });
    expect(joins(world)).toHaveLength(1);
    expect(ticketOf(joined)).toBeUndefined();
  });

  it("its answer is kept as a page's in the chat, which an older program reads as one that a client opened", async () => {
    const { world, process } = await person();
    const { page } = await asked(world, process);
    await page.open();
    const decide = vi.spyOn(process.deps.session.permissions, "decide");
    await page.press("broadcast");
    expect(decide.mock.calls.map(([, verdict, by]) => [verdict, by])).toEqual([
      ["accept", { surface: "page", browser: "elicited", drawn: "visible" }],
    ]);
  });
});

it("a form comes first; one that is put off leaves the question to the page at the result", async () => {
  const { world, process } = await person();
  const client = await hostOf(process, "legacy", { ...DRAWS, elicitation: { form: {} } });
  const forms: unknown[] = [];
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    forms.push(params);
    return { action: "cancel" };
  });
  const join = () => {
    const args = { scene: world.sceneId, display_name: NAME, profile_data: { ...PROFILE, bio: "A designer." } };
    return world.clock.run(client.callTool({ name: "towow_join", arguments: args }));
  };
  const result = await join();
  expect(forms).toHaveLength(1);
  expect(result.structuredContent).toMatchObject({ warnings: ["undecided"] });
  const page = new ChatPage(world, client, ticketOf(result));
  await page.open();
  await page.press("broadcast");
  await join();
  expect([forms.length, joins(world).length]).toEqual([1, 1]);
});

it("a page that is loaded again says what became of its question, at any replica", async () => {
  const { world, process, chat } = await person();
  const { page } = await asked(world, process);
  await page.open();
  await page.press("broadcast");
  expect(page.spec?.lead).toContain("You said yes");
  await page.open();
  expect(page.spec?.lead).toContain("You said yes");
  page.client = await hostOf(await world.process({ chat }), "modern");
  await page.open();
  expect(page.spec?.heading).toBe("This page is closed"); // it shares no store with the first
});

it("a profile that a ticket would not hold is asked about as ever", async () => {
  const { world, process } = await person();
  const { result } = await asked(world, process, "modern", {
    profile_data: { ...PROFILE, experience: "word ".repeat(9_990) },
  });
  expect(ticketOf(result)).toBeUndefined();
});

describe("a ticket of an earlier version, which holds a list as one text", () => {
  const skills = ["address: 12 Main Street", "Python"];

  /** The page at the same question, with the ticket that the earlier version would have signed for it. */
  async function ofEarlier() {
    const { world, process, chat } = await person();
    const { client, page, join } = await asked(world, process, "modern", { profile_data: { ...PROFILE, skills } });
    const key = createHmac("sha256", chat.stateKey).update(TICKET_META).digest();
    const codec = createRequestStateCodec<{ about: { permission: { asked: { fields: [string, unknown][] } } } }>({
      key,
    });
    const ticket = await codec.verify(page.ticket ?? "", {} as ServerContext);
    const { asked: question } = ticket.about.permission;
    question.fields = question.fields.map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]);
    return { world, join, page: new ChatPage(world, client, await codec.mint(ticket)) };
  }

  it("takes a yes to all that it shows, and to a text without a piece", async () => {
    const { world, page, join } = await ofEarlier();
    await page.open();
    expect(words(page.spec)).toContain("12 Main Street, Python");
    await page.act("takeOut?itemId=bio.1");
    await page.press("broadcast");
    expect((await join()).structuredContent).toMatchObject({ status: "ok" });
    expect(sent(world)).toEqual([{ ...PROFILE, skills, bio: "Designer of calm hospital software. Call me at ." }]);
  });

  it("sends nothing that its person took out of a list: the call asks again", async () => {
    const { world, page, join } = await ofEarlier();
    await page.open();
    await page.act("takeOut?itemId=skills.1");
    await page.press("broadcast");
    expect(page.spec?.stage).toBe("done");
    const again = await join();
    expect(joins(world)).toHaveLength(0);
    expect(ticketOf(again)).toBeTypeOf("string");
  });
});
