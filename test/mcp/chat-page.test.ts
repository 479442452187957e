import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { factsOf } from "../../src/negotiation/facts.ts";
import { NEWER } from "../../src/newer.ts";
import { PAGE_TOOL, QUESTION_PAGE, TICKET_META } from "../../src/question/chat-wire.ts";
import { confirms } from "../support/backend.ts";
import { ChatPage, callOfPage, DRAWS, ERAS, type Era, hostOf, ticketOf } from "../support/chat.ts";
import { createWorld, ORIGIN } from "../support/world.ts";

const INTENT = "I am looking for a product designer for a three-month pilot in a hospital. Call me at 13800138000.";

/** The same as the person wants it. */
const OWN = "I am looking for a product designer for a three-month pilot in a hospital.";

/** A demand whose text waits, at a client that draws pages. */
async function waiting(era: Era) {
  const world = await createWorld();
  const process = await world.process({ chat: { stateKey: randomBytes(32) } });
  const client = await hostOf(process, era);
  const call = (name: string, args: Record<string, unknown> = {}) =>
    world.clock.run(client.callTool({ name, arguments: args }));
  const result = await call("towow_demand", { intent: INTENT });
  const ticket = ticketOf(result);
  const { negotiation_id: id } = (result.structuredContent as { data: { negotiation_id: string } }).data;
  return { world, call, result, ticket, page: new ChatPage(world, client, ticket), id };
}

describe.each(ERAS)("a client of the %s era that draws pages", (era) => {
  it("is given the page at the results that ask, the page's tool, and the page itself, which stands in no list", async () => {
    const world = await createWorld();
    const client = await hostOf(await world.process({ chat: { stateKey: randomBytes(32) } }), era);
    const { tools } = await client.listTools();
    const linked = tools.filter(({ _meta }) => (_meta as { ui?: { resourceUri?: string } })?.ui?.resourceUri);
    expect(linked.map(({ name }) => name)).toEqual(["towow_join", "towow_demand"]);
    expect(linked[0]?._meta).toMatchObject({ ui: { resourceUri: QUESTION_PAGE } });
    expect(tools.find(({ name }) => name === PAGE_TOOL)?._meta).toEqual({ ui: { visibility: ["app"] } });
    const { contents } = await client.readResource({ uri: QUESTION_PAGE });
    expect(contents).toEqual([
      {
        uri: QUESTION_PAGE,
        mimeType: "text/html;profile=mcp-app",
        text: "<!doctype html>",
        _meta: { ui: { csp: {}, prefersBorder: false } },
      },
    ]);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).not.toContain(QUESTION_PAGE);
    expect(client.getServerCapabilities()?.extensions).toHaveProperty(["io.modelcontextprotocol/ui"]);
  });

  it.each([
    ["no extension", {}],
    ["the extension without a type", { extensions: { "io.modelcontextprotocol/ui": {} } }],
    ["another type", { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html"] } } }],
    ["a type that is no list", { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: DRAWS.extensions } } }],
  ])("declares %s: nothing of the page, and no word more", async (_, capabilities) => {
    const results = await Promise.all(
      [true, false].map(async (hasPage) => {
        const world = await createWorld();
        const process = await world.process(hasPage ? { chat: { stateKey: randomBytes(32) } } : {});
        const client = await hostOf(process, era, capabilities);
        const result = await world.clock.run(client.callTool({ name: "towow_demand", arguments: { intent: INTENT } }));
        expect(ticketOf(result)).toBeUndefined();
        await expect(callOfPage(client, "any", { path: "/" })).rejects.toThrow(/towow_page/);
        return { tools: (await client.listTools()).tools, text: result.content };
      }),
    );
    expect(results[0]?.tools).toEqual(results[1]?.tools);
    expect(JSON.stringify(results[0]?.text).length).toBe(JSON.stringify(results[1]?.text).length);
  });

  it("shows the text, takes a change, broadcasts it by the person's click and follows it to the plan", async () => {
    const { world, page, result, ticket } = await waiting(era);
    expect(JSON.stringify([result.content, result.structuredContent])).not.toContain(ticket);
    expect(JSON.stringify(result.content)).toContain("on the page at this result");
    await page.open();
    expect(page.sheet?.outgoing).toContain(INTENT);
    await page.press("edit");
    await page.act("", { "f.text": OWN });
    await page.press("edit");
    expect(page.sheet?.outgoing).toBe(OWN);
    expect(confirms(world.mock)).toHaveLength(0);
    await page.press("broadcast");
    expect(confirms(world.mock).map(({ body }) => body)).toEqual([{ confirmed_text: OWN }]);
    expect(page.spec?.stage).toBe("negotiating");
    await world.clock.advance(600_000);
    await page.look();
    expect(page.spec?.stage).toBe("done");
    expect(page.spec?.sections.map(({ kind }) => kind)).toContain("people");
  });
});

it("in developer mode the page stands at towow_confirm, too; where no tool decides there is none", async () => {
  const world = await createWorld();
  const chat = { stateKey: randomBytes(32) };
  const developer = await hostOf(await world.process({ chat, flags: { mode: "developer" } }), "modern");
  const names = async (client: typeof developer) =>
    (await client.listTools()).tools
      .filter(({ _meta }) => _meta !== undefined && "ui" in _meta)
      .map(({ name }) => name);
  expect(await names(developer)).toEqual([
    "towow_join",
    "towow_demand",
    "towow_register_agent",
    "towow_confirm",
    PAGE_TOOL,
  ]);
  const demand = developer.callTool({ name: "towow_demand", arguments: { intent: INTENT } });
  const { structuredContent } = await world.clock.run(demand);
  const { negotiation_id } = (structuredContent as { data: { negotiation_id: string } }).data;
  const shown = developer.callTool({ name: "towow_confirm", arguments: { negotiation_id } });
  const page = new ChatPage(world, developer, ticketOf(await world.clock.run(shown)));
  await page.open();
  await page.press("broadcast");
  expect(confirms(world.mock)).toHaveLength(1);
  const reader = await hostOf(await world.process({ chat, config: { profile: "read_only" } }), "modern");
  expect(await names(reader)).toEqual([]);
  await expect(callOfPage(reader, page.ticket, { path: "/" })).rejects.toThrow(/towow_page/);
});

it("leads to the question's page in a browser, where there is one", async () => {
  for (const [browser, way] of [
    ["here", { url: expect.stringContaining("/approve/result/") }],
    ["none", {}],
  ] as const) {
    const world = await createWorld();
    const client = await hostOf(await world.process({ browser, chat: { stateKey: randomBytes(32) } }), "modern");
    const result = await world.clock.run(client.callTool({ name: "towow_demand", arguments: { intent: INTENT } }));
    const answer = await world.clock.run(callOfPage(client, ticketOf(result), { path: "/page" }));
    expect(JSON.parse(answer?.body ?? "")).toEqual(way);
    // A host may let the page call nothing: the way stands beside the ticket, too.
    expect(result._meta?.[TICKET_META]).toEqual({ ticket: expect.any(String), ...way });
  }
});

describe("what is written of a yes from the page", () => {
  it.each(["visible", "in_view"] as const)("says that it was drawn in a chat, and that it was %s", async (display) => {
    const { world, page, id } = await waiting("modern");
    await page.open();
    page.display = display;
    await page.press("broadcast");
    const decided = (await world.facts.read({ origin: ORIGIN, id })).get("decided.1") as { display: object };
    expect(decided).toMatchObject({ by: "page", kind: "accept" });
    expect(decided.display).toMatchObject({ surface: "page", browser: "elicited", drawn: display });
  });

  it("calls what was typed there the client's, and never the person's", async () => {
    const { world, page, call, id } = await waiting("modern");
    await page.open();
    await page.press("edit");
    await page.act("", { "f.text": OWN });
    await page.press("broadcast");
    const entries = await world.facts.read({ origin: ORIGIN, id });
    expect(entries.get("decided.1")).toMatchObject({ kind: "edit", display: { author: "client" } });
    const { structuredContent } = await call("towow_demand", { negotiation_id: id });
    expect(structuredContent).toMatchObject({ data: { decision: "edit", decided_by: "page", written_by: "client" } });
  });

  it("is a whole decision to a program that does not know such pages", async () => {
    const { world, page, id } = await waiting("modern");
    await page.open();
    await page.press("broadcast");
    const entries = await world.facts.read({ origin: ORIGIN, id });
    // The field of version 0.2: its words are all it reads, and it passes over what it does not know.
    const older = z.object({
      surface: z.enum(["form", "page", "terminal", "argument"]),
      rendered_hash: z.string().min(1),
      author: z.enum(["network", "ai", "person", "client"]),
      browser: z.enum(["own_window", "elicited", "known"]).optional(),
    });
    const { display } = entries.get("decided.1") as { display: object };
    expect(older.parse(display)).toEqual({ ...display, drawn: undefined });
  });

  it("stands, too, where a newer program says more of its display", async () => {
    const { world, page, id } = await waiting("modern");
    await page.open();
    await page.press("broadcast");
    const entries = new Map(await world.facts.read({ origin: ORIGIN, id }));
    const decided = entries.get("decided.1") as { display: object };
    entries.set("decided.1", { ...decided, display: { ...decided.display, drawn: "witnessed" } });
    expect(factsOf(entries).decided).toMatchObject([{ by: "page", display: { browser: "elicited", drawn: NEWER } }]);
  });
});
