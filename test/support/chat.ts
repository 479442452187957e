import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { buildServer } from "../../src/mcp/server.ts";
import {
  type Display,
  PAGE_TOOL,
  PAGE_TYPE,
  PAGES_EXTENSION,
  type PageAnswer,
  type PageCall,
  type PageTicket,
  ROOM_META,
  TICKET_META,
} from "../../src/question/chat-wire.ts";
import type { RoomUpdate } from "../../src/room/page/sending.ts";
import type { Boot } from "../../src/room/page/store.ts";
import { buttonsOn } from "../../src/room/tools.ts";
import type { Section, UiSpec } from "../../src/room/ui-spec-schema.ts";
import type { Process, World } from "./world.ts";

/** What a client declares that draws a server's pages. */
export const DRAWS = { extensions: { [PAGES_EXTENSION]: { mimeTypes: [PAGE_TYPE] } } };

/** The same of one that draws them in the place of forms, too (SEP-3118). */
export const DRAWS_FORMS = {
  elicitation: { form: {} },
  extensions: { [PAGES_EXTENSION]: { mimeTypes: [PAGE_TYPE], elicitation: {} } },
};

export type Era = "legacy" | "modern";
export const ERAS: readonly Era[] = ["legacy", "modern"];

/** A client of one era at this process, which declares these capabilities. */
export async function hostOf({ deps }: Process, era: Era, capabilities: object = DRAWS): Promise<Client> {
  const mode = era === "modern" ? { pin: "2026-07-28" } : ("legacy" as const);
  const client = new Client({ name: "host", version: "1" }, { capabilities, versionNegotiation: { mode } });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  if (era === "modern") serveStdio(() => buildServer(deps), { transport: theirs });
  else await buildServer(deps).connect(theirs);
  await client.connect(ours);
  return client;
}

/** The ticket that a result hands to the page at it; undefined for a result that waits for nobody there. */
export const ticketOf = ({ _meta }: { _meta?: Record<string, unknown> | undefined }): string | undefined =>
  (_meta?.[TICKET_META] as PageTicket | undefined)?.ticket;

/** A call of the page in the chat, which its host hands on; undefined where the ticket opens nothing. */
export async function callOfPage(
  client: Pick<Client, "callTool">,
  ticket: string | undefined,
  call: PageCall | { path: string; form?: object; ticket?: string },
): Promise<PageAnswer | undefined> {
  const _meta = ticket === undefined ? {} : { [TICKET_META]: { ticket } satisfies PageTicket };
  const answer = await client.callTool({ name: PAGE_TOOL, arguments: { ...call }, _meta });
  return answer.isError ? undefined : (answer._meta?.[ROOM_META] as PageAnswer | undefined);
}

/** The page in the chat, as a person uses it, without its drawing. */
export class ChatPage {
  /** Where its host hands its calls to; another replica's may take the next one. */
  client: Client;
  spec: UiSpec | undefined;
  late: string | undefined;
  draft: string | undefined;
  /** The text that the page has last shown, by its hash; `display`: what it says of that. */
  display: Display | undefined = "visible";
  readonly #world: World;
  readonly ticket: string | undefined;

  constructor(world: World, client: Client, ticket: string | undefined) {
    this.#world = world;
    this.client = client;
    this.ticket = ticket;
  }

  /** Opens, or is loaded again. False where the ticket opens nothing. */
  async open(): Promise<boolean> {
    const answer = await this.#send({ path: "/" });
    if (answer !== undefined) this.spec = (JSON.parse(answer.body) as Boot).spec;
    return answer !== undefined;
  }

  /** Sends a form as it stands. */
  async act(what: string, fields: Record<string, string> = {}): Promise<PageAnswer | undefined> {
    const { display, draft } = this;
    const shown = this.button("broadcast")?.params.textHash;
    const seen = display === undefined ? {} : { display, ...(shown !== undefined && { shown }) };
    const form = { do: what, ...(draft !== undefined && { draft }), ...seen, ...fields };
    const answer = await this.#send({ path: "/act", form });
    if (answer?.status === 200) {
      const { uiSpec, late } = JSON.parse(answer.body) as RoomUpdate & { late?: string };
      Object.assign(this, { spec: uiSpec, late });
    }
    return answer;
  }

  /** Presses a button as it stands on the page, whether or not it can be pressed. */
  press(tool: string, fields: Record<string, string> = {}): Promise<PageAnswer | undefined> {
    const params = this.button(tool)?.params ?? {};
    return this.act(`${tool}?${new URLSearchParams(params)}`, fields);
  }

  look(): Promise<PageAnswer | undefined> {
    return this.act("");
  }

  button(tool: string) {
    return this.spec && buttonsOn(this.spec).find(({ toolName }) => toolName === tool);
  }

  get sheet(): Section<"sheet"> | undefined {
    return this.spec?.sections.find((section) => section.kind === "sheet");
  }

  async #send(call: PageCall): Promise<PageAnswer | undefined> {
    const answer = await this.#world.clock.run(callOfPage(this.client, this.ticket, call));
    this.draft = answer?.draft ?? this.draft;
    return answer;
  }
}
