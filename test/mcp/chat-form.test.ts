import { randomBytes } from "node:crypto";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import {
  PAGE_TYPE,
  PAGES_EXTENSION,
  type PageTicket,
  QUESTION_PAGE,
  TICKET_META,
} from "../../src/question/chat-wire.ts";
import { cancels, confirms, requests } from "../support/backend.ts";
import { ChatPage, DRAWS, DRAWS_FORMS, ERAS, type Era, hostOf, ticketOf } from "../support/chat.ts";
import { createWorld, type ProcessOptions, type World } from "../support/world.ts";

/** No form shows a text so long. */
const INTENT = `I am looking for a product designer for a hospital. Call me at 13800138000.${" Nights are fine.".repeat(40)}`;
const PROFILE = { skills: ["design"], bio: "Designer of calm hospital software. Call me at 13800138000." };

const joins = ({ mock }: World) => requests(mock, "POST", /\/agents$/);

interface Asked {
  mode?: string;
  message: string;
  url?: string;
  requestedSchema?: { properties: object };
  _meta?: Record<string, unknown> & { [TICKET_META]?: PageTicket };
}
type Answer = { action: "accept" | "decline" | "cancel"; content?: Record<string, string> };

/** A host that draws the page in the place of a form, and answers as its page or its person does (`by`). */
async function host(
  era: Era,
  by: (page: ChatPage, asked: Asked, world: World) => Promise<Answer>,
  { capabilities = DRAWS_FORMS, ...options }: ProcessOptions & { capabilities?: object } = {},
) {
  const world = await createWorld();
  const process = await world.process({ chat: { stateKey: randomBytes(32) }, ...options });
  const client: Client = await hostOf(process, era, capabilities);
  const asked: Asked[] = [];
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    const question = params as unknown as Asked;
    asked.push(question);
    return by(new ChatPage(world, client, question._meta?.[TICKET_META]?.ticket), question, world) as never;
  });
  const call = (name: string, args: Record<string, unknown>) =>
    world.clock.run(client.callTool({ name, arguments: args }));
  return {
    world,
    asked,
    demand: (args: Record<string, unknown> = { intent: INTENT }) => call("towow_demand", args),
    join: () => call("towow_join", { scene: world.sceneId, display_name: "Mei", profile_data: PROFILE }),
  };
}

const DONE: Answer = { action: "accept", content: {} };
const presses = (button: string) => async (page: ChatPage) => {
  await page.open();
  await page.press(button);
  return DONE;
};
const dataOf = (result: { structuredContent?: unknown }) =>
  (result.structuredContent as { data: Record<string, unknown> }).data;

describe.each(ERAS)("a client of the %s era that draws the page in the place of a form", (era) => {
  it("is asked about a text by the page, with its ticket, in a form of no field", async () => {
    const { world, asked, demand } = await host(era, presses("broadcast"));
    const result = await demand();
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      requestedSchema: { type: "object", properties: {} },
      _meta: { ui: { resourceUri: QUESTION_PAGE }, [TICKET_META]: { ticket: expect.any(String) } },
    });
    expect(asked[0]?.message).not.toContain(asked[0]?._meta?.[TICKET_META]?.ticket);
    expect(confirms(world.mock)).toHaveLength(1);
    expect(dataOf(result)).toMatchObject({ decision: "accept", decided_by: "page" });
    expect(ticketOf(result)).toBeUndefined();
  });

  it("withdraws by the page's no", async () => {
    const { world, demand } = await host(era, presses("withdraw"));
    expect(dataOf(await demand())).toMatchObject({ decision: "reject", decided_by: "page" });
    expect(confirms(world.mock)).toHaveLength(0);
    expect(cancels(world.mock)).toHaveLength(1);
  });

  it.each<[string, Answer]>([
    ["an accept", DONE],
    ["an accept that says so", { action: "accept", content: { decision: "accept", confirmed_text: "Anything" } }],
    ["a no that says so", { action: "accept", content: { decision: "reject" } }],
    ["a cancel", { action: "cancel" }],
  ])("without an act of the page %s decides nothing, and the page at the result asks", async (_, answer) => {
    const { world, demand, asked } = await host(era, async () => answer);
    const result = await demand();
    expect(confirms(world.mock)).toHaveLength(0);
    expect(cancels(world.mock)).toHaveLength(0);
    expect(dataOf(result)).toMatchObject({ decision: null });
    expect(ticketOf(result)).toBeTypeOf("string");
    const { negotiation_id } = dataOf(result);
    await demand({ negotiation_id });
    expect(asked).toHaveLength(2); // it is asked again, and no content of an answer has decided meanwhile
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("a decline sends nothing, and leaves the demand to its person", async () => {
    const { world, demand } = await host(era, async (_page, _asked, { clock }) => {
      await clock.advance(2_000);
      return { action: "decline" };
    });
    const result = await demand();
    expect(confirms(world.mock)).toHaveLength(0);
    expect(result.structuredContent).toMatchObject({ warnings: expect.arrayContaining(["page_declined"]) });
  });

  it("declines unseen: it is asked in another way", async () => {
    const { world, demand, asked } = await host(era, async () => ({ action: "decline" }));
    await demand({ intent: "A designer for a hospital" });
    expect(asked.map(({ _meta }) => _meta?.ui !== undefined)).toEqual([true, false]);
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("is asked about a profile in the same way, which goes with the call that asked", async () => {
    const { world, join, asked } = await host(era, async (page) => {
      await page.open();
      const piece = page.spec?.sections.find((section) => section.kind === "asked")?.parts[0];
      await page.act(`takeOut?itemId=${piece?.id}`);
      await page.press("broadcast");
      expect(page.spec?.stage).toBe("done");
      return DONE;
    });
    expect((await join()).structuredContent).toMatchObject({ status: "ok" });
    expect(asked).toHaveLength(1);
    expect(joins(world).map(({ body }) => body)).toEqual([
      expect.objectContaining({
        profile_data: { ...PROFILE, bio: "Designer of calm hospital software. Call me at ." },
      }),
    ]);
  });

  it.each<[string, Answer]>([
    ["an accept", DONE],
    ["an accept that says so", { action: "accept", content: { decision: "accept" } }],
    ["a cancel", { action: "cancel" }],
  ])("without an act of the page %s sends no profile", async (_, answer) => {
    const { world, join } = await host(era, async () => answer);
    const result = await join();
    expect(result.structuredContent).toMatchObject({ warnings: ["undecided"] });
    expect(joins(world)).toHaveLength(0);
    expect(ticketOf(result)).toBeTypeOf("string");
  });

  it("a decline is a no to the profile, as a form's is: nothing is sent, and the call says so", async () => {
    const { world, join, asked } = await host(era, async (_page, _asked, { clock }) => {
      await clock.advance(2_000);
      return { action: "decline" };
    });
    const { structuredContent, ...result } = await join();
    expect(structuredContent).toMatchObject({
      status: "empty",
      warnings: ["declined"],
      summary: expect.stringContaining("That is a no: nothing was sent."),
    });
    expect(joins(world)).toHaveLength(0);
    expect([asked.length, ticketOf(result)]).toEqual([1, undefined]);
  });

  it("a decline after the page's own yes takes nothing back, because the page has kept the yes", async () => {
    const { world, join } = await host(era, async (page) => {
      await presses("broadcast")(page);
      await world.clock.advance(2_000);
      return { action: "decline" };
    });
    expect((await join()).structuredContent).toMatchObject({ status: "ok" });
    expect(joins(world)).toHaveLength(1);
  });

  it("is asked so before what is broadcast is stopped", async () => {
    const { world, demand, asked } = await host(era, presses("broadcast"));
    const { negotiation_id } = dataOf(await demand());
    const stopped = await demand({ negotiation_id, decision: "cancel" });
    expect(asked).toHaveLength(2);
    expect(stopped.structuredContent).toMatchObject({ status: "ok" });
    expect(cancels(world.mock)).toHaveLength(1);
  });

  it("under strict is not asked so, because its yes would not count", async () => {
    const { world, demand, join, asked } = await host(era, presses("broadcast"), {
      config: { confirmation_policy: "strict" },
      browser: "none",
    });
    await demand();
    await join();
    expect(asked).toEqual([]);
    expect(confirms(world.mock)).toHaveLength(0);
    expect(joins(world)).toHaveLength(0);
  });

  it.each<[string, object]>([
    ["no page in the place of a form", { ...DRAWS, elicitation: { form: {} } }],
    ["no page of this type", { ...DRAWS_FORMS, extensions: { [PAGES_EXTENSION]: { elicitation: {} } } }],
    [
      "it as something else",
      { ...DRAWS_FORMS, extensions: { [PAGES_EXTENSION]: { mimeTypes: [PAGE_TYPE], elicitation: true } } },
    ],
  ])("declares %s: its forms are as ever", async (_, capabilities) => {
    const { asked, demand, join } = await host(era, async () => ({ action: "cancel" }), { capabilities });
    await demand({ intent: "A designer for a hospital" });
    await join();
    expect(asked.length).toBeGreaterThan(1);
    for (const { _meta, requestedSchema } of asked) {
      expect(_meta?.ui).toBeUndefined();
      expect(_meta?.[TICKET_META]).toBeUndefined();
      expect(requestedSchema?.properties).toHaveProperty("decision");
    }
  });
});
