import type { Client } from "@modelcontextprotocol/client";
import {
  PAGE_TOOL,
  PAGE_TYPE,
  PAGES_EXTENSION,
  type PageAnswer,
  type PageCall,
  type PageTicket,
  ROOM_META,
  TICKET_META,
} from "../../src/question/chat-wire.ts";

/** What a client declares that draws a server's pages. */
export const DRAWS = { extensions: { [PAGES_EXTENSION]: { mimeTypes: [PAGE_TYPE] } } };

/** The ticket that a result hands to the page at it; undefined for a result that waits for nobody there. */
export const ticketOf = ({ _meta }: { _meta?: Record<string, unknown> | undefined }): string | undefined =>
  (_meta?.[TICKET_META] as PageTicket | undefined)?.ticket;

/** A call of the page in the chat, which its host hands on; undefined where the ticket opens nothing. */
export async function callOfPage(
  client: Pick<Client, "callTool">,
  ticket: string | undefined,
  call: PageCall,
): Promise<PageAnswer | undefined> {
  const _meta = ticket === undefined ? {} : { [TICKET_META]: { ticket } satisfies PageTicket };
  const answer = await client.callTool({ name: PAGE_TOOL, arguments: { ...call }, _meta });
  return answer._meta?.[ROOM_META] as PageAnswer | undefined;
}
