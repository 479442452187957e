import { randomBytes } from "node:crypto";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { PAGE_TOOL, TICKET_META } from "../../src/question/chat-wire.ts";
import type { RoomUpdate } from "../../src/room/page/sending.ts";
import { Room } from "../../src/room/room.ts";
import { ROOM_TOOLS } from "../../src/room/tools.ts";
import { cancels, confirms, requests, submits } from "../support/backend.ts";
import { ChatPage, callOfPage, ERAS, type Era, hostOf, ticketOf } from "../support/chat.ts";
import { createWorld, type Process, type ProcessOptions, type World } from "../support/world.ts";

const INTENT = "I am looking for a product designer for a three-month pilot in a hospital. Call me at 13800138000.";
const OWN = "I am looking for a product designer for a three-month pilot in a hospital.";

const joins = ({ mock }: World) => requests(mock, "POST", /\/agents$|\/agents\/register$|\/register$/);

/** One endpoint's person: replicas of it share the key that tickets are signed with. */
async function person(options: ProcessOptions = {}, stepMs = 150) {
  const world = await createWorld({ stepMs });
  const chat = { stateKey: randomBytes(32) };
  const process = await world.process({ chat, ...options });
  return { world, process, chat };
}

/** What a model's call leads to: a text that waits, and the page at it. */
async function asked(world: World, process: Process, era: Era = "modern", intent = INTENT) {
  const client = await hostOf(process, era);
  const called = client.callTool({ name: "towow_demand", arguments: { intent, allow_duplicate: true } });
  const result = await world.clock.run(called);
  const ticket = ticketOf(result)!;
  expect(ticket).toBeTypeOf("string");
  const page = new ChatPage(world, client, ticket);
  const { negotiation_id: id } = (result.structuredContent as { data: { negotiation_id: string } }).data;
  return { client, ticket, page, id };
}

const broadcastBy = (page: ChatPage) => {
  const { params = {} } = page.button("broadcast") ?? {};
  const fields = { shown: params.textHash ?? "", display: "visible" as const };
  return { path: "/act", form: { do: `broadcast?${new URLSearchParams(params)}`, ...fields } };
};

describe.each(ERAS)("in the %s era the page's tool opens nothing", (era) => {
  const opened = async () => {
    const { world, process } = await person();
    const one = await asked(world, process, era);
    await one.page.open();
    return { world, ...one, click: broadcastBy(one.page) };
  };

  it("without a ticket, or with one in its arguments", async () => {
    const { world, client, ticket, click } = await opened();
    for (const call of [click, { ...click, ticket }, { ...click, _meta: { [TICKET_META]: { ticket } } }]) {
      const answer = await world.clock.run(client.callTool({ name: PAGE_TOOL, arguments: call }));
      expect(answer).toMatchObject({ isError: true });
      expect(answer._meta?.["towow/room"]).toEqual({ status: 410, body: "" });
    }
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("with one that was made up, cut or changed", async () => {
    const { world, client, ticket, click } = await opened();
    const [head = "", ...rest] = ticket.split(".");
    for (const forged of ["x", ticket.slice(0, -2), [`${head}A`, ...rest].join("."), ticket.toUpperCase(), ""])
      expect(await world.clock.run(callOfPage(client, forged, click))).toBeUndefined();
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("with one that stands elsewhere in the request's _meta, or in another shape", async () => {
    const { world, client, ticket, click } = await opened();
    for (const meta of [
      { [TICKET_META]: ticket },
      { [TICKET_META]: [ticket] },
      { [TICKET_META]: { ticket: [ticket] } },
      { [TICKET_META]: null },
      { [`${TICKET_META}.ticket`]: ticket },
      { ticket },
    ]) {
      const params = { name: PAGE_TOOL, arguments: click, _meta: meta as Record<string, unknown> };
      expect(await world.clock.run(client.callTool(params))).toMatchObject({ isError: true });
    }
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("once its server was started again with another key", async () => {
    const { world, page } = await opened();
    page.client = await hostOf(await world.process({ chat: { stateKey: randomBytes(32) } }), era);
    expect(await page.open()).toBe(false);
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("with one of another person, or of another endpoint", async () => {
    const { world, client, click } = await opened();
    const stranger = await world.process({ chat: { stateKey: randomBytes(32) }, stranger: "user_mallory" });
    const theirs = await asked(world, stranger, era);
    expect(await world.clock.run(callOfPage(client, theirs.ticket, click))).toBeUndefined();
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("of another question than its own", async () => {
    const { world, client, click, ticket } = await opened();
    const other = await asked(world, await world.process({ chat: { stateKey: randomBytes(32) } }), era, OWN);
    await other.page.open();
    const answer = await world.clock.run(callOfPage(client, ticket, broadcastBy(other.page)));
    expect(answer?.status).toBe(200);
    expect(confirms(world.mock)).toHaveLength(0);
    expect(await world.clock.run(callOfPage(client, ticket, click))).toBeDefined();
    expect(confirms(world.mock).map(({ path }) => path)).toEqual([expect.not.stringContaining(other.id)]);
  });

  it("a day later", async () => {
    const { world, client, ticket } = await opened();
    const now = Date.now();
    vi.spyOn(Date, "now").mockReturnValue(now + 25 * 3_600_000); // by the SDK's own clock
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await world.clock.run(callOfPage(client, ticket, { path: "/" }))).toBeUndefined();
  });
});

it("without a ticket it tells where a person can decide on their own demand, and nothing else", async () => {
  const way = async (options: ProcessOptions, demand?: string) => {
    const { world, process } = await person(options);
    const { client, id } = await asked(world, process);
    const call = { path: "/page", demand: demand ?? id };
    const answer = await world.clock.run(client.callTool({ name: PAGE_TOOL, arguments: call }));
    return { world, client, text: JSON.stringify(answer.content), isError: answer.isError === true };
  };
  const own = await way({});
  expect(own).toMatchObject({ isError: false, text: expect.stringContaining("/approve/result/") });
  expect(await way({ browser: "none" })).toMatchObject({ isError: false, text: expect.not.stringContaining("http") });
  expect(await way({ config: { confirmation_policy: "strict" } })).toMatchObject({ isError: true });
  for (const demand of ["neg_000000000000", "", "../x", "__proto__"])
    expect(await way({}, demand)).toMatchObject({ isError: true });
  const stranger = await own.world.process({ chat: { stateKey: randomBytes(32) }, stranger: "user_other" });
  const theirs = { path: "/page", demand: (await asked(own.world, stranger)).id };
  const asOther = own.world.clock.run(own.client.callTool({ name: PAGE_TOOL, arguments: theirs }));
  expect(await asOther).toMatchObject({ isError: true });
  expect(confirms(own.world.mock)).toHaveLength(0);
});

describe("a click counts for the question as it stands", () => {
  it("and not once it is withdrawn, by the page or at its deadline", async () => {
    for (const end of ["page", "deadline"]) {
      const { world, process } = await person();
      const { client, ticket, page } = await asked(world, process);
      await page.open();
      const click = broadcastBy(page);
      if (end === "page") await page.press("withdraw");
      else await world.clock.advance(400_000);
      expect(cancels(world.mock)).toHaveLength(1);
      await world.clock.run(callOfPage(client, ticket, click));
      await world.clock.advance(600_000);
      expect(confirms(world.mock)).toHaveLength(0);
      await page.look();
      expect(page.spec?.stage).toBe("done");
      expect(page.button("broadcast")).toBeUndefined();
    }
  });

  it("and not for another question whose answers the host has handed to the page, though both have one text", async () => {
    for (const intent of [OWN, INTENT]) {
      const { world, process } = await person();
      const mine = await asked(world, process);
      const other = await asked(world, process, "modern", intent);
      for (const { page } of [mine, other]) {
        await page.open();
        await page.look();
      }
      mine.page.spec = other.page.spec;
      mine.page.draft = other.page.draft;
      await mine.page.press("broadcast");
      expect(confirms(world.mock)).toHaveLength(0);
    }
  });

  it("and not once its page has given it up, whatever the host lets go then; a no is never too late", async () => {
    const { world, process } = await person();
    const { client, ticket, page } = await asked(world, process);
    await page.open();
    await page.press("edit");
    await page.act("", { "f.text": OWN });
    await page.press("edit");
    await page.look();
    const { path, form } = broadcastBy(page);
    const held = { path, form: { ...form, draft: page.draft, until: `${world.clock.now() + 20_000}` } };
    await page.press("reset");
    await world.clock.advance(20_001);
    await world.clock.run(callOfPage(client, ticket, held));
    expect(confirms(world.mock)).toHaveLength(0);
    await page.look();
    expect(page.sheet?.outgoing).toContain(INTENT);
    await page.press("withdraw");
    expect(cancels(world.mock)).toHaveLength(1);
  });

  it("and once", async () => {
    const { world, process } = await person();
    const { client, ticket, page } = await asked(world, process);
    await page.open();
    const click = broadcastBy(page);
    await page.press("broadcast");
    await world.clock.run(callOfPage(client, ticket, click));
    await world.clock.run(callOfPage(client, ticket, click));
    expect(confirms(world.mock)).toHaveLength(1);
  });

  it("and for what the page says that it has shown", async () => {
    const { world, process } = await person();
    const { page } = await asked(world, process);
    await page.open();
    page.display = undefined;
    await page.press("broadcast");
    page.display = "in_view";
    await page.press("broadcast", { shown: "another" });
    expect(confirms(world.mock)).toHaveLength(0);
    await page.press("broadcast");
    expect(confirms(world.mock)).toHaveLength(1);
  });

  it("two pages of one question show the same once one was clicked, each with what was typed there", async () => {
    const { world, process } = await person();
    const { client, ticket, page } = await asked(world, process);
    const second = new ChatPage(world, client, ticket);
    await page.open();
    await second.open();
    await page.press("edit");
    await page.act("", { "f.text": OWN });
    await second.look();
    expect(second.sheet?.outgoing).not.toBe(OWN);
    await page.look();
    expect(page.sheet?.outgoing).toBe(OWN);
    await second.press("withdraw");
    await page.press("broadcast");
    expect(confirms(world.mock)).toHaveLength(0);
    expect(page.spec?.stage).toBe("done");
  });

  it("a page that waits for a slow backend is answered with its own change, whatever another asks meanwhile", async () => {
    const { world, process } = await person();
    const { client, ticket, page } = await asked(world, process);
    const second = new ChatPage(world, client, ticket);
    for (const one of [page, second]) {
      await one.open();
      await one.look();
    }
    await page.press("edit");
    await page.act("", { "f.text": OWN });
    world.mock.faults.add({ route: "get", kind: "delay", delayMs: 5_000, times: 1 });
    const slow = callOfPage(client, ticket, { path: "/act", form: { do: "refresh", draft: page.draft ?? "" } });
    await second.look();
    expect(second.sheet?.outgoing).not.toBe(OWN);
    const answer = await world.clock.run(slow);
    expect(JSON.parse(answer?.draft ?? "")).toMatchObject({ edited: OWN });
    const { uiSpec } = JSON.parse(answer?.body ?? "") as RoomUpdate;
    expect(uiSpec.sections).toContainEqual(expect.objectContaining({ kind: "sheet", outgoing: OWN }));
  });
});

describe("nothing but its question can be reached from a page", () => {
  const ALLOWED = [
    ...["select", "setField", "takeOut", "putBack", "edit", "reset", "useSubmitted", "refresh", "broadcast"],
    ...["withdraw", "setLanguage", "cancel", "review"],
  ];
  const OUTSIDE = Object.keys(ROOM_TOOLS).filter((name) => !ALLOWED.includes(name));

  it.each(["decision", "negotiating", "done"] as const)("in the stage %s", async (stage) => {
    const { world, process } = await person({}, stage === "negotiating" ? 8_000 : 150);
    const { page, id } = await asked(world, process);
    await page.open();
    if (stage !== "decision") await page.press("broadcast");
    if (stage === "done") await world.clock.advance(600_000);
    await page.look();
    expect(page.spec?.stage).toBe(stage);
    const before = world.mock.journal.filter(({ method }) => method === "POST").length;
    const params = {
      itemId: world.sceneId,
      demandId: id,
      text: "another demand",
      as: "plan",
      agentId: "a",
      words: "kept",
    };
    for (const tool of [...OUTSIDE, "constructor", "__proto__"])
      for (const query of [params, {}, { itemId: world.sceneId }, { text: "another demand" }, { as: "plan" }]) {
        await page.act(`${tool}?${new URLSearchParams(query as Record<string, string>)}`, {
          "f.intent": "another demand",
        });
        expect(page.spec?.stage).toBe(stage);
      }
    for (const path of ["/plan.md", "/report.html", "/events", "/room"])
      expect(await world.clock.run(callOfPage(page.client, page.ticket, { path }))).toEqual({ status: 400, body: "" });
    expect(world.mock.journal.filter(({ method }) => method === "POST")).toHaveLength(before);
    expect(submits(world.mock)).toHaveLength(1);
    expect(joins(world)).toHaveLength(0);
    const names = [...new Set(page.spec?.menu.map(({ toolName }) => toolName))];
    expect(names).toEqual(["setLanguage"]);
    expect(page.spec?.sections.filter(({ kind }) => ["form", "list", "agent"].includes(kind))).toEqual([]);
  });

  it.each([
    ["as a text", (text: string) => ({ edited: text, words: undefined })],
    ["in passages", (text: string) => ({ edited: "short", words: [{ by: "edit", text }] })],
  ])("a draft brings no longer text than its field takes, %s", async (_, longer) => {
    const { world, process } = await person();
    const { page } = await asked(world, process);
    await page.open();
    const before = page.sheet?.outgoing;
    page.draft = JSON.stringify({
      ...JSON.parse(page.draft ?? ""),
      ...longer("word ".repeat(4_001)),
      isEditing: false,
    });
    await page.look();
    await page.press("broadcast");
    expect(page.sheet?.outgoing ?? before).toBe(before);
    expect(world.mock.negotiations()[0]?.confirmedText).toBe(before);
  });

  it("however many fields it says were left, the screen is asked for its fields as often", async () => {
    const { world, process } = await person();
    const { page } = await asked(world, process);
    await page.open();
    const asks = vi.spyOn(Room.prototype, "fieldIds");
    onTestFinished(() => void vi.restoreAllMocks());
    await page.act("", { left: "" });
    const few = asks.mock.calls.length;
    await page.act("", { left: "text,".repeat(1_000) });
    expect(asks.mock.calls.length).toBe(2 * few);
  });

  it("what is no call of a page is refused, and does nothing", async () => {
    const { world, process } = await person();
    const { client, ticket } = await asked(world, process);
    for (const call of [
      { path: "/plan.md" },
      { path: "/act", form: { do: 1 } },
      { path: "/act", form: { do: "", display: "covered" } },
      { path: "/act", form: { do: "", "f.text": "x".repeat(600_000) } },
    ])
      expect(await world.clock.run(callOfPage(client, ticket, call as never))).toEqual({ status: 400, body: "" });
    expect(confirms(world.mock)).toHaveLength(0);
  });
});

describe("whose word counts", () => {
  it("under strict the page shows the text and withdraws it; its button says why it cannot broadcast", async () => {
    const { world, process } = await person({ config: { confirmation_policy: "strict" } });
    const { page, client, ticket } = await asked(world, process);
    await page.open();
    expect(page.sheet?.outgoing).toContain("product designer");
    expect(page.button("broadcast")).toMatchObject({ enabled: false, why: expect.stringMatching(/own hand/) });
    await page.press("broadcast");
    await world.clock.run(callOfPage(client, ticket, broadcastBy(page)));
    expect(confirms(world.mock)).toHaveLength(0);
    await page.press("withdraw");
    expect(cancels(world.mock)).toHaveLength(1);
    await page.look();
    expect(page.spec?.stage).toBe("done");
  });

  it("a policy that becomes strict meanwhile counts from then on, and for a stop too", async () => {
    const { world, process } = await person();
    const first = await asked(world, process);
    await first.page.open();
    await first.page.press("broadcast");
    expect(confirms(world.mock)).toHaveLength(1);
    const second = await asked(world, process, "modern", OWN);
    await second.page.open();
    process.settings.confirmation_policy = "strict";
    await second.page.press("broadcast");
    await first.page.press("cancel");
    expect(confirms(world.mock)).toHaveLength(1);
    expect(cancels(world.mock)).toHaveLength(0);
    expect(second.page.button("broadcast")?.why).toMatch(/own hand/);
  });

  it("in auto it stops what is broadcast", async () => {
    const { world, process } = await person();
    const { page } = await asked(world, process);
    await page.open();
    await page.press("broadcast");
    await page.press("cancel");
    expect(cancels(world.mock)).toHaveLength(1);
  });

  it("a demand that was not submitted here is shown and withdrawn, as no form can broadcast it either", async () => {
    const { world, process } = await person();
    const theirs = await asked(
      world,
      await world.process({ stranger: "user_other", chat: { stateKey: randomBytes(32) } }),
    );
    const client = await hostOf(process, "modern");
    const shown = client.callTool({ name: "towow_demand", arguments: { negotiation_id: theirs.id } });
    const result = await world.clock.run(shown);
    expect(JSON.stringify(result.content)).not.toContain("on the page at this result");
    const page = new ChatPage(world, client, ticketOf(result));
    await page.open();
    expect(page.sheet?.outgoing).toContain("product designer");
    expect(page.button("broadcast")).toMatchObject({
      enabled: false,
      why: expect.stringMatching(/not submitted here/),
    });
    await page.press("broadcast");
    await world.clock.run(callOfPage(client, page.ticket, broadcastBy(page)));
    expect(confirms(world.mock)).toHaveLength(0);
    await page.press("withdraw");
    expect(cancels(world.mock)).toHaveLength(1);
  });

  it("once text of others was read it counts as a form does; the AI's own word does not", async () => {
    const { world, process } = await person();
    await world.tainted.keep(world.clock.now() + 3_600_000, 3_600_000);
    const { page, client, id } = await asked(world, process);
    const byAi = { negotiation_id: id, decision: "accept" };
    await world.clock.run(client.callTool({ name: "towow_demand", arguments: byAi }));
    expect(confirms(world.mock)).toHaveLength(0);
    await page.open();
    await page.press("broadcast");
    expect(confirms(world.mock)).toHaveLength(1);
  });
});

describe("a page goes on", () => {
  it("at another replica, which makes its room from what the page brings, and shows the text again before a yes", async () => {
    const { world, process, chat } = await person();
    const { page } = await asked(world, process);
    await page.open();
    await page.press("edit");
    await page.act("", { "f.text": OWN });
    await page.press("edit");
    page.client = await hostOf(await world.process({ chat }), "modern");
    await page.press("broadcast");
    expect(confirms(world.mock)).toHaveLength(0);
    expect(page.sheet?.outgoing).toBe(OWN);
    await page.press("broadcast");
    expect(confirms(world.mock).map(({ body }) => body)).toEqual([{ confirmed_text: OWN }]);
  });

  it("each act at the other one", async () => {
    const { world, process, chat } = await person();
    const { page, client } = await asked(world, process);
    const other = await hostOf(await world.process({ chat }), "modern");
    const turns = [other, client];
    const next = () => {
      page.client = turns[0]!;
      turns.reverse();
    };
    await page.open();
    for (const what of ["edit", "text", "edit", "look", "broadcast"]) {
      next();
      if (what === "text") await page.act("", { "f.text": OWN });
      else if (what === "look") await page.look();
      else await page.press(what);
      expect(page.sheet === undefined || what === "edit" || page.sheet.outgoing === OWN).toBe(true);
    }
    next();
    await page.press("broadcast");
    expect(confirms(world.mock).map(({ body }) => body)).toEqual([{ confirmed_text: OWN }]);
  });

  it("after its server was killed between the click and the answer", async () => {
    const { world, process, chat } = await person();
    const { page } = await asked(world, process);
    await page.open();
    world.mock.faults.add({ route: "confirm", kind: "delay", delayMs: 30_000, times: 1 });
    const click = callOfPage(page.client, page.ticket, broadcastBy(page));
    click.catch(() => {});
    await world.clock.until(() => confirms(world.mock).length === 1);
    world.dead.add(process.pid);
    page.client = await hostOf(await world.process({ chat }), "modern");
    await world.clock.advance(60_000);
    await page.look();
    expect(page.spec?.stage).not.toBe("decision");
    await page.press("broadcast");
    expect(confirms(world.mock)).toHaveLength(1);
  });
});
