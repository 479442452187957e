import { PAGE_TOOL, type PageCall, ROOM_META, TICKET_META } from "../../src/question/chat-wire.ts";
import type { Room } from "../../src/room/room.ts";
import { createRoomRoutes } from "../../src/room/server/routes.ts";
import type { CallOfPage } from "./chat-host.ts";
import type { Process, World } from "./world.ts";

export const TICKET = "ticket-1";

/** A result that waits, as the page needs it. */
export const waitingResult = (ticket = TICKET) => ({
  content: [{ type: "text" as const, text: "It waits." }],
  structuredContent: { data: { decision: null, formulated_text: "a text", deadline: "2026-11-21T00:05:00Z" } },
  _meta: { [TICKET_META]: { ticket } },
});

/** Answers the page's calls from a room of this process, on the world's clock. */
export function answeredBy(world: World, { deps }: Process, room: Room) {
  const file = { name: "", type: "", text: "", gzipped: new Uint8Array() };
  const serve = createRoomRoutes({ ...deps, files: async () => ({ script: file, style: file }) });
  return async ({ name, arguments: given, _meta }: CallOfPage) => {
    if (name !== PAGE_TOOL || (_meta?.[TICKET_META] as { ticket?: string })?.ticket !== TICKET)
      return { content: [], isError: true };
    const { path, form = { do: "" } } = given as unknown as PageCall;
    if (path === "/page") return answer(200, JSON.stringify({ url: "http://127.0.0.1:9/question" }));
    const sent =
      path === "/"
        ? {}
        : {
            method: "POST",
            headers: { accept: "application/json" },
            body: new URLSearchParams(Object.entries(form) as [string, string][]),
          };
    const visit = { room, base: "", browser: "elicited", mayStay: async () => true } as const;
    const response = await world.clock.run(serve(new Request(`http://room.test${path}`, sent), visit));
    const text = await response.text();
    return answer(
      response.status,
      /<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(text)?.[1] ?? text,
    );
  };
}

const answer = (status: number, body: string) => ({ content: [], _meta: { [ROOM_META]: { status, body } } });
