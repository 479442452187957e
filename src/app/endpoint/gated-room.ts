import type { Gate } from "../../mcp/http/gate.ts";
import { HttpError } from "../../mcp/http/http-error.ts";
import type { User } from "../../mcp/http/user.ts";
import { problemPage } from "../../room/server/message-page.ts";
import { MAX_FORM_BYTES } from "../../room/server/routes.ts";
import { textsOf } from "../../text/index.ts";
import { inUse } from "./uses.ts";

export interface GatedRoomDeps {
  user: Pick<User, "key" | "isAccepted" | "use">;
  gate: Gate;
  lang: () => "zh" | "en";
}

/**
 * Serves a request to a room and keeps its user in memory meanwhile. Before its body is read, the request gets a slot
 * of the gate, as its user's messages do. If the endpoint is too busy, the body is not read, and the answer is a page
 * that says so. `base` is the path of the room.
 */
export const serveBehindGate = (
  request: Request,
  base: string,
  { user, gate, lang }: GatedRoomDeps,
  serve: () => Promise<Response>,
): Promise<Response> =>
  inUse(user, async () => {
    const slot = gate.slotFor(user, true);
    try {
      slot.hold(mostBytesOf(request));
      return await serve();
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const context = { texts: textsOf(lang()), host: new URL(request.url).host, isAnswer: request.method !== "GET" };
      const headers = { ...error.headers, "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" };
      return new Response(String(await problemPage(context, "busy", base)), { status: error.status, headers });
    } finally {
      slot.free();
    }
  });

/**
 * Returns the most bytes that the request's body can have. This is the declared length, or the limit if no length or a
 * larger one is declared.
 */
function mostBytesOf({ method, headers }: Request): number {
  if (method === "GET") return 0;
  const declared = headers.has("transfer-encoding") ? Number.NaN : Number(headers.get("content-length") ?? Number.NaN);
  return declared <= MAX_FORM_BYTES ? declared : MAX_FORM_BYTES;
}
