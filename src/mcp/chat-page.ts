import { createHmac } from "node:crypto";
import { createRequestStateCodec, type Tool as ListedTool, type ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type AskedAtResult, heldByTicket, type Pending } from "../ask/questions.ts";
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

/** A ticket outlives the question's deadline, because its page goes on to follow the negotiation and shows the plan. */
const TICKET_LIFETIME_S = 24 * 3600;
/** The longest value of one field that the page sends, in UTF-16 units. A whole text, or all edits to it, must fit. */
const MAX_WORD_LENGTH = 500_000;

const pageCall = z.object({
  path: z.enum(PAGE_PATHS),
  form: z.looseObject({ do: z.string().default(""), display: z.enum(DISPLAYS).optional() }).optional(),
});
const ticketless = z.object({ path: z.literal("/page"), demand: z.string().max(MAX_ID_LENGTH) });
const ticketMeta = z.object({ ticket: z.string() });

/** The signed contents of a ticket. */
interface Ticket {
  id: string;
  about: TicketAbout;
  origin: string;
}

/**
 * Names the page of a question. A tool's entry has this link if the page is drawn at its results, and a form has it if
 * the page is drawn instead of the form.
 */
export const QUESTION_LINK = { ui: { resourceUri: QUESTION_PAGE } };

/**
 * Describes the page's own tool, for clients that draw the page. The tool requires a ticket, because nothing but the
 * client keeps the model from calling this tool.
 */
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

/** Returns the page as a resource. No list shows that resource. */
export const questionContents = async ({ html }: ChatPages) => ({
  contents: [
    { uri: QUESTION_PAGE, mimeType: PAGE_TYPE, text: await html(), _meta: { ui: { csp: {}, prefersBorder: false } } },
  ],
});

/** Signs tickets for the page, and answers the page's calls. */
export function createChatPage(deps: ServerDeps, chat: ChatPages) {
  // This key is not the one that signs the rounds of a question, so that neither signature can pass for the other.
  const key = createHmac("sha256", deps.stateKey).update(TICKET_META).digest();
  const codec = createRequestStateCodec<Ticket>({ key, ttlSeconds: TICKET_LIFETIME_S });

  return {
    /**
     * Returns the `_meta` of a result, with a ticket if something waits for an answer. The parts of a result that the
     * model reads never hold a ticket. `asked` is the question that the call left without an answer.
     */
    async ticketFor(
      tool: string,
      { data }: ToolResult,
      { origin, asked }: { origin: string; asked: AskedAtResult | undefined },
    ): Promise<Record<string, PageTicket>> {
      const demand = waitingIn(tool, data);
      if (demand !== undefined) return ticketOfDemand(demand, origin);
      return asked !== undefined && (await asked.isOpen()) ? ticketOfAsked(asked, origin) : {};
    },

    /**
     * Returns the `_meta` with a ticket for a question that the client asks by drawing the page. `asked` is the same as
     * in `ticketFor`.
     */
    async ticketOf(
      about: Pending,
      { origin, asked }: { origin: string; asked: AskedAtResult | undefined },
    ): Promise<Record<string, PageTicket>> {
      if (about.kind === "formulation") return ticketOfDemand(about.negotiation_id, origin);
      return asked === undefined ? {} : ticketOfAsked(asked, origin);
    },

    /** Answers a call of the page's tool. The ticket is read from the call's `_meta` alone, never from its arguments. */
    async call(args: unknown, ctx: ServerContext) {
      const ticket = await ticketIn(ctx);
      if (ticket === undefined) return (await addressFor(ticketless.safeParse(args).data?.demand)) ?? REFUSED;
      const call = pageCall.safeParse(args).data;
      const isFit = call !== undefined && Object.values(call.form ?? {}).every(isWord);
      const answer = isFit ? await answerTo(call as PageCall, ticket) : { status: 400, body: "" };
      return { content: [{ type: "text" as const, text: "" }], _meta: { [ROOM_META]: answer } };
    },
  };

  function ticketOfDemand(demand: string, origin: string) {
    return ticketAbout({ demand }, origin, () => wayFor(demand, origin));
  }

  async function ticketOfAsked(asked: AskedAtResult, origin: string): Promise<Record<string, PageTicket>> {
    const permission = heldByTicket(asked);
    if (permission === undefined) return {};
    const { open } = asked;
    return ticketAbout({ permission }, origin, async () =>
      deps.browser === "none" || open === undefined ? {} : { url: (await open()).forResult },
    );
  }

  async function ticketAbout(about: TicketAbout, origin: string, way: () => Promise<PageWay>) {
    const ticket = await codec.mint({ id: deps.newId(), about, origin });
    return { [TICKET_META]: { ticket, ...(await way().catch(unopened)) } };
  }

  /** Answers the page. After a failure the page gets a status alone, and asks again. */
  async function answerTo(call: PageCall, { id: ticketId, about, origin }: Ticket): Promise<PageAnswer> {
    try {
      if (call.path !== "/page")
        return await chat.answer(call, { ticketId, about, account: deps.accounts.of(origin), deps });
      // Only a demand's page can be opened anew. The address of any other question's page came with the result, beside
      // the ticket.
      const way = "demand" in about ? await wayFor(about.demand, origin) : {};
      return { status: 200, body: JSON.stringify(way) };
    } catch (error) {
      deps.log.error("chat_page_failed", { error: failureOf(error) });
      return { status: 500, body: "" };
    }
  }

  /**
   * Returns the address of the page where the person can decide in a browser instead, or no address if there is no
   * browser.
   */
  async function wayFor(demandId: string, origin: string): Promise<PageWay> {
    if (deps.browser === "none") return {};
    const { pages } = deps.accounts.of(origin);
    const page = await pages?.open({ negotiationId: demandId, lang: deps.live.current().lang });
    return page === undefined ? {} : { url: page.forResult };
  }

  /**
   * Gives a page without a ticket the address where its person can decide, as results do. The address itself decides
   * nothing. Under `strict`, a page on the person's own machine gets no address, because there the server opens the
   * browser itself.
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

  /** Logs why the page could not be opened, and returns no address, so that the result is given without an address. */
  function unopened(error: unknown): PageWay {
    deps.log.error("chat_page_failed", { error: failureOf(error) });
    return {};
  }

  /** Returns the ticket of a call, or undefined if it is missing, forged, another person's or expired. */
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

/** Returns the id of the demand in this result if its text waits for the person at this tool. */
function waitingIn(tool: string, data: unknown): string | undefined {
  const read = waiting.safeParse(data).data;
  return read?.resume_with.tool === tool ? read.negotiation_id : undefined;
}
