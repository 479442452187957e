import { createHmac } from "node:crypto";
import { createRequestStateCodec, type Tool as ListedTool, type ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { AskedAtResult } from "../ask/questions.ts";
import { MAX_ID_LENGTH } from "../backend/route.ts";
import { failureOf } from "../log.ts";
import { isUndecided } from "../negotiation/stage.ts";
import {
  DISPLAYS,
  GONE,
  PAGE_PATHS,
  PAGE_TOOL,
  PAGE_TYPE,
  type PageAnswer,
  type PageCall,
  type PageTicket,
  type PageWay,
  QUESTION_PAGE,
  ROOM_META,
  TICKET_META,
} from "../question/chat-wire.ts";
import type { ToolResult } from "../result/tool-result.ts";
import type { ChatPages, ServerDeps, TicketAbout } from "./server-deps.ts";

/** After the question's deadline a page still follows what goes on, and its plan. */
const TICKET_LIFETIME_S = 24 * 3600;
/** A text on the page may be so long, and so may what was done to it. */
const MAX_WORD_LENGTH = 500_000;

const pageCall = z.object({
  path: z.enum(PAGE_PATHS),
  form: z.looseObject({ do: z.string().default(""), display: z.enum(DISPLAYS).optional() }).optional(),
});
const ticketless = z.object({ path: z.literal("/page"), demand: z.string().max(MAX_ID_LENGTH) });
const ticketMeta = z.object({ ticket: z.string() });

/** What is asked travels in the ticket: a longer one, in UTF-16 units, gets none. */
const MAX_ASKED_LENGTH = 50_000;

/** A ticket says this, and is signed. */
interface Ticket {
  id: string;
  about: TicketAbout;
  origin: string;
}

/** A tool's entry names the page at its results by this. */
export const QUESTION_LINK = { ui: { resourceUri: QUESTION_PAGE } };

/** The page's own tool, for clients that draw it. That no model is given it is their promise: so it asks for a ticket. */
export const pageTool = (title: string): ListedTool => ({
  name: PAGE_TOOL,
  title,
  description: "For the page in the chat alone: without the ticket of that page it decides nothing.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", enum: [...PAGE_PATHS] },
      form: { type: "object" },
      demand: { type: "string" },
    },
    required: ["path"],
  },
  annotations: { title, readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  _meta: { ui: { visibility: ["app"] } },
});

/** Returns the page as a resource, which stands in no list. */
export const questionContents = async ({ html }: ChatPages) => ({
  contents: [
    { uri: QUESTION_PAGE, mimeType: PAGE_TYPE, text: await html(), _meta: { ui: { csp: {}, prefersBorder: false } } },
  ],
});

/** Signs tickets for the page, and takes its calls. */
export function createChatPage(deps: ServerDeps, chat: ChatPages) {
  // What is signed for the rounds of a question is no ticket, and a ticket answers no question.
  const key = createHmac("sha256", deps.stateKey).update(TICKET_META).digest();
  const codec = createRequestStateCodec<Ticket>({ key, ttlSeconds: TICKET_LIFETIME_S });

  return {
    /**
     * Gives a result its `_meta`: the ticket, where something waits for an answer. The model's parts of a result never hold
     * one. `asked`: the call ended without an answer to this.
     */
    async ticketFor(
      tool: string,
      { data }: ToolResult,
      { origin, asked }: { origin: string; asked: AskedAtResult | undefined },
    ): Promise<Record<string, PageTicket>> {
      const demand = waitingIn(tool, data);
      if (demand !== undefined) return ticketAbout({ demand }, origin, () => wayFor(demand, origin));
      if (asked === undefined || !(await asked.isOpen())) return {};
      const { open, id, question, kind, host, until } = asked;
      const permission = { id, question, kind, asked: asked.asked, host, until };
      if (JSON.stringify(permission).length > MAX_ASKED_LENGTH) return {};
      return ticketAbout({ permission }, origin, async () =>
        deps.browser === "none" || open === undefined ? {} : { url: (await open()).forResult },
      );
    },

    /** Answers a call of the page's tool. What stands in its arguments is never a ticket. */
    async call(args: unknown, ctx: ServerContext) {
      const ticket = await ticketIn(ctx);
      if (ticket === undefined) return (await addressFor(ticketless.safeParse(args).data?.demand)) ?? REFUSED;
      const call = pageCall.safeParse(args).data;
      const isFit = call !== undefined && Object.values(call.form ?? {}).every(isWord);
      const answer = isFit ? await answerTo(call as PageCall, ticket) : { status: 400, body: "" };
      return { content: [{ type: "text" as const, text: "" }], _meta: { [ROOM_META]: answer } };
    },
  };

  async function ticketAbout(about: TicketAbout, origin: string, way: () => Promise<PageWay>) {
    const ticket = await codec.mint({ id: deps.newId(), about, origin });
    return { [TICKET_META]: { ticket, ...(await way().catch(unopened)) } };
  }

  /** A page is told of what failed by a number alone, and asks again. */
  async function answerTo(call: PageCall, { id: ticketId, about, origin }: Ticket): Promise<PageAnswer> {
    try {
      if (call.path !== "/page")
        return await chat.answer(call, { ticketId, about, account: deps.accounts.of(origin), deps });
      // The page of another question can be opened with its result alone, and its address stands beside the ticket.
      const way = "demand" in about ? await wayFor(about.demand, origin) : {};
      return { status: 200, body: JSON.stringify(way) };
    } catch (error) {
      deps.log.error("chat_page_failed", { error: failureOf(error) });
      return { status: 500, body: "" };
    }
  }

  /** Finds where the person can decide instead, in a browser that the program or they open. */
  async function wayFor(demandId: string, origin: string): Promise<PageWay> {
    if (deps.browser === "none") return {};
    const { pages } = deps.accounts.of(origin);
    const page = await pages?.open({ negotiationId: demandId, lang: deps.live.current().lang });
    return page === undefined ? {} : { url: page.forResult };
  }

  /**
   * Tells a page without a ticket where its person can decide, as results do: the address leads there, and decides nothing.
   * Under `strict` no result on the person's own machine holds one, because the server opens their browser itself.
   */
  async function addressFor(demand: string | undefined) {
    const { backend_url, confirmation_policy } = deps.live.current();
    const { origin, negotiations } = deps.accounts.at(backend_url);
    if (demand === undefined || (confirmation_policy === "strict" && deps.browser === "here")) return undefined;
    const stage = await negotiations.stage(demand);
    if (!stage.isOwn || !isUndecided(stage)) return undefined;
    const way = await wayFor(demand, origin).catch(unopened);
    return { content: [{ type: "text" as const, text: JSON.stringify(way) }] };
  }

  /** Without an address the page in the chat leads nowhere; the result is given all the same. */
  function unopened(error: unknown): PageWay {
    deps.log.error("chat_page_failed", { error: failureOf(error) });
    return {};
  }

  /** Returns undefined for none, for one that was made up, and for one of another person or from long ago. */
  async function ticketIn(ctx: ServerContext): Promise<Ticket | undefined> {
    const given = ticketMeta.safeParse(ctx.mcpReq._meta?.[TICKET_META]).data;
    return given && (await Promise.resolve(codec.verify(given.ticket, ctx)).catch(() => undefined));
  }
}

const isWord = (value: unknown): boolean => typeof value === "string" && value.length <= MAX_WORD_LENGTH;

const REFUSED = {
  content: [{ type: "text" as const, text: "This needs the ticket of a page in the chat." }],
  isError: true,
  _meta: { [ROOM_META]: { status: GONE, body: "" } satisfies PageAnswer },
};

const waiting = z.object({
  negotiation_id: z.string(),
  state: z.literal("formulated"),
  decision: z.null(),
  resume_with: z.object({ tool: z.string() }),
});

/** Finds the demand whose text waits for its person in this result. */
function waitingIn(tool: string, data: unknown): string | undefined {
  const read = waiting.safeParse(data).data;
  return read?.resume_with.tool === tool ? read.negotiation_id : undefined;
}
